"""The boards by their netlists: values by the formulas of the data sheets, pulls, protection, chains, and order numbers."""

import pathlib
import re
import subprocess
import sys
import unittest

import sources
from sources import HARDWARE, boards

sys.path.insert(0, str(HARDWARE / "boards" / "power"))

import suppliers  # noqa: E402
import values  # noqa: E402
from netlist import quantity  # noqa: E402

PITCH = 1000 / 144
# The highest voltage of a net in ordinary use.
VOLTS = {"VIN": 20, "SUPPLY": 20, "SUPPLY_FUSED": 20, "+3V3": 3.3, "+3V3A": 3.3}
VOLTS_OF_OTHERS = 5.2
# Voltage ratings by the beginning of the maker's number, in volts (Yageo 9: 50 V; Samsung A: 25 V, B: 50 V; Murata 1A, 1H;
# Panasonic 1V, 1C: makers' part numbering).
RATINGS = {
    "CC0805KRX7R9": 50, "CC0603KRX7R9": 50, "CC0805JRNPO9": 50, "CL21B474KB": 50, "CL21B105KA": 25, "CL21B225KA": 25,
    "CL21A106KA": 25, "GRM32ER71H": 50, "GRM32ER71A": 10, "EEE-FK1V": 35, "EEE-FK1C": 16, "16SVP": 16,
}


def ohms(board, one, two):
    """The resistance of the only resistor between two nets."""
    return quantity(boards()[board].between(one, two, "R").value)


def farads(board, one, two):
    """The capacitance of the only capacitor between two nets."""
    return quantity(boards()[board].between(one, two, "C").value)


class EveryBoard(unittest.TestCase):
    def test_resistors_and_capacitors_have_the_makers_number_of_their_value(self):
        for name, board in boards().items():
            for ref, part in board.parts.items():
                number = part.fields.get("MPN", "")
                if ref.startswith("R") and part.footprint.endswith("R_0805_2012Metric"):
                    digits = re.fullmatch(r"RC0805FR-07(\d*)([RKM])(\d*)L", number)
                    self.assertTrue(digits, (name, ref, number))
                    whole, letter, rest = digits.groups()
                    ohm = float(f"{whole}.{rest or 0}") * {"R": 1, "K": 1e3, "M": 1e6}[letter]
                    self.assertAlmostEqual(quantity(part.value), ohm, msg=(name, ref))
                # Yageo, Samsung and Murata write the capacitance as two digits and a power of ten, in picofarads.
                digits = re.search(r"^(?:CC0\d{3}\w{2}(?:X7R|NPO)9BB?N?|CL21[AB]|GRM32ER71[AH])(\d{2})(\d)", number)
                if ref.startswith("C") and digits:
                    mantissa, exponent = digits.groups()
                    self.assertAlmostEqual(
                        quantity(part.value), int(mantissa) * 10 ** int(exponent) * 1e-12, delta=1e-15, msg=(name, ref))

    def test_capacitors_stand_half_more_than_their_voltage(self):
        for name, board in boards().items():
            for ref, part in board.parts.items():
                if not re.fullmatch(r"C\d+", ref):
                    continue
                rating = [volts for start, volts in RATINGS.items() if part.fields["MPN"].startswith(start)]
                self.assertEqual(len(rating), 1, (name, ref, part.fields["MPN"]))
                volts = max(VOLTS.get(net, VOLTS_OF_OTHERS) for net in part.pins.values() if net != "GND")
                self.assertGreaterEqual(rating[0], 1.5 * volts, (name, ref, part.value))

    def test_parts_can_be_ordered(self):
        for name, board in boards().items():
            for ref, part in board.parts.items():
                for field in ("Manufacturer", "MPN", "Supplier 1", "Supplier 2", "Price", "Substitute"):
                    self.assertTrue(part.fields.get(field, "").strip(), (name, ref, field))
                self.assertGreater(float(part.fields["Price"]), 0)
                self.assertNotEqual(suppliers.name(part.fields["Supplier 1"]), suppliers.name(part.fields["Supplier 2"]), ref)

    def test_hand_soldered_parts_are_large_enough(self):
        for name in ("power", "adapter"):
            for ref, part in boards()[name].parts.items():
                size = re.search(r"[RCD]_(\d{4})_\d{4}Metric", part.footprint)
                if size:
                    self.assertGreaterEqual(size.group(1), "0805", (name, ref))


