"""Frames: what the panel's LEDs show at one moment."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import typing

from pixelboop import png

if typing.TYPE_CHECKING:
    from PIL import Image

# Pixels of an LED in pictures for people.
PICTURE_SCALE = 10


class Colour(typing.NamedTuple):
    """A colour of an LED in sRGB: red, green and blue, 0 to 255 each."""

    red: int
    green: int
    blue: int

    @classmethod
    def of(cls, text: str) -> Colour:
        """The colour written as `#rrggbb`."""
        return cls(*bytes.fromhex(text.removeprefix("#")))

    def over(self, background: Colour, alpha: float) -> Colour:
        """This colour with opacity `alpha`, 0 to 1, over `background`: blended per channel in sRGB, rounded to nearest."""
        return Colour(*(int(low + (high - low) * alpha + 0.5) for high, low in zip(self, background)))

    def is_near(self, other: Colour, by: int = 2) -> bool:
        """Whether no channel differs by more than `by` of 255."""
        return all(abs(one - two) <= by for one, two in zip(self, other))

    def __str__(self) -> str:
        return "#" + bytes(self).hex()


class Led(typing.NamedTuple):
    """An LED of a frame: its column and row, from 0 at the top left, and its colour."""

    column: int
    row: int
    colour: Colour


@dataclasses.dataclass(frozen=True)
class Frame:
    """A picture of the panel. `rgb` is three bytes an LED, row by row from the top left: `columns` × `rows` × 3 bytes.

    Frames are equal if every LED has the same colour.
    """

    columns: int
    rows: int
    rgb: bytes = dataclasses.field(repr=False)

    def __post_init__(self) -> None:
        if len(self.rgb) != 3 * self.columns * self.rows:
            raise ValueError(f"rgb: {len(self.rgb)} bytes; {self.columns} × {self.rows} LEDs have {3 * self.columns * self.rows}")

    def __getitem__(self, place: tuple[int, int]) -> Colour:
        """The colour of the LED at a column and row: `frame[13, 7]`."""
        column, row = place
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise IndexError(f"LED {column}, {row}: the panel has columns 0-{self.columns - 1} and rows 0-{self.rows - 1}")
        return Colour(*self.rgb[3 * (row * self.columns + column):][:3])

    def led(self, column: int, row: int) -> Led:
        """The LED at a column and row."""
        return Led(column, row, self[column, row])

    def leds(self) -> list[Led]:
        """Every LED, row by row."""
        return [self.led(column, row) for row in range(self.rows) for column in range(self.columns)]

    def differences(self, other: Frame) -> list[tuple[Led, Led]]:
        """The LEDs that differ, row by row: pairs of this frame's and the other's. Raises ValueError if sizes differ."""
        if (self.columns, self.rows) != (other.columns, other.rows):
            raise ValueError(f"a frame of {self.columns} × {self.rows} LEDs cannot be compared with {other.columns} × {other.rows}")
        return [(mine, its) for mine, its in zip(self.leds(), other.leds()) if mine != its]

    def difference(self, other: Frame) -> Frame:
        """A picture of the difference: this frame, the other one below it, and at the bottom the LEDs that differ in magenta, on
        this frame at an eighth of its light. One dark row is between them. Shape: `columns` × (3 `rows` + 2)."""
        differing = {(mine.column, mine.row) for mine, _ in self.differences(other)}
        marked = b"".join(
            bytes((255, 0, 255)) if (led.column, led.row) in differing else bytes(part // 8 for part in led.colour)
            for led in self.leds())
        gap = bytes(3 * self.columns)
        return Frame(self.columns, 3 * self.rows + 2, self.rgb + gap + other.rgb + gap + marked)

    def png(self, scale: int = 1) -> bytes:
        """The frame as a PNG file, `scale` × `scale` pixels an LED."""
        return png.encode(self.columns, self.rows, self.rgb, scale)

    def save(self, path: str | os.PathLike[str], scale: int = PICTURE_SCALE) -> None:
        """Writes a PNG file, `scale` × `scale` pixels an LED. `load` reads it with scale 1."""
        pathlib.Path(path).write_bytes(self.png(scale))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Frame:
        """Reads a PNG file of one pixel an LED. Raises ValueError if it is another kind of file."""
        try:
            return cls(*png.decode(pathlib.Path(path).read_bytes()))
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)}: {error}") from None

    def image(self) -> Image.Image:
        """The frame as an image of Pillow, one pixel an LED. Needs `pip install pixelboop[image]`."""
        from PIL import Image
        return Image.frombytes("RGB", (self.columns, self.rows), self.rgb)
