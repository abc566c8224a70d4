"""A running box, players on its page, and sticks. Used by the attack, the soak and the check of sticks.

Needs Debian's python3-websocket. Mounting a stick needs root.
"""

import json
import os
import pathlib
import re
import select
import signal
import struct
import subprocess
import tempfile
import time

import websocket

# Longer than any reaction of a panel on a busy machine.
WAIT_SECONDS = 10
COLUMNS, ROWS = 44, 24
DOWN, MOVE, UP = 0, 1, 2
ADDRESS = re.compile(r"http://(127\.0\.0\.1:\d+)/(\S*)")
MOUNT = pathlib.Path("/media/pixelboop-test")
TRACKS = ["melody", "chords", "bass", "rhythm"]


class Failure(Exception):
    """A failed expectation, with the actual state."""


class Page:
    """Address of a box's page: host and port, and the path of its WebSocket."""

    def __init__(self, host, path):
        self.host, self.path = host, path
        self.port = int(host.split(":")[1])


class Box:
    """A running box: its process, its page, and its standard error."""

    def __init__(self, program, library, audio=("--audio", "none"), environment=None):
        command = [program, "run", "--panel", "web", *audio, "--listen", "127.0.0.1:0", "--library", library]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})})
        self.said = ""
        found = self.wait_said(ADDRESS)
        self.page = Page(found[1], "/panel" + found[2])

    def wait_said(self, what, seconds=WAIT_SECONDS):
        """Waits for text on standard error; returns the match, and discards the text up to it."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(what, self.said)):
            if not select.select([self.process.stderr], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failure(f"no message {what!r}, only: {self.said.strip()!r}")
            part = os.read(self.process.stderr.fileno(), 4096).decode(errors="replace")
            if not part:
                raise Failure(f"it has ended, and said: {self.said.strip()!r}")
            self.said += part
        self.said = self.said[found.end():]
        return found

    def rest(self):
        """What it has said since the last match, on standard error."""
        while select.select([self.process.stderr], [], [], 0)[0]:
            part = os.read(self.process.stderr.fileno(), 4096).decode(errors="replace")
            if not part:
                break
            self.said += part
        return self.said.strip()

    def resident(self):
        """Its resident memory, in KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s*(\d+)", status)[1])

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
        """Those of its descriptors that are connections to its page."""
        sockets = set()
        for line in pathlib.Path(f"/proc/{self.process.pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if int(fields[1].rpartition(":")[2], 16) == self.page.port:
                sockets.add(f"socket:[{fields[9]}]")
        return [target for target in self.descriptors() if target in sockets]

    def stop(self):
        """Ends it as a service manager does; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("it does not end on request") from None


class Player:
    """A browser's end of the page's WebSocket: sees the LEDs, and touches them. Gets the sound after `listen`."""

    def __init__(self, page):
        self.socket = websocket.create_connection(
            f"ws://{page.host}{page.path}", timeout=WAIT_SECONDS, origin=f"http://{page.host}",
            subprotocols=["pixelboop"])
        self.frame = None
        self.sound_bytes = 0
        self.asked_at = None
        self.delay = None

    def listen(self):
        self.socket.send_binary(bytes([3, 1]))

    def ask(self):
        """Asks the box for a sign of life: the time until its answer is `delay`, in seconds, set by `next_frame`."""
        self.asked_at, self.delay = time.monotonic(), None
        self.socket.ping()

    def next_frame(self, deadline):
        """Reads the page's messages until the next frame of the panel; false if none arrives."""
        while True:
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                kind, message = self.socket.recv_data(control_frame=True)
            except websocket.WebSocketTimeoutException:
                return False
            if kind == websocket.ABNF.OPCODE_PONG:
                self.delay = time.monotonic() - self.asked_at
            elif kind == websocket.ABNF.OPCODE_CLOSE:
                raise Failure("the box has closed the connection")
            elif kind == websocket.ABNF.OPCODE_BINARY and message[0] == 1:
                number = struct.unpack_from("<I", message, 4)[0]
                self.socket.send_binary(struct.pack("<BBHI", 4, 0, 0, number))
                self.frame = message[8:]
                return True
            elif kind == websocket.ABNF.OPCODE_BINARY and message[0] == 2:
                self.sound_bytes += len(message) - 4

    def led(self, column, row):
        return tuple(self.frame[3 * (row * COLUMNS + column):][:3])

    @property
    def shows_play(self):
        """Whether Play is red: the music plays, and the grid is shown."""
        red, green, _ = self.led(2, 0)
        return red > 0xd0 and green < 0x80

    def wait(self, what, condition):
        deadline = time.monotonic() + WAIT_SECONDS
        while not (self.frame and condition(self)):
            self.next_frame(deadline)
            if time.monotonic() >= deadline:
                raise Failure(f"{what}: not within {WAIT_SECONDS} s")

    def touch(self, phase, column, row, finger=1):
        x, y = (1024 * part + 512 for part in (column, row))
        self.socket.send_binary(struct.pack("<BBHHH", 1, phase, finger, x, y))

    def tap(self, place):
        for phase in (DOWN, UP):
            self.touch(phase, *place)

    def play(self):
        """Presses Play, and waits until it is lit."""
        self.tap((1, 0))
        self.wait("Play is red", lambda box: box.shows_play)

    def close(self):
        self.socket.close()


class Stick:
    """A stick with these patterns, a bank and a document each. Each is mounted at a new place: the box polls once a
    second, and must recognise it as another stick."""

    count = 0

    def __init__(self, patterns, *options, prepare=lambda folder: None):
        Stick.count += 1
        self.mount = MOUNT / str(Stick.count)
        self.folder = self.mount / "pixelboop"
        self.mount.mkdir(parents=True)
        # It is filled elsewhere, and appears complete.
        with tempfile.TemporaryDirectory() as name:
            mount_at(name)
            for bank, document in patterns:
                folder = pathlib.Path(name, "pixelboop", bank)
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{document['name']}.json").write_text(json.dumps(document), encoding="utf-8")
            pathlib.Path(name, "pixelboop").mkdir(exist_ok=True)
            prepare(pathlib.Path(name, "pixelboop"))
            if options:
                subprocess.run(["mount", "-o", "remount," + ",".join(options), name], check=True)
            subprocess.run(["mount", "--bind", name, self.mount], check=True)
            subprocess.run(["umount", "-l", name], check=True)

    def pull_out(self):
        subprocess.run(["umount", "-l", self.mount], check=True)

    @staticmethod
    def pull_out_all():
        for mount in MOUNT.glob("*"):
            subprocess.run(["umount", "-l", mount], capture_output=True)
            mount.rmdir()
        if MOUNT.exists():
            MOUNT.rmdir()


def mount_at(folder):
    return subprocess.run(["mount", "-t", "tmpfs", "pixelboop-test", folder], capture_output=True).returncode == 0


def can_mount():
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0 or not mount_at(name):
            return False
        subprocess.run(["umount", name], check=True)
        return True


def pattern(name, note):
    """A document with one note on the melody's first step."""
    cells = {track: [[0] * 32 for _ in range(12)] for track in TRACKS}
    cells["melody"][note][0] = 1
    return {"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "tracks": cells, "name": name}
