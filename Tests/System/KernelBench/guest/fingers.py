"""A touch overlay and a keyboard made with uinput (Documentation/input/uinput.rst), protocol B."""

import fcntl
import os
import struct
import time

from waiting import check, nanoseconds

COLUMNS, ROWS = 44, 24
# Units of the overlay for an LED.
UNITS = 100
SLOTS = 16

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT = 0
BTN_TOUCH = 0x14A
KEY_R, KEY_SPACE = 19, 57
ABS_X, ABS_Y, SLOT, POSITION_X, POSITION_Y, ID = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
PROP_DIRECT = 1


def _request(direction, number, size=0):
    return direction << 30 | size << 16 | ord("U") << 8 | number


CREATE, DESTROY = _request(0, 1), _request(0, 2)
SETUP, ABS_SETUP = _request(1, 3, 92), _request(1, 4, 28)
SET_EVBIT, SET_KEYBIT, SET_ABSBIT, SET_PROPBIT = (_request(1, n, 4) for n in (100, 101, 103, 110))


# Maximum delay of a finger: a tap becomes a hold after 400 ms.
LATENESS_SECONDS_MAX = 0.15


def _wait(seconds):
    began = time.monotonic()
    time.sleep(max(0, seconds))
    late = time.monotonic() - began - max(0, seconds)
    check(late < LATENESS_SECONDS_MAX, f"the machine stood still for {late:.2f} s")


class Device:
    """An input device that exists until it is unplugged."""

    def __init__(self, name, keys, axes=(), properties=()):
        self.file = os.open("/dev/uinput", os.O_WRONLY | os.O_CLOEXEC)
        fcntl.ioctl(self.file, SET_EVBIT, EV_KEY)
        for key in keys:
            fcntl.ioctl(self.file, SET_KEYBIT, key)
        if axes:
            fcntl.ioctl(self.file, SET_EVBIT, EV_ABS)
        for axis, low, high in axes:
            fcntl.ioctl(self.file, SET_ABSBIT, axis)
            fcntl.ioctl(self.file, ABS_SETUP, struct.pack("<Hxx6i", axis, 0, low, high, 0, 0, 0))
        for property_ in properties:
            fcntl.ioctl(self.file, SET_PROPBIT, property_)
        # A USB id without an owner.
        fcntl.ioctl(self.file, SETUP, struct.pack("<4H80sI", 3, 0x1209, 0x4424, 1, name.encode(), 0))
        fcntl.ioctl(self.file, CREATE)

    def report(self, events):
        """Sends `events`, of type, code and value, as one report; returns the time before."""
        packed = b"".join(struct.pack("<qqHHi", 0, 0, *event) for event in [*events, (EV_SYN, SYN_REPORT, 0)])
        now = nanoseconds()
        os.write(self.file, packed)
        return now

    def unplug(self):
        fcntl.ioctl(self.file, DESTROY)
        os.close(self.file)


class Keyboard(Device):
    def __init__(self):
        super().__init__("Bench keyboard", range(1, 128))

    def press(self, key=KEY_SPACE):
        self.report([(EV_KEY, key, 1)])
        return self.report([(EV_KEY, key, 0)])


class Overlay(Device):
    """A touch overlay as large as the panel. Fingers are numbers; places are in LEDs and fractions."""

    def __init__(self, name="Bench overlay"):
        width, height = COLUMNS * UNITS - 1, ROWS * UNITS - 1
        axes = [(ABS_X, 0, width), (ABS_Y, 0, height), (SLOT, 0, SLOTS - 1), (POSITION_X, 0, width),
                (POSITION_Y, 0, height), (ID, 0, 65535)]
        super().__init__(name, [BTN_TOUCH], axes, [PROP_DIRECT])
        self.slots = {}
        self.next_id = 1

    @staticmethod
    def _place(column, row):
        return [(EV_ABS, POSITION_X, round((column + 0.5) * UNITS)), (EV_ABS, POSITION_Y, round((row + 0.5) * UNITS))]

    def _land(self, finger, column, row):
        slot = min(set(range(SLOTS)) - set(self.slots.values()))
        touch = [] if self.slots else [(EV_KEY, BTN_TOUCH, 1)]
        self.slots[finger] = slot
        self.next_id = self.next_id % 65535 + 1
        return [(EV_ABS, SLOT, slot), (EV_ABS, ID, self.next_id), *self._place(column, row), *touch]

    def _lift(self, finger):
        slot = self.slots.pop(finger)
        touch = [] if self.slots else [(EV_KEY, BTN_TOUCH, 0)]
        return [(EV_ABS, SLOT, slot), (EV_ABS, ID, -1), *touch]

    def down(self, *places):
        """Fingers land at `places`, each a finger, a column and a row, in one report."""
        return self.report([event for place in places for event in self._land(*place)])

    def move(self, *places):
        return self.report([
            event for finger, column, row in places
            for event in [(EV_ABS, SLOT, self.slots[finger]), *self._place(column, row)]])

    def up(self, *fingers):
        return self.report([event for finger in fingers for event in self._lift(finger)])

    def tap(self, column, row, seconds=0.06):
        """A finger is down for `seconds`; returns the times of landing and lifting."""
        landed = self.down(("tap", column, row))
        _wait(seconds)
        return landed, self.up("tap")

    def drag(self, way, seconds, hold=0.0):
        """A finger lands at the first place of `way`, stays for `hold` seconds and then moves through the rest."""
        self.down(("drag", *way[0]))
        _wait(hold)
        pieces = 4 * (len(way) - 1)
        for piece in range(1, pieces + 1):
            _wait(seconds / pieces)
            (from_column, from_row), (to_column, to_row) = way[(piece - 1) // 4], way[(piece - 1) // 4 + 1]
            part = (piece - 1) % 4 / 4 + 0.25
            self.move(("drag", from_column + (to_column - from_column) * part, from_row + (to_row - from_row) * part))
        _wait(seconds / pieces)
        return self.up("drag")

    def play(self, script):
        """Plays a touch script (SPEC 7), a list of its lines; returns its start time."""
        began = time.monotonic()
        for line in script:
            _wait(began + line["at"] / 1000 - time.monotonic())
            finger, phase = line["touch"], line["phase"]
            if phase == "down":
                self.down((finger, line["col"], line["row"]))
            elif phase == "move":
                self.move((finger, line["col"], line["row"]))
            else:
                self.up(finger)
        return began
