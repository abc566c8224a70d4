"""The transport of `pixelboop drive`: lines of JSON, through pipes of a program that this starts or through a UNIX socket."""

from __future__ import annotations

import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import tempfile
import time
import typing

from pixelboop.errors import BenchError, DeadlinePassed, ProgramEnded, ProgramMissing

PROGRAM = "pixelboop"
PROTOCOL = 1
CHUNK_BYTES = 1 << 20


def find_program(program: str | os.PathLike[str] | None) -> str:
    """Path of the program: `program`, or the environment's PIXELBOOP, or `pixelboop` of PATH."""
    wanted = os.fspath(program) if program is not None else os.environ.get("PIXELBOOP") or PROGRAM
    found = shutil.which(wanted)
    if found is None:
        raise ProgramMissing(f"no program {wanted}: install the package pixelboop, or name its file by PIXELBOOP=/path/pixelboop")
    return found


class Lines:
    """A conversation with `pixelboop drive`. An answer that takes longer than `deadline` seconds raises DeadlinePassed."""

    def __init__(self, program: str | os.PathLike[str] | None, path: str | os.PathLike[str] | None, deadline: float) -> None:
        self._deadline = deadline
        self._buffer = bytearray()
        self._number = 0
        self._is_closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._messages = tempfile.TemporaryFile()
        try:
            if path is None:
                self._start(find_program(program))
            else:
                self._connect(os.fspath(path))
            self.greeting = self._read("the greeting")
        except BaseException:
            self.close()
            raise
        if self.greeting.get("protocol") != PROTOCOL:
            self.close()
            raise BenchError(f"this program speaks protocol {self.greeting.get('protocol')}, the package pixelboop {PROTOCOL}: "
                             "install the wheel of the program's release")

    def _start(self, program: str) -> None:
        self._process = subprocess.Popen(
            [program, "drive"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._messages)
        assert self._process.stdin and self._process.stdout
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()

    def _connect(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError as error:
            raise ProgramMissing(f"{path}: {error.strerror}: start `pixelboop drive --socket {path}` first") from None
        self._input = self._output = self._socket.fileno()

    @property
    def process_id(self) -> int | None:
        """The process of the program; None behind a socket."""
        return self._process.pid if self._process else None

    def ask(self, request: dict[str, typing.Any], extra: float = 0) -> dict[str, typing.Any]:
        """Sends a request; returns its answer, which may take `extra` seconds longer than others."""
        if self._is_closed:
            raise ProgramEnded("this bench is closed")
        self._number += 1
        try:
            line = json.dumps({"id": self._number, **request}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except ValueError as problem:
            raise BenchError(f"{request.get('do', 'a request')}: a number in it is none: {problem}") from None
        self._write(line.encode() + b"\n")
        answer = self._read(str(request["do"]), extra)
        if answer.get("id") != self._number:
            raise BenchError(f"{request['do']}: the answer has id {answer.get('id')}, not {self._number}")
        return answer

    def _write(self, line: bytes) -> None:
        view = memoryview(line)
        while view:
            try:
                view = view[os.write(self._input, view):]
            except (BrokenPipeError, ConnectionResetError):
                raise ProgramEnded(self._last_words()) from None

    def _read(self, what: str, extra: float = 0) -> dict[str, typing.Any]:
        deadline = time.monotonic() + self._deadline + extra
        scanned = 0
        while (end := self._buffer.find(b"\n", scanned)) < 0:
            scanned = len(self._buffer)
            if not select.select([self._output], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise DeadlinePassed(
                    f"{what}: no answer within {self._deadline + extra:g} s: advance less, or give Bench a longer `deadline`")
            try:
                part = os.read(self._output, CHUNK_BYTES)
            except ConnectionResetError:
                part = b""
            if not part:
                raise ProgramEnded(self._last_words())
            self._buffer += part
        line = bytes(self._buffer[:end])
        del self._buffer[:end + 1]
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise BenchError(f"{what}: this is no answer of `pixelboop drive`: {line[:200]!r}")
        return answer

    def _last_words(self) -> str:
        """Why the program has ended: its status, and the last line of its messages."""
        if self._process is None:
            return "`pixelboop drive` has closed its socket"
        status = self._process.wait(self._deadline)
        self._messages.seek(0)
        said = self._messages.read().decode(errors="replace").strip().splitlines()
        return f"`pixelboop drive` has ended with status {status}" + (f": {said[-1]}" if said else "")

    def close(self) -> None:
        """Ends the program, or the connection. Later calls do nothing."""
        self._is_closed = True
        if self._process is not None and self._process.poll() is None:
            assert self._process.stdin
            self._process.stdin.close()
            try:
                self._process.wait(self._deadline)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process is not None and self._process.stdout:
            self._process.stdout.close()
        if self._socket is not None:
            self._socket.close()
        self._messages.close()


def resident_bytes(process_id: int) -> int:
    """Memory of a process that is in RAM, in bytes (proc(5), VmRSS)."""
    for line in pathlib.Path(f"/proc/{process_id}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return 1024 * int(line.split()[1])
    raise BenchError(f"process {process_id} has no memory: it has ended")
