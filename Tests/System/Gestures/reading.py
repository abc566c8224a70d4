"""Gesture rules of the box: reads a touch script and returns the final pattern.

This is an independent reading of the rules' text. It shares no code with the program; `compare` plays the same script
through both.
Times are in ms, columns and rows are LED indices, as in a touch script.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

TRACKS = ("melody", "chords", "bass", "rhythm")
FIRST_ROW = {"melody": 2, "chords": 8, "bass": 14, "rhythm": 18}
ROWS = {"melody": 6, "chords": 6, "bass": 4, "rhythm": 4}
SCALES = {"major": (0, 2, 4, 5, 7, 9, 11), "minor": (0, 2, 3, 5, 7, 8, 10), "penta": (0, 2, 4, 7, 9)}
DRUM_PAGES = ((0, 3, 7, 8), (2, 5, 6, 9), (1, 4, 10, 11))
NOTES = 36
STEPS = 32  # Of a window, which the tracks show at once.
LONGEST = 128
BEAT = 4
NORMAL, ACCENT, SUSTAIN = 1, 2, 3
RANK = {0: 0, SUSTAIN: 1, NORMAL: 2, ACCENT: 3}  # Of two notes that meet in one cell, the higher one stays.

MERGE = 60  # Fingers that land within this time of the first one share an undo step.
MOVED_LATE = 80  # A finger that leaves its first LED less than this before lifting is still.
SHORT = 180  # A touch up to this long is still, if it stays within one LED.
SWIPE = 250  # Longest swipe.
DOUBLE_TAP = 300  # Landings of a double tap are closer than this.
SWIPE_PAUSE = 400  # Longest time from a swipe's lift to the landing of the next.
HOLD = 400  # A finger that rests this long on its first LED is held.
SHAKE_PAUSE = 500  # A rest this long starts the count of reversals anew.
TRANSPOSE = 600  # A root held this long moves the notes.
REPEAT = 120  # Time between repeats of a held length or tempo control, after HOLD.
UNDO_LEVELS = 50
FOLLOW = 600  # A finger that rests this long on the overview of several windows lets them go with the playhead.
SCROLL = 9  # Columns that two fingers on row 1 go for each window.
DIAL = 2  # Columns of LEDs from which a finger on the light of the length changes it.


def step_at(column):
    """Returns the step of an LED column of the tracks; a gap column is the step to its left."""
    block, place = divmod(column - 4, 9)
    return block * 8 + min(place, 7)


def column_at(step):
    """Returns the LED column of a step."""
    return 4 + step + step // 8


def track_at(row):
    """Returns the track of an LED row, or None."""
    return next((t for t in TRACKS if FIRST_ROW[t] <= row < FIRST_ROW[t] + ROWS[t]), None)


class Unread(Exception):
    """A session whose result depends on more than its touches."""


@dataclass(frozen=True)
class Key:
    """Scale and root, and the notes of their degrees."""

    scale: str
    root: int

    def any_note(self, degree):
        """Returns the note of a degree, also outside the 36 notes."""
        tones = SCALES[self.scale]
        octave, tone = divmod(degree, len(tones))
        return (self.root if self.root > 5 else self.root + 12) + 12 * octave + tones[tone]

    def note(self, degree):
        """Returns the note of a degree, or None if the degree does not exist."""
        note = self.any_note(degree)
        return note if 0 <= note < NOTES else None

    def raised(self, note, degrees):
        """Returns a note moved by degrees, as far above a degree as before; None if the track does not have it."""
        below = max(d for d in range(-NOTES, NOTES) if self.any_note(d) <= note)
        moved = self.any_note(below + degrees) + note - self.any_note(below)
        return moved if 0 <= moved < NOTES else None

    def tone(self, degree, distance):
        """Returns the note `distance` degrees from a degree, or its nearest match in a scale without seven notes."""
        if len(SCALES[self.scale]) == 7 or distance == 0:
            return self.note(degree + distance)
        semitones = {2: 4, 4: 7, 6: 11, -2: -4, -4: -7, -6: -11, -3: -5, -5: -8}[distance]
        goal = self.any_note(degree) + semitones
        near = [self.any_note(d) for d in range(degree - 12, degree + 13)]
        note = min(near, key=lambda n: (abs(n - goal), n))
        return note if 0 <= note < NOTES else None

    def shown(self, degree):
        """Returns the notes that the LED of an existing degree shows."""
        low = self.note(degree) if self.note(degree - 1) is not None else 0
        high = self.note(degree + 1)
        return range(low, NOTES if high is None else high)

    def has_rows(self, offset, rows):
        """Returns whether a page with this offset has an existing row."""
        return any(self.note(offset + y) is not None for y in range(rows))


@dataclass(eq=False)
class Finger:
    """A finger from landing to lift."""

    at: int
    column: int
    row: int
    target: str  # "track", "dead", "page", "bar" (rows 1, 22, 23), "scroll", "control" or "other"
    others: list  # Fingers that are down at its landing.
    previous: "Finger | None"  # The finger that landed before it.
    group: object = None  # Changes of fingers with an equal group make one undo step.
    alone: bool = True  # No other finger was down so far.
    here: tuple = (0, 0)
    # Fingers on a track.
    track: str = ""
    key: Key = None
    length: int = STEPS
    first: int = 0  # First step of the window in which it landed.
    shown: int = 0  # First step of the window that is shown now.
    page: int = 0
    lit: list = field(default_factory=list)  # Notes that its first LED showed at the landing.
    left: "int | None" = None  # First time that it left its first LED.
    farthest: int = 0
    risen: "int | None" = None  # Rows upwards where it left its first step for the first time.
    turned: bool = False
    tap: bool = False  # It was a still touch that may begin a double tap.
    doubled: bool = False  # It was the second touch of a double tap.
    swipe: "Swipe | None" = None  # The swipe before it, if it may continue it.
    # Shake.
    reversals: int = 0
    shaken: bool = False
    direction: int = 0
    turn: int = 0  # Where the present leg began, then its farthest column.
    lowest: int = 0  # Since the count began, until the first leg counts.
    highest: int = 0
    travelled: int = 0
    # Controls.
    control: str = ""
    way: int = 0
    dialled: int = 0  # Steps by which it has changed the length, up or down.
    due: "int | None" = None  # Next time at which a held control acts.
    before: dict = None  # The pattern before a root was touched.
    interval: int = 0  # Semitones that a held root has moved the notes by.

    @property
    def step(self):
        """The step on which it landed."""
        return step_at(self.column) + self.first

    @property
    def first_led(self):
        return (self.column, self.row)

    def row_number(self, row):
        """Returns the row of the finger's track, 0 for the lowest."""
        return FIRST_ROW[self.track] + ROWS[self.track] - 1 - row

    def clamped_row(self, row):
        """Returns the row number of an LED row, clamped to the finger's track."""
        return min(max(self.row_number(row), 0), ROWS[self.track] - 1)

    def way_to(self, column, row):
        """Returns steps and rows from where the finger landed to an LED, within the track and the pattern."""
        end = min(step_at(min(max(column, 4), 38)) + self.shown, self.length - 1)
        return end - self.step, self.clamped_row(row) - self.row_number(self.row)


