"""A box on a bench."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import pathlib
import typing
from collections.abc import Mapping, Sequence

from pixelboop.errors import BenchError
from pixelboop.events import Events
from pixelboop.frame import Frame, Led
from pixelboop.palette import Palette
from pixelboop.sound import Sound

if typing.TYPE_CHECKING:
    from pixelboop.bench import Bench, Condition

# The LEDs' supply: the rail of all zones.
RAIL = "5V"
TAP_MS = 60.0
# Time after a finger's lift in which the box has seen it: three periods of the overlay's reports.
LIFT_MS = 40.0
# Time between two reports of a drag.
MOVE_MS = 10.0
WORD_MS = 10_000.0
Key = typing.Literal[
    "space", "undo", "redo", "clear", "up", "down", "spacebar", "enter", "latch", "escape", "backspace", "arrowUp", "arrowDown",
    "arrowLeft", "arrowRight"]


class Place(typing.NamedTuple):
    """A place on the panel: column and row of an LED, from 0 at the top left. Between LEDs they are fractional."""

    column: float
    row: float


@dataclasses.dataclass(frozen=True)
class Purpose:
    """The purpose of a place for a finger: its name, and its part of the music."""

    name: str
    # Of a step: "melody", "chords", "bass" or "rhythm", step from 0, row of the track's page from its lowest, MIDI note or drum.
    # Beside the steps only the track.
    track: str | None = None
    step: int | None = None
    degree: int | None = None
    note: int | None = None


@dataclasses.dataclass(frozen=True)
class Words:
    """The panel's words: the word shown now, the title of the screen, the name of the place under the cursor; empty for none."""

    word: str
    title: str
    place: str
    # Whether the panel asks for a name.
    naming: bool


@dataclasses.dataclass(frozen=True)
class State:
    """The state of a box. `tempo` is in BPM, `step` and `scene` are from 0 and None without one, `screen` is its title, `fingers`
    the number that rest on the panel, `volume` and `brightness` are in per cent; `off` is whether it was switched off."""

    playing: bool
    step: int | None
    scene: int | None
    screen: str
    tempo: float
    fingers: int
    recording: bool
    muted: list[str]
    soloed: str | None
    locked: bool
    volume: float
    brightness: float
    # False of a running box, too: it then no longer answers.
    off: bool = False
    # The scene of each track that plays alone, and the scenes that have their own sound, from 0.
    parts: Mapping[str, int] = dataclasses.field(default_factory=dict)
    own: Sequence[int] = ()


@dataclasses.dataclass(frozen=True)
class Entry:
    """A pattern of the library: its number, its name and the letter of its bank."""

    number: int
    name: str
    bank: str


@dataclasses.dataclass(frozen=True)
class Chain:
    """Bytes on a chain's wire since the last question: `data`, all of them end to end; `messages`, the time in milliseconds and
    the length in bytes of each; `lost`, the number of earlier messages that were not kept."""

    data: bytes = dataclasses.field(repr=False)
    messages: list[tuple[float, int]]
    lost: int


@dataclasses.dataclass(frozen=True)
class Session:
    """A recorded session: what the box was made of, when, in milliseconds, and all lines that were sent to it, with their times."""

    new: Mapping[str, typing.Any]
    begin: float
    lines: list[dict[str, typing.Any]]

    def starting(self, at: float) -> list[dict[str, typing.Any]]:
        """The lines for a box that is made at the time `at`."""
        return [{**line, "at": round(line["at"] - self.begin + at, 3)} for line in self.lines]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the lines as a touch script, which `pixelboop replay` takes too."""
        pathlib.Path(path).write_text("".join(json.dumps(line) + "\n" for line in self.starting(0)), encoding="utf-8")


class Overlay:
    """Faults of the touch overlay. Each acts as soon as the clock moves."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def unplug(self) -> None:
        """It is gone, with the fingers on it."""
        self._box.send({"overlay": "unplug"})

    def replug(self) -> None:
        """It is back, and reports the fingers that are on it then."""
        self._box.send({"overlay": "replug"})

    def stall(self) -> None:
        """It reports nothing, until `go`."""
        self._box.send({"overlay": "stall"})

    def go(self) -> None:
        """It reports all that happened since `stall`."""
        self._box.send({"overlay": "go"})

    def lose(self) -> None:
        """The reports that are not read yet are lost, as when the kernel's buffer overflows."""
        self._box.send({"overlay": "lose"})


