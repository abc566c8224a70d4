"""Colours of the panel (docs/spec.md, section 2)."""

import dataclasses

from pixelboop.frame import Colour

PITCHES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
FLATS = {"Db": "C#", "Eb": "D#", "Gb": "F#", "Ab": "G#", "Bb": "A#"}
BACKGROUND = Colour.of("#0a0a0a")
# Opacity of a note of normal velocity; an accent has its full colour.
NORMAL_ALPHA = 0xbb / 255
FIFTHS = (0, 7, 2, 9, 4, 11, 6, 1, 8, 3, 10, 5)


def _colours(text: str) -> tuple[Colour, ...]:
    return tuple(map(Colour.of, text.split()))


CHROMATIC = _colours("#ff0000 #ff4500 #ff8c00 #ffc800 #ffff00 #9acd32 #00ff00 #00ffaa #00ffff #00aaff #0055ff #8a2be2")
CLEAR_SIGHT = _colours("#e25810 #a35c4f #eb83ad #beff03 #aac929 #8ae6bc #e1f69a #79ba83 #189688 #536e9c #aa6bfd #c6adff")
HARMONIC = tuple(CHROMATIC[place] for place in FIFTHS)


@dataclasses.dataclass(frozen=True)
class Palette:
    """Colours of notes in a colour mode: `Palette()` is the mode of a new box, `Palette(HARMONIC)` and `Palette(CLEAR_SIGHT)` the
    others. `notes` has twelve, C to B."""

    notes: tuple[Colour, ...] = CHROMATIC

    def note(self, name: str, accent: bool = False) -> Colour:
        """The colour of a lit note, "C" to "B" with # or b, as drawn on the dark grid: of normal velocity, or of an accent."""
        sharp = FLATS.get(name, name)
        if sharp not in PITCHES:
            raise ValueError(f"note {name!r}: the notes are {', '.join(PITCHES)}")
        full = self.notes[PITCHES.index(sharp)]
        return full if accent else full.over(BACKGROUND, NORMAL_ALPHA)