@dataclass
class Step:
    """A step of the undo history."""

    group: object
    before: dict  # The pattern before it.
    redo_steps: list  # Patterns that could be redone before it.


@dataclass
class Swipe:
    """A swipe that a further one may follow."""

    way: int
    lifted: int
    columns: range  # From where it landed to where it lifted.
    row: int
    acted: bool
    saved: tuple  # Pattern and history from before it.


# Changes by a finger on a track: each returns the new values of a pattern's places.


def whole_note(pattern, finger, note):
    """Returns the steps of the whole note with a cell at the finger's step, and whether the first is a head."""

    def value(step):
        return pattern.get((finger.track, note, step % finger.length), 0)

    start = end = finger.step
    while value(start) == SUSTAIN and value(start - 1) and start > end - finger.length + 1:
        start -= 1
    while value(end + 1) == SUSTAIN and end < start + finger.length - 1:
        end += 1
    return [step % finger.length for step in range(start, end + 1)], value(start) != SUSTAIN


def removal(pattern, finger, notes):
    """Removes the notes that have a cell at the finger's step."""
    values = {}
    for note in notes:
        if pattern.get((finger.track, note, finger.step)):
            steps, _ = whole_note(pattern, finger, note)
            values.update({(finger.track, note, step): 0 for step in steps})
    return values


def accents(pattern, finger):
    """Swaps normal and accent of the notes that the finger's LED showed."""
    values = {}
    for note in finger.lit:
        if pattern.get((finger.track, note, finger.step)):
            steps, has_head = whole_note(pattern, finger, note)
            place = (finger.track, note, steps[0])
            if has_head:
                values[place] = NORMAL + ACCENT - pattern[place]
    return values


def written(pattern, finger, cells):
    """Writes a gesture's cells and ends the notes that they fall into."""
    values = {(finger.track, n, s): v for (n, s), v in cells.items() if n is not None}
    for track, note, step in list(values):
        following = (track, note, (step + 1) % finger.length)
        while following not in values and pattern.get(following) == SUSTAIN:
            values[following] = 0
            following = (track, note, (following[2] + 1) % finger.length)
    return values


