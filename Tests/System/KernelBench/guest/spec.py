"""The parts of docs/spec.md about the look of the tracks and the effect of gestures: the rules of the box, in C major, on
the first page of notes. A place is a step and a row, the lowest row of a track being 0."""

import colorsys
import math

TRACKS = ("melody", "chords", "bass", "rhythm")
FIRST_ROWS, ROW_COUNTS = (2, 8, 14, 18), (6, 6, 4, 4)
STEPS = 32
MELODY, CHORDS, BASS, RHYTHM = range(4)
# The notes of a melodic track; the middle octave is 0 to 11.
NOTES = range(-12, 24)
MAJOR = (0, 2, 4, 5, 7, 9, 11)
DEGREES = range(-7, 14)
# The first page of the drums, from the lowest row.
DRUMS = (0, 3, 7, 8)
SUSTAIN, ACCENT, NORMAL = 3, 2, 1
BACKGROUND, BAR, ROOT, PAGE_BAR, OFF_PAGE = (0x0A,) * 3, (0x11,) * 3, (0x24,) * 3, (0x16,) * 3, (0x11,) * 3
WHITE = (255, 255, 255)
PREVIEW_OPACITY = 0x88 / 255


def _colour(text):
    return tuple(bytes.fromhex(text))


NOTE_COLOURS = [_colour(text) for text in (
    "ff0000 ff4500 ff8c00 ffc800 ffff00 9acd32 00ff00 00ffaa 00ffff 00aaff 0055ff 8a2be2").split()]
TRACK_COLOURS = [_colour(text) for text in "f7dc6f 4ecdc4 45b7d1 ff6b6b".split()]


def nearest(number):
    return math.floor(number + 0.5)


def column(step):
    return 4 + step + step // 8


def panel_row(track, row):
    """The panel's row of a track's row."""
    return FIRST_ROWS[track] + ROW_COUNTS[track] - 1 - row


