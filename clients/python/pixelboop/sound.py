"""Sound: what the box plays."""

from __future__ import annotations

import array
import dataclasses
import math
import os
import sys
import typing
import wave

if typing.TYPE_CHECKING:
    import numpy
    import numpy.typing

FULL_SCALE = 32767
SILENCE_DBFS = -math.inf


@dataclasses.dataclass(frozen=True)
class Sound:
    """A piece of sound. `samples` are 32-bit floats, interleaved: `frames` × `channels`, full scale is ±1."""

    samples: array.array[float] = dataclasses.field(repr=False)
    channels: int
    # Frames per second.
    rate: int
    # Number of the first frame since the box began.
    start: int = 0

    @classmethod
    def of_floats(cls, data: bytes, channels: int, rate: int, start: int = 0) -> Sound:
        """The sound of 32-bit floats, little-endian, interleaved."""
        samples = array.array("f", data)
        if sys.byteorder == "big":
            samples.byteswap()
        return cls(samples, channels, rate, start)

    @classmethod
    def of_integers(cls, data: bytes, channels: int, rate: int, start: int = 0) -> Sound:
        """The sound of 16-bit integers, little-endian, interleaved."""
        integers = array.array("h", data)
        if sys.byteorder == "big":
            integers.byteswap()
        return cls(array.array("f", (sample / (FULL_SCALE + 1) for sample in integers)), channels, rate, start)

    @property
    def frames(self) -> int:
        """Number of frames: samples of each channel."""
        return len(self.samples) // self.channels

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return self.frames / self.rate

    @property
    def peak_dbfs(self) -> float:
        """The loudest sample of all channels in decibels below full scale; minus infinity for silence."""
        return _decibels(max(map(abs, self.samples), default=0.0))

    @property
    def rms_dbfs(self) -> float:
        """The root mean square of all channels in decibels below full scale; minus infinity for silence."""
        squares = math.fsum(sample * sample for sample in self.samples)
        return _decibels(math.sqrt(squares / len(self.samples)) if self.samples else 0.0)

    def channel(self, number: int) -> array.array[float]:
        """The samples of a channel, from 0: `frames` of them."""
        return self.samples[number::self.channels]

    def last(self, seconds: float) -> Sound:
        """The newest `seconds` of it; all of it if it is shorter."""
        kept = min(self.frames, round(seconds * self.rate))
        first = self.frames - kept
        return dataclasses.replace(self, samples=self.samples[first * self.channels:], start=self.start + first)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a WAV file of 16 bits; louder samples are clipped."""
        integers = array.array("h", (round(FULL_SCALE * max(-1.0, min(1.0, sample))) for sample in self.samples))
        if sys.byteorder == "big":
            integers.byteswap()
        with wave.open(os.fspath(path), "wb") as file:
            file.setnchannels(self.channels)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes(integers.tobytes())

    def numpy(self) -> numpy.typing.NDArray[numpy.float32]:
        """The samples as an array of NumPy, shape (frames, channels). Needs `pip install pixelboop[sound]`."""
        import numpy
        return numpy.array(self.samples, dtype=numpy.float32).reshape(-1, self.channels)


def _decibels(amplitude: float) -> float:
    return 20 * math.log10(amplitude) if amplitude > 0 else SILENCE_DBFS
