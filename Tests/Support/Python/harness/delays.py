"""Delays, compared with a reference that is measured in the same run: a busy machine delays both."""

from harness import panel
from harness.player import DOWN, UP
from harness.results import require

# Delays may be this many times the reference's: half of them, and all but the slowest.
HALF_RATIO, LATE_RATIO = 10, 20


def quantile(values, share):
    """The value that `share` of `values` do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Reference:
    """The box's own reaction: the time from a finger on a dark step to its light on the page. The grid has to be shown, and its melody
    empty. Measure it before and after, in case that the machine becomes busy in between."""

    def __init__(self):
        self.half = self.late = 0

    def measure(self, player):
        player.wait("the page", lambda page: page.word == "")
        delays = []
        for step in range(panel.STEPS):
            place = panel.note("melody", 2, step)
            dark = sum(player.led(*place))
            delays.append(player.delay_of(
                lambda: player.touch(DOWN, *place), f"the light of {place}", lambda page: sum(page.led(*place)) > dark + 100))
            player.touch(UP, *place)
        self.half, self.late = max(self.half, quantile(delays, 0.5)), max(self.late, quantile(delays, 0.9))
        # A second tap removes each note.
        for step in range(panel.STEPS):
            player.tap(panel.note("melody", 2, step))
        player.wait("a dark row", lambda page: all(
            sum(page.led(*panel.note("melody", 2, step))) < 100 for step in range(panel.STEPS)))

    def check(self, delays, late_max, text):
        """Delays of which 99 % are at most `late_max` seconds on a quiet machine."""
        require(quantile(delays, 0.5) <= HALF_RATIO * self.half and quantile(delays, 0.99) <= max(late_max, LATE_RATIO * self.late),
                f"{text}; the box itself reacts within {1000 * self.half:.1f} ms, 9 of 10 times within {1000 * self.late:.1f} ms")