def note_of(degree):
    """The note of a degree of the scale, which may not exist."""
    return 12 * (degree // 7) + MAJOR[degree % 7]


def row_notes(track, row):
    """The notes that an LED of a track's row shows, in rising order: the first is the row's own."""
    if track == RHYTHM:
        return (DRUMS[row],)
    return range(note_of(row), note_of(row + 1))


def row_of(track, note):
    """The row of a note, which must be a row's own."""
    return next(row for row in range(ROW_COUNTS[track]) if row_notes(track, row)[0] == note)


def row(track, note):
    """The panel's row of a note."""
    return panel_row(track, row_of(track, note))


def blend(colour, opacity, ground=BACKGROUND):
    return tuple(nearest(below + (above - below) * opacity) for above, below in zip(colour, ground))


PREVIEW = blend(WHITE, PREVIEW_OPACITY)


def hsl(hue, saturation, lightness):
    """A colour in CSS notation: degrees, and fractions."""
    red, green, blue = colorsys.hls_to_rgb(hue % 360 / 360, lightness, saturation)
    return tuple(nearest(255 * value) for value in (red, green, blue))


# Effects of gestures. A pattern has a value for each track, note and step that is not empty.


def _run(pattern, track, note, step):
    """The steps of the held note with a cell at `step`, its head first; without a head, the sustained cells in a row."""
    first = step
    while pattern.get((track, note, first % STEPS)) == SUSTAIN and step - first < STEPS:
        first -= 1
    if not pattern.get((track, note, first % STEPS)):
        first += 1
    steps = [first % STEPS]
    while pattern.get((track, note, (first + len(steps)) % STEPS)) == SUSTAIN and len(steps) < STEPS:
        steps.append((first + len(steps)) % STEPS)
    return steps


def shown(pattern, track, row_, step):
    """The notes that an LED shows."""
    return [note for note in row_notes(track, row_) if (track, note, step) in pattern]


def lit(pattern, track, start, is_held):
    """A finger that stays on a lit LED: its notes go, or, held, become louder or softer."""
    step, row_ = start
    after = dict(pattern)
    for note in shown(pattern, track, row_, step):
        steps = _run(pattern, track, note, step)
        head = track, note, steps[0]
        if not is_held:
            for at in steps:
                del after[track, note, at]
        elif pattern[head] != SUSTAIN:
            after[head] = ACCENT + NORMAL - pattern[head]
    return after


def erased(pattern, track, step):
    """A double tap: every note of the track with a cell at the step goes, whole."""
    gone = {(at_track, note, part) for at_track, note, at in pattern if (at_track, at) == (track, step)
            for part in _run(pattern, track, note, step)}
    return {cell: value for cell, value in pattern.items() if cell not in gone}


def _still(pattern, track, start, is_held):
    """The cells of a finger that stays on a dark LED."""
    step, row_ = start
    strong = ACCENT if is_held else NORMAL
    if track == RHYTHM:
        echo = {(DRUMS[row_], step + 2): NORMAL} if is_held and step + 2 < STEPS else {}
        return {(DRUMS[row_], step): strong, **echo}, echo
    fifth = {(row_ + 4, step): NORMAL} if track == BASS and is_held else {}
    tones = (0, 2, 4) if track == CHORDS else (0,)
    return {**{(row_ + tone, step): strong for tone in tones}, **fifth}, fifth


def _along(track, row_, steps, rises, is_held):
    """The cells of a drag along the steps, in its direction."""
    strong = ACCENT if is_held else NORMAL
    made = {}
    for index, step in enumerate(steps):
        if track == RHYTHM:
            made[DRUMS[row_], step] = strong if index in (0, len(steps) - 1) else NORMAL
        elif is_held:
            for tone in (0, 2, 4) if track == CHORDS else (0,):
                made[row_ + tone, step] = ACCENT if step == min(steps) else SUSTAIN
        elif track == MELODY:
            made[row_ + (index if rises else -index), step] = NORMAL
        elif track == CHORDS:
            made[row_ + ((0, 2, 4, 6) if rises else (6, 4, 2, 0))[index % 4], step] = NORMAL
        else:
            made[row_ + ((0, 4, 2, 4) if rises else (0, -3, -5, -3))[index % 4], step] = NORMAL
    return made


def _across(track, step, row_, dy, is_held):
    """The cells of a drag across the rows."""
    strong, way = ACCENT if is_held else NORMAL, 1 if dy > 0 else -1
    if track == RHYTHM:
        return {(DRUMS[row_ + way * index], step): strong for index in range(abs(dy) + 1)}
    if track == BASS:
        return {(row_ + (4 if dy > 0 else -3), step): NORMAL, (row_, step): strong}
    return {(row_ + way * 2 * index, step): strong for index in range(min(abs(dy), 3) + 1)}


def _line(track, row_, steps, dy, is_held):
    """The cells of a drag in between."""
    strong, made = ACCENT if is_held else NORMAL, {}
    for index, step in enumerate(steps):
        at = row_ + nearest(dy * index / (len(steps) - 1))
        made[DRUMS[at] if track == RHYTHM else at, step] = (
            strong if index == 0 or track in (BASS, RHYTHM) else NORMAL)
    return made


def after(pattern, track, start, end=None, is_held=False):
    """The pattern after a gesture from `start` to `end`, a step and a row each."""
    (step, row_), (last_step, last_row) = start, end or start
    dx, dy, if_empty = last_step - step, last_row - row_, {}
    steps = range(step, last_step + (1 if dx >= 0 else -1), 1 if dx >= 0 else -1)
    if dx == dy == 0:
        if shown(pattern, track, row_, step):
            return lit(pattern, track, start, is_held)
        made, if_empty = _still(pattern, track, start, is_held)
    elif abs(dx) > 2 * abs(dy):
        made = _along(track, row_, steps, dy >= 0, is_held)
    elif abs(dy) > 2 * abs(dx):
        made = _across(track, step, row_, dy, is_held)
    else:
        made = _line(track, row_, steps, dy, is_held)
    cells = {}
    for (tone, at), value in made.items():
        note = tone if track == RHYTHM else note_of(tone)
        is_there = track == RHYTHM or tone in DEGREES
        if is_there and not ((tone, at) in if_empty and (track, note, at) in pattern):
            cells[track, note, at] = value
    result = {**pattern, **cells}
    # A written cell ends the note into which it falls.
    for _, note, at in cells:
        for distance in range(1, STEPS):
            follower = track, note, (at + distance) % STEPS
            if result.get(follower) != SUSTAIN or follower in cells:
                break
            del result[follower]
    return result


def tapped(pattern, track, step, note, is_held=False):
    """The pattern after a tap, or a hold, on the LED of a note."""
    return after(pattern, track, (step, row_of(track, note)), is_held=is_held)


# Look


def _opacity(pattern, track, note, step, value):
    if value == ACCENT:
        return 1
    if value == NORMAL:
        return 0xBB / 255
    steps = _run(pattern, track, note, step)
    position = (step - steps[0]) % STEPS / len(steps)
    return 0.85 if position < 0.4 else max(0.25, 1 - 0.9 * position)


def _page(track, row_):
    """Column 3: the part of the track's notes on the page."""
    if track == RHYTHM:
        opacity = (1, 0.74, 0.74, None)[row_]
        if opacity is None:
            return BACKGROUND
    else:
        pitch = len(DEGREES) / ROW_COUNTS[track]
        low = DEGREES[0] + row_ * pitch
        # Relative to the largest part that the page can cover.
        share = (min(low + pitch, ROW_COUNTS[track]) - max(low, 0)) / min(pitch, ROW_COUNTS[track])
        if share <= 0:
            return PAGE_BAR
        opacity = 0.10 + 0.75 * min(1, 2 * share) ** 1.5
    return blend(TRACK_COLOURS[track], opacity)


def _head(pattern, track):
    """Columns 2 and 3 of a track: notes off the page, and the page."""
    notes = {note for at, note, _ in pattern if at == track}
    rows = range(ROW_COUNTS[track])
    on_page = [note for row_ in rows for note in row_notes(track, row_)]
    off_page = {rows[-1]: False, 0: False}
    if track != RHYTHM:
        off_page = {rows[-1]: any(note > on_page[-1] for note in notes), 0: any(note < on_page[0] for note in notes)}
    picture_ = {}
    for row_ in rows:
        picture_[2, panel_row(track, row_)] = (
            blend(TRACK_COLOURS[track], 0.55, OFF_PAGE) if off_page.get(row_) else OFF_PAGE)
        picture_[3, panel_row(track, row_)] = _page(track, row_)
    return picture_


def picture(pattern):
    """The LEDs of pages, steps and overview, stopped, without ghosts: a colour for each place."""
    seen = {}
    for track in range(4):
        seen.update(_head(pattern, track))
        for row_ in range(ROW_COUNTS[track]):
            at = panel_row(track, row_)
            is_root = track != RHYTHM and row_ % 7 == 0
            for gap in (12, 21, 30):
                seen[gap, at] = BACKGROUND
            for step in range(STEPS):
                seen[column(step), at] = (
                    ROOT if is_root and step % 4 == 0 else BAR if step % 8 == 0 else BACKGROUND)
                there = shown(pattern, track, row_, step)
                if there:
                    rank = {SUSTAIN: 0, NORMAL: 1, ACCENT: 2}
                    note = max(there, key=lambda note: (rank[pattern[track, note, step]], note))
                    seen[column(step), at] = blend(
                        NOTE_COLOURS[note % 12], _opacity(pattern, track, note, step, pattern[track, note, step]))
    for step in range(STEPS):
        there = sorted((track, note) for track, note, at in pattern if at == step)
        seen[column(step), 22] = TRACK_COLOURS[there[0][0]] if there else BACKGROUND
        seen[column(step), 23] = NOTE_COLOURS[there[0][1] % 12] if there else (5, 5, 5)
    return seen
