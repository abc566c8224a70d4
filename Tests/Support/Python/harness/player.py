"""A player at a box's page, without a browser."""

import time

from harness import panel
from harness.results import Failure
from harness.waiting import LIMIT_SECONDS
from pixelboop.live import Kind, Page


class Player(Page):
    """A client of the page that knows the places of the panel, and reads only when it waits."""

    def __init__(self, page):
        super().__init__(f"ws://{page.host}{page.path}", LIMIT_SECONDS)

    def next_frame(self, deadline):
        """Reads messages until the next frame; false if none arrives."""
        while (kind := self.read(deadline)) != Kind.FRAME:
            if kind is None:
                return False
        return True

    def wait(self, what, condition):
        """Waits until `condition` is true of this player."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while not (self.picture and condition(self)):
            if self.read(deadline) is None:
                raise Failure(f"{what}: not within {LIMIT_SECONDS} s")

    def delay_of(self, act, what, condition):
        """Seconds from `act` until `condition` is true of this player."""
        begin = time.monotonic()
        act()
        self.wait(what, condition)
        return time.monotonic() - begin

    @property
    def is_dark(self):
        """Whether every LED below the handle of the menu is dark."""
        return not any(self.picture.rgb[3 * self.columns * (panel.MENU.row + 1):])

    @property
    def shows_play(self):
        """Whether Play is red: the music plays, and the grid is shown."""
        light = self.picture[panel.PLAY_LIGHT]
        return light.red > 0xd0 and light.green < 0x80

    def tap(self, place, finger=1):
        for phase in ("down", "up"):
            self.touch(phase, place, finger)

    def play(self):
        """Presses Play, and waits until it is lit."""
        self.tap(panel.PLAY)
        self.wait("Play is red", lambda box: box.shows_play)

    def open(self, *steps):
        """Taps each place, and waits for the title of the screen that it opens."""
        for place, title in steps:
            self.tap(place)
            self.wait(f"the screen {title}", lambda box, title=title: box.words.title == title)

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
