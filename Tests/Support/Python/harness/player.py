"""A player at a box's page, without a browser."""

import struct
import time

import websocket

from harness import panel
from harness.panel import COLUMNS
from harness.results import Failure
from harness.waiting import LIMIT_SECONDS

DOWN, MOVE, UP = 0, 1, 2
# Messages from the box and to it: Sources/Pages/PageMessage.swift.
FRAME, SOUND, WORDS = 1, 2, 5
CONTACT, KEY, LISTEN, ACKNOWLEDGE = 1, 2, 3, 4
# Numbers of keys: the order of Sources/InputEvents/Key.swift.
KEYS = {"Escape": 9, "ArrowUp": 11, "ArrowDown": 12, "ArrowLeft": 13, "ArrowRight": 14}


class Player:
    """A browser's end of the page's WebSocket: reads the LEDs and words, and touches. Gets the sound after `listen`."""

    def __init__(self, page):
        self.socket = websocket.create_connection(
            f"ws://{page.host}{page.path}", timeout=LIMIT_SECONDS, origin=f"http://{page.host}",
            subprotocols=["pixelboop"])
        self.frame = None
        # The word on the panel, the title of its screen, and the name of the place under the cursor.
        self.word = self.title = self.place = ""
        self.sound_bytes = 0
        self.asked_at = None
        self.delay = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def listen(self):
        self.socket.send_binary(bytes([LISTEN, 1]))

    def ask(self):
        """Asks the box for a sign of life: the time until its answer is `delay`, in seconds, set by `read`."""
        self.asked_at, self.delay = time.monotonic(), None
        self.socket.ping()

    def read(self, deadline):
        """Reads a message; returns the kind of a message of the page, 0 for another, and None if none arrives."""
        self.socket.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            kind, message = self.socket.recv_data(control_frame=True)
        except websocket.WebSocketTimeoutException:
            return None
        except websocket.WebSocketConnectionClosedException:
            raise Failure("the box has closed the connection") from None
        if kind == websocket.ABNF.OPCODE_CLOSE:
            raise Failure("the box has closed the connection")
        if kind == websocket.ABNF.OPCODE_PONG:
            self.delay = time.monotonic() - self.asked_at
        if kind != websocket.ABNF.OPCODE_BINARY:
            return 0
        if message[0] == FRAME:
            self.socket.send_binary(struct.pack("<BBH", ACKNOWLEDGE, 0, 0) + message[4:8])
            self.frame = message[8:]
        elif message[0] == SOUND:
            self.sound_bytes += len(message) - 4
        elif message[0] == WORDS:
            self.word, self.title, self.place = message[4:].decode().split("\n")
        return message[0]

    def next_frame(self, deadline):
        """Reads messages until the next frame; false if none arrives."""
        while (kind := self.read(deadline)) != FRAME:
            if kind is None:
                return False
        return True

    def wait(self, what, condition):
        """Waits until `condition` is true of this player."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while not (self.frame and condition(self)):
            if self.read(deadline) is None:
                raise Failure(f"{what}: not within {LIMIT_SECONDS} s")

    def delay_of(self, act, what, condition):
        """Seconds from `act` until `condition` is true of this player."""
        begin = time.monotonic()
        act()
        self.wait(what, condition)
        return time.monotonic() - begin

    def led(self, column, row):
        return tuple(self.frame[3 * (row * COLUMNS + column):][:3])

    @property
    def is_dark(self):
        """Whether every LED below the handle of the menu is dark."""
        return not any(self.frame[3 * COLUMNS * (panel.MENU.row + 1):])

    @property
    def shows_play(self):
        """Whether Play is red: the music plays, and the grid is shown."""
        red, green, _ = self.led(*panel.PLAY_LIGHT)
        return red > 0xd0 and green < 0x80

    def touch(self, phase, column, row, finger=1):
        x, y = (1024 * part + 512 for part in (column, row))
        self.socket.send_binary(struct.pack("<BBHHH", CONTACT, phase, finger, x, y))

    def tap(self, place, finger=1):
        for phase in (DOWN, UP):
            self.touch(phase, *place, finger)

    def press(self, key):
        for phase in (DOWN, UP):
            self.socket.send_binary(bytes([KEY, phase, KEYS[key]]))

    def play(self):
        """Presses Play, and waits until it is lit."""
        self.tap(panel.PLAY)
        self.wait("Play is red", lambda box: box.shows_play)

    def open(self, *steps):
        """Taps each place, and waits for the title of the screen that it opens."""
        for place, title in steps:
            self.tap(place)
            self.wait(f"the screen {title}", lambda box, title=title: box.title == title)

    def show_picture(self, line, send=lambda: None):
        """Shows the source at a line of the LIGHT sheet, whose picture is dark. Calls `send` until it is there."""
        self.open((panel.MENU, "MENU"), (panel.SETTINGS, "SETTINGS"), (panel.LIGHT, "LIGHT"))
        for _ in range(LIMIT_SECONDS // 5):
            send()
            self.tap(panel.list_line(line))
            deadline = time.monotonic() + 5
            while self.read(deadline) is not None:
                if self.is_dark:
                    return
        raise Failure(f"no dark picture at line {line} within {LIMIT_SECONDS} s")
