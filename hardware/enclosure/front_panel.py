#!/usr/bin/python3
"""Draws the front panel's template at full size from the enclosure's own numbers:

    openscad -D 'part="front-panel"' -o front.echo pixelboop.scad && front_panel.py front.echo > front-panel.svg
"""

import json
import sys

MARGIN = 12
NAMES = {
    "play": "PLAY", "shift": "SHIFT", "tempo": "TEMPO", "volume": "VOLUME", "status": "STATUS", "power": "POWER"}


def read(lines):
    """The values printed by pixelboop.scad, by name; screws and controls are lists."""
    values = {"screw_at": [], "control": []}
    for line in lines:
        if not line.startswith("ECHO: front = "):
            continue
        name, *rest = json.loads(line.removeprefix("ECHO: front = "))
        if name in ("screw_at", "control"):
            values[name].append(rest)
        else:
            values[name] = rest
    return values


def drawing(values):
    width, height = values["outer"]
    middle, = values["centre_y"]
    strip, = values["strip_y"]
    joint, = values["bezel_joint"]
    screw, = values["screw"]

    def x(value):
        return f"{value + width / 2 + MARGIN:.2f}"

    def y(value):
        return f"{middle + height / 2 - value + MARGIN:.2f}"

    def rectangle(size, centre, style, radius=0):
        return (
            f'<rect x="{x(-size[0] / 2)}" y="{y(centre + size[1] / 2)}" width="{size[0]:.2f}" height="{size[1]:.2f}" '
            f'rx="{radius}" {style}/>')

    def cross(cx, cy):
        return (
            f'<path d="M{x(cx - 3)} {y(cy)}H{x(cx + 3)}M{x(cx)} {y(cy - 3)}V{y(cy + 3)}" stroke="#1565c0" '
            'stroke-width="0.1"/>')

    def text(cx, cy, words, size=3.5, colour="#222222"):
        return (
            f'<text x="{x(cx)}" y="{y(cy)}" text-anchor="middle" font-family="sans-serif" font-size="{size}" '
            f'fill="{colour}">{words}</text>')

    cut = 'fill="none" stroke="#c62828" stroke-width="0.2"'
    hint = 'fill="none" stroke="#1565c0" stroke-width="0.2" stroke-dasharray="2 1"'
    w, h = width + 2 * MARGIN, height + 2 * MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:g}mm" height="{h:g}mm" viewBox="0 0 {w:g} {h:g}">',
        f'<rect width="{w:g}" height="{h:g}" fill="#ffffff"/>',
        rectangle(values["outer"], middle, cut, 4),
        rectangle(values["touch_area"], 0, cut),
        rectangle(values["lit"], 0, hint),
        f'<path d="M{x(joint)} {y(middle + height / 2)}V{y(values["touch_area"][1] / 2)}M{x(joint)} '
        f'{y(-values["touch_area"][1] / 2)}V{y(middle - height / 2)}" {hint}/>',
    ]
    for cx, cy in values["screw_at"]:
        out.append(f'<circle cx="{x(cx)}" cy="{y(cy)}" r="{screw / 2:.2f}" {cut}/>')
        out.append(cross(cx, cy))
    for name, cx, diameter in values["control"]:
        out.append(f'<circle cx="{x(cx)}" cy="{y(strip)}" r="{diameter / 2:.2f}" {cut}/>')
        out.append(cross(cx, strip))
        out.append(text(cx, strip - 14, NAMES[name]))
        out.append(text(cx - 13, strip + 4, f"⌀ {diameter:g}", 2.5, "#1565c0"))
    area, lit = values["touch_area"], values["lit"]
    out.append(text(0, 3, f"cut {area[0]:g} × {area[1]:g} mm; the LEDs fill {lit[0]:.1f} × {lit[1]:.1f} mm (dashed)", 5))
    out.append(text(0, -5, "red: cut and drill, blue: for reference; print at 100 % and measure this line: 100 mm", 4))
    out.append(f'<path d="M{x(-50)} {y(-12)}H{x(50)}M{x(-50)} {y(-10)}V{y(-14)}M{x(50)} {y(-10)}V{y(-14)}" stroke="#1565c0" stroke-width="0.2"/>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(drawing(read(file)))


if __name__ == "__main__":
    main()
