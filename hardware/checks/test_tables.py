"""The tables: parts, pins and wires, compared with each other, the configuration and the capacity of copper."""

import collections
import csv
import itertools
import json
import os
import pathlib
import re
import subprocess
import unittest

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
BOX = os.environ["PIXELBOOP"]
BOARDS = ["3B+", "4", "5", "Zero 2 W"]

# Pins of the 40-pin header by GPIO number, which all four boards share.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23, 8: 24,
    7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# Their only users.
RESERVED = {
    0: "id.sd", 1: "id.sc", 14: "uart.tx", 15: "uart.rx", 10: "spi0.mosi", 11: "spi0.sclk", 9: "spi0.miso", 8: "spi0.ce0",
    7: "spi0.ce1", 18: "i2s.bclk", 19: "i2s.lrclk", 20: "i2s.din", 21: "i2s.dout", 3: "gpio.power",
}
# GPIO 0 to 8 are pulled up at power-on, the others down (BCM2835 peripherals, table of alternate functions; the same on RP1).
PULLED_UP = range(0, 9)

# Ampacity of a wire by cross-section in mm².
AMPS = {0.75: 6, 1: 10, 1.5: 16, 2.5: 25}
COPPER_OHM_MM2_PER_M = 0.0172
SWITCH_OHMS = 0.0039
# A blade fuse and its holder at three quarters of its rating: assumed value, see wiring.md.
FUSE_VOLTS = 0.1


