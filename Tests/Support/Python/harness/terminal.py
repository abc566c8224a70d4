"""A box whose panel is in a terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

from harness.results import Failure
from harness.waiting import LIMIT_SECONDS

COLUMNS, LINES = 180, 50


class TerminalBox:
    """A box in a pseudo-terminal, with further `options`. Leaving its context ends it."""

    def __init__(self, program, library, *options):
        self.terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [program, "run", "--panel", "terminal", "--library", library, *options], stdin=inside, stdout=inside,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "TERM": "xterm-256color"})
        os.close(inside)
        self.is_shown = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()
        if not self.is_shown.wait(LIMIT_SECONDS):
            raise Failure("the box shows nothing")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    def read(self):
        try:
            while os.read(self.terminal, 65536):
                self.is_shown.set()
        except OSError:
            # The box has ended.
            pass

    def type(self, key):
        os.write(self.terminal, key.encode())

    def stop(self):
        """Ends it as a service manager does; returns its messages."""
        self.process.terminate()
        messages = self.process.communicate(timeout=LIMIT_SECONDS)[1]
        if self.process.returncode != 0:
            raise Failure(f"the box ended with {self.process.returncode}: {messages}")
        return messages
