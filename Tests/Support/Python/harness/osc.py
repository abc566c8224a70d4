"""Open Sound Control, by oscsend and oscdump of liblo-tools."""

import os
import re
import select
import socket
import subprocess
import time

from harness.results import Failure
from harness.waiting import LIMIT_SECONDS

ASK_SECONDS = 0.5


def free_port():
    """A free UDP port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def osc_send(port, *words):
    subprocess.run(["oscsend", "localhost", str(port), *words], check=True)


class Dump:
    """oscdump, and what it has printed. Leaving its context ends it."""

    def __init__(self):
        self.port = free_port()
        self.process = subprocess.Popen(["oscdump", "-L", str(self.port)], stdout=subprocess.PIPE)
        self.said = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def wait(self, pattern, ask=lambda: None):
        """The match in the next line that has one. Asks, and once more each half second: a packet may be lost."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while not (found := re.search(pattern + r"[^\n]*\n", self.said)):
            if time.monotonic() > deadline:
                raise Failure(f"oscdump has not said {pattern!r}, only: {self.said[-500:].strip()!r}")
            ask()
            while select.select([self.process.stdout], [], [], ASK_SECONDS)[0]:
                part = os.read(self.process.stdout.fileno(), 4096)
                if not part:
                    raise Failure(f"oscdump has ended, and said: {self.said[-500:].strip()!r}")
                self.said += part.decode()
                if re.search(pattern, self.said):
                    break
        self.said = self.said[found.end():]
        return found
