"""The tables: parts, pins and cables, compared with the boards' netlists, the configuration and the capacity of copper."""

import collections
import csv
import io
import itertools
import re
import subprocess
import sys
import unittest

from sources import HARDWARE, boards, configuration, table

sys.path[:0] = [str(HARDWARE), str(HARDWARE / "boards" / "power")]

import parts  # noqa: E402
import suppliers  # noqa: E402
import values  # noqa: E402

MODELS = ["3B+", "4", "5", "Zero 2 W"]

# Pins of the 40-pin header by GPIO number, which all four models share.
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23, 8: 24,
    7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
SUPPLY_PINS = {1: "+3V3", 17: "+3V3", 2: "+5V", 4: "+5V", **{pin: "GND" for pin in (6, 9, 14, 20, 25, 30, 34, 39)}}
# Functions of pins.csv that the adapter leaves open.
OPEN = {"spi0.miso", "i2s.din", "id.sd", "id.sc"}
# Functions whose net has another name.
NETS = {"gpio.fault": "FAULT_N", "fan": "FAN"}
# Their only users.
RESERVED = {
    0: "id.sd", 1: "id.sc", 14: "uart.tx", 15: "uart.rx", 10: "spi0.mosi", 11: "spi0.sclk", 9: "spi0.miso", 8: "spi0.ce0",
    7: "spi0.ce1", 18: "i2s.bclk", 19: "i2s.lrclk", 20: "i2s.din", 21: "i2s.dout", 3: "gpio.power",
}
# GPIO 0 to 8 are pulled up at power-on, the others down (BCM2835 peripherals, table of alternate functions; the same on RP1).
PULLED_UP = range(0, 9)
# Lines whose resistor on the adapter inverts the pin's own pull.
INVERTED = {"outputEnable", "fault"}

# Ampacity of a wire by cross-section in mm²: from 0.75 mm² on Mean Well, installation manual of open-frame supplies, table of
# wires; below an assumption well under the 2 A and 4 A of DIN VDE 0891 for 0.14 and 0.25 mm².
AMPS = {0.14: 1, 0.22: 2, 0.75: 6, 1: 10, 2.5: 25}
COPPER_OHM_MM2_PER_M = 0.0172
# A contact of VH or Micro-Fit: 10 mΩ when new by both catalogues.
CONTACT_OHMS = 0.01
# The eFuse's channels, 28.3 mΩ, and a mini blade fuse with its holder, assumed.
EFUSE_OHMS, FUSE_OHMS = values.EFUSE_ON_RESISTANCE, values.FUSE_RESISTANCE

# Nets of two boards that are one net of the box.
SAME = {
    ("power", "+5V_ZONE0"): ("tile", "+5V"), ("power", "+5V_ZONE1"): ("tile", "+5V"), ("power", "GND"): ("tile", "GND"),
    ("adapter", "LED0_DATA"): ("tile", "IN_DATA"), ("adapter", "LED0_CLOCK"): ("tile", "IN_CLOCK"),
    ("adapter", "LED1_DATA"): ("tile", "IN_DATA"), ("adapter", "LED1_CLOCK"): ("tile", "IN_CLOCK"),
    ("adapter", "GND"): ("tile", "GND_IN"), ("tile", "OUT_DATA"): ("tile", "IN_DATA"), ("tile", "OUT_CLOCK"): ("tile", "IN_CLOCK"),
    ("tile", "GND"): ("tile", "GND_IN"),
    ("power", "LED_ENABLE"): ("adapter", "gpio.ledEnable"), ("power", "GND_CONTROL"): ("adapter", "GND"),
}
# Pins of connectors that no cable uses: the fifth of a chain's output, and the last tiles' outputs.
SPARE = {(f"tile {tile}", "J2", pin) for tile in range(4) for pin in (("5",) if tile in (0, 2) else "12345")}


class Tables(unittest.TestCase):
    def test_every_cell_is_filled_but_those_that_may_be_empty(self):
        empty = {"wiring.csv": ("amps", "fuse", "mm2"), "plugs.csv": ("contact", "each_contact")}
        for name in ("bom.csv", "pins.csv", "wiring.csv", "plugs.csv", "other.csv", "enclosure/parts.csv", "boards/suppliers.csv"):
            for row in table(name):
                self.assertNotIn(None, row, row)
                self.assertNotIn(None, row.values(), row)
                for key, value in row.items():
                    if key not in empty.get(name, ()):
                        self.assertTrue(value.strip(), (name, key, row))


