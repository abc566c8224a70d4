"""A box that runs, played and read through its page, in real time (docs/protocol.md)."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import enum
import http.client
import math
import os
import re
import select
import struct
import subprocess
import tempfile
import threading
import time
import typing
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Self

from pixelboop.box import Key, Words
from pixelboop.errors import BenchError, ConnectionLost, DeadlinePassed, ProgramEnded
from pixelboop.frame import Frame, Led
from pixelboop.lines import find_program
from pixelboop.palette import Palette
from pixelboop.sound import Sound
from pixelboop.websocket import BINARY, PING, WebSocket

SUBPROTOCOL = "pixelboop"
# Result of `Page.read` for a pong.
PONG = -1
VERSION = 2
# Messages to the box: the first byte.
CONTACT, KEY, LISTEN, ACKNOWLEDGE, CHARACTER = 1, 2, 3, 4, 5
PHASES = ("down", "move", "up", "cancel")
KEYS: tuple[Key, ...] = typing.get_args(Key)
UNITS_PER_LED = 1024
SOUND_CHANNELS = 2
# Length of a block of sound, in seconds.
SOUND_BLOCK = 0.01
# The box sends something each second: after such a silence it is lost.
SILENCE_SECONDS = 10.0
DEADLINE_SECONDS = 60.0
TAP_SECONDS = 0.06
MOVE_SECONDS = 0.01
# Seconds of sound that are kept until they are read.
SOUND_KEPT = 60


class Kind(enum.IntEnum):
    """Messages from the box: the first byte."""

    HELLO, FRAME, SOUND, REPORT, BEAT, WORDS, CROWD = range(7)


@dataclasses.dataclass(frozen=True)
class Report:
    """Figures of the panel: current of the LEDs in ampere, frames sent to them each second, bytes on their wire each second."""

    amps: float
    frames_per_second: float
    wire_bytes_per_second: float


@dataclasses.dataclass(frozen=True)
class Crowd:
    """The other pages at the box, and how many of them have a finger or a key down."""

    others: int
    playing: int


class Page:
    """A client of a box's page: sends touches at once, and reads one message at a time, for programs that have a loop of their own.
    `LiveBox` reads by itself. Leaving its context closes it.

    `columns` and `rows` are the box's LEDs; `rate` the frames of sound of a second, 0 if it has none for pages.
    """

    def __init__(self, url: str, deadline: float = DEADLINE_SECONDS) -> None:
        self.deadline = deadline
        self.columns = self.rows = self.rate = 0
        # The newest frame, as the LEDs show it, and the number of frames so far.
        self.picture: Frame | None = None
        self.pictures = 0
        # The panel's newest words, its figures, and the other clients.
        self.words = Words("", "", "", False)
        self.figures: Report | None = None
        self.crowd = Crowd(0, 0)
        # Blocks of sound that nobody has read yet, each of 10 ms, and the number of bytes that came in all.
        self.blocks: collections.deque[bytes] = collections.deque(maxlen=round(SOUND_KEPT / SOUND_BLOCK))
        self.sound_bytes = 0
        # When the box was asked for a sign of life, by time.monotonic(), and the seconds until it came; None until then.
        self.asked_at = 0.0
        self.delay: float | None = None
        self._listens = False
        self._socket = WebSocket(url, SUBPROTOCOL, deadline)
        try:
            end = time.monotonic() + deadline
            while not self.columns:
                if self.read(end) is None:
                    raise DeadlinePassed(f"the box does not greet within {deadline:g} s")
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; the box lifts its fingers."""
        self._socket.close()

    # From the box

    def read(self, deadline: float) -> int | None:
        """Reads a message; returns its `Kind`, PONG for a pong, and None if none arrives until `deadline`, a time of
        time.monotonic(). Acknowledges frames. Raises ConnectionLost at the end."""
        arrived = self._socket.read(deadline)
        if arrived is None:
            return None
        opcode, message = arrived
        if opcode == BINARY and message:
            self._take(message)
            return message[0]
        self.delay = time.monotonic() - self.asked_at
        return PONG

    def _take(self, message: bytes) -> None:
        match message[0]:
            case Kind.HELLO:
                _, version, self.columns, self.rows, self.rate = struct.unpack("<BBBBI", message)
                if version != VERSION:
                    raise ConnectionLost(f"the page speaks version {version}, the package pixelboop {VERSION}: "
                                         "install the wheel of the box's release")
            case Kind.FRAME:
                self.picture, self.pictures = Frame(self.columns, self.rows, message[8:]), self.pictures + 1
                self._socket.send(struct.pack("<BBH", ACKNOWLEDGE, 0, 0) + message[4:8])
            case Kind.SOUND:
                self.blocks.append(message[4:])
                self.sound_bytes += len(message) - 4
            case Kind.REPORT:
                self.figures = Report(*struct.unpack("<fff", message[4:]))
            case Kind.WORDS:
                word, title, place = (message[4:].decode(errors="replace").split("\n") + ["", ""])[:3]
                self.words = Words(word, title, place, message[1] == 1)
            case Kind.CROWD:
                self.crowd = Crowd(message[1], message[2])

    # To the box

    def touch(self, phase: typing.Literal["down", "move", "up", "cancel"], where: tuple[float, float], finger: int = 0) -> None:
        """A finger, 0 to 65535 and 16 at once, lands, moves or lifts at a column and row, which may be fractional."""
        column, row = where
        if not (-0.5 <= column < self.columns - 0.5 and -0.5 <= row < self.rows - 0.5):
            raise BenchError(f"touch: no LED {column}, {row}: the panel has columns 0-{self.columns - 1}, rows 0-{self.rows - 1}")
        x, y = (int((part + 0.5) * UNITS_PER_LED) for part in where)
        self._socket.send(struct.pack("<BBHHH", CONTACT, PHASES.index(phase), finger, x, y))

    def key(self, key: Key, phase: typing.Literal["down", "up", "cancel"] = "down") -> None:
        """A key of docs/formats.md, Touch script, is pressed, released or withdrawn."""
        self._socket.send(bytes([KEY, PHASES.index(phase), KEYS.index(key)]))

    def press(self, key: Key) -> None:
        """A key is pressed and released."""
        self.key(key)
        self.key(key, "up")

    def type(self, text: str) -> None:
        """Types a name."""
        for character in text:
            self._socket.send(struct.pack("<BBHI", CHARACTER, 0, 0, ord(character)))

    def listen(self, wanted: bool = True) -> None:
        """Asks for sound from now on, or for none."""
        if wanted != self._listens:
            self._listens = wanted
            self._socket.send(bytes([LISTEN, wanted]))

    def ask(self) -> None:
        """Asks the box for a sign of life: the seconds until it comes are `delay`."""
        self.asked_at, self.delay = time.monotonic(), None
        self._socket.send(b"", PING)