def table(name):
    with open(HARDWARE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def configuration():
    """The settings that the program reads from box.json5."""
    done = subprocess.run(
        [BOX, "doctor", "--json", "--config", HARDWARE / "box.json5"], capture_output=True, text=True, check=False)
    # 69: there are no lines here.
    assert done.returncode in (0, 69), done.stderr
    return json.loads(done.stdout)["configuration"]


class Tables(unittest.TestCase):
    def test_every_cell_is_filled_but_those_that_may_be_empty(self):
        for name in ("bom.csv", "pins.csv", "wiring.csv"):
            for row in table(name):
                self.assertNotIn(None, row, row)
                self.assertNotIn(None, row.values(), row)
                for key, value in row.items():
                    if key not in ("amps", "fuse", "mm2"):
                        self.assertTrue(value.strip(), (name, key, row))

    def test_parts_have_a_number_or_the_properties_that_matter(self):
        for row in table("bom.csv"):
            self.assertGreater(int(row["quantity"]), 0)
            if row["number"] == "any":
                self.assertGreater(len(row["why"]), 15, row)
        self.assertEqual(len({row["part"] for row in table("bom.csv")}), len(table("bom.csv")))


class Pins(unittest.TestCase):
    def on(self, board):
        rows = [row for row in table("pins.csv") if row["boards"] == "all" or board in row["boards"].split(";")]
        return [(row["function"], int(row["gpio"]), int(row["pin"]), row) for row in rows]

    def test_boards_are_known(self):
        for row in table("pins.csv"):
            for board in row["boards"].split(";"):
                self.assertIn(board, BOARDS + ["all"])

    def test_each_gpio_is_at_its_pin_and_has_one_function(self):
        for board in BOARDS:
            pins = self.on(board)
            for function, gpio, pin, _ in pins:
                self.assertEqual(HEADER.get(gpio), pin, (board, function))
            for one, other in itertools.combinations(pins, 2):
                self.assertNotEqual(one[1], other[1], (board, one[0], other[0]))
                self.assertNotEqual(one[0], other[0], board)

    def test_buses_and_reserved_pins_belong_to_nobody_else(self):
        for board in BOARDS:
            owners = {gpio: function for function, gpio, _, _ in self.on(board)}
            for gpio, function in RESERVED.items():
                self.assertEqual(owners.get(gpio), function, board)

    def test_the_configuration_has_the_same_lines(self):
        gpio = configuration()["gpio"]
        configured = {}
        for role in ("ledEnable", "outputEnable", "statusLed", "play", "shift", "power"):
            configured["gpio." + role] = gpio[role]
        for knob in ("tempo", "volume"):
            configured[f"gpio.{knob}.a"], configured[f"gpio.{knob}.b"] = gpio[knob]
        for board in BOARDS:
            listed = {function: number for function, number, _, _ in self.on(board) if function.startswith("gpio.")}
            self.assertEqual(listed, configured, board)

    def test_the_page_on_clocks_has_the_same_lines(self):
        page = (HARDWARE.parent / "docs" / "sync.md").read_text(encoding="utf-8")
        for board in BOARDS:
            listed = {function: number for function, number, _, _ in self.on(board)}
            for role in ("clockIn", "clockOut"):
                self.assertEqual(
                    set(re.findall(rf"{role}: (\d+)", page)), {str(listed["sync." + role])}, board)

    def test_lines_rest_where_they_do_no_harm(self):
        active_low = configuration()["gpio"]["activeLow"]
        for board in BOARDS:
            for function, gpio, _, row in self.on(board):
                if not function.startswith("gpio."):
                    continue
                role = function.removeprefix("gpio.")
                pulled = "high" if gpio in PULLED_UP else "low"
                if role == "outputEnable":
                    # The line whose resistor inverts its pull.
                    self.assertIn(role, active_low)
                    self.assertEqual((row["rest"], pulled), ("high", "low"))
                    self.assertIn("10 kΩ to 3.3 V", row["why"])
                else:
                    self.assertEqual(row["rest"], pulled, (board, function))
                if role == "ledEnable":
                    self.assertEqual(row["rest"], "low")
                    self.assertNotIn(role, active_low)
                if role in ("play", "shift", "power"):
                    self.assertEqual((row["rest"], role in active_low), ("high", True))


class Wiring(unittest.TestCase):
    wires = table("wiring.csv")

    def test_numbers_follow_each_other(self):
        self.assertEqual([wire["id"] for wire in self.wires], [f"W{n}" for n in range(1, len(self.wires) + 1)])

    def test_every_pin_that_a_wire_names_is_that_of_the_table(self):
        gpio = {row["gpio"]: row["function"] for row in table("pins.csv")}
        wanted = {
            "data GPIO 10": ["spi0.mosi"], "clock GPIO 11": ["spi0.sclk"], "outputEnable GPIO 27": ["gpio.outputEnable"],
            "ledEnable GPIO 17": ["gpio.ledEnable"], "I2S GPIO 18 19 21": ["i2s.bclk", "i2s.lrclk", "i2s.dout"],
        }
        named = {wire["signal"]: wire["signal"] for wire in self.wires if "GPIO" in wire["signal"]}
        for signal, functions in wanted.items():
            numbers = re.findall(r"\d+", named[signal].split("GPIO")[1])
            self.assertEqual([gpio[number] for number in numbers], functions)
        spans = re.findall(r"(\d+)-(\d+)", named["GPIO 3-6 and 22-25"])
        controls = [str(n) for first, last in spans for n in range(int(first), int(last) + 1)]
        self.assertEqual(
            {gpio[number].split(".")[1] for number in controls}, {"power", "statusLed", "play", "shift", "tempo", "volume"})

    def test_a_wire_carries_what_its_fuse_lets_through(self):
        for wire in self.wires:
            if not wire["amps"] or wire["signal"] == "USB":
                continue
            carries = AMPS[float(wire["mm2"])]
            self.assertGreaterEqual(carries, float(wire["amps"]), wire)
            if wire["signal"].startswith("+5 V"):
                before_fuses = wire["from"] in ("supply", "inlet")
                self.assertEqual(not wire["fuse"], before_fuses, wire)
                self.assertGreaterEqual(carries, float(wire["fuse"] or 18), wire)

    def test_there_is_enough_of_each_wire(self):
        metres = {row["part"]: int(row["quantity"]) for row in table("bom.csv")}
        needed = collections.Counter()
        for wire in self.wires:
            if wire["mm2"]:
                # Pins 2 and 4 have a wire each, and so have the grounds; a signal has its ground beside it.
                strands = 2 if " pins " in wire["signal"] or wire["mm2"] == "0.14" else 1
                needed[wire["mm2"]] += strands * int(wire["mm"])
        for gauge, millimetres in needed.items():
            self.assertGreaterEqual(metres[f"wire {gauge} mm² in metres"] * 1000, millimetres, gauge)

    def test_fuses_and_amperes_are_those_of_the_power_plan(self):
        zones = configuration()["panel"]["zones"]
        plan = subprocess.run(
            [BOX, "panel", "power", "--config", HARDWARE / "box.json5"], capture_output=True, text=True, check=True)
        rows = [line.split() for line in plan.stdout.splitlines()]
        for index, zone in enumerate(zones):
            feed = next(wire for wire in self.wires if wire["to"] == f"switch {index}" and wire["from"] == "fuses")
            self.assertEqual(float(feed["amps"]), zone["amps"])
            self.assertEqual(float(feed["fuse"]), float(rows[index + 1][10]), rows[index + 1])
            bars = [wire for wire in self.wires if wire["from"] == f"switch {index}" and wire["to"] == "panel"]
            self.assertEqual(sum(float(wire["amps"]) for wire in bars), zone["amps"])
            part = f'blade fuse {float(feed["fuse"]):g} A'
            self.assertIn(part, [row["part"] for row in table("bom.csv")])
        board = next(wire for wire in self.wires if wire["to"] == "board" and wire["signal"].startswith("+5 V"))
        self.assertEqual(float(board["amps"]), 0.75 * float(board["fuse"]))
        total = sum(zone["amps"] for zone in zones) + float(board["amps"])
        self.assertEqual(total, float(self.wires[0]["amps"]))
        # The listed supply carries everything at four fifths of its rating.
        supply = next(row for row in table("bom.csv") if row["part"] == "supply")
        rating = float(re.search(r"5 V, (\d+) A", supply["why"]).group(1))
        self.assertGreaterEqual(rating * 0.8, total)
        self.assertIn(f"{total / 0.8:.1f} A", (HARDWARE / "power.md").read_text(encoding="utf-8"))
        self.assertIn(f"{total / 0.8:.1f} A", supply["alternative"])

    def volts(self, number):
        wire = self.wires[number - 1]
        return float(wire["amps"]) * int(wire["mm"]) / 1000 * COPPER_OHM_MM2_PER_M / float(wire["mm2"])

    def test_the_board_and_the_leds_get_the_volts_that_wiring_md_says(self):
        text = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
        supply = float(re.search(r"set to (\d\.\d) V", text).group(1))
        board, bars = re.search(r"more than (\d\.\d) V at the\s+board .* more than (\d\.\d) V at the bus bars", text, re.S).groups()
        self.assertLessEqual(supply, 5.25, "no board takes more")
        common = sum(self.volts(number) for number in (1, 2, 3, 4))
        self.assertGreater(supply - common - self.volts(13) - self.volts(14) - FUSE_VOLTS, float(board))
        to_panel = self.volts(5) + 5 * SWITCH_OHMS + self.volts(7) + self.volts(11) + FUSE_VOLTS
        self.assertGreater(supply - common - to_panel, float(bars))
        self.assertGreater(float(bars) - 0.25, 3.5 + 0.5, "SK9822 keeps its colour, with room")


if __name__ == "__main__":
    unittest.main()