def touch_notes(pattern, finger, held):
    """Returns the cells {(note, step): value} of a still finger on a dark LED."""
    step = finger.step
    y = finger.row_number(finger.row)
    velocity = ACCENT if held else NORMAL
    if finger.track == "rhythm":
        drum = DRUM_PAGES[finger.page][y]
        cells = {(drum, step): velocity}
        second = (drum, step + 2)
    else:
        degree = finger.page + y
        tones = (0, 2, 4) if finger.track == "chords" else (0,)
        cells = {(finger.key.tone(degree, t), step): velocity for t in tones}
        second = (finger.key.tone(degree, 4), step)
    if held and finger.track in ("bass", "rhythm") and second[1] < finger.length:
        if not pattern.get((finger.track, *second)):
            cells[second] = NORMAL
    return cells


def move_notes(pattern, finger):
    """Moves the notes that the finger's LED showed."""
    step, (dx, dy) = finger.step, finger.way_to(*finger.here)
    if (dx, dy) == (0, 0):
        return {}
    y = finger.row_number(finger.row)
    whole = {n: whole_note(pattern, finger, n)[0] for n in finger.lit if pattern.get((finger.track, n, step))}

    def goal(note):
        if finger.track == "rhythm":
            return DRUM_PAGES[finger.page][y + dy]
        return finger.key.raised(note, dy)

    while any(goal(note) is None for note in whole):
        dy -= 1 if dy > 0 else -1
    for steps in whole.values():
        if steps[0] <= step:
            dx = max(dx, -steps[0])
    values = {(finger.track, note, s): 0 for note, steps in whole.items() for s in steps}

    def value(place):
        return values.get(place, pattern.get(place, 0))

    for note in sorted(whole):
        places = [(finger.track, goal(note), (s + dx) % finger.length) for s in whole[note]]
        first = pattern[finger.track, note, whole[note][0]]
        meets = value(places[0]) in (NORMAL, ACCENT)
        values[places[0]] = max(first, value(places[0]), key=RANK.get) if meets else first
        end = next((i for i, p in enumerate(places) if i and value(p) in (NORMAL, ACCENT)), None)
        values.update(dict.fromkeys(places[1:end], SUSTAIN))
        if meets or end is not None:
            continue
        following = (finger.track, goal(note), (places[-1][2] + 1) % finger.length)
        while following not in places and value(following) == SUSTAIN:
            values[following] = 0
            following = (*following[:2], (following[2] + 1) % finger.length)
    return values


def is_long_stack(finger, held):
    """Returns whether a finger on a dark LED makes a long stack."""
    dx, dy = finger.way_to(*finger.here)
    rose = finger.track in ("melody", "chords") and held and (finger.risen or 0) >= 2
    return rose and abs(dx) > abs(dy - finger.risen)


def drag_notes(finger, held):
    """Returns the cells {(note, step): value} of a finger that is not still."""
    x, y = finger.step, finger.row_number(finger.row)
    dx, dy = finger.way_to(*finger.here)
    velocity = ACCENT if held else NORMAL
    drums = DRUM_PAGES[finger.page] if finger.track == "rhythm" else None
    if dx == 0 and dy == 0:
        return {}
    if is_long_stack(finger, held):
        return lasting(finger, [2 * i for i in range(min(finger.risen, 3) + 1)], x, dx)
    if abs(dx) > 2 * abs(dy):
        return along(finger, velocity, drums, x, y, dx, dy)
    if abs(dy) > 2 * abs(dx):
        return upright(finger, velocity, drums, x, y, dy)
    cells = {}
    for i in range(abs(dx) + 1):
        row = y + math.floor(dy * i / abs(dx) + 0.5)
        note = drums[row] if drums else finger.key.note(finger.page + row)
        accented = i == 0 or finger.track in ("bass", "rhythm")
        cells[note, x + (i if dx > 0 else -i)] = velocity if accented else NORMAL
    return cells


def lasting(finger, tones, x, dx):
    """Returns the cells of tones that last from the lowest step to the highest."""
    low, high = min(x, x + dx), max(x, x + dx)
    heads = {s: ACCENT if s == low else SUSTAIN for s in range(low, high + 1)}
    degree = finger.page + finger.row_number(finger.row)
    return {(finger.key.tone(degree, t), s): heads[s] for t in tones for s in heads}


