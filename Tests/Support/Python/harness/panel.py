"""Places on the panel of 44 × 24 LEDs. `check` compares each with the name that the box has for it."""

from typing import NamedTuple

from harness.results import Failure

COLUMNS, ROWS = 44, 24
# First row, and rows, of each track.
TRACK_ROWS = {"melody": range(2, 8), "chords": range(8, 14), "bass": range(14, 18), "rhythm": range(18, 22)}
STEPS = 32
# The row of the steps, which has the playhead.
STEPS_ROW = 1
# Rows of all tracks; columns of their buttons at the left, of the steps, and of the steps and the scenes.
NOTE_ROWS, BUTTON_COLUMNS, STEP_COLUMNS, GRID_COLUMNS = range(2, 22), range(4), range(4, 39), range(4, 44)


class Place(NamedTuple):
    """An LED."""

    column: int
    row: int


def step_column(step):
    """The column of a step: there is a gap after every eighth."""
    return STEP_COLUMNS.start + step + step // 8


def note(track, line, step):
    """The LED of a step, 0-31, on a line of a track, 0 for the lowest."""
    return Place(step_column(step), TRACK_ROWS[track][-1 - line])


# On the grid.
PLAY, PLAY_LIGHT = Place(1, 0), Place(2, 0)
CLEAR_LIGHT = Place(40, 0)
MENU = Place(1, 1)
TAKE = Place(42, 22)
# Where the cursor first appears.
CURSOR = note("melody", 0, 0)
# Below the tracks, where a finger does nothing.
NOWHERE = Place(4, 23)
# In the open menu.
SOUND, SETTINGS = Place(2, 7), Place(2, 19)
# On sheets.
BACK, SOUND_NAME, KEEP_SOUND = Place(1, 1), Place(20, 2), Place(41, 8)
LIGHT = Place(35, 21)
# On the question about a stick: its answers, and the corners of their background.
IN, OUT = Place(14, 15), Place(28, 15)
IN_CORNER, OUT_CORNER = Place(10, 12), Place(34, 18)


def list_line(line):
    """A line of a sheet's list of names, 0-2."""
    return Place(10, 9 + 6 * line)


# The names of the places, on the grid and on each screen that taps open: the taps, each with the screen's title, and the names.
NAMES = [
    ([], {PLAY: "PLAY", CLEAR_LIGHT: "CLEAR", PLAY_LIGHT: "PLAY", MENU: "MENU", TAKE: "TAKE", CURSOR: "C4 STEP 1",
          NOWHERE: "STEP 1", note("melody", 0, 31): "C4 STEP 32", note("chords", 0, 8): "C3 STEP 9",
          note("bass", 0, 7): "C2 STEP 8", note("rhythm", 0, 16): "KICK STEP 17",
          Place(0, TRACK_ROWS["rhythm"][0]): "MUTE RHYTHM", Place(3, TRACK_ROWS["melody"][-1]): "PAGE MELODY"}),
    ([(MENU, "MENU")], {SOUND: "SOUND", SETTINGS: "SETTINGS"}),
    ([(SOUND, "SOUND")], {BACK: "BACK", SOUND_NAME: "SOUND NAME"}),
    ([(SOUND_NAME, "PRESETS")], {KEEP_SOUND: "SAVE"}),
    ([(BACK, "SOUND"), (BACK, "MENU"), (SETTINGS, "SETTINGS")], {LIGHT: "LIGHT"}),
    ([(LIGHT, "LIGHT")], {list_line(0): "PANEL"}),
    ([(BACK, "SETTINGS"), (BACK, "MENU"), (MENU, "")], {PLAY: "PLAY"}),
]


def check(player):
    """Moves the cursor of a box with an empty pattern to each place that has a name here, and compares. The box then shows the
    grid."""
    place = CURSOR
    player.press("arrowRight")
    for taps, names in NAMES:
        player.open(*taps)
        for there, name in names.items():
            for here, goal, back, forth in zip(place, there, ("arrowLeft", "arrowUp"), ("arrowRight", "arrowDown")):
                for _ in range(abs(goal - here)):
                    player.press(forth if goal > here else back)
            place = there
            try:
                player.wait(f"{name} at {tuple(there)}", lambda player, name=name: player.words.place == name)
            except Failure as failure:
                raise Failure(f"{failure}; there is {player.words.place!r}") from None
    player.press("escape")