class Parts(unittest.TestCase):
    def test_the_list_is_that_of_the_netlists_and_cables(self):
        text = io.StringIO()
        parts.write(parts.rows(boards()), text)
        self.assertEqual((HARDWARE / "bom.csv").read_text(encoding="utf-8"), text.getvalue())

    def test_suppliers_numbers_are_written_as_their_suppliers_write_them(self):
        numbers = {row["number"] for row in table("bom.csv")}
        seen = set()
        for row in suppliers.rows():
            number, cells = row["number"], (row["supplier_1"], row["supplier_2"])
            self.assertIn(number, numbers, "no part of the list")
            self.assertNotIn(number, seen, "twice")
            seen.add(number)
            one, two = map(suppliers.name, cells)
            self.assertNotEqual(one, two, row)
            self.assertTrue(any(map(suppliers.is_confirmed, cells)), row)
            for cell in cells:
                self.assertTrue(suppliers.is_confirmed(cell) or cell == suppliers.search(suppliers.name(cell), number), cell)

    def test_a_suppliers_number_needs_its_suppliers_form(self):
        for cell in ("Digi-Key 36-3568-ND", "Mouser 534-3568", "LCSC C17414", "Farnell 3019871", "RS 820-1172"):
            self.assertTrue(suppliers.is_confirmed(cell), cell)
        for cell in ("Digi-Key 36-3568", "Mouser 3568", "LCSC 17414", "Farnell C3019871", "RS 8201172", "Other 36-3568-ND",
                     "LCSC: search C17414", "Mouser: search 534-3568"):
            self.assertFalse(suppliers.is_confirmed(cell), cell)

    def test_the_page_says_how_many_suppliers_numbers_are_confirmed(self):
        page = (HARDWARE / "order.md").read_text(encoding="utf-8")
        self.assertIn(f"```\n{parts.confirmed(parts.rows(boards()))}```", page)

    def test_the_sums_are_those_of_the_list(self):
        page = (HARDWARE / "README.md").read_text(encoding="utf-8")
        self.assertIn(f"```\n{parts.summary(parts.rows(boards()))}```", page)

    def test_each_part_can_be_ordered_or_says_what_matters(self):
        numbers = collections.Counter()
        for row in table("bom.csv"):
            self.assertGreater(int(row["quantity"]), 0, row)
            self.assertGreater(float(row["each"]), 0, row)
            self.assertNotIn("TBD", row.values())
            if row["number"] == "any":
                self.assertGreater(len(row["substitute"] + row["where"]), 15, row)
            else:
                numbers[row["number"]] += 1
        self.assertEqual({number for number, count in numbers.items() if count > 1}, set(), "one row for each number")

    def test_there_are_a_holder_for_each_fuse_and_four_tiles(self):
        listed = {row["part"]: int(row["quantity"]) for row in table("other.csv")}
        fuses = [part for part in boards()["power"].parts.values() if "Keystone_3568" in part.footprint]
        self.assertEqual(listed["fuse holder"], len(fuses))
        for name, count in parts.COUNT.items():
            self.assertEqual(listed[f"board: {name}"], count)

    def test_the_adapter_outside_gives_what_the_box_takes(self):
        supply = next(row for row in table("other.csv") if row["part"] == "supply")
        volts, amps, watts = map(int, re.search(r"(\d+) V, (\d+) A, (\d+) W", supply["why"]).groups())
        self.assertTrue(12 <= volts <= 20)
        self.assertEqual(volts * amps, watts)
        needed = sum(zone["amps"] for zone in configuration()["panel"]["zones"]) * 5.1 + values.RAIL_AMPS * 5.1
        # The modules' efficiency at 5 V is 88 % or more; a supply lasts at four fifths of its rating.
        self.assertGreaterEqual(watts * 0.8, needed / 0.88)
        # At its voltage the current is below the fuse and the wires' capacity.
        fuse = float(boards()["power"].parts["F1"].value.removesuffix(" A"))
        self.assertLess(needed / 0.88 / 12, fuse * 0.75)
        inlet = next(wire for wire in table("wiring.csv") if wire["id"] == "W2")
        self.assertGreaterEqual(float(inlet["amps"]), round(needed / 0.88 / volts, 1))
        self.assertGreaterEqual(AMPS[float(inlet["mm2"])], fuse)


