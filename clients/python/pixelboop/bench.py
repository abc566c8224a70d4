"""The bench: boxes on one virtual clock."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import typing
from collections.abc import Mapping, Sequence

from pixelboop.box import Box, Session
from pixelboop.errors import BenchError, DeadlinePassed, Refused
from pixelboop.events import Event, Events, event
from pixelboop.lines import Lines, resident_bytes

Path = str | os.PathLike[str]
Condition = str | Mapping[str, object]
DEADLINE_SECONDS = 60.0
# Name of the box of `pixelboop run --control`.
RUNNING = "box"
# Events that an error lists.
NAMED_EVENTS = 10


class Bench:
    """`pixelboop drive`: one or more boxes, whose clock moves only when a test moves it. Leaving its context ends it.

    The program is `program`, or the environment's PIXELBOOP, or `pixelboop` of PATH. With `socket`, the path of the socket of a
    running `pixelboop drive --socket`, none is started. An answer that takes longer than `deadline` seconds raises DeadlinePassed.

    Behind the socket of `pixelboop run --control` there is one box, `running`, in real time: `advance` waits.
    """

    def __init__(self, program: Path | None = None, *, socket: Path | None = None, deadline: float = DEADLINE_SECONDS) -> None:
        self._lines = Lines(program, socket, deadline)
        self._pending: list[Event] = []
        self._boxes_made = 0
        # The open boxes, by their names.
        self.boxes: dict[str, Box] = {}
        # Milliseconds since the begin.
        self.now = 0.0

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program, or the connection."""
        self._lines.close()

    @property
    def version(self) -> str:
        """Version of the program."""
        return str(self._lines.greeting["pixelboop"])

    @property
    def memory(self) -> int:
        """Memory of the program in bytes, which is in RAM now. Raises BenchError behind a socket."""
        if self._lines.process_id is None:
            raise BenchError("memory: the process behind a socket is not known: let Bench start the program")
        return resident_bytes(self._lines.process_id)

    @property
    def is_live(self) -> bool:
        """Whether this is a box that runs, in real time."""
        return bool(self._lines.greeting.get("live"))

    @property
    def running(self) -> Box:
        """The box behind `pixelboop run --control`. Its `rate` is unknown, 0."""
        if not self.is_live:
            raise BenchError("running: the boxes of a bench are made by box()")
        if not self.boxes:
            self._add(RUNNING, {**self.ask("frame"), "rate": 0}, 0)
        return self.boxes[RUNNING]

    def ask(self, do: str, **keys: typing.Any) -> dict[str, typing.Any]:
        """A request of docs/drive.md as it is written there; returns the answer. Keys that are None are left out."""
        # A running box waits as long as it is told to.
        extra = keys.get("ms") or 0 if self.is_live else 0
        answer = self._lines.ask({"do": do, **{name: value for name, value in keys.items() if value is not None}}, extra / 1000)
        if "error" in answer:
            raise Refused(do, str(answer["error"].get("place", "")), str(answer["error"]["problem"]))
        self.now = answer.get("at", self.now)
        return answer

    def box(
        self, name: str | None = None, *, config: Mapping[str, object] | None = None,
        start: Mapping[str, object] | Path | None = None, library: Path | None = None, listings: Path | None = None,
        today: str | None = None, rules: str | None = None, keep: float | None = None, takes: bool | None = None
    ) -> Box:
        """A new box.

        `config` has the keys of docs/configuration.md, `start` is its music: a pattern, or the path of a pattern's file. `library`
        is the path of a library, of which the box has a copy, `listings` that of television listings. `today` is a date such as
        "2026-01-01", `rules` "box" or "phone". `keep` is how many seconds of sound and of the wires are kept until they are asked
        for, 0 to 600; with 0 the box has neither sound nor light. With `takes` False the box does not remember the last five
        minutes for takes, which saves 57 MB.
        """
        if start is not None and not isinstance(start, Mapping):
            start = json.loads(pathlib.Path(start).read_text(encoding="utf-8"))
        return self._open(
            "new", name, config=config, start=start, library=_text(library), listings=_text(listings), today=today, rules=rules,
            keep=keep, takes=takes)

    def repeat(self, session: Session, name: str | None = None) -> Box:
        """A new box that is made like a recorded one and has its touches before it: `advance` plays them again."""
        box = self._open("new", name, **session.new)
        box.send(*session.starting(box.begin))
        return box

    def copy(self, box: Box, name: str | None = None) -> Box:
        """A box in exactly the state of `box`, that goes on by itself."""
        to = self._name(name)
        return self._add(to, self.ask("copy", box=box.name, to=to), box.begin)

    def _open(self, do: str, name: str | None, **keys: typing.Any) -> Box:
        name = self._name(name)
        answer = self.ask(do, **{**keys, "box": name})
        return self._add(name, answer, answer["at"])

    def _name(self, name: str | None) -> str:
        self._boxes_made += 1
        return name if name is not None else f"box{self._boxes_made}"

    def _add(self, name: str, answer: Mapping[str, typing.Any], begin: float) -> Box:
        self.boxes[name] = Box(self, name, answer["columns"], answer["rows"], answer["rate"], begin)
        return self.boxes[name]

    def close_box(self, box: Box) -> None:
        """Ends a box."""
        self.ask("close", box=box.name)
        del self.boxes[box.name]

    def advance(
        self, *, ms: float | None = None, seconds: float | None = None, frames: int | None = None, steps: int | None = None,
        until: Condition | None = None, box: str | None = None, only: Sequence[str] | None = None
    ) -> Events:
        """Moves the clock of all boxes; returns what they did since the last call. Exactly one of `ms`, `seconds`, `frames` (of
        sound of `box`), `steps` (at its tempo) and `until` says how far.

        `until` is a kind of event, such as "note", or an object with `event` and the values that other keys should have, such as
        {"event": "step", "step": 4}. It raises DeadlinePassed if there is none within `ms` milliseconds or `seconds`, 60 seconds
        without either. `only` leaves out events of other kinds.
        """
        self._move(ms=ms, seconds=seconds, frames=frames, steps=steps, until=until, box=box, only=only)
        return self.taken()

    def _move(
        self, *, ms: float | None = None, seconds: float | None = None, frames: int | None = None, steps: int | None = None,
        until: Condition | None = None, box: str | None = None, only: Sequence[str] | None = None
    ) -> None:
        if seconds is not None:
            ms = (ms or 0) + 1000 * seconds
        if self.is_live and steps is not None:
            # A step is a quarter of a beat.
            ms, steps = steps * 15_000 / self.running.state.tempo, None
        given = [name for name, value in {"ms": ms, "frames": frames, "steps": steps, "until": until}.items() if value is not None]
        if given != ["ms", "until"] and len(given) != 1:
            raise BenchError(f"advance: {' and '.join(given) or 'nothing'} given: give one of ms, seconds, frames, steps and until")
        wanted = {"event": until} if isinstance(until, str) else until
        measure = box if frames is not None or steps is not None else None
        answer = self.ask("advance", ms=ms, frames=frames, steps=steps, until=wanted, box=measure, only=only)
        self._pending += map(event, answer.get("events", ()))
        if wanted is not None and not answer["met"]:
            newest = Events(self._pending[-NAMED_EVENTS:])
            raise DeadlinePassed(f"advance: no event {dict(wanted)} until {self.now:g} ms; the newest are:\n{newest}")

    def taken(self, box: str | None = None) -> Events:
        """The events since the last call, of all boxes or of one."""
        taken = [one for one in self._pending if box in (None, one.box)]
        self._pending = [one for one in self._pending if box not in (None, one.box)]
        return Events(taken)

    def connect(
        self, source: Box, target: Box, cable: str = "midi", *, delay: float | None = None, jitter: float | None = None,
        loss: float | None = None, seed: int | None = None
    ) -> None:
        """Lays a cable from `source` to `target`: "midi" or "pulse". `delay` and `jitter` are in milliseconds, `loss` in per cent;
        `seed` makes chance repeat itself."""
        self.ask("connect", **{"from": source.name}, to=target.name, cable=cable, delay=delay, jitter=jitter, loss=loss, seed=seed)

    def disconnect(self, source: Box, target: Box, cable: str = "midi") -> None:
        """Takes a cable away."""
        self.ask("disconnect", **{"from": source.name}, to=target.name, cable=cable)

    def shrink(self, session: Session, until: Condition, tries: int | None = None) -> Session:
        """The session with the fewest lines after which the event `until`, as in `advance`, still happens. At most `tries` sessions
        are played for it, 1000 without it; then its lines are fewer."""
        wanted = {"event": until} if isinstance(until, str) else until
        answer = self.ask("shrink", new=session.new, lines=session.lines, until=wanted, tries=tries)
        return dataclasses.replace(session, lines=answer["lines"])


def _text(path: Path | None) -> str | None:
    """An absolute path: the program may run in another folder."""
    return None if path is None else os.path.abspath(path)
