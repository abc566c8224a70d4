"""The GPIO lines: the module vgpio drives the inputs and reports the outputs."""

import os
import time

from recording import Recording

PLAY, SHIFT, POWER, TEMPO, VOLUME = 5, 6, 3, (22, 23), (24, 25)
SUPPLY, SHIFTER, STATUS, FAULT = 17, 27, 4, 16
CLOCK_IN, CLOCK_OUT = 12, 13
# Nanoseconds from the supply to the level shifter.
RISE = 20_000_000


def wiring(has_jacks=False):
    """The configuration's part for the lines."""
    jacks = f", clockIn: {CLOCK_IN}, clockOut: {CLOCK_OUT}" if has_jacks else ""
    return (f"gpio: {{ chip: \"vgpio\", play: {PLAY}, shift: {SHIFT}, power: {POWER}, tempo: {list(TEMPO)}, "
            f"volume: {list(VOLUME)}, ledEnable: {SUPPLY}, outputEnable: {SHIFTER}, statusLed: {STATUS}, fault: {FAULT}{jacks} }}")


class Lines:
    """Buttons to ground, encoders in a detent, and the states of outputs."""

    def __init__(self, recording):
        self.file = open(recording, "w")
        self.outputs = {}
        self.changes = []
        self.pending = b""
        self.recording = Recording("/dev/vgpio-ctl", os.O_RDWR, self._take)
        for line in (PLAY, SHIFT, POWER, *TEMPO, *VOLUME, FAULT):
            self.drive(line, 1)

    def _take(self, data):
        self.file.write(data.decode())
        self.file.flush()
        *entries, self.pending = (self.pending + data).split(b"\n")
        for entry in entries:
            time_, line, direction, value = entry.split()
            change = int(time_), int(line), direction.decode(), int(value)
            self.outputs[change[1]] = change[2:]
            self.changes.append(change)

    def settle(self):
        """Returns when `outputs` and `changes` have every change before this call."""
        self.recording.drain()

    def stop(self):
        self.recording.stop()
        self.file.close()

    def drive(self, line, value):
        self._tell(f"{line} {value}")

    def _tell(self, words):
        os.write(self.recording.device, f"{words}\n".encode())

    def couple(self, level):
        """The supply from now on: its fault line gets `level` when it is switched on, and 1 when it is switched off; None ends
        that, and the fault."""
        for on, value in ((1, level), (0, 1)):
            self._tell(f"{FAULT} {2 if level is None else value} {SUPPLY} {on}")
        if level is None:
            self.drive(FAULT, 1)

    def press(self, line, seconds=0.08):
        self.drive(line, 0)
        time.sleep(seconds)
        self.drive(line, 1)
        time.sleep(seconds)

    def turn(self, encoder, clockwise=True):
        """A detent: each contact closes and opens, the first one first."""
        first, second = encoder if clockwise else reversed(encoder)
        for line, value in ((first, 0), (second, 0), (first, 1), (second, 1)):
            self.drive(line, value)
            time.sleep(0.03)

    def since(self, time_, line):
        """The values of `line` after `time_`, with their times."""
        return [(at, value) for at, changed, _, value in self.changes if changed == line and at > time_]

    def first(self, time_, line, value):
        """The time of the first change of `line` to `value` after `time_`; None if there is none."""
        return next((at for at, changed in self.since(time_, line) if changed == value), None)

    def is_on(self, line):
        return self.outputs.get(line) == ("out", 1)

    def is_off(self, line):
        """Whether it is low: driven low, or released with a resistor to ground."""
        return line in self.outputs and self.outputs[line][1] == 0
