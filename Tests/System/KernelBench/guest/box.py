"""The program under test, as systemd would start it, and its library."""

import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import threading
import time
import zlib

from waiting import Failure, check, nanoseconds, until

TICKS = os.sysconf("SC_CLK_TCK")


class Box:
    """A running `pixelboop run`."""

    def __init__(self, binary, config, library, log, options=()):
        self.log = pathlib.Path(log)
        address = f"{log}.notify"
        pathlib.Path(address).unlink(missing_ok=True)
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(address)
        self.notifications = []
        # When it was ready, in the kernel's nanoseconds.
        self.ready = None
        threading.Thread(target=self._hear, daemon=True).start()
        environment = {**os.environ, "NOTIFY_SOCKET": address}
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                [binary, "run", "--config", config, "--library", library, *options], stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, env=environment)

    def _hear(self):
        while True:
            try:
                message = self.manager.recv(4096).decode()
            except OSError:
                return
            if "READY=1" in message.splitlines():
                self.ready = nanoseconds()
            self.notifications += message.splitlines()

    def wait_ready(self):
        until(lambda: "READY=1" in self.notifications or self.process.poll() is not None, "the box reports that it is ready",
              detail=lambda: f"; it says: {self.text()}")
        if self.process.poll() is not None:
            raise Failure(f"the box ended with {self.process.returncode}: {self.text()}")

    def text(self):
        return self.log.read_text(errors="replace")

    def count(self, pattern):
        return len(re.findall(pattern, self.text(), re.MULTILINE))

    def wait_line(self, pattern, times=1):
        """Waits until it has printed `pattern` this number of times."""
        until(lambda: self.count(pattern) >= times, f"the box says {pattern!r}",
              detail=lambda: f"; it says: {self.text()}")

    def signal(self, number):
        os.kill(self.process.pid, number)

    def wait_end(self):
        until(lambda: self.process.poll() is not None, "the box ends", detail=lambda: f"; it says: {self.text()}")
        return self.process.returncode

    def stop(self):
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
            self.wait_end()
        self.manager.close()
        return self.process.returncode

    def kill(self):
        if self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGKILL)
            self.process.wait()

    # Costs

    def resident_kilobytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status).group(1))

    def unread_kilobytes(self):
        """Of the program's code and constants, what is not in memory (proc(5), smaps)."""
        program, is_counted, sums = os.readlink(f"/proc/{self.process.pid}/exe"), False, {"Size:": 0, "Rss:": 0}
        for line in pathlib.Path(f"/proc/{self.process.pid}/smaps").read_text().splitlines():
            name, *words = line.split()
            if not name.endswith(":"):
                is_counted = words[-1] == program and "w" not in words[0]
            elif is_counted and name in sums:
                sums[name] += int(words[0])
        check(sums["Size:"] > 0, f"no segment of {program} is mapped")
        return sums["Size:"] - sums["Rss:"]

    def processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def processor_share(self, seconds):
        """Percent of a core used during `seconds`."""
        began, before = time.monotonic(), self.processor_seconds()
        time.sleep(seconds)
        return 100 * (self.processor_seconds() - before) / (time.monotonic() - began)


def _steps(word):
    """The values of a note's steps, without empty ones."""
    bits = int.from_bytes(word, "little")
    return {step: value for step in range(32) if (value := bits >> 2 * step & 3)}


# The notes in the column `cells`, and outside the middle octave those in `octaves`: a track and a note each.
MIDDLE = [(track, note) for track in range(4) for note in range(12)]
OUTSIDE = [(track, note) for track in range(3) for note in (*range(-12, 0), *range(12, 24))]
# In `octaves`, of the playing pattern; it comes first.
CURRENT = 255


def session(library):
    """The cells of the playing pattern, by track, note and step, without empty ones. Notes are -12 to 23, drums 0 to 11."""
    connection = sqlite3.connect(f"file:{library}?mode=ro", uri=True)
    try:
        rows = connection.execute("SELECT cells, octaves FROM composition WHERE kind = 'current'").fetchall()
    finally:
        connection.close()
    cells, octaves = rows[0] if rows else (bytes(48 * 8), None)
    words = [(place, cells[8 * index:8 * index + 8]) for index, place in enumerate(MIDDLE)]
    if octaves and octaves[0] == CURRENT:
        mask, at = int.from_bytes(octaves[1:10], "little"), 10
        for index, place in enumerate(OUTSIDE):
            if mask >> index & 1:
                words.append((place, octaves[at:at + 8]))
                at += 8
    return {(*place, step): value for place, word in words for step, value in _steps(word).items()}


# The columns of a revision that its checksum includes.
MUSIC = "bpm, length, root, scale, ghosts, cells, scenes, muted, soloed, sound, chain, octaves"


def _checksum(values):
    """The checksum of a row of the library: Sources/Library/Checksum.swift."""
    while values and values[-1] is None:
        values = values[:-1]
    parts = []
    for value in values:
        if value is None:
            parts.append(b"\0")
        elif isinstance(value, int):
            parts.append(b"\1" + value.to_bytes(8, "little", signed=True))
        else:
            content, kind = (value.encode(), b"\3") if isinstance(value, str) else (value, b"\4")
            parts.append(kind + len(content).to_bytes(8, "little") + content)
    return zlib.crc32(b"".join(parts))


def begin_empty(binary, folder, library):
    """Adds an empty pattern to the new `library`, which then begins with an empty panel."""
    tracks = {track: [[0] * 32 for _ in range(12)] for track in ("melody", "chords", "bass", "rhythm")}
    document = pathlib.Path(folder) / "empty.json"
    document.write_text(json.dumps(
        {"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "name": "EMPTY", "tracks": tracks}))
    subprocess.run([binary, "library", "import", str(document), "--library", str(library)], check=True,
                   stdout=subprocess.DEVNULL)


def settle(library):
    """Marks all hints of `library` as seen, and gives it the plain sounds: the bench measures their pitches and pauses, and a new
    pattern has the factory's."""
    connection = sqlite3.connect(library)
    connection.execute("UPDATE session SET hints_left = NULL, hints_due = NULL")
    connection.execute("DELETE FROM sound")
    for number, *music in connection.execute(f"SELECT id, {MUSIC} FROM revision").fetchall():
        music[MUSIC.split(", ").index("sound")] = None
        connection.execute("UPDATE revision SET sound = NULL, checksum = ? WHERE id = ?", (_checksum(music), number))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