class Power(unittest.TestCase):
    def test_modules_give_their_voltages(self):
        for zone in (0, 1):
            buck, back = f"Z{zone}_BUCK", f"Z{zone}_FB"
            volts = values.output(ohms("power", buck, back), ohms("power", back, "GND"))
            self.assertAlmostEqual(volts, 5.1, delta=0.08)
            self.assertLessEqual(volts * 0.815 / 0.795, 5.3, "the most that an SK9822 takes")
        volts = values.output(ohms("power", "RAIL_BUCK", "RAIL_FB"), ohms("power", "RAIL_FB", "GND"))
        self.assertAlmostEqual(volts, 5.1, delta=0.08)
        self.assertLessEqual(volts * 0.815 / 0.795, 5.25, "no Raspberry Pi takes more")

    def test_supplies_rise_before_the_program_sends_data(self):
        # SupplySequence waits for 20 ms.
        for zone in (0, 1):
            soft = values.soft_start(farads("power", f"Z{zone}_SS", "GND"))
            rise = values.ramp(farads("power", f"Z{zone}_DVDT", "GND"), 5.1)
            # The eFuse's constant is known within 40 %.
            self.assertTrue(5e-3 <= soft <= 10e-3 and 3e-3 <= 0.6 * rise and rise / 0.6 <= 10e-3, (soft, rise))
            self.assertLess(soft + rise / 0.6, 20e-3)
        self.assertTrue(5e-3 <= values.soft_start(farads("power", "RAIL_SS", "GND")) <= 10e-3)

    def test_the_rail_begins_below_every_adapter(self):
        on, off = values.undervoltage(ohms("power", "VIN", "RAIL_EN"), ohms("power", "RAIL_EN", "GND"))
        self.assertTrue(7 < off < on < 10, (on, off))

    def test_the_efuses_limit_below_their_fuses_and_above_the_program(self):
        zones = sources.configuration()["panel"]["zones"]
        for index, zone in enumerate(zones):
            limit = values.current_limit(ohms("power", f"Z{index}_ILIM", "GND"))
            fuse = float(self.fuse(f"Z{index}_LIMITED", f"+5V_ZONE{index}"))
            # ±10 % by the data sheet, and the resistor's 1 %.
            self.assertGreaterEqual(limit * 0.9 * 0.99, zone["amps"])
            self.assertEqual(zone["amps"], values.ZONE_AMPS)
            self.assertLess(limit * 1.1 * 1.01, fuse)
        limit = values.current_limit(ohms("power", "RAIL_ILIM", "GND"))
        self.assertGreaterEqual(limit * 0.9 * 0.99, values.RAIL_AMPS)
        self.assertLess(limit * 1.1 * 1.01, float(self.fuse("RAIL_BUCK", "RAIL_FUSED")))

    def fuse(self, one, two):
        return boards()["power"].between(one, two, "F").value.removesuffix(" A")

    def test_fuses_are_those_of_the_power_plan(self):
        plan = sources.box("panel", "power", "--config", "box.json5", "--milliohms", "0.5").splitlines()
        for zone in (0, 1):
            row = plan[1 + zone].split()
            self.assertEqual(float(self.fuse(f"Z{zone}_LIMITED", f"+5V_ZONE{zone}")), float(row[10]))
        self.assertEqual(self.fuse("RAIL_BUCK", "RAIL_FUSED"), "5")
        # The whole load at 12 V is three quarters of it.
        self.assertEqual(self.fuse("SUPPLY", "SUPPLY_FUSED"), "7.5")
        numbers = {part.value: part.fields["MPN"] for ref, part in boards()["power"].parts.items() if re.fullmatch(r"F\d+", ref)}
        self.assertEqual(numbers, {"7.5 A": "029707.5WXNV", "5 A": "0297005.WXNV", "0.5 A": "MF-NSMF050-2", "0.125 A": "0466.125NR"})

    def test_a_reversed_plug_and_a_surge_do_no_harm(self):
        board = boards()["power"].parts
        self.assertEqual(board["Q1"].pins, {"1": "GATE", "2": "SUPPLY_FUSED", "3": "VIN"}, "gate, drain, source of a P-MOSFET")
        self.assertEqual(board["D1"].pins, {"1": "VIN", "2": "GATE"})
        self.assertTrue(board["D1"].fields["MPN"].startswith("BZT52C12"), "within the gate's 20 V")
        self.assertEqual(board["D2"].pins, {"1": "VIN", "2": "GND"})
        # 24 V of stand-off is above 20 V; the clamp of 38.9 V is below the modules' 40 V.
        self.assertEqual(board["D2"].fields["MPN"], "SMCJ24A")
        self.assertGreaterEqual(ohms("power", "GATE", "GND"), 1e3)
        self.assertEqual(board["J1"].pins, {"1": "GND", "2": "SUPPLY"})

    def test_one_line_switches_both_zones_and_rests_off(self):
        board = boards()["power"]
        self.assertEqual(ohms("power", "LED_ENABLE", "GND"), 10e3)
        for zone in (0, 1):
            self.assertEqual(ohms("power", "LED_ENABLE", f"Z{zone}_EN"), 1e3)
            self.assertEqual(board.parts[f"U{zone + 1}1"].net(1), "LED_ENABLE", "EN of the eFuse")
            self.assertEqual(board.parts[f"U{zone + 1}0"].net(4), f"Z{zone}_EN", "EN of the module")
        self.assertNotIn("LED_ENABLE", board.parts["U30"].pins.values(), "the rail is always on")

    def test_a_low_zone_and_heat_are_faults(self):
        board = boards()["power"]
        comparators = {"Z0_SENSE": ("5", "4", "2"), "Z1_SENSE": ("7", "6", "1")}
        for sense, (plus, minus, out) in comparators.items():
            self.assertEqual([board.parts["U40"].net(pin) for pin in (plus, minus, out)], [sense, "HALF_ENABLE", "FAULT_N"])
            low = values.zone_low(ohms("power", f"+5V_ZONE{sense[1]}", sense), ohms("power", sense, "GND"),
                                  ohms("power", "+5V_LOGIC", sense))
            self.assertTrue(4.2 < low < 4.6, low)
        self.assertEqual(ohms("power", "LED_ENABLE", "HALF_ENABLE"), ohms("power", "HALF_ENABLE", "GND"))
        # Plus, minus and output of both comparators of each NTC.
        for chip, first, second, name, b, celsius in (
                ("U40", ("9", "8", "14"), ("11", "10", "13"), "BOARD", values.BOARD_B, 100),
                ("U41", ("3", "2", "1"), ("5", "6", "7"), "PLATE", values.PLATE_B, 80)):
            part, sensor, ok = board.parts[chip], f"{name}_NTC", f"{name}_OK"
            self.assertEqual([part.net(pin) for pin in first], [sensor, "TEMP_REF", ok])
            self.assertEqual([part.net(pin) for pin in second], [ok, "TEMP_REF", "FAULT_N"])
            hot, cold = values.trip(
                ohms("power", "+5V_LOGIC", sensor), ohms("power", ok, sensor), ohms("power", "+5V_LOGIC", ok),
                ohms("power", "+5V_LOGIC", "TEMP_REF"), ohms("power", "TEMP_REF", "GND"), b)
            self.assertTrue(abs(hot - celsius) < 2 and 4 < hot - cold < 10, (name, hot, cold))
            # To 125 °C: Texas Instruments, LM2901 (SLCS006) and LM2903 (SLCS005). An LM339 is made for 70 °C.
            self.assertEqual(part.fields["MPN"], {"U40": "LM2901DR", "U41": "LM2903DR"}[chip])
        self.assertEqual(board.parts["TH1"].pins, {"1": "BOARD_NTC", "2": "GND"})
        self.assertEqual(board.parts["J32"].pins, {"1": "PLATE_NTC", "2": "GND"})

    def test_the_page_has_the_calculated_values(self):
        page = (HARDWARE / "boards" / "power" / "README.md").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"```\n(.*?)```", page, re.S).group(1).splitlines(), values.check())


