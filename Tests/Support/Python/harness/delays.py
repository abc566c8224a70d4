"""Delays, compared with a reference that is measured in the same run: a busy machine delays both."""

import os
import pathlib
import resource

from harness import panel
from harness.results import require

# Delays may be this many times the reference's: half of them, and all but the slowest.
HALF_RATIO, LATE_RATIO = 10, 20


def quantile(values, share):
    """The value that `share` of `values` do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Contention:
    """For how long a box has waited for a processor that other programs used, from the beginning of this object."""

    def __init__(self, box):
        self.pid = box.process.pid
        self.waited, self.foreign = self.now()

    def now(self):
        """Seconds: the waits of each of the box's threads so far, and the time that other programs have run."""
        ticks = os.sysconf("SC_CLK_TCK")
        waits = {}
        for thread in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            waits[thread.name] = int((thread / "schedstat").read_text(encoding="ascii").split()[1]) / 1e9
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        own = (int(fields[11]) + int(fields[12])) / ticks
        for usage in (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)):
            own += usage.ru_utime + usage.ru_stime
        user, nice, system, _, _, *interrupts = map(
            int, pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9])
        return waits, (user + nice + system + sum(interrupts)) / ticks - own

    def seconds(self):
        waits, foreign = self.now()
        waited = max(wait - self.waited.get(thread, 0) for thread, wait in waits.items())
        return max(0, min(waited, foreign - self.foreign))


class Reference:
    """The box's own reaction: the time from a finger on a dark step to its light on the page. The grid has to be shown, and its
    melody empty. Measure it before and after, in case that the machine becomes busy in between."""

    def __init__(self):
        self.half = self.late = 0

    def measure(self, player):
        player.wait("the page", lambda page: page.words.word == "")
        delays = []
        for step in range(panel.STEPS):
            place = panel.note("melody", 2, step)
            dark = sum(player.picture[place])
            delays.append(player.delay_of(
                lambda: player.touch("down", place), f"the light of {place}", lambda page: sum(page.picture[place]) > dark + 100))
            player.touch("up", place)
        self.half, self.late = max(self.half, quantile(delays, 0.5)), max(self.late, quantile(delays, 0.9))
        # A second tap removes each note.
        for step in range(panel.STEPS):
            player.tap(panel.note("melody", 2, step))
        player.wait("a dark row", lambda page: all(
            sum(page.picture[panel.note("melody", 2, step)]) < 100 for step in range(panel.STEPS)))

    def check(self, delays, late_max, text):
        """Delays of which 9 of 10 are at most `late_max` seconds on a quiet machine. The slowest are delays of a machine that did
        something else meanwhile."""
        require(quantile(delays, 0.5) <= HALF_RATIO * self.half and quantile(delays, 0.9) <= max(late_max, LATE_RATIO * self.late),
                f"{text}; the box itself reacts within {1000 * self.half:.1f} ms, 9 of 10 times within {1000 * self.late:.1f} ms")