def along(finger, velocity, drums, x, y, dx, dy):
    """Returns the cells of RUN, ARPEGGIO, WALK, SUSTAIN or ROLL."""
    degree = finger.page + y
    steps = [x + (i if dx > 0 else -i) for i in range(abs(dx) + 1)]
    if drums:
        return {(drums[y], s): velocity if s in (steps[0], steps[-1]) else NORMAL for s in steps}
    if velocity == ACCENT:
        return lasting(finger, (0, 2, 4) if finger.track == "chords" else (0,), x, dx)
    if finger.track == "melody":
        return {(finger.key.note(degree + (i if dy >= 0 else -i)), s): NORMAL for i, s in enumerate(steps)}
    tones = {
        ("chords", True): (0, 2, 4, 6),
        ("chords", False): (6, 4, 2, 0),
        ("bass", True): (0, 4, 2, 4),
        ("bass", False): (0, -3, -5, -3),
    }[finger.track, dy >= 0]
    return {(finger.key.tone(degree, tones[i % 4]), s): NORMAL for i, s in enumerate(steps)}


def upright(finger, velocity, drums, x, y, dy):
    """Returns the cells of STACK, ROOT+5 or MULTI."""
    degree, way = finger.page + y, 1 if dy > 0 else -1
    if drums:
        return {(drums[row], x): velocity for row in range(y, y + dy + way, way)}
    if finger.track == "bass":
        return {
            (finger.key.note(degree), x): velocity,
            (finger.key.tone(degree, 4 if dy > 0 else -3), x): NORMAL,
        }
    return {(finger.key.tone(degree, 2 * way * i), x): velocity for i in range(min(abs(dy), 3) + 1)}


def holds(pattern, values):
    """Returns whether a pattern has these values."""
    return all(pattern.get(place, 0) == value for place, value in values.items())


def same(pattern, other):
    """Returns whether two patterns are equal; a missing cell is empty."""
    return holds(pattern, other) and holds(other, pattern)


def transposed(pattern, finger, interval):
    """Moves the melodic notes from the key before the touch by an interval.

    Notes that the same touch moved before move from their first place, all others by the difference.
    """
    notes = melodic(pattern)
    first = melodic(finger.before)
    earlier = gathered((moved(p, finger.interval), v) for p, v in first.items())
    known = {p for p, v in earlier.items() if notes.get(p) == v}
    arriving = [(moved(p, interval), v) for p, v in first.items() if moved(p, finger.interval) in known]
    arriving += [(moved(p, interval - finger.interval), v) for p, v in notes.items() if p not in known]
    return dict.fromkeys(notes, 0) | gathered(arriving)


def melodic(pattern):
    """Returns the lit cells of the melodic tracks."""
    return {place: value for place, value in pattern.items() if value and place[0] in TRACKS[:3]}


def gathered(cells):
    """Returns cells as a dictionary; of several in one place the highest rank stays."""
    result = {}
    for place, value in cells:
        if RANK[value] > RANK[result.get(place, 0)]:
            result[place] = value
    return result


def moved(place, interval):
    """Returns a cell's place after a transposition; a note that would leave the 36 moves an octave inward."""
    track, note, step = place
    note += interval
    return track, note + 12 if note < 0 else note - 12 if note >= NOTES else note, step


