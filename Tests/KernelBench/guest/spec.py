"""The parts of SPEC.md about the look of the tracks and the effect of gestures, in C major."""

import colorsys
import math

TRACKS = ("melody", "chords", "bass", "rhythm")
FIRST_ROWS, ROW_COUNTS = (2, 8, 14, 18), (6, 6, 4, 4)
STEPS, NOTES = 32, 12
MELODY, CHORDS, BASS, RHYTHM = range(4)
MAJOR = (0, 2, 4, 5, 7, 9, 11)
BACKGROUND, BAR, OUT_OF_SCALE = (0x0A,) * 3, (0x11,) * 3, (0x06,) * 3
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


def row(track, note):
    return FIRST_ROWS[track] + nearest((11 - note) / 11 * (ROW_COUNTS[track] - 1))


def note_at(track, row_):
    rows = ROW_COUNTS[track]
    return nearest((rows - 1 - (row_ - FIRST_ROWS[track])) / (rows - 1) * 11)


def blend(colour, opacity):
    return tuple(nearest(below + (above - below) * opacity) for above, below in zip(colour, BACKGROUND))


PREVIEW = blend(WHITE, PREVIEW_OPACITY)


# Effects of gestures


def hsl(hue, saturation, lightness):
    """A colour in CSS notation: degrees, and fractions."""
    red, green, blue = colorsys.hls_to_rgb(hue % 360 / 360, lightness, saturation)
    return tuple(nearest(255 * value) for value in (red, green, blue))


def _snap(note):
    for distance in range(6):
        for candidate in (note + distance, note - distance):
            if candidate % 12 in MAJOR:
                return candidate % 12
    raise ValueError(note)


def cells(track, start, end, is_held):
    """The cells written by a gesture from `start` to `end`, a step and a note each: values by note and step."""
    (step, note), (last_step, last_note) = start, end
    dx, dy = last_step - step, last_note - note
    strong = 2 if is_held else 1
    made = {}

    def put(note_, step_, value):
        made[note_ % 12, step_] = value

    triad, seventh = (0, 4, 7), (0, 4, 7, 11)
    place = MAJOR.index(note) if note in MAJOR else 0
    if abs(dx) <= 1 and abs(dy) <= 1:
        if track == MELODY:
            put(_snap(note), step, strong)
        elif track == CHORDS:
            for tone in triad:
                put(note + tone, step, strong)
        elif track == BASS:
            put(note + 7, step, 1)
            put(note, step, strong)
        else:
            put(note, step, strong)
            if step + 2 < STEPS:
                put(note, step + 2, 1)
    elif abs(dx) > 1.3 * abs(dy):
        count, way = min(abs(dx), 8), 1 if dx > 0 else -1
        for index in range(count + 1):
            at, first = (step + way * index) % STEPS, index == 0
            if track == RHYTHM:
                put(note, at, strong if index in (0, count) else 1)
            elif is_held:
                for tone in triad if track == CHORDS else (0,):
                    put(note + tone if track == CHORDS else _snap(note), at, 2 if first else 3)
            elif track == MELODY:
                put(MAJOR[(place + (index if dy >= 0 else -index)) % 7], at, strong if first else 1)
            elif track == CHORDS:
                put(note + seventh[index % 4], at, strong if first else 1)
            else:
                put(note + (0, 7, 4, 7)[index % 4], at, strong if index % 2 == 0 else 1)
    elif abs(dy) > 1.3 * abs(dx):
        if track in (MELODY, CHORDS):
            for tone in seventh[:min(abs(dy), 3) + 1]:
                put(note + tone, step, strong)
        elif track == BASS:
            put(note + 5, step, 1)
            put(note, step, strong)
        else:
            for drum in range(min(note, last_note), max(note, last_note) + 1):
                put(drum, step, strong)
    elif track in (MELODY, CHORDS):
        count = max(abs(dx), abs(dy))
        for index in range(count + 1):
            at = nearest(step + dx * index / count)
            if 0 <= at < STEPS:
                put(MAJOR[(place + nearest(dy * index / count / 2)) % 7], at, strong if index == 0 else 1)
    else:
        (low_step, _), (high_step, _) = sorted((start, end))
        low, high = sorted((note, last_note))
        for at in range(low_step, high_step + 1):
            put(nearest(low + (high - low) * (at - low_step) / (high_step - low_step)), at, strong)
    return made


def written(track, start, end=None, is_held=False):
    """The same as a pattern: values by track, note and step."""
    return {(track, note, step): value for (note, step), value in cells(track, start, end or start, is_held).items()}


# Look


def _opacity(pattern, track, note, step, value):
    if value == 2:
        return 1
    if value == 1:
        return 0xBB / 255
    run = [step]
    while pattern.get((track, note, run[0] % STEPS)) == 3 and step - run[0] < STEPS:
        run.insert(0, run[0] - 1)
    while pattern.get((track, note, (run[-1] + 1) % STEPS)) == 3 and run[-1] - run[0] < STEPS - 1:
        run.append(run[-1] + 1)
    if not pattern.get((track, note, run[0] % STEPS)):
        run.pop(0)
    position = (step - run[0]) / len(run)
    return 0.85 if position < 0.4 else max(0.25, 1 - 0.9 * position)


def picture(pattern):
    """The LEDs of the steps, tracks and overview, stopped, without ghosts: a colour for each place."""
    shown = {}
    for track in range(4):
        for row_ in range(FIRST_ROWS[track], FIRST_ROWS[track] + ROW_COUNTS[track]):
            is_out = track != RHYTHM and note_at(track, row_) not in MAJOR
            for step in range(STEPS):
                shown[column(step), row_] = BAR if step % 8 == 0 else OUT_OF_SCALE if is_out else BACKGROUND
            for gap in (12, 21, 30):
                shown[gap, row_] = BACKGROUND
    rank = {3: 0, 1: 1, 2: 2}
    for (track, note, step), value in sorted(pattern.items(), key=lambda cell: (rank[cell[1]], cell[0][1])):
        shown[column(step), row(track, note)] = blend(
            NOTE_COLOURS[note], _opacity(pattern, track, note, step, value))
    for step in range(STEPS):
        there = sorted((track, note) for track, note, at in pattern if at == step)
        shown[column(step), 22] = TRACK_COLOURS[there[0][0]] if there else BACKGROUND
        shown[column(step), 23] = NOTE_COLOURS[there[0][1]] if there else (5, 5, 5)
    return shown
