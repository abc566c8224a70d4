"""A running box with its page, or another program that serves a page."""

import json
import os
import pathlib
import re
import select
import signal
import subprocess
import tempfile
import time

from harness.results import Failure
from harness.waiting import LIMIT_SECONDS

ADDRESS = re.compile(r"http://(127\.0\.0\.1:\d+)/(\S*)")
TRACKS = ["melody", "chords", "bass", "rhythm"]
NOTES, STEPS = 12, 32


class Page:
    """Address of a box's page: host and port, and the path of its WebSocket."""

    def __init__(self, host, path):
        self.host, self.path = host, path
        self.port = int(host.split(":")[1])


class Server:
    """A program that prints the address of its page, and the messages that it prints. Leaving its context ends it."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})})
        self.said = ""
        try:
            found = self.wait_said(ADDRESS)
        except Failure:
            self.end()
            raise
        self.address = found[0]
        self.page = Page(found[1], "/panel" + found[2])

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if isinstance(error, Failure) and (rest := self.rest()):
            print(f"      it said: {rest}", flush=True)
        self.end()

    def wait_said(self, what, seconds=LIMIT_SECONDS):
        """Waits for a message; returns the match, and discards the text up to it."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(what, self.said)):
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failure(f"no message {what!r}, only: {self.said.strip()!r}")
            if not self.read():
                raise Failure(f"it has ended, and said: {self.said.strip()!r}")
        self.said = self.said[found.end():]
        return found

    def read(self):
        part = os.read(self.process.stdout.fileno(), 4096).decode(errors="replace")
        self.said += part
        return part

    def rest(self):
        """Its messages since the last match."""
        while select.select([self.process.stdout], [], [], 0)[0] and self.read():
            pass
        return self.said.strip()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Ends it as a service manager does; returns its exit status."""
        self.process.terminate()
        try:
            return self.process.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure("it does not end on request") from None

    def end(self):
        """Ends it in any state."""
        self.resume()
        try:
            self.stop()
        except Failure:
            self.process.kill()
            self.process.wait()


def memory(process, kind="VmRSS"):
    """The memory of a process in KiB: VmRSS now, VmHWM at most (proc(5))."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.search(rf"{kind}:\s*(\d+)", status)[1])


class Box(Server):
    """A box with a simulated panel, without sound unless `audio` says otherwise."""

    def __init__(self, program, library, audio=("--audio", "none"), environment=None):
        super().__init__(
            [program, "run", "--panel", "web", *audio, "--listen", "127.0.0.1:0", "--library", library], environment)

    def descriptors(self):
        """What its open descriptors refer to, sorted."""
        folder, targets = pathlib.Path(f"/proc/{self.process.pid}/fd"), []
        for descriptor in folder.iterdir():
            try:
                targets.append(os.readlink(descriptor))
            except FileNotFoundError:
                # Closed meanwhile.
                pass
        return sorted(targets)

    def connections(self):
        """Its descriptors that are connections to its page."""
        sockets = set()
        for line in pathlib.Path(f"/proc/{self.process.pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if int(fields[1].rpartition(":")[2], 16) == self.page.port:
                sockets.add(f"socket:[{fields[9]}]")
        return [target for target in self.descriptors() if target in sockets]


def configuration(folder, text):
    """Writes a configuration; returns the environment of a box that reads it."""
    path = pathlib.Path(folder, "config.json5")
    path.write_text(text, encoding="utf-8")
    return {"PIXELBOOP_CONFIG": str(path)}


def pattern(name, note=None):
    """A document with one note on the melody's first step, or without notes."""
    cells = {track: [[0] * STEPS for _ in range(NOTES)] for track in TRACKS}
    if note is not None:
        cells["melody"][note][0] = 1
    return {"bpm": 120, "length": STEPS, "rootNote": "C", "scale": "major", "tracks": cells, "name": name}


def begin_empty(program, library):
    """Makes a library with an empty pattern: a box that was never used begins with its demos."""
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(pattern("EMPTY"), file)
        file.flush()
        subprocess.run([program, "library", "import", file.name, "--library", library], check=True, stdout=subprocess.DEVNULL)
