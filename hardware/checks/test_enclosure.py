"""The enclosure: printed parts are closed, fit the bed and need no support; flat parts have their size; solids do not meet,
those of the boards' STEP files included; numbers that do not fit are rejected; parts list, template and configuration match."""

import collections
import csv
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
# Width, height and depth in mm of each printed part: halves of 345 × 247.
PARTS = {
    "bezel-left": (142.5, 247, 3), "bezel-right": (202.5, 247, 3), "case-left": (172.5, 247, 63.35),
    "case-right": (172.5, 247, 63.35), "grid-left": (152.778, 166.667, 10.35), "grid-right": (152.778, 166.667, 10.35),
    "back-left": (202.5, 247, 3), "back-right": (142.5, 247, 3),
}
FLAT_PARTS = {"bezel-flat": (345, 247), "plate-flat": (326, 192), "back-flat": (345, 247), "diffuser-flat": (326, 192)}
# Height in mm where the case's bridges and the last step of its wall are: the room for the electronics.
ROOM_MM = 47
# Downward faces above the bed in mm²: in the case bridges of 20 mm over half of three openings in a wall of 3 mm (90) and the
# last step of 1 mm around half of the wall (502); in a grid pegs of 1.8 mm that stand 0.5 mm over the crossings of its walls.
OVERHANG_MM2 = {"case-left": 592.2, "case-right": 592.2, "grid-left": 1.6, "grid-right": 1.6}
# Kinds of screws and small parts in parts.csv that pixelboop.scad counts.
COUNTED = ("screw M", "insert M", "nut M", "spacer M", "standoff M", "foot")
COLUMNS = "quantity,part,manufacturer,number,supplier1,supplier2,price,substitute,why".split(",")


def openscad(output, part, *definitions):
    words = [word for definition in (f'part="{part}"',) + definitions for word in ("-D", definition)]
    words += ["--export-format", "asciistl"] if output.endswith(".stl") else []
    return subprocess.run(["openscad", *words, "-o", output, SCAD], capture_output=True, text=True, check=False)


def solids(*words):
    return subprocess.run(["/usr/bin/python3", ENCLOSURE / "solids.py", *words], capture_output=True, text=True, check=False)