class Disk:
    """Faults of the disk with the library. Each acts as soon as the clock moves."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def fill(self) -> None:
        """It is full: nothing more is written, takes and samples are refused."""
        self._box.send({"disk": "full"})

    def fail(self) -> None:
        """It is neither read nor written."""
        self._box.send({"disk": "fail"})

    def mend(self) -> None:
        """It is well again."""
        self._box.send({"disk": "good"})


Where = str | Place | tuple[float, float]


class Box:
    """A box on a bench, made by `Bench.box`. `columns` and `rows` are its LEDs, `rate` the frames of sound of a second.

    Input acts as soon as the clock moves; `tap` and `drag` move the clock themselves. A place is a name of the panel, such as
    "PLAY", or a track with its step (from 0) and degree (row of the track's page, from its lowest), or a pair of column and row.
    """

    def __init__(self, bench: Bench, name: str, columns: int, rows: int, rate: int, begin: float) -> None:
        self.bench, self.name, self.columns, self.rows, self.rate = bench, name, columns, rows, rate
        # When it was made, in milliseconds; of a copy, when the first one was.
        self.begin = begin
        self.overlay = Overlay(self)
        self.disk = Disk(self)
        # Colours of its notes.
        self.palette = Palette()

    def ask(self, do: str, **keys: typing.Any) -> dict[str, typing.Any]:
        """A request of docs/drive.md to this box; returns the answer."""
        return self.bench.ask(do, box=self.name, **keys)

    def close(self) -> None:
        """Ends the box."""
        self.bench.close_box(self)

    # Input

    def send(self, *lines: Mapping[str, object]) -> None:
        """Sends lines of a touch script and of faults (docs/drive.md, Input). Without `at` and `after` they act now, in order."""
        self.ask("send", lines=[dict(line) for line in lines])

    def touch(self, phase: typing.Literal["down", "move", "up", "cancel"], where: Where, finger: int = 0) -> None:
        """A finger, 0 to 15, lands, moves or lifts at a place."""
        column, row = self.find(where)
        self.send({"touch": finger, "phase": phase, "col": column, "row": row})

    def tap(
        self, where: Where | None = None, *, track: str | None = None, step: int | None = None, degree: int | None = None,
        finger: int = 0, hold: float = TAP_MS, settle: bool = True
    ) -> Place:
        """A finger lands, rests `hold` milliseconds and lifts; the clock moves until then. With `settle` it goes on until the
        panel's word is gone, which covers LEDs. Returns the place."""
        place = self.find(where, track=track, step=step, degree=degree)
        self.send({"touch": finger, "phase": "down", "col": place.column, "row": place.row},
                  {"after": hold, "touch": finger, "phase": "up", "col": place.column, "row": place.row})
        self.bench._move(ms=hold + LIFT_MS)
        if settle:
            self.settle()
        return place

    def drag(self, start: Where, end: Where, ms: float = 200.0, *, finger: int = 0, settle: bool = True) -> None:
        """A finger lands at `start`, moves to `end` in `ms` milliseconds, and lifts. `settle` is as for `tap`."""
        begin, goal = self.find(start), self.find(end)
        lines: list[dict[str, object]] = [{"touch": finger, "phase": "down", "col": begin.column, "row": begin.row}]
        count = max(1, round(ms / MOVE_MS))
        for number in range(1, count + 1):
            column, row = (one + (two - one) * number / count for one, two in zip(begin, goal))
            lines.append({"after": ms / count, "touch": finger, "phase": "move", "col": column, "row": row})
        lines.append({"touch": finger, "phase": "up", "col": goal.column, "row": goal.row})
        self.send(*lines)
        self.bench._move(ms=ms + LIFT_MS)
        if settle:
            self.settle()

    def settle(self) -> None:
        """Moves the clock until the panel shows no word."""
        if self.words.word:
            self.bench._move(until={"event": "word", "box": self.name, "word": ""}, ms=WORD_MS)

    def key(self, key: Key, phase: typing.Literal["down", "up", "cancel"] | None = None) -> None:
        """A key of docs/formats.md, Touch script. Those that are held need a `phase` "up" later."""
        self.send({"key": key, "phase": phase} if phase else {"key": key})

    def type(self, text: str) -> None:
        """Types a name."""
        self.send(*({"type": character} for character in text))

    def turn(self, knob: typing.Literal["tempo", "length", "volume"], by: int) -> None:
        """Turns a knob by so many clicks."""
        self.send({"turn": knob, "by": by})

    def set(self, setting: str, value: object) -> None:
        """Sets a setting of docs/formats.md, Touch script: "bass.cutoff", "metronome" …"""
        self.send({"set": setting, "value": value})

    def midi(self, message: bytes | str, port: str | None = None) -> None:
        """A MIDI message arrives: bytes, or hexadecimal such as "90 3C 50"."""
        text = message if isinstance(message, str) else message.hex(" ").upper()
        self.send({"midi": text, "port": port} if port else {"midi": text})

    def remote(self, command: str, **keys: object) -> None:
        """A program asks: `box.remote("mute", track="bass", value=True)`."""
        self.send({"remote": command, **keys})

    def button(self, button: str) -> None:
        """A physical button is pressed: "power"."""
        self.send({"button": button})

    def cut_power(self) -> None:
        """The power fails, and is there again: as soon as the clock moves the box begins anew, with what is on its disk."""
        self.send({"power": "cut"})

    def play(self) -> None:
        """Presses Play, if the box is stopped. The music begins with the next `advance`."""
        if not self.state.playing:
            self.key("space")

    def stop(self) -> None:
        """Presses Stop, if the box plays."""
        if self.state.playing:
            self.key("space")

    # Time

    def advance(
        self, *, bars: float | None = None, steps: int | None = None, ms: float | None = None, seconds: float | None = None,
        frames: int | None = None, until: Condition | None = None, only: Sequence[str] | None = None
    ) -> Events:
        """Moves the clock of all boxes of the bench; returns what this box did since the last call. Exactly one of the arguments
        says how far; `bars` and `steps` are at this box's tempo. `until` and `only` are as in `Bench.advance`."""
        if bars is not None:
            if steps is not None:
                raise BenchError("advance: bars and steps given: give one of them")
            metre = self.pattern.get("metre", {"beats": 4, "steps": 4})
            steps = round(bars * metre["beats"] * metre["steps"])
        wanted = {"event": until} if isinstance(until, str) else until
        if wanted is not None:
            wanted = {"box": self.name, **wanted}
        self.bench._move(
            ms=ms, seconds=seconds, frames=frames, steps=steps, until=wanted, box=self.name, only=only)
        return self.bench.taken(self.name)

    # Questions

    def find(
        self, where: Where | None = None, *, track: str | None = None, step: int | None = None, degree: int | None = None,
        note: int | None = None
    ) -> Place:
        """The LED in the middle of all that are like this, on the screen that the panel shows: by its name, or by what is on the
        grid. Raises Refused if there is none."""
        if isinstance(where, tuple):
            return Place(*where)
        return Place(*self.ask("find", name=where, track=track, step=step, degree=degree, note=note)["middle"])

    def place(self, where: Where) -> Purpose:
        """The purpose of a place for a finger."""
        column, row = self.find(where)
        answer = self.ask("place", col=column, row=row)
        known = {field.name for field in dataclasses.fields(Purpose)}
        return Purpose(**{name: value for name, value in answer.items() if name in known})

    def frame(self, stage: typing.Literal["drawn", "light"] = "drawn") -> Frame:
        """The picture of the panel now: "drawn" as the box draws it, in sRGB; "light" as the LED chips emit it, behind
        brightness, limits and the bits of the wire."""
        answer = self.ask("frame", **{"as": "rgb"}, stage=None if stage == "drawn" else stage)
        return Frame(answer["columns"], answer["rows"], base64.b64decode(answer["rgb"]))

    def led(
        self, where: Where | None = None, *, track: str | None = None, step: int | None = None, degree: int | None = None
    ) -> Led:
        """The LED at a place, as drawn."""
        place = self.find(where, track=track, step=step, degree=degree)
        return self.frame().led(round(place.column), round(place.row))

    @property
    def words(self) -> Words:
        """The panel's words."""
        answer = self.ask("words")
        return Words(answer["word"], answer["title"], answer["place"], answer["naming"])

    @property
    def state(self) -> State:
        """The state: whether it plays, the screen, the tempo and so on."""
        answer = self.ask("state")
        return State(**{field.name: answer[field.name] for field in dataclasses.fields(State) if field.name in answer})

    @property
    def fingers(self) -> int:
        """Number of fingers that rest on the panel."""
        return self.state.fingers

    @property
    def pattern(self) -> dict[str, typing.Any]:
        """The music: a pattern of docs/formats.md."""
        return dict(self.ask("pattern")["pattern"])

    @property
    def library(self) -> list[Entry]:
        """The patterns of the library."""
        return [Entry(one["number"], one["name"], one["bank"]) for one in self.ask("library")["patterns"]]

    def save_library(self, path: str | os.PathLike[str]) -> None:
        """Writes a copy of the library."""
        self.ask("library", file=os.path.abspath(path))

    def sound(self, seconds: float | None = None) -> Sound:
        """The sound since the last call; with `seconds` only the newest part of it."""
        answer = self.ask("sound", **{"as": "float"})
        sound = Sound.of_floats(base64.b64decode(answer["float"]), answer["channels"], answer["rate"], answer["from"])
        return sound if seconds is None else sound.last(seconds)

    def wire(self) -> list[Chain]:
        """Bytes on the wire of each chain since the last call."""
        return [
            Chain(base64.b64decode(chain["bytes"]), [(one["at"], one["length"]) for one in chain["messages"]], chain["lost"])
            for chain in self.ask("wire")["chains"]]

    def current(self, rail: str = RAIL, zone: int | None = None) -> float:
        """Current of the LEDs in the last frame, in mA, standby included. "5V" is the LEDs' supply, which feeds all zones of
        docs/panel.md (`panel.zones`); with `zone`, a number from 0, the current of that zone alone."""
        if rail != RAIL:
            raise BenchError(f"current: no rail {rail!r}: the LEDs have one, {RAIL!r}; give zone=0 for one of its zones")
        answer = self.ask("current")
        if zone is None:
            return 1000.0 * float(answer["amps"])
        if not 0 <= zone < len(answer["zones"]):
            raise BenchError(f"current: no zone {zone}: the configuration has zones 0-{len(answer['zones']) - 1}")
        return 1000.0 * float(answer["zones"][zone])

    def record(self) -> Session:
        """The session so far: `Bench.repeat` plays it again."""
        answer = self.ask("record")
        return Session(answer["new"], self.begin, answer["lines"])

    def copy(self, name: str | None = None) -> Box:
        """A second box in exactly this state, that goes on by itself."""
        return self.bench.copy(self, name)