class Pins(unittest.TestCase):
    def on(self, model):
        rows = [row for row in table("pins.csv") if row["boards"] == "all" or model in row["boards"].split(";")]
        return [(row["function"], int(row["gpio"]), int(row["pin"]), row) for row in rows]

    def test_models_are_known(self):
        for row in table("pins.csv"):
            for model in row["boards"].split(";"):
                self.assertIn(model, MODELS + ["all"])

    def test_each_gpio_is_at_its_pin_and_has_one_function(self):
        for model in MODELS:
            pins = self.on(model)
            for function, gpio, pin, _ in pins:
                self.assertEqual(HEADER.get(gpio), pin, (model, function))
            for one, other in itertools.combinations(pins, 2):
                self.assertNotEqual(one[1], other[1], (model, one[0], other[0]))
                self.assertNotEqual(one[0], other[0], model)

    def test_buses_and_reserved_pins_belong_to_nobody_else(self):
        for model in MODELS:
            owners = {gpio: function for function, gpio, _, _ in self.on(model)}
            for gpio, function in RESERVED.items():
                self.assertEqual(owners.get(gpio), function, model)

    def test_the_adapters_header_has_these_functions(self):
        header = boards()["adapter"].parts["J1"]
        for model in MODELS:
            nets = {pin: None if function in OPEN else NETS.get(function, function) for function, _, pin, _ in self.on(model)}
            self.assertEqual({int(pin): net for pin, net in header.pins.items()}, {**SUPPLY_PINS, **nets}, model)

    def test_the_configuration_has_the_same_lines(self):
        gpio = configuration()["gpio"]
        configured = {}
        for role in ("ledEnable", "outputEnable", "statusLed", "play", "shift", "power", "fault"):
            configured["gpio." + role] = gpio[role]
        for knob in ("tempo", "volume"):
            configured[f"gpio.{knob}.a"], configured[f"gpio.{knob}.b"] = gpio[knob]
        for role in ("clockIn", "clockOut"):
            configured["sync." + role] = gpio[role]
        for model in MODELS:
            listed = {function: number for function, number, _, _ in self.on(model) if function[:4] in ("gpio", "sync")}
            self.assertEqual(listed, configured, model)
        self.assertIsNotNone(configuration()["midi"]["uart"])

    def test_the_page_on_clocks_has_the_same_lines(self):
        page = (HARDWARE.parent / "docs" / "sync.md").read_text(encoding="utf-8")
        for model in MODELS:
            listed = {function: number for function, number, _, _ in self.on(model)}
            for role in ("clockIn", "clockOut"):
                self.assertEqual(
                    set(re.findall(rf"{role}: (\d+)", page)), {str(listed["sync." + role])}, model)

    def test_lines_rest_where_they_do_no_harm(self):
        active_low = configuration()["gpio"]["activeLow"]
        for model in MODELS:
            for function, gpio, _, row in self.on(model):
                if not function.startswith("gpio."):
                    continue
                role = function.removeprefix("gpio.")
                pulled = "high" if gpio in PULLED_UP else "low"
                if role in INVERTED:
                    self.assertIn(role, active_low)
                    self.assertEqual((row["rest"], pulled), ("high", "low"))
                    self.assertIn("10 kΩ to 3.3 V", row["why"])
                else:
                    self.assertEqual(row["rest"], pulled, (model, function))
                if role == "ledEnable":
                    self.assertEqual(row["rest"], "low")
                    self.assertNotIn(role, active_low)
                if role in ("play", "shift", "power"):
                    self.assertEqual((row["rest"], role in active_low), ("high", True))