class Adapter(unittest.TestCase):
    # Nets of each resistor that sets a level or ends a line, and its value.
    RESISTORS = {
        ("+3V3", "gpio.outputEnable"): 10e3, ("+3V3", "spi0.ce0"): 10e3, ("+3V3", "spi0.ce1"): 10e3, ("+3V3", "FAULT_N"): 10e3,
        ("gpio.ledEnable", "GND"): 10e3, ("DATA", "GND"): 10e3, ("CLOCK", "GND"): 10e3,
        ("LED0_DATA", "GND"): 10e3, ("LED0_CLOCK", "GND"): 10e3, ("LED1_DATA", "GND"): 10e3, ("LED1_CLOCK", "GND"): 10e3,
        ("DATA0_5V", "LED0_DATA"): 100, ("CLOCK0_5V", "LED0_CLOCK"): 100, ("DATA1_5V", "LED1_DATA"): 100,
        ("CLOCK1_5V", "LED1_CLOCK"): 100, ("+3V3", "SENSOR_3V3"): 100, ("+3V3", "uart.tx"): 10e3,
        ("+3V3", "gpio.play"): 10e3, ("+3V3", "gpio.shift"): 10e3, ("PLAY", "gpio.play"): 100, ("SHIFT", "gpio.shift"): 100,
        ("POWER", "gpio.power"): 100, ("gpio.statusLed", "STATUS"): 470, ("CLOCK_IN_TIP", "CLOCK_IN"): 33e3,
        ("CLOCK_IN", "GND"): 100e3,
        ("CLOCK_5V", "CLOCK_OUT_TIP"): 1e3, ("MIDI_IN_RING", "MIDI_ANODE"): 220, ("TX_5V", "MIDI_OUT_TIP"): 220,
        ("+5V_LOGIC", "MIDI_OUT_RING"): 220, ("+3V3", "uart.rx"): 1e3, ("+3V3A", "XSMT"): 10e3, ("FAN_GATE", "GND"): 10e3,
        ("FAULT_N", "FAULT_BASE"): 10e3,
    }

    def test_lines_rest_where_they_do_no_harm_and_end_in_their_resistors(self):
        for (one, two), value in self.RESISTORS.items():
            self.assertEqual(ohms("adapter", one, two), value, (one, two))

    def test_knobs_and_buttons_are_debounced_by_their_capacitors(self):
        for line in ("tempo.a", "tempo.b", "volume.a", "volume.b"):
            contact = line.upper().replace(".", "_")
            delay = (ohms("adapter", "+3V3", contact) + ohms("adapter", contact, f"gpio.{line}")) * farads(
                "adapter", f"gpio.{line}", "GND")
            self.assertLessEqual(delay, 0.1e-3, line)
        for line in ("play", "shift", "power"):
            self.assertAlmostEqual(farads("adapter", f"gpio.{line}", "GND"), 100e-9, places=12)

    def test_each_chain_gets_its_own_frames(self):
        first, second = boards()["adapter"].parts["U1"], boards()["adapter"].parts["U2"]
        # Enable, input and output of each buffer; an enable is low active.
        self.assertEqual([first.net(pin) for pin in (1, 2, 3)], ["gpio.outputEnable", "spi0.mosi", "DATA"])
        self.assertEqual([first.net(pin) for pin in (4, 5, 6)], ["gpio.outputEnable", "spi0.sclk", "CLOCK"])
        for chain, pins in ((0, ((1, 2, 3), (4, 5, 6))), (1, ((10, 9, 8), (13, 12, 11)))):
            for line, (enable, source, out) in zip(("DATA", "CLOCK"), pins):
                self.assertEqual(
                    [second.net(pin) for pin in (enable, source, out)], [f"spi0.ce{chain}", line, f"{line}{chain}_5V"])
        for buffer in (first, second):
            self.assertEqual((buffer.net(14), buffer.net(7)), ("+5V_LOGIC", "GND"))
            self.assertEqual(buffer.fields["MPN"], "SN74AHCT125DR", "T: a high is 2.0 V")

    def test_clocks_and_midi_have_their_interfaces(self):
        parts = boards()["adapter"].parts
        self.assertEqual([parts["U1"].net(pin) for pin in (10, 9, 8)], ["GND", "sync.clockOut", "CLOCK_5V"])
        self.assertEqual([parts["U1"].net(pin) for pin in (13, 12, 11)], ["GND", "uart.tx", "TX_5V"])
        self.assertEqual([parts["U4"].net(pin) for pin in (2, 3, 4, 5)], ["CLOCK_IN", "GND", "sync.clockIn", "+3V3"])
        self.assertEqual(parts["D2"].pins, {"1": "GND", "2": "+3V3", "3": "CLOCK_IN"})
        self.assertEqual([parts["U5"].net(pin) for pin in (1, 2, 4, 5, 6)],
                         ["MIDI_ANODE", "MIDI_IN_TIP", "uart.rx", "GND", "+3V3"])
        self.assertEqual(parts["D3"].pins, {"1": "MIDI_ANODE", "2": "MIDI_IN_TIP"})

    def test_the_dac_is_not_mute(self):
        dac = boards()["adapter"].parts["U6"]
        # SCK (12), FMT (16), DEMP (10) and FLT (11) low, XSMT (17) high: PCM5102A, SLAS859, pin functions.
        self.assertEqual({dac.net(pin) for pin in (10, 11, 12, 16)}, {"GND"})
        self.assertEqual([dac.net(pin) for pin in (13, 14, 15, 17)], ["i2s.bclk", "i2s.dout", "i2s.lrclk", "XSMT"])
        self.assertEqual([dac.net(pin) for pin in (6, 7)], ["OUTL", "OUTR"])
        self.assertEqual({boards()["adapter"].parts["U7"].net(pin) for pin in (1, 3)}, {"+5V_LOGIC"})
        self.assertEqual(boards()["adapter"].parts["U7"].net(5), "+3V3A")

    def test_the_fan_follows_the_light_a_fault_and_the_processor(self):
        parts = boards()["adapter"].parts
        # Two diodes, and a PNP that FAULT_N switches on: any of the three turns the fan.
        self.assertEqual(parts["D5"].pins, {"1": "FAN", "2": "gpio.ledEnable", "3": "FAN_GATE"})
        self.assertEqual(parts["D5"].fields["MPN"], "BAT54C-7-F", "common cathode")
        self.assertEqual(parts["Q2"].pins, {"1": "FAULT_BASE", "2": "+3V3", "3": "FAN_GATE"}, "base, emitter, collector")

    def test_the_fan_has_a_fuse_and_takes_its_own_current_back(self):
        board = boards()["adapter"]
        self.assertEqual(board.between("+5V", "FAN_5V", "F").fields["MPN"], "MF-NSMF050-2")
        self.assertEqual(board.parts["D4"].pins, {"1": "FAN_5V", "2": "FAN_N"})
        self.assertEqual(board.parts["Q1"].pins, {"1": "FAN_GATE", "2": "GND", "3": "FAN_N"})

    def test_no_line_of_the_identity_is_connected(self):
        """An EEPROM without an image is worse than none: HAT specification, ID EEPROM."""
        header = boards()["adapter"].parts["J1"]
        self.assertEqual((header.net(27), header.net(28)), (None, None))


