"""oscsend and oscdump of liblo-tools."""

import os
import re
import select
import socket
import subprocess
import time

from box import WAIT_SECONDS, Failure

ASK_SECONDS = 0.5


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def osc_send(port, *words):
    subprocess.run(["oscsend", "localhost", str(port), *words], check=True)


class Dump:
    """oscdump, and what it has printed."""

    def __init__(self):
        self.port = free_port()
        self.process = subprocess.Popen(["oscdump", "-L", str(self.port)], stdout=subprocess.PIPE)
        self.said = ""

    def wait(self, pattern, ask=lambda: None):
        """The match in the next line that has one. Asks, and once more each half second: a packet may be lost."""
        deadline = time.monotonic() + WAIT_SECONDS
        while not (found := re.search(pattern + r"[^\n]*\n", self.said)):
            if time.monotonic() > deadline:
                raise Failure(f"oscdump has not said {pattern!r}, only: {self.said.strip()!r}")
            ask()
            while select.select([self.process.stdout], [], [], ASK_SECONDS)[0]:
                part = os.read(self.process.stdout.fileno(), 4096)
                if not part:
                    raise Failure(f"oscdump has ended, and said: {self.said.strip()!r}")
                self.said += part.decode()
                if found := re.search(pattern, self.said):
                    break
        self.said = self.said[found.end():]
        return found

    def stop(self):
        self.process.kill()
        self.process.wait()
