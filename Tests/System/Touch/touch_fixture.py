"""Recordings of touch devices in the format of Tests/Fixtures/touch: reading, writing, and conversion to evemu's.

    /usr/bin/python3 Tests/System/Touch/touch_fixture.py FOLDER

writes every fixture to FOLDER as an evemu file, for programs that read only those. The format is described in
Tests/Fixtures/README.md.
"""

import dataclasses
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "touch"

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT, SYN_MT_REPORT, SYN_DROPPED = 0, 2, 3
BTN_TOUCH = 0x14A
ABS_X, ABS_Y, ABS_DISTANCE = 0x00, 0x01, 0x19
SLOT, POSITION_X, POSITION_Y, TOOL, ID, DISTANCE = 0x2F, 0x35, 0x36, 0x37, 0x39, 0x3B

# The letter of each event that the box reads; `/` has no value.
LETTERS = {
    "b": (EV_KEY, BTN_TOUCH), "X": (EV_ABS, ABS_X), "Y": (EV_ABS, ABS_Y), "D": (EV_ABS, ABS_DISTANCE), "s": (EV_ABS, SLOT),
    "x": (EV_ABS, POSITION_X), "y": (EV_ABS, POSITION_Y), "t": (EV_ABS, TOOL), "i": (EV_ABS, ID),
    "d": (EV_ABS, DISTANCE), "/": (EV_SYN, SYN_MT_REPORT),
}
LETTER_OF = {event: letter for letter, event in LETTERS.items()}


@dataclasses.dataclass
class Recording:
    """A device, and packets of (type, code, value), each with the microseconds since the first one."""

    name: str = ""
    ids: tuple = (0, 0, 0, 0)
    properties: list = dataclasses.field(default_factory=list)
    keys: list = dataclasses.field(default_factory=list)
    axes: dict = dataclasses.field(default_factory=dict)
    packets: list = dataclasses.field(default_factory=list)

    def events(self):
        """Every event as (microseconds, type, code, value), the end of each packet too."""
        for time, packet in self.packets:
            for kind, code, value in packet:
                yield time, kind, code, value
            yield time, EV_SYN, SYN_REPORT, 0

    def touch_axes(self):
        """The ranges of the two axes of contacts, or of the only contact."""
        axes = self.axes
        return axes.get(POSITION_X) or axes.get(ABS_X), axes.get(POSITION_Y) or axes.get(ABS_Y)


def write(recording):
    """The text of a fixture."""
    lines = [
        f"name: {recording.name}", "id: " + " ".join(f"{number:04x}" for number in recording.ids),
        "properties: " + " ".join(map(str, recording.properties)), "keys: " + " ".join(map(str, recording.keys)),
    ]
    lines += [f"axis: {code} {low} {high}" for code, (low, high) in sorted(recording.axes.items())]
    lines.append("")
    for time, packet in recording.packets:
        words = [LETTER_OF[kind, code] + ("" if kind == EV_SYN else str(value)) for kind, code, value in packet]
        lines.append(" ".join([str(time), *words]))
    return "".join(line.rstrip() + "\n" for line in lines)


def read(text):
    """The recording of a fixture's text."""
    recording = Recording()
    head, _, body = text.partition("\n\n")
    for line in head.splitlines():
        key, _, value = line.partition(":")
        value = value.strip()
        if key == "name":
            recording.name = value
        elif key == "id":
            recording.ids = tuple(int(word, 16) for word in value.split())
        elif key == "axis":
            code, low, high = map(int, value.split())
            recording.axes[code] = (low, high)
        else:
            setattr(recording, key, [int(word) for word in value.split()])
    for line in body.splitlines():
        time, *words = line.split()
        packet = [(*LETTERS[word[0]], int(word[1:] or 0)) for word in words]
        recording.packets.append((int(time), packet))
    return recording


def evemu_description(recording):
    """evemu's description of the device, as far as known."""
    lines = [f"N: {recording.name}", "I: " + " ".join(f"{number:04x}" for number in recording.ids)]
    return "".join(f"{line}\n" for line in lines + [
        f"A: {code:02x} {low} {high} 0 0" for code, (low, high) in sorted(recording.axes.items())])


def evemu_line(time, kind, code, value):
    return f"E: {time // 1_000_000}.{time % 1_000_000:06} {kind:04x} {code:04x} {value}\n"


def evemu_events(recording):
    """evemu's events, one line each."""
    return [evemu_line(*event) for event in recording.events()]


def all_files():
    return sorted(FOLDER.glob("*.touch"))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: touch_fixture.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for file in all_files():
        recording = read(file.read_text(encoding="utf-8"))
        text = evemu_description(recording) + "".join(evemu_events(recording))
        (folder / f"{file.stem}.events").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