def cross(a, b, c):
    """Twice the area of a triangle, as a vector."""
    u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


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

    def parts_list(self):
        with open(ENCLOSURE / "parts.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_solids_do_not_meet_and_printed_parts_are_closed(self):
        """One test, as both need the parts: their volumes in OpenSCAD's STL and in the STEP files must agree."""
        done = solids("--step", self.folder.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        pairs, holes, faults = map(int, re.search(r"(\d+) pairs of neighbours, (\d+) holes, (\d+) faults", done.stdout).groups())
        self.assertGreater(pairs, 60)
        # Round ones: a tile has one, and a slot.
        self.assertEqual((holes, faults), (4 + 4 + 4 * 1, 0))
        exact = {name: float(volume) for name, volume in re.findall(r"PART (\S+) (\S+)", done.stdout)}
        for name in exact:
            step = pathlib.Path(self.folder.name, name + ".step").read_text(encoding="ascii")
            self.assertIn("MANIFOLD_SOLID_BREP", step, name)
        assembly = pathlib.Path(self.folder.name, "assembly.step").read_text(encoding="ascii")
        for name in ("case-left", "raspberry", "power.step-0", "adapter.step-1", "tile.step-5", "screws-bezel"):
            self.assertIn(f"PRODUCT('{name}'", assembly)
        # The boards' outlines by KiCad are the outlines of boards.scad: 100 × 80, 65 × 56.5 and 152.53 × 83.08 mm, no thicker
        # than 1.6.
        sizes = {"power": (100, 80), "adapter": (65, 56.5), "tile": (152.53, 83.08)}
        boxes = re.findall(r"BOX (\w+)\.step\S* (.*)", done.stdout)
        self.assertEqual(len(boxes), 6)
        for name, box in boxes:
            low, high = [[float(n) for n in box.split()[start:start + 3]] for start in (0, 3)]
            for axis in (0, 1):
                self.assertAlmostEqual(high[axis] - low[axis], sizes[name][axis], delta=0.01, msg=name)
            self.assertLessEqual(high[2] - low[2], 1.6, name)
        for part, size in PARTS.items():
            with self.subTest(part):
                self.check_part(part, size, exact[part])

    def check_part(self, part, size, exact_mm3):
        path = os.path.join(self.folder.name, part + ".stl")
        done = openscad(path, part)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(done.stderr, r"WARNING|ERROR", part)
        words = re.findall(r"vertex (\S+) (\S+) (\S+)", pathlib.Path(path).read_text(encoding="ascii"))
        self.assertGreater(len(words), 30, part)
        edges = collections.Counter()
        for first in range(0, len(words), 3):
            triangle = words[first:first + 3]
            for corner in range(3):
                edges[(triangle[corner], triangle[(corner + 1) % 3])] += 1
        for (start, end), count in edges.items():
            self.assertEqual(edges[(end, start)], count, (part, start, end))
        corners = [tuple(float(n) for n in corner) for corner in words]
        for axis, wanted in enumerate(size):
            span = max(corner[axis] for corner in corners) - min(corner[axis] for corner in corners)
            self.assertAlmostEqual(span, wanted, places=2, msg=part)
            self.assertLessEqual(span, BED_MM, part)
        self.assertAlmostEqual(min(corner[2] for corner in corners), 0, places=5)
        volume = overhang = step = 0
        for a, b, c in zip(corners[::3], corners[1::3], corners[2::3]):
            normal = cross(a, b, c)
            volume += sum(n * x for n, x in zip(normal, a)) / 6
            length = sum(n * n for n in normal) ** 0.5
            if length and normal[2] / length < -0.72 and min(a[2], b[2], c[2]) > 0.01:
                if abs(a[2] - b[2]) < 0.001 and a[2] < ROOM_MM - 0.01 and part.startswith("case"):
                    step += length / 2
                else:
                    overhang += length / 2
        # 32 corners in place of circles.
        self.assertAlmostEqual(volume / exact_mm3, 1, delta=0.005, msg=part)
        self.assertAlmostEqual(overhang, OVERHANG_MM2.get(part, 0), delta=1, msg=f"{part} needs support")
        # Below that the wall grows in five steps of 1 mm around half of 345 × 247.
        self.assertLess(step, 5 * 1 * (345 + 247) * 1.02, f"{part} needs support")

    def test_a_moved_board_and_a_moved_hole_are_found(self):
        for names, definitions, words in (
            ("power,case-right", ("power_at=[80,60]", "groups=[]"), "power and case-right have"),
            ("power,screws-back", ("power_holes=[[6,4,3.2],[4,76,3.2],[96,4,3.2],[96,76,3.2]]",),
             "power.step-0 and screws-back have"),
            ("tiles,grid-left", ("tile_holes=[[124.88,14.3,2],[76.26,41.54,2,1.2]]",), "and grid-left have"),
            ("leds-left,grid-left", ("tile_capacitor_y=[13.8]",), "leds-left and grid-left have"),
            ("plugs,feet", ("foot_at=[[-148,91],[148,80],[-148,-126],[148,-126]]",), "plugs and feet have"),
            ("plugs,screws-back", ("inlet=[16.2,8.6,18]",), "plugs and screws-back have"),
            ("power", ("power_holes=[[4,4,3.5],[4,76,3.2],[96,4,3.2],[96,76,3.2]]",), "power.step-0: a hole is not where"),
        ):
            with self.subTest(definitions):
                done = solids("--solids", names, *(word for definition in definitions for word in ("-D", definition)))
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(words, done.stdout)

    def test_solids_of_one_thing_that_overlap_hide_no_common_volume(self):
        """Three boxes on one plane, two of which overlap, and a box inside the first: DRAW finds 20 mm³ with all three at once."""
        program = ("import sys, tempfile; sys.path.insert(0, sys.argv[1]); import solids; script = solids.Script(); "
                   "script.add('box a 0 0 0 10 10 5; box b 12 0 0 10 10 5; box c 5 5 0 10 10 5; box d 2 2 0 5 5 5'); "
                   "script.add('meet thing {a b c} other {d}'); folder = tempfile.TemporaryDirectory(); "
                   "print(*solids.faults(solids.draw(folder.name, script)))")
        done = subprocess.run(["/usr/bin/python3", "-c", program, ENCLOSURE], capture_output=True, text=True, check=True)
        self.assertIn("thing and other have 145.000 mm³ in common", done.stdout)

    def test_flat_parts_have_their_size(self):
        for part, size in FLAT_PARTS.items():
            path = os.path.join(self.folder.name, part + ".dxf")
            done = openscad(path, part)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = pathlib.Path(path).read_text(encoding="ascii").split("\n")
            codes = list(zip((line.strip() for line in lines[::2]), lines[1::2]))
            for axis, code in enumerate((("10", "11"), ("20", "21"))):
                places = [float(value) for key, value in codes if key in code]
                self.assertAlmostEqual(max(places) - min(places), size[axis], places=2, msg=part)

    def test_what_does_not_fit_is_refused_in_words(self):
        strip = '["shift", -105, 12, 30], ["tempo", -45, 7.2, 22]'
        for definition, words in (
            ("columns=46", "the LEDs are larger than what the overlay feels"),
            ("rows=26", "the LEDs are larger than what the overlay feels"),
            ("grid_wall=1.6", "an LED does not fit its cell"),
            ("led=[6.4,5,1.6]", "an LED does not fit its cell"),
            ("peg=[2.0,2.2]", "a peg does not fit its hole"),
            ("shrinkage=0.015", "a shrunken grid's pegs do not meet the slot"),
            ("tile_holes=[[138.76,55.43,2,1.2],[76.26,41.54,2,0]]", "a tile has one round hole and one slot"),
            ("grid_error=0.3", "a grid of another length presses on LEDs"),
            ("brim=5", "a part is larger than the bed"),
            ("pitch=6.9", "the tiles are not a quarter of the panel"),
            ("tile_led_x=[3.35, 10.4]", "a tile's LEDs are not in the grid's columns"),
            ("tile_led_y=[3.35, 10.4]", "a tile's LEDs are not in the grid's rows"),
            ("grid_depth=3", "the diffuser is too near"),
            ("glass=[310,174,2]", "the bezel has no glass to lie on"),
            ("bed=200", "a part is larger than the bed"),
            ("room=30", "is too deep"),
            ('tile_bodies=[["J1", 30, 30, 120, 80, -30]]', "meets J1 of a tile"),
            ('controls=[["play", -30, 12, 30]]', "play is in the bezel's joint"),
            ('controls=[["play", 160, 12, 30]]', "play is in the wall"),
            ('controls=[["play", 20, 12, 30]]', "play is in the overlay's controller"),
            (f'controls=[["play", -115, 12, 30], {strip}]', "too near for two fingers"),
            ("controller=[80,22,6]", "is in the overlay's controller"),
            ("controller=[50,30,6]", "the overlay's controller has no place"),
            ("power_at=[-40,40]", "overlap"),
            ('raspberry_bodies=[["heat sink",22,22,36,36,14]]', "heat sink and adapter overlap"),
            ('raspberry_bodies=[["HDMI 0",22.4,49.6,29.6,60,3.1]]', "HDMI 0 and USB-C and HDMI plugs overlap"),
            ("power_at=[27,38]", "a hole of the back is in its joint"),
            ("vents=[[-72, 28, [26, 34]]]", "a slot is in the back's joint"),
            ("power_at=[60,95]", "power board is in the wall or a post"),
            ("fan_at=[110,30]", "fan overlap"),
            ("fan_at=[160,61]", "fan is in the wall or a post"),
            ("inlet_at=[50,60]", "supply plug and inlet overlap"),
            ("raspberry_at=[-50,-28]", "USB and network plugs is in the wall or a post"),
            ("raspberry_at=[-35,0]", "USB-C and HDMI plugs is in the wall or a post"),
            ("adapter_holes=[[13.5,3.5,2.7],[13.5,52.5,2.7],[71.5,3.5,2.7],[71.5,52.5,2.7]]",
             "the adapter's holes are not the Raspberry Pi's"),
            ("bosses=9", "a screw is too short: power board"),
            ("bosses=3", "a screw is too long: power board"),
            ("plate=5", "a screw is too short: bezel"),
            ("adapter_gap=9", "the screws meet in the standoff"),
            ("raspberry_board=4", "a screw is too short: Raspberry Pi"),
            ("ring_terminal=3", "a screw is too short: ground"),
            ("lengths=[6,8,10,12]", "a screw of 16 mm does not exist"),
            ("margin=5", "a screw breaks out"),
        ):
            with self.subTest(definition):
                done = openscad(os.path.join(self.folder.name, "refused.echo"), "front-panel", definition)
                refused = pathlib.Path(self.folder.name, "refused.echo").read_text(encoding="utf-8")
                self.assertIn(words, done.stderr + refused)

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

    def test_the_boards_are_those_of_kicad(self):
        written = subprocess.run(["/usr/bin/python3", ENCLOSURE / "boards.py"], capture_output=True, text=True, check=True).stdout
        self.assertEqual((ENCLOSURE / "boards.scad").read_text(encoding="utf-8"), written)

    def test_the_parts_list_has_every_screw(self):
        counted = collections.Counter()
        for name, size, count, *_ in self.values("screws"):
            counted["screw " + size] += count
        for name, count in self.values("small"):
            counted[name] += count
        listed = {row["part"]: int(row["quantity"]) for row in self.parts_list() if row["part"].startswith(COUNTED)}
        self.assertEqual(listed, dict(counted))
        # Screw M3 × 8 with 5 mm in its insert, as ISO 7380-1 and the insert's data sheet allow.
        self.assertIn(["bezel", "M3 x 8", 18, 3, "insert", 5], self.values("screws"))

    def test_the_parts_list_has_every_control_and_socket(self):
        quantity = {row["part"]: int(row["quantity"]) for row in self.parts_list()}
        names = [control[0] for control in self.values("control")]
        self.assertEqual(quantity["button"], sum(name in ("play", "shift", "power") for name in names))
        self.assertEqual(quantity["encoder"], sum(name in ("tempo", "volume") for name in names))
        self.assertEqual(quantity["knob"], quantity["encoder"])
        self.assertEqual(quantity["jack 3.5 mm"], len(self.values("jacks")[0][0]))
        self.assertEqual(quantity["fan"], 1)

    def test_the_parts_list_is_complete(self):
        for row in self.parts_list():
            with self.subTest(row["part"]):
                self.assertEqual(list(row), COLUMNS)
                self.assertTrue(all(row[column].strip() for column in COLUMNS), row)
                self.assertGreater(float(row["price"]), 0)
                # Generic goods need a standard or a size, not a manufacturer's number.
                if row["number"] == "any":
                    self.assertEqual(row["manufacturer"], "any")

    def test_pictures_show_something(self):
        (steps,), = self.values("steps")
        for view in ["assembly", "rear", "exploded"] + [f"step-{step}" for step in range(1, steps + 1)]:
            path = pathlib.Path(self.folder.name, view + ".png")
            subprocess.run([ENCLOSURE / "picture", view, path], capture_output=True, text=True, check=True)
            for picture in (path, ENCLOSURE / (view + ".png")):
                self.assertGreater(len(colours(picture.read_bytes())), 100, picture)
                self.assertLess(picture.stat().st_size, 120_000, picture)


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