class Cables(unittest.TestCase):
    cables = table("wiring.csv")

    def end(self, text):
        """The netlist's part at a cable's end; None for an end that is no board."""
        found = parts.board_of(text)
        return found and (found[0], boards()[found[0]].parts[found[1]])

    def wires(self):
        """Each wire: cable, net of the table, and both ends with their pins."""
        for cable in self.cables:
            pins, signals = cable["pins"].split(), cable["signals"].split()
            self.assertEqual(len(pins), len(signals), cable)
            for pair, signal in zip(pins, signals):
                one, two = (pair[0], pair[2:]) if pair[1] == "-" else pair.split("-", 1)
                yield cable, signal, (cable["from"], one), (cable["to"], two)

    def test_numbers_follow_each_other(self):
        self.assertEqual([cable["id"] for cable in self.cables], [f"W{n}" for n in range(1, len(self.cables) + 1)])

    def test_signals_are_the_nets_of_the_boards(self):
        for cable, signal, *ends in self.wires():
            nets = []
            for where, pin in ends:
                end = self.end(where)
                if end:
                    self.assertIn(pin, end[1].pins, (cable["id"], where))
                    nets.append((end[0], end[1].net(pin)))
            if not nets:
                continue
            self.assertEqual(signal, nets[0][1], cable["id"])
            if len(nets) == 2:
                self.assertTrue(nets[0][1] == nets[1][1] or SAME.get(nets[0]) == nets[1], (cable["id"], nets))

    def test_every_pin_of_every_connector_has_one_wire(self):
        used = collections.Counter()
        for cable, _, *ends in self.wires():
            for where, pin in ends:
                if self.end(where):
                    board, _, connector = where.rpartition(" ")
                    used[board, connector, pin] += 1
        self.assertEqual(set(used.values()), {1})
        wanted = set()
        for board in ("power", "adapter", *(f"tile {n}" for n in range(4))):
            for ref, part in boards()[board.split()[0]].parts.items():
                if parts.family(part.footprint):
                    wanted |= {(board, ref, pin) for pin in part.pins if pin.isdigit()}
        self.assertEqual(set(used), wanted - SPARE)

    def test_no_cable_joins_two_zones(self):
        zone = {f"tile {n}": n // 2 for n in range(4)}
        for cable, signal, (one, _), (two, _) in self.wires():
            ends = [zone.get(end.rpartition(" ")[0]) for end in (one, two)]
            if signal.startswith("+5V_ZONE"):
                self.assertEqual(ends[1], int(signal[-1]), cable["id"])
            elif None not in ends:
                self.assertEqual(*ends, cable["id"])

    def test_chains_are_those_of_the_configuration(self):
        """The first tile of each chain is on the adapter's connector of that chain, and the second follows it."""
        joined = {cable["from"]: cable["to"] for cable in self.cables}
        chains = configuration()["panel"]["chains"]
        self.assertEqual([chain["device"] for chain in chains], ["/dev/spidev0.0", "/dev/spidev0.1"])
        for number, chain in enumerate(chains):
            first = joined[f"adapter {'J3' if number == 0 else 'J4'}"]
            self.assertEqual(first, f"tile {2 * number} J1")
            self.assertEqual(joined[f"tile {2 * number} J2"], f"tile {2 * number + 1} J1")
            self.assertEqual([tile["rotation"] for tile in chain["tiles"]], [0, 180], "connectors in the panel's middle")
            self.assertEqual([tile["x"] for tile in chain["tiles"]], [22, 0])
            zone = configuration()["panel"]["zones"][number]
            self.assertEqual((zone["from"], zone["count"]), (528 * number, 528), "a chain is a zone")

    def test_a_wire_carries_what_its_fuse_lets_through(self):
        for cable in self.cables:
            if not cable["amps"] or not cable["mm2"]:
                continue
            carries = AMPS[float(cable["mm2"])]
            self.assertGreaterEqual(carries, float(cable["amps"]), cable)
            has_supply = any(signal in ("SUPPLY", "supply") or signal.startswith(("+5V", "FAN_5V"))
                             for signal in cable["signals"].split())
            before_fuses = "inlet" in (cable["from"], cable["to"])
            self.assertEqual(bool(cable["fuse"]), has_supply and not before_fuses, cable)
            self.assertGreaterEqual(carries, float(cable["fuse"] or 10 if has_supply else 0), cable)

    def test_supplies_have_a_fuse(self):
        for cable, signal, *_ in self.wires():
            if signal.startswith(("+5V", "FAN_5V")):
                self.assertTrue(cable["fuse"], cable)

    def test_the_plate_is_metal_and_at_ground(self):
        bonds = [cable for cable in self.cables if "LED plate" in (cable["from"], cable["to"])]
        self.assertEqual([cable["signals"] for cable in bonds], ["GND"])
        self.assertGreaterEqual(AMPS[float(bonds[0]["mm2"])], 5, "what the eFuse of a zone lets through")
        plate = next(row for row in table("enclosure/parts.csv") if row["part"] == "LED plate")
        self.assertIn("aluminium", plate["why"])
        self.assertIn("not plastic", plate["substitute"])

    def test_plugs_fit_their_headers_and_wires(self):
        plugs = {plug["family"]: plug for plug in table("plugs.csv")}
        for cable in self.cables:
            for where in (cable["from"], cable["to"]):
                end = self.end(where)
                if not end:
                    continue
                plug = plugs[parts.family(end[1].footprint)]
                self.assertLessEqual(float(plug["mm2_from"]), float(cable["mm2"]), (cable["id"], plug))
                self.assertGreaterEqual(float(plug["mm2_to"]), float(cable["mm2"]), (cable["id"], plug))
                self.assertGreaterEqual(float(plug["amps"]), float(cable["amps"] or 0), (cable["id"], plug))

    def test_amperes_are_those_of_the_power_plan(self):
        cable = {row["id"]: row for row in self.cables}
        for zone, names in enumerate((("W6", "W7"), ("W8", "W9"))):
            limit = configuration()["panel"]["zones"][zone]["amps"]
            # Both contacts of each pole.
            for name in names:
                self.assertEqual([cable[name]["signals"].split().count(net) for net in (f"+5V_ZONE{zone}", "GND")], [2, 2], name)
            self.assertAlmostEqual(2 * sum(float(cable[name]["amps"]) for name in names), limit, delta=0.05)
        rail = cable["W4"]
        self.assertEqual(rail["signals"].split().count("+5V"), 2)
        self.assertAlmostEqual(2 * float(rail["amps"]), values.RAIL_AMPS)
        self.assertLessEqual(values.RAIL_AMPS, 0.75 * float(rail["fuse"]))
        self.assertEqual(float(rail["fuse"]), float(boards()["power"].parts["F30"].value.removesuffix(" A")))

    def drop(self, name):
        """The drop of both wires of a cable and their four contacts; `amps` are those of one wire."""
        cable = next(row for row in self.cables if row["id"] == name)
        wire = int(cable["mm"]) / 1000 * COPPER_OHM_MM2_PER_M / float(cable["mm2"])
        return 2 * float(cable["amps"]) * (wire + 2 * CONTACT_OHMS)

    def test_the_board_and_the_leds_get_the_volts_that_wiring_md_says(self):
        text = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
        board, tiles = map(float, re.search(
            r"more than\s+(\d\.\d+)\s+V\s+at\s+the\s+Raspberry\s+Pi\s.*\smore\s+than\s+(\d\.\d+)\s+V\s+at\s+the\s+tiles", text, re.S).groups())
        # The feedback of the LMZ12010, a sibling of both modules, is 0.775 to 0.815 V over temperature (SNVS667I).
        low = 0.775 / 0.795
        rail = values.output(*values.RAIL_FEEDBACK) * low
        self.assertGreater(rail - values.RAIL_AMPS * (EFUSE_OHMS + FUSE_OHMS) - self.drop("W4"), board)
        self.assertGreater(board, 4.63 + 0.1, "the Raspberry Pi complains below 4.63 V")
        zone = values.output(*values.ZONE_FEEDBACK) * low
        self.assertGreater(zone - values.ZONE_AMPS * (EFUSE_OHMS + FUSE_OHMS) - self.drop("W6"), tiles)
        self.assertGreater(tiles, 3.5 + 0.5, "SK9822 keeps its colour, with room")


class Drawing(unittest.TestCase):
    def test_the_drawing_is_that_of_the_table(self):
        drawn = subprocess.run(["/usr/bin/python3", HARDWARE / "wiring_drawing.py", HARDWARE / "wiring.csv"],
                               capture_output=True, text=True, check=True).stdout
        self.assertEqual((HARDWARE / "wiring.svg").read_text(encoding="utf-8"), drawn)


if __name__ == "__main__":
    unittest.main()
