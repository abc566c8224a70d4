"""The enclosure: every part is closed, fits the bed and has the right size; numbers that do not fit are rejected; the
template and the configuration's matrix match its numbers."""

import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zlib

ENCLOSURE = pathlib.Path(__file__).resolve().parent.parent / "enclosure"
HARDWARE = ENCLOSURE.parent
SCAD = str(ENCLOSURE / "pixelboop.scad")
BED_MM = 256
# Width and height of each part, and its depth: halves of 345 × 247 mm.
PARTS = {
    "bezel-left": (142.5, 247, 3), "bezel-right": (202.5, 247, 3), "case-left": (172.5, 247, 61), "case-right": (172.5, 247, 61),
    "plate-left": (193, 192, 3), "plate-right": (133, 192, 3), "grid-left": (152.778, 166.667, 6),
    "grid-right": (152.778, 166.667, 6), "back-left": (202.5, 247, 3), "back-right": (142.5, 247, 3),
}


def openscad(output, part, *definitions):
    words = [word for definition in (f'part="{part}"',) + definitions for word in ("-D", definition)]
    words += ["--export-format", "asciistl"] if output.endswith(".stl") else []
    return subprocess.run(["openscad", *words, "-o", output, SCAD], capture_output=True, text=True, check=False)


class Enclosure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.echo = os.path.join(cls.folder.name, "front.echo")
        done = openscad(cls.echo, "front-panel")
        assert done.returncode == 0, done.stderr
        lines = pathlib.Path(cls.echo).read_text(encoding="utf-8").splitlines()
        cls.front = [json.loads(line.removeprefix("ECHO: front = ")) for line in lines if "front = " in line]

    def values(self, name):
        return [value[1:] for value in self.front if value[0] == name]

    def test_parts_are_closed_fit_the_bed_and_have_their_size(self):
        for part, size in PARTS.items():
            path = os.path.join(self.folder.name, part + ".stl")
            done = openscad(path, part)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotRegex(done.stderr, r"WARNING|ERROR", part)
            corners = re.findall(r"vertex (\S+) (\S+) (\S+)", pathlib.Path(path).read_text(encoding="ascii"))
            self.assertGreater(len(corners), 30, part)
            edges = collections.Counter()
            for first in range(0, len(corners), 3):
                triangle = corners[first:first + 3]
                for corner in range(3):
                    edges[(triangle[corner], triangle[(corner + 1) % 3])] += 1
            for (start, end), count in edges.items():
                self.assertEqual(edges[(end, start)], count, (part, start, end))
            spans = [max(axis) - min(axis) for axis in zip(*[[float(n) for n in corner] for corner in corners])]
            for span, wanted in zip(spans, size):
                self.assertAlmostEqual(span, wanted, places=2, msg=part)
                self.assertLessEqual(span, BED_MM, part)
            self.assertAlmostEqual(min(float(corner[2]) for corner in corners), 0, places=5)

    def test_plates_can_be_cut_whole(self):
        for part, (width, height) in (("bezel-flat", (345, 247)), ("plate-flat", (326, 192)), ("back-flat", (345, 247))):
            path = os.path.join(self.folder.name, part + ".svg")
            done = openscad(path, part)
            self.assertEqual(done.returncode, 0, done.stderr)
            outline = pathlib.Path(path).read_text(encoding="utf-8")
            # OpenSCAD rounds the page up to whole millimetres.
            page = [int(number) for number in re.search(r'width="(\d+)mm" height="(\d+)mm"', outline).groups()]
            self.assertLessEqual(max(abs(page[0] - width), abs(page[1] - height)), 1, part)
            self.assertGreater(outline.count("M "), 10, part)

    def test_what_does_not_fit_is_refused_in_words(self):
        for definition, words in (
            ("columns=46", "the LEDs are larger than what the overlay feels"),
            ("rows=26", "the LEDs are larger than what the overlay feels"),
            ("strip_width=10", "rows of LEDs overlap"),
            ("grid_wall=1.6", "an LED does not fit its cell"),
            ("glass=[310,174,2]", "the bezel has no glass to lie on"),
            ("bed=200", "a part is larger than the bed"),
            ("room=30", "is too deep"),
            ('controls=[["play", -30, 12]]', "play is in the bezel's joint"),
            ('controls=[["play", 100, 12], ["shift", 110, 12]]', "too near for two fingers"),
            ('parts_inside=[["board", 0, 0, 85, 56, 32], ["dac", 20, 0, 45, 30, 18]]', "board and dac overlap"),
        ):
            done = openscad(os.path.join(self.folder.name, "refused.stl"), "bezel-left", definition)
            self.assertNotEqual(done.returncode, 0, definition)
            self.assertIn(words, done.stderr)

    def test_the_numbers_are_those_of_the_reference_build(self):
        lit, = self.values("lit")
        self.assertEqual([round(lit[0], 1), round(lit[1], 1)], [305.6, 166.7])
        area, = self.values("touch_area")
        # 14.0 inch at 16:9, less the seal of every panel.
        width = 14 * 25.4 * 16 / (16 ** 2 + 9 ** 2) ** 0.5
        self.assertLess(abs(area[0] - width), 1)
        self.assertLess(abs(area[1] - width * 9 / 16), 1)
        self.assertTrue(all(a >= b for a, b in zip(area, lit)))

    def test_the_matrix_of_the_configuration_is_the_overlay_on_the_leds(self):
        text = (HARDWARE / "box.json5").read_text(encoding="utf-8")
        matrix = json.loads(re.search(r"matrix: (\[.*?\])", text).group(1))
        lit, = self.values("lit")
        area, = self.values("touch_area")
        scale = [a / b for a, b in zip(area, lit)]
        wanted = [scale[0], 0, (1 - scale[0]) / 2, 0, scale[1], (1 - scale[1]) / 2]
        for number, exact in zip(matrix, wanted):
            self.assertAlmostEqual(number, exact, places=4)

    def test_the_template_is_that_of_the_numbers(self):
        drawn = subprocess.run(
            ["/usr/bin/python3", ENCLOSURE / "front_panel.py", self.echo], capture_output=True, text=True, check=True).stdout
        self.assertEqual((ENCLOSURE / "front-panel.svg").read_text(encoding="utf-8"), drawn)

    def test_screws_are_as_many_as_the_parts_list_says(self):
        screws, (posts,) = len(self.values("screw_at")), self.values("posts")[0]
        parts = (HARDWARE / "bom.csv").read_text(encoding="utf-8")
        self.assertIn(f"\n{2 * screws + posts},screw M3", parts)
        self.assertIn(f"\n{2 * screws + posts},threaded insert M3", parts)

    def test_pictures_show_something(self):
        for view in ("assembly", "exploded"):
            path = pathlib.Path(self.folder.name, view + ".png")
            subprocess.run([ENCLOSURE / "picture", view, path], capture_output=True, text=True, check=True)
            for picture in (path, ENCLOSURE / (view + ".png")):
                self.assertGreater(len(colours(picture.read_bytes())), 100, picture)


def colours(png):
    """Distinct lines of samples of a PNG: a blank picture has a few."""
    data, offset = b"", 8
    while offset < len(png):
        length = int.from_bytes(png[offset:offset + 4], "big")
        if png[offset + 4:offset + 8] == b"IDAT":
            data += png[offset + 8:offset + 8 + length]
        offset += 12 + length
    raw = zlib.decompress(data)
    width = int.from_bytes(png[16:20], "big")
    line = 1 + width * {2: 3, 6: 4}[png[25]]
    return {raw[start:start + line] for start in range(0, len(raw), line)}


if __name__ == "__main__":
    unittest.main()