class Box:
    """The box: the pattern, its history, the pages and the fingers on the panel."""

    def __init__(self):
        # Cells are keyed (track, note, step); a missing cell is empty. Settings are keyed by name.
        self.pattern = {"scale": "major", "root": 0, "length": STEPS, "bpm": 120, "ghosts": True}
        self.undo_steps = []
        self.redo_steps = []  # Patterns after the steps that were undone.
        self.pages = dict.fromkeys(TRACKS, 0)
        self.scrolled = dict.fromkeys(TRACKS, False)
        self.fingers = {}
        self.last_landed = None
        self.group_start = None
        self.swipe = None
        self.now = 0
        self.chosen = 0  # The window, 0 to 3; of a shorter pattern the last that it has is shown.
        self.follows = True  # The window goes with the playhead.
        self.playing = False
        self.is_astray = False  # The window has followed a playhead, of which nothing is known here.
        self.made = Counter()  # Gestures that changed something, of kinds that are counted.

    # Time.

    def play(self, lines, until):
        """Plays the lines of a touch script."""
        for line in lines:
            self.run_timers(line["at"])
            self.now = line["at"]
            if "key" in line:
                self.press(line["key"])
            else:
                phase = {"down": self.land, "move": self.move, "up": self.lift, "cancel": self.cancel}[line["phase"]]
                phase(line["touch"], round(line["col"]), round(line["row"]))
        self.run_timers(until)

    def run_timers(self, until):
        """Lets held controls act, in order of time."""
        while True:
            waiting = [f for f in self.fingers.values() if f.due is not None and f.due <= until]
            if not waiting:
                return
            finger = min(waiting, key=lambda f: f.due)
            self.now = finger.due
            if finger.target == "bar":
                self.hold_overview(finger)
            elif finger.control == "root":
                self.transpose(finger)
            else:
                finger.due += REPEAT
                self.nudge(finger)

    # Pattern and history.

    @property
    def key(self):
        return Key(self.pattern["scale"], self.pattern["root"])

    def change(self, values, group):
        """Writes values into the pattern, as one undo step with all other changes of the group."""
        self.apply(lambda pattern: values, group)

    def apply(self, action, group):
        """Changes the pattern by the values that `action` returns for it, as one undo step with the rest of the group.

        If other steps were made since the group's first change, the patterns between them change too, as if the whole
        group came before those steps.
        """
        index = next((i for i, step in enumerate(self.undo_steps) if step.group == group), len(self.undo_steps))
        later = [step.before for step in self.undo_steps[index + 1 :]] + [self.pattern]
        if all(holds(pattern, action(pattern)) for pattern in later):
            return
        if index == len(self.undo_steps):
            self.undo_steps.append(Step(group, dict(self.pattern), self.redo_steps))
        self.redo_steps = []
        for pattern in later:
            pattern.update(action(pattern))
        if same(self.undo_steps[-1].before, self.pattern):
            self.drop_empty_steps()
        self.check_pages()

    def drop_empty_steps(self):
        """Drops steps that change nothing; without the last of them, what was undone before can be redone."""
        after, kept = self.pattern, []
        for step in reversed(self.undo_steps):
            if not same(step.before, after):
                kept.insert(0, step)
            elif not kept:
                self.redo_steps = self.redo_steps or step.redo_steps
            after = step.before
        self.undo_steps = kept[-UNDO_LEVELS:]

    def set_value(self, name, value, group):
        self.change({name: value}, group)

    def undo(self):
        self.drop_empty_steps()
        if self.undo_steps:
            step = self.undo_steps.pop()
            self.redo_steps.append(self.pattern)
            self.travel(step.before)

    def redo(self):
        self.drop_empty_steps()
        if self.redo_steps:
            self.undo_steps.append(Step(object(), self.pattern, []))
            self.travel(self.redo_steps.pop())

    def travel(self, pattern):
        """Takes a pattern from the history; changes after it start steps of their own."""
        self.pattern = dict(pattern)
        for step in self.undo_steps:
            step.group = object()
        for finger in self.fingers.values():
            finger.interval = 0
        self.check_pages()

    def clear(self, tracks, group):
        self.change({p: 0 for p in self.pattern if p[0] in tracks}, group)

    # Pages.

    def check_pages(self):
        """Leaves a page that the key left without rows."""
        for track in TRACKS[:3]:
            if not self.key.has_rows(self.pages[track], ROWS[track]):
                self.pages[track] = 0
                self.scrolled[track] = False

    def next_page(self, track):
        if track == "rhythm":
            self.pages[track] = (self.pages[track] + 1) % len(DRUM_PAGES)
            return
        rows = ROWS[track]
        order = [0] + [sign * n * rows for n in range(1, NOTES) for sign in (1, -1)]
        order = [offset for offset in order if self.key.has_rows(offset, rows)]
        if self.scrolled[track]:
            self.pages[track] = 0
        else:
            self.pages[track] = order[(order.index(self.pages[track]) + 1) % len(order)]
        self.scrolled[track] = False

    def scroll(self, finger, row):
        """Scrolls a melodic track with a finger on its page light."""
        if finger.track == "rhythm":
            return
        goal = finger.page + finger.row - row
        while not self.key.has_rows(goal, ROWS[finger.track]):
            goal -= 1 if goal > 0 else -1
        self.pages[finger.track] = goal
        self.scrolled[finger.track] = True

    # Fingers.

    def land(self, touch, column, row):
        down = list(self.fingers.values())
        finger = Finger(self.now, column, row, "other", down, self.last_landed)
        finger.alone = not down
        for other in down:
            other.alone = False
        finger.swipe, self.swipe = self.swipe, None
        finger.here = (column, row)
        finger.turn = finger.lowest = finger.highest = column
        finger.travelled = self.now
        finger.group = finger
        finger.key = self.key
        self.fingers[touch] = self.last_landed = finger
        track = track_at(row)
        if row == 0:
            self.land_on_control(finger)
        elif track and column in (2, 3):
            finger.target = "page"
            finger.track = track
            finger.page = self.pages[track]
        elif track and 4 <= column <= 38:
            self.land_on_track(finger, track)
        elif row in (1, 22, 23) and 4 <= column <= 38:
            finger.target = "bar"
            finger.first = self.window_start()
            if row > 1 and self.windows() > 1:
                finger.due = self.now + FOLLOW
            if row == 1 and self.windows() > 1:
                on_row = [f for f in self.fingers.values() if f.row == 1 and not f.shaken]
                scrollers = [f for f in on_row if f.target in ("bar", "scroll")]
                if len(scrollers) > 1:
                    for other in scrollers:
                        other.target = "scroll"

    def land_on_track(self, finger, track):
        if self.is_astray and self.windows() > 1:
            raise Unread("the window depends on where the music was")
        finger.track = track
        finger.length = self.pattern["length"]
        finger.first = finger.shown = self.window_start()
        finger.page = self.pages[track]
        step = finger.step
        y = finger.row_number(finger.row)
        if track == "rhythm":
            shown = [DRUM_PAGES[finger.page][y]]
        elif finger.key.note(finger.page + y) is None:
            shown = []
        else:
            shown = finger.key.shown(finger.page + y)
        if not shown or step >= finger.length:
            finger.target = "dead"
            return
        finger.target = "track"
        self.follows = False
        if self.group_start is None or self.now > self.group_start + MERGE:
            self.group_start = self.now
        finger.group = self.group_start
        finger.lit = [n for n in shown if self.pattern.get((track, n, step))]

    def move(self, touch, column, row):
        finger = self.fingers[touch]
        if (column, row) == finger.here:
            return
        if finger.target == "bar":
            finger.due = None
            if finger.left is None:
                finger.left = self.now
            finger.farthest = max(finger.farthest, abs(column - finger.column), abs(row - finger.row))
        if finger.target == "scroll":
            self.scroll_windows(touch, finger, column)
        if finger.target in ("track", "bar"):
            self.follow_shake(finger, column)
        if finger.target == "track":
            self.follow(finger, column, row)
        elif finger.target == "page" and (row != finger.row or finger.left is not None):
            finger.left = self.now
            self.scroll(finger, row)
        elif finger.target == "control":
            self.slide(finger, column, row)
        finger.here = (column, row)

    # Windows.

    def windows(self):
        return -(-self.pattern["length"] // STEPS)

    def window_start(self):
        """Returns the first step that the tracks show."""
        return STEPS * min(self.chosen, self.windows() - 1)

    def show_window(self, window):
        self.chosen, self.follows, self.is_astray = window, False, False
        for finger in self.fingers.values():
            if finger.target == "track":
                finger.shown = self.window_start()
                if finger.risen is None and finger.way_to(*finger.here)[0]:
                    finger.risen = finger.clamped_row(finger.here[1]) - finger.row_number(finger.row)

    def scroll_windows(self, touch, finger, column):
        """Scrolls by two fingers on row 1."""
        others = [t for t, f in self.fingers.items() if f is not finger and f.target == "scroll"]
        if not others or self.windows() == 1:
            return
        other = self.fingers[min(others)]
        ways = [int((column - finger.column) / SCROLL), int((other.here[0] - other.column) / SCROLL)]
        count = min(ways, key=abs) if ways[0] * ways[1] > 0 else 0
        later = max((finger, other), key=list(self.fingers.values()).index)
        window = min(max(later.first // STEPS - count, 0), self.windows() - 1)
        if STEPS * window != self.window_start():
            self.show_window(window)

    def hold_overview(self, finger):
        """Lets the window follow the playhead, or stay."""
        finger.due = None
        if self.windows() > 1:
            self.follows = not self.follows
            self.is_astray = self.is_astray or self.follows and self.playing
            finger.target = "other"

    def lift_from_bar(self, finger):
        """Taps beside the tracks: two play and stop, one on the overview shows the window there."""
        held = (self.now if finger.left is None else finger.left) - finger.at >= HOLD
        if held or not self.is_still(finger):
            return
        if self.is_double_tap(finger):
            self.playing = not self.playing
            self.is_astray = self.is_astray or self.follows
            return
        finger.tap = True
        if finger.row > 1 and self.windows() > 1:
            place = step_at(finger.column)
            self.show_window(min(place * self.windows(), self.pattern["length"] - 1) // STEPS)

    def is_still(self, finger):
        return finger.left is None or finger.farthest <= 1 and (
            finger.here == finger.first_led
            or self.now - finger.at <= SHORT
            or self.now - finger.left < MOVED_LATE
        )

    def follow(self, finger, column, row):
        """Follows a finger on a track, in LEDs of the whole panel."""
        if (column - finger.here[0]) * (finger.here[0] - finger.column) < 0:
            finger.turned = True
        finger.shown = self.window_start()
        self.rise(finger, column, row)
        if finger.left is None:
            finger.left = self.now
        finger.farthest = max(finger.farthest, abs(column - finger.column), abs(row - finger.row))

    def rise(self, finger, column, row):
        """Notes how far a finger has risen where it leaves its first step for the first time."""
        dx, _ = finger.way_to(column, row)
        if finger.risen is not None or dx == 0:
            return
        (last_column, last_row), step = finger.here, finger.step % STEPS
        edge = column_at(step if dx < 0 else step + 1) - Fraction(1, 2)
        point = last_row + (edge - last_column) * (row - last_row) / (column - last_column)
        led = math.floor(point + Fraction(1, 2))
        finger.risen = finger.clamped_row(led) - finger.row_number(finger.row)

    def follow_shake(self, finger, column):
        """Counts reversals of column direction."""
        last = finger.here[0]
        if column == last:
            return
        if self.now - finger.travelled >= SHAKE_PAUSE:
            finger.reversals = 0
            finger.direction = 0
            finger.lowest = finger.highest = last
        finger.travelled = self.now
        if not finger.direction:
            # The first leg may begin after shorter ones.
            finger.lowest, finger.highest = min(finger.lowest, column), max(finger.highest, column)
            finger.turn = finger.lowest if column - finger.lowest > finger.highest - column else finger.highest
        travel = column - finger.turn
        if travel * finger.direction > 0:
            finger.turn = column
        elif abs(travel) >= 4:
            finger.reversals += finger.direction != 0
            finger.direction = 1 if travel > 0 else -1
            finger.turn = column
            if finger.reversals == 5:
                finger.shaken = True
                self.clear([finger.track] if finger.track else TRACKS, finger.group)

    def cancel(self, touch, column, row):
        del self.fingers[touch]

    def lift(self, touch, column, row):
        self.move(touch, column, row)
        finger = self.fingers.pop(touch)
        if finger.target == "page" and finger.left is None:
            self.next_page(finger.track)
        if finger.target == "track" and not finger.shaken and finger.reversals < 3:
            self.finish(finger)
        if finger.target == "bar" and not finger.shaken and finger.reversals < 3:
            self.lift_from_bar(finger)

    # Gestures.

    def finish(self, finger):
        """Turns a lifted finger into swipe, double tap or notes."""
        if self.finish_swipe(finger):
            return
        held = (self.now if finger.left is None else finger.left) - finger.at >= HOLD
        still = self.is_still(finger)
        finger.shown = self.window_start()
        step = finger.step
        if not still and held and finger.lit:
            self.count("moves", move_notes(self.pattern, finger), finger)
        elif not still and is_long_stack(finger, held):
            self.count("long stacks", written(self.pattern, finger, drag_notes(finger, held)), finger)
        elif not still:
            self.change(written(self.pattern, finger, drag_notes(finger, held)), finger.group)
        elif not held and self.is_double_tap(finger):
            finger.group = finger.previous.group
            self.change(removal(self.pattern, finger, range(NOTES)), finger.group)
        elif finger.lit and held:
            self.change(accents(self.pattern, finger), finger.group)
        elif finger.lit:
            self.change(removal(self.pattern, finger, finger.lit), finger.group)
        else:
            self.change(written(self.pattern, finger, touch_notes(self.pattern, finger, held)), finger.group)
        finger.tap = still and not held and not finger.doubled

    def count(self, kind, values, finger):
        """Changes the pattern by a gesture of a kind that is counted."""
        self.made[kind] += not holds(self.pattern, values)
        self.change(values, finger.group)

    def is_double_tap(self, finger):
        first = finger.previous
        if (
            first is not None
            and first.tap
            and not first.others
            and all(other is first for other in finger.others)
            and first.first_led == finger.first_led
            and finger.at - first.at < DOUBLE_TAP
        ):
            finger.doubled = True  # It starts no third.
            return True
        return False

    def finish_swipe(self, finger):
        """Acts on a second or further swipe; remembers a first one."""
        way = finger.here[0] - finger.column
        if not finger.alone or finger.turned or abs(way) < 8 or self.now - finger.at > SWIPE:
            return False
        way = 1 if way > 0 else -1
        columns = range(min(finger.column, finger.here[0]), max(finger.column, finger.here[0]) + 1)
        first = finger.swipe
        pair = (
            first is not None
            and first.way == way
            and finger.at - first.lifted <= SWIPE_PAUSE
            and finger.row == first.row
            and 2 * len(set(columns) & set(first.columns)) >= min(len(columns), len(first.columns))
        )
        saved = first.saved if pair and not first.acted else self.saved()
        if pair:
            if not first.acted and not (saved[1] if way < 0 else saved[2]):
                return False
            self.pattern, self.undo_steps, self.redo_steps = saved
            self.undo() if way < 0 else self.redo()
        self.swipe = Swipe(way, self.now, columns, finger.row, pair, saved)
        return pair

    def saved(self):
        self.drop_empty_steps()
        steps = [Step(step.group, dict(step.before), step.redo_steps) for step in self.undo_steps]
        return dict(self.pattern), steps, list(self.redo_steps)

    # Controls.

    def land_on_control(self, finger):
        column = finger.column
        finger.target = "control"
        if column == 4:
            self.undo()
        elif column == 5:
            self.redo()
        elif 7 <= column <= 9:
            finger.control = "scale"
            self.set_value("scale", list(SCALES)[column - 7], finger.group)
        elif 11 <= column <= 22:
            finger.control = "root"
            finger.before = dict(self.pattern)
            self.choose_root(finger, column)
        elif column == 24:
            self.set_value("ghosts", not self.pattern["ghosts"], finger.group)
        elif column in (26, 28, 30, 32):
            finger.control = "bpm" if column < 30 else "length"
            finger.way = -1 if column in (26, 30) else 1
            finger.due = self.now + HOLD
            self.nudge(finger)
        elif column == 31:
            finger.control = "dial"

    def slide(self, finger, column, row):
        """Moves the choice within a group of controls."""
        if finger.control == "scale":
            self.set_value("scale", list(SCALES)[min(max(column, 7), 9) - 7], finger.group)
        elif finger.control == "dial":
            travel = column - finger.column
            count = travel if finger.dialled or abs(travel) >= DIAL else 0
            length = self.pattern["length"] + count - finger.dialled
            finger.dialled = count
            self.set_value("length", min(max(length, 1), LONGEST), finger.group)
        elif finger.control == "root":
            self.choose_root(finger, min(max(column, 11), 22))
            if (column, row) != (self.pattern["root"] + 11, 0):
                finger.due = None

    def choose_root(self, finger, column):
        finger.due = self.now + TRANSPOSE
        self.set_value("root", column - 11, finger.group)

    def transpose(self, finger):
        """Moves the melodic notes to the held root."""
        finger.due = None
        if not finger.interval:
            # Other fingers may have written notes since the touch.
            finger.before = {**self.pattern, "root": finger.before["root"]}
        interval = (finger.here[0] - 11 - finger.before["root"] + 6) % 12 - 6
        self.apply(lambda pattern: transposed(pattern, finger, interval), finger.group)
        finger.interval = interval

    def nudge(self, finger):
        """Steps tempo or length, and waits for the next repeat."""
        self.step(finger.control, finger.way, finger.group)

    def step(self, name, way, group):
        """Steps the tempo by five, or the length to the next whole beat; beyond a window to the next bar."""
        value = self.pattern[name]
        if name == "bpm":
            self.set_value(name, min(max(value + 5 * way, 20), 300), group)
            return
        unit = 16 if value > STEPS or way > 0 and value == STEPS else 4
        goal = (value // unit + 1 if way > 0 else -(-value // unit) - 1) * unit
        self.set_value(name, min(max(goal, min(value, BEAT)), LONGEST), group)

    def press(self, key):
        """Presses a key; it ends a series of swipes."""
        group = object()
        for finger in [self, *self.fingers.values()]:
            finger.swipe = None
        if key == "undo":
            self.undo()
        elif key == "redo":
            self.redo()
        elif key == "clear":
            self.clear(TRACKS, group)
        elif key in ("up", "down"):
            self.step("bpm", 1 if key == "up" else -1, group)

    # Result.

    def result(self):
        """Returns the pattern: lit cells of each track as {(note, step): value}, and key, length and tempo."""
        tracks = {t: {} for t in TRACKS}
        for place, value in self.pattern.items():
            if isinstance(place, tuple) and value:
                track, note, step = place
                tracks[track][note, step] = value
        settings = {name: self.pattern[name] for name in ("scale", "root", "length", "bpm")}
        return {"tracks": tracks, **settings}


def read(lines, until):
    """Returns the pattern that a touch script leaves, the undo steps that remain, and counts of some gestures."""
    box = Box()
    box.play(lines, until)
    return box.result(), len(box.undo_steps), box.made
