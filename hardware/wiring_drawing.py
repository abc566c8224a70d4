#!/usr/bin/python3
"""Draws wiring.csv: wiring_drawing.py WIRING.csv > wiring.svg. The same table always gives the same bytes."""

import csv
import re
import sys
from xml.sax.saxutils import escape

# Each part's column and row in the grid, and its label.
PARTS = {
    "supply": (0, 0, "Supply, 12-20 V, outside"),
    "inlet": (0, 1, "Inlet, XT60"),
    "power": (0, 2, "Power board"),
    "LED plate": (0, 3, "LED plate"),
    "plate NTC": (0, 4, "NTC on the plate"),
    "overlay": (0, 5, "Touch overlay"),
    "USB socket": (0, 6, "USB socket"),
    "adapter": (1, 0, "Adapter"),
    "Raspberry Pi": (1, 1, "Raspberry Pi"),
    "tile 0": (2, 0, "Tile 0, above right"),
    "tile 1": (2, 1, "Tile 1, above left"),
    "tile 2": (2, 2, "Tile 2, below right"),
    "tile 3": (2, 3, "Tile 3, below left"),
    "buttons": (2, 4, "Buttons"),
    "tempo knob": (2, 5, "Tempo knob"),
    "volume knob": (2, 6, "Volume knob"),
    "status LED": (2, 7, "Status LED"),
    "clock jacks": (2, 8, "Clock jacks"),
    "MIDI in jack": (2, 9, "MIDI in"),
    "MIDI out jack": (2, 10, "MIDI out"),
    "line jack": (2, 11, "Line out"),
    "fan": (2, 12, "Fan"),
    "plate sensor": (2, 13, "Sensor on the plate"),
}
BOX_WIDTH = 230
COLUMN_WIDTH = 560
LANE = 22
HEADER = 32
GAP = 24
MARGIN = 30
# Columns are offset by a third of a lane, so that no two wires overlap.
OFFSET = 7
# Wires that pass a column go above it.
OVER = 62


def colour(signals):
    """Red for the supply, black for ground alone, blue for signals."""
    if any(signal.startswith(("+5V", "FAN_5V", "SUPPLY", "supply")) for signal in signals.split()):
        return "#c62828"
    return "#222222" if signals == "GND" else "#1565c0"


def part(end):
    """The part at a cable's end, without its connector: "tile 0 J3" -> "tile 0"."""
    return re.sub(r" J\d+$", "", end)


def drawing(wires):
    ports = {name: {"left": [], "right": []} for name in PARTS}
    for wire in wires:
        for end, other in (("from", "to"), ("to", "from")):
            here, there = PARTS[part(wire[end])], PARTS[part(wire[other])]
            # Parts of one column are joined along its right side.
            side = "left" if there[0] < here[0] else "right"
            ports[part(wire[end])][side].append((there[0], there[1], wire["id"]))
    # Ports are sorted by their targets, so that few wires cross.
    for sides in ports.values():
        for side in sides.values():
            side.sort(key=lambda port: (port[1], int(port[2][1:])))

    # Rows are as high as their parts need, and each column stacks its own.
    boxes = {}
    for column in range(3):
        top = MARGIN + 70 + column * OFFSET
        for name in sorted((n for n in PARTS if PARTS[n][0] == column), key=lambda n: PARTS[n][1]):
            lanes = max(len(ports[name]["left"]), len(ports[name]["right"]), 1)
            height = HEADER + lanes * LANE
            boxes[name] = (MARGIN + column * COLUMN_WIDTH, top, height)
            top += height + GAP
    bottom = max(y + height for _, y, height in boxes.values()) + MARGIN

    def port(name, side, wire):
        x, y, _ = boxes[name]
        index = [p[2] for p in ports[name][side]].index(wire)
        return (x if side == "left" else x + BOX_WIDTH), y + HEADER + index * LANE + LANE // 2

    # Each wire runs down in its own lane between two columns.
    lanes = {0: 0, 1: 0, 2: 0}
    overs = 0
    paths = []
    order = sorted(wires, key=lambda w: (abs(boxes[part(w["from"])][1] - boxes[part(w["to"])][1]), int(w["id"][1:])))
    for wire in order:
        start, end = PARTS[part(wire["from"])], PARTS[part(wire["to"])]
        if start[0] <= end[0]:
            side, other = "right", ("left" if end[0] > start[0] else "right")
        else:
            side, other = "left", "right"
        x1, y1 = port(part(wire["from"]), side, wire["id"])
        x2, y2 = port(part(wire["to"]), other, wire["id"])
        path = f"M{x1} {y1}"
        gaps = range(min(start[0], end[0]), max(start[0], end[0], min(start[0], end[0]) + 1))
        for gap in gaps if start[0] <= end[0] else reversed(gaps):
            path += f"H{MARGIN + gap * COLUMN_WIDTH + BOX_WIDTH + 40 + lanes[gap] * 11}"
            lanes[gap] += 1
            path += f"V{y2}" if gap == (gaps[-1] if start[0] <= end[0] else gaps[0]) else f"V{OVER + overs * 10}"
        overs += len(gaps) - 1
        paths.append((wire, f"{path}H{x2}"))

    width = MARGIN * 2 + 2 * COLUMN_WIDTH + BOX_WIDTH + 90
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" width="{width}" height="{bottom}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{bottom}" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="{MARGIN}" font-size="16">Cables: red with a supply, black ground, blue signals; numbers and pins '
        "are those of wiring.csv</text>",
    ]
    for wire, points in paths:
        stroke = 2.5 if wire["mm2"] and float(wire["mm2"]) >= 1 else 1.2
        # A white border keeps crossing wires apart.
        out.append(f'<path d="{points}" fill="none" stroke="#ffffff" stroke-width="{stroke + 3}"/>')
        out.append(f'<path d="{points}" fill="none" stroke="{colour(wire["signals"])}" stroke-width="{stroke}"/>')
    for name, (x, y, height) in boxes.items():
        out.append(
            f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{height}" rx="6" fill="#f4f4f0" stroke="#444444"/>')
        out.append(f'<text x="{x + 10}" y="{y + 21}" font-weight="bold">{escape(PARTS[name][2])}</text>')
        for side, anchor, inset in (("left", "start", 8), ("right", "end", BOX_WIDTH - 8)):
            for _, _, wire_id in ports[name][side]:
                wire = next(w for w in wires if w["id"] == wire_id)
                _, py = port(name, side, wire_id)
                end = wire["from"] if part(wire["from"]) == name else wire["to"]
                label = f"{wire_id} {end.removeprefix(name)}".strip()
                out.append(
                    f'<text x="{x + inset}" y="{py + 4}" text-anchor="{anchor}" fill="{colour(wire["signals"])}" '
                    f'font-size="11">{escape(label)}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        sys.stdout.write(drawing(list(csv.DictReader(file))))


if __name__ == "__main__":
    main()