class LiveBox(Page):
    """A running box, through its page: `connect` makes one. A thread of its own reads what the box sends, so that the connection
    lives while a test does something else. Waits are for a condition, with a deadline."""

    def __init__(self, url: str, deadline: float = DEADLINE_SECONDS) -> None:
        self._changed = threading.Condition()
        super().__init__(url, deadline)
        # The address of its WebSocket, with the token.
        self.url = url
        # Colours of its notes.
        self.palette = Palette()
        self._lost: ConnectionLost | None = None
        self._thread = threading.Thread(target=self._read, name="pixelboop live", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Closes the connection; the box lifts its fingers."""
        super().close()
        self._thread.join(self.deadline)

    def _read(self) -> None:
        try:
            while self.read(time.monotonic() + SILENCE_SECONDS) is not None:
                pass
            raise ConnectionLost(f"the box has said nothing for {SILENCE_SECONDS:g} s")
        except ConnectionLost as error:
            with self._changed:
                self._lost = error
                self._changed.notify_all()

    def _take(self, message: bytes) -> None:
        with self._changed:
            super()._take(message)
            self._changed.notify_all()

    def wait(self, what: str, condition: Callable[[Self], bool], seconds: float | None = None) -> None:
        """Waits until `condition` is true of this box; looks whenever the box has sent something. Raises DeadlinePassed, which
        names `what`, after `seconds`, or else this box's deadline."""
        limit = self.deadline if seconds is None else seconds
        end = time.monotonic() + limit
        with self._changed:
            while not condition(self):
                if self._lost:
                    raise self._lost
                if not self._changed.wait(max(0.0, end - time.monotonic())) and time.monotonic() >= end:
                    raise DeadlinePassed(f"{what}: not within {limit:g} s")

    def frame(self) -> Frame:
        """The newest frame, as the LEDs show it, in sRGB; waits for the first one. The chip's steps make a dark colour a few steps
        off the drawn one: compare by `Colour.is_near`."""
        self.wait("a frame", lambda box: box.picture is not None)
        assert self.picture
        return self.picture

    def next_frame(self, seconds: float | None = None) -> Frame:
        """Waits for a frame that is newer than the call. The box sends one when its picture changes."""
        before = self.pictures
        self.wait("a new frame", lambda box: box.pictures > before, seconds)
        return self.frame()

    def led(self, where: tuple[int, int]) -> Led:
        """The LED at a column and row, in the newest frame."""
        return self.frame().led(*where)

    @property
    def report(self) -> Report:
        """The newest figures of the panel; waits for the first ones."""
        self.wait("figures", lambda box: box.figures is not None)
        assert self.figures
        return self.figures

    def sound(self, seconds: float) -> Sound:
        """The next `seconds` of sound behind what was returned before; asks for sound if need be."""
        count = math.ceil(seconds / SOUND_BLOCK)
        if self.rate == 0:
            raise BenchError("sound: this box has none for pages: it plays through a device, or was started with --audio none")
        if seconds > SOUND_KEPT:
            raise BenchError(f"sound: at most {SOUND_KEPT} seconds at once")
        self.listen()
        self.wait(f"{seconds:g} s of sound", lambda box: len(box.blocks) >= count, self.deadline + seconds)
        with self._changed:
            data = b"".join(self.blocks.popleft() for _ in range(count))
        return Sound.of_integers(data, SOUND_CHANNELS, self.rate)

    def tap(self, where: tuple[float, float], finger: int = 0, hold: float = TAP_SECONDS) -> None:
        """A finger lands, rests `hold` seconds and lifts."""
        self.touch("down", where, finger)
        time.sleep(hold)
        self.touch("up", where, finger)

    def drag(self, start: tuple[float, float], end: tuple[float, float], seconds: float = 0.2, finger: int = 0) -> None:
        """A finger lands at `start`, moves to `end` in `seconds`, and lifts."""
        self.touch("down", start, finger)
        count = max(1, round(seconds / MOVE_SECONDS))
        for number in range(1, count + 1):
            time.sleep(seconds / count)
            column, row = (one + (two - one) * number / count for one, two in zip(start, end))
            self.touch("move", (column, row), finger)
        self.touch("up", end, finger)


def connect(url: str, token: str | None = None, deadline: float = DEADLINE_SECONDS) -> LiveBox:
    """Connects to a running box. `url` is its page's address as it prints it, such as "http://127.0.0.1:4424/", or that of the
    WebSocket, "ws://127.0.0.1:4424/panel"; `token` the token, unless the address has it (`?token=`)."""
    parts = urllib.parse.urlsplit(url)
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
    path = parts.path if parts.path.endswith("/panel") else parts.path.rstrip("/") + "/panel"
    query = f"token={token}" if token is not None else parts.query
    try:
        return LiveBox(urllib.parse.urlunsplit((scheme, parts.netloc, path, query, "")), deadline)
    except ConnectionLost as lost:
        reason = _reason(scheme, parts.netloc, path.removesuffix("panel"), query, deadline) if lost.code is None else None
        if reason is None:
            raise
        raise reason from None


@contextlib.contextmanager
def run(
    *options: str, program: str | os.PathLike[str] | None = None, deadline: float = DEADLINE_SECONDS
) -> Iterator[LiveBox]:
    """Starts `pixelboop run` with a simulated panel at a free port of this machine, and `options`; connects, and ends it at the end
    of the context. Without `--library` it has a new one, which is removed. The program is found as for `Bench`."""
    with tempfile.TemporaryDirectory() as folder:
        library = () if "--library" in options else ("--library", os.path.join(folder, "library.sqlite"))
        process = subprocess.Popen(
            [find_program(program), "run", "--panel", "web", "--listen", "127.0.0.1:0", *library, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            with connect(_address(process, deadline), deadline=deadline) as box:
                yield box
        finally:
            process.terminate()
            try:
                process.communicate(timeout=deadline)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def _address(process: subprocess.Popen[bytes], deadline: float) -> str:
    """The address of the page, which the program prints."""
    assert process.stdout
    said, end = "", time.monotonic() + deadline
    while not (found := re.search(r"http://\S+/(\?token=\S+)?(?=[\s,])", said)):
        if not select.select([process.stdout], [], [], max(0.0, end - time.monotonic()))[0]:
            raise DeadlinePassed(f"`pixelboop run` has not printed an address within {deadline:g} s, only: {said.strip()}")
        part = os.read(process.stdout.fileno(), 4096)
        if not part:
            raise ProgramEnded(f"`pixelboop run` has ended: {said.strip()}")
        said += part.decode(errors="replace")
    return found[0]


def _reason(scheme: str, host: str, path: str, query: str, deadline: float) -> ConnectionLost | None:
    """Why a box closes a WebSocket without an answer: what it says to a request of its page. None if that says nothing."""
    kind = http.client.HTTPSConnection if scheme == "wss" else http.client.HTTPConnection
    connection = kind(host, timeout=deadline)
    try:
        connection.request("GET", f"{path}?{query}")
        answer = connection.getresponse()
        if answer.status == http.HTTPStatus.OK:
            return None
        return ConnectionLost(f"{host}: {answer.read().decode(errors='replace').strip()}", answer.status)
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
