"""Events: what a box does while its clock moves."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Mapping, Sequence


@dataclasses.dataclass(frozen=True)
class Event:
    """Anything that a box does. `at` is in milliseconds since the begin, `box` its name."""

    at: float
    box: str


@dataclasses.dataclass(frozen=True)
class Note(Event):
    """A note begins."""

    # "melody", "chords", "bass" or "rhythm".
    track: str
    # MIDI note, 60 is C4; on rhythm the drum, 0 to 11.
    note: int
    # 1, or 2 for an accent.
    velocity: int
    # Step of the pattern, from 0, and length in steps.
    step: int
    steps: float
    # Number of its first frame of sound.
    frame: int


@dataclasses.dataclass(frozen=True)
class Step(Event):
    """A step of the pattern is heard, from 0."""

    step: int


@dataclasses.dataclass(frozen=True)
class Midi(Event):
    """A MIDI message leaves the box, other than a tick of the clock."""

    bytes: bytes
    # Number of the frame of sound with which it leaves.
    frame: int


@dataclasses.dataclass(frozen=True)
class Clock(Event):
    """A tick of the MIDI clock leaves the box, 24 a quarter note. Only `advance` with "clock" in `only` or `until` has it."""

    # Number of the frame of sound with which it leaves.
    frame: int


@dataclasses.dataclass(frozen=True)
class Pulse(Event):
    """A pulse of the clock jack begins."""


@dataclasses.dataclass(frozen=True)
class Word(Event):
    """The panel's words changed: its word, the title of its screen, and the name of the place under the cursor."""

    word: str
    title: str
    place: str


@dataclasses.dataclass(frozen=True)
class Picture(Event):
    """The panel shows another picture. Only `advance` with "picture" in `only` or `until` has it."""


@dataclasses.dataclass(frozen=True)
class Job(Event):
    """The box asks for something that takes time, by its name."""

    job: str


@dataclasses.dataclass(frozen=True)
class PowerOff(Event):
    """The box is switched off."""


@dataclasses.dataclass(frozen=True)
class Log(Event):
    """A line of the box's log."""

    line: str


@dataclasses.dataclass(frozen=True)
class Other(Event):
    """An event of a newer program: its kind, and all that it says."""

    kind: str
    keys: Mapping[str, typing.Any]


KINDS: dict[str, type[Event]] = {
    "note": Note, "step": Step, "midi": Midi, "clock": Clock, "pulse": Pulse, "word": Word, "picture": Picture, "job": Job,
    "powerOff": PowerOff, "log": Log,
}
Kind = typing.TypeVar("Kind", bound=Event)


def event(keys: Mapping[str, typing.Any]) -> Event:
    """The event of an answer's object. Keys that a newer program has added are left out."""
    kind = KINDS.get(keys["event"])
    if kind is None:
        return Other(keys["at"], keys["box"], keys["event"], dict(keys))
    values = {field.name: keys[field.name] for field in dataclasses.fields(kind)}
    if kind is Midi:
        values["bytes"] = bytes.fromhex(values["bytes"])
    return kind(**values)


class Events(Sequence[Event]):
    """Events in the order of their times."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._events = list(events)

    @typing.overload
    def __getitem__(self, place: int) -> Event: ...

    @typing.overload
    def __getitem__(self, place: slice) -> Events: ...

    def __getitem__(self, place: int | slice) -> Event | Events:
        return Events(self._events[place]) if isinstance(place, slice) else self._events[place]

    def __len__(self) -> int:
        return len(self._events)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._events)) or "no events"

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind: `events.of(Note)`."""
        return [event for event in self._events if isinstance(event, kind)]

    @property
    def notes(self) -> list[Note]:
        """The notes that began."""
        return self.of(Note)

    @property
    def steps(self) -> list[Step]:
        """The steps that were heard."""
        return self.of(Step)

    @property
    def midi(self) -> list[Midi]:
        """The MIDI messages that left."""
        return self.of(Midi)

    @property
    def clocks(self) -> list[Clock]:
        """The ticks of the MIDI clock."""
        return self.of(Clock)

    @property
    def pulses(self) -> list[Pulse]:
        """The pulses of the clock jack."""
        return self.of(Pulse)

    @property
    def words(self) -> list[Word]:
        """The changes of the panel's words."""
        return self.of(Word)

    @property
    def jobs(self) -> list[Job]:
        """The jobs that the box asked for."""
        return self.of(Job)

    @property
    def logs(self) -> list[Log]:
        """The lines of the log."""
        return self.of(Log)

    @property
    def is_off(self) -> bool:
        """Whether the box was switched off."""
        return bool(self.of(PowerOff))