class Tile(unittest.TestCase):
    def test_the_chain_runs_from_led_to_led(self):
        parts = boards()["tile"].parts
        leds = [parts[f"D{number}"] for number in range(1, 265)]
        self.assertNotIn("D265", parts)
        for led, after in zip(leds, leds[1:]):
            self.assertEqual((led.net(6), led.net(5)), (after.net(1), after.net(2)), led.ref)
        for led in leds:
            self.assertEqual((led.net(3), led.net(4)), ("GND", "+5V"), led.ref)
        self.assertEqual(ohms("tile", "BUFFERED_DATA", leds[0].net(1)), 100)
        self.assertEqual(ohms("tile", "BUFFERED_CLOCK", leds[0].net(2)), 100)
        self.assertEqual((leds[-1].net(6), leds[-1].net(5)), ("OUT_DATA", "OUT_CLOCK"))

    def test_the_input_has_no_way_for_the_supplys_current_and_takes_none_without_supply(self):
        board = boards()["tile"]
        self.assertEqual({ref for ref, _ in board.nets["GND_IN"]}, {"J1", "F1"})
        self.assertEqual(ohms("tile", "GND_FUSED", "GND"), 10)
        buffer = board.parts["U1"]
        self.assertEqual([buffer.net(pin) for pin in (1, 6, 3, 4, 5, 2)],
                         ["IN_DATA", "BUFFERED_DATA", "IN_CLOCK", "BUFFERED_CLOCK", "+5V", "GND"])
        self.assertTrue(buffer.fields["MPN"].startswith("SN74LVC2G17"), "LVC: inputs may be high without supply")
        for line in ("IN_DATA", "IN_CLOCK"):
            self.assertEqual(ohms("tile", line, "GND"), 100e3)

    def test_each_led_has_its_capacitor_and_each_edge_its_feed(self):
        board = boards()["tile"]
        small = [part for ref, part in board.parts.items() if ref.startswith("C") and part.value.startswith("100n")]
        self.assertGreaterEqual(len(small), 264)
        for part in small:
            self.assertEqual(set(part.pins.values()), {"+5V", "GND"}, part.ref)
        bulk = [quantity(part.value) for ref, part in board.parts.items() if ref.startswith("C") and part.value.startswith("47u")]
        self.assertGreaterEqual(sum(bulk), 150e-6)
        for feed in ("J3", "J4"):
            self.assertEqual([board.parts[feed].net(pin) for pin in (1, 2, 3, 4)], ["+5V", "+5V", "GND", "GND"])
        where = sources.places("tile")
        self.assertLess(where["J3"][0] - 50, 25)
        self.assertGreater(where["J4"][0] - 50, 125)

    def test_leds_stand_where_the_program_lights_them(self):
        """Walks the panel as the program maps it, and compares with the places of the four tiles' LEDs."""
        where = sources.places("tile")
        tiles = [tile for chain in sources.configuration()["panel"]["chains"] for tile in chain["tiles"]]
        self.assertEqual(len(tiles), 4)
        walk = subprocess.run(
            [sources.BOX, "panel", "walk", "--every", "20", "--seconds", "24", "--panel", "none", "--config",
             HARDWARE / "box.json5"], capture_output=True, text=True, check=True).stdout
        seen = set()
        for line in walk.splitlines():
            led, column, row = map(int, re.fullmatch(r"LED (\d+): chain \d, tile \d, column (\d+), row (\d+)", line).groups())
            tile = tiles[led // 264]
            x, y, _ = where[f"D{led % 264 + 1}"]
            # From the board's corner at 50 mm to LEDs of the tile, which half a turn reverses.
            inside = [round((x - 50) / PITCH - 0.5), round((y - 50) / PITCH - 0.5)]
            if tile["rotation"] == 180:
                inside = [21 - inside[0], 11 - inside[1]]
            self.assertEqual((column, row), (tile["x"] + inside[0], tile["y"] + inside[1]), line)
            seen.add(led)
        # A busy machine skips some.
        self.assertGreater(len(seen), 400)
        self.assertEqual({led // 264 for led in seen}, {0, 1, 2, 3})


if __name__ == "__main__":
    unittest.main()
