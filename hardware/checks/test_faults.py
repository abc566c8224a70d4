"""What a fault does: power that comes back, too much voltage, an open ground, a plug in another header, a short behind a fuse; and
what heat and tolerances do to capacitors, leakage and lengths."""

import collections
import contextlib
import importlib.machinery
import importlib.util
import io
import itertools
import json
import re
import sys
import unittest
from unittest import mock

from sources import HARDWARE, boards, configuration, copper, exports, table

sys.path[:0] = [str(HARDWARE), str(HARDWARE / "boards" / "power")]

import parts  # noqa: E402
import suppliers  # noqa: E402
import values  # noqa: E402
from netlist import quantity  # noqa: E402

EFUSE = "TPS259470ARPWR"
# Inputs and outputs of the modules, by the beginning of the maker's number: the high side's body diode conducts from out to in.
MODULES = {"LMZ13608": ("1", "10"), "LMZ23605": ("1", "7")}
MODULE_OUTPUTS = ("Z0_BUCK", "Z1_BUCK", "RAIL_BUCK")
# What a rated output draws, and what a fault of it gives, in amperes: the most that an eFuse of 750 Ω passes; a resettable fuse of
# 0.5 A trips at 1 A (Bourns MF-NSMF series).
EFUSE_MOST = values.current_limit(values.LIMIT) * (1 + values.EFUSE_LIMIT_SHARE) * 1.01
POLYFUSE_TRIP = 1.0
FUSED = {
    "power": {"VIN": 7.5, "SUPPLY_FUSED": 7.5, "RAIL_FUSED": 5, "+5V": EFUSE_MOST, "+5V_ZONE0": EFUSE_MOST, "+5V_ZONE1": EFUSE_MOST,
              "+5V_LOGIC": POLYFUSE_TRIP},
    "adapter": {"+5V": EFUSE_MOST, "+5V_LOGIC": POLYFUSE_TRIP, "FAN_5V": POLYFUSE_TRIP, "FAN_N": POLYFUSE_TRIP},
    "tile": {"+5V": EFUSE_MOST},
}
# Copper on the outer layers in µm: order.md.
COPPER_UM = {"power": 70, "adapter": 35, "tile": 70}
# How much warmer a track may get while its fuse has not opened yet, in K.
FAULT_KELVIN = 80
COPPER_OHM_MM2_PER_M, CONTACT_OHMS = 0.0172, 0.01
# Rated power of a resistor 0805 and current of the fuse beside it; at twice its rating it opens within 5 s (Littelfuse 466 series).
RESISTOR_WATTS, CHIP_FUSE_AMPS = 0.125, 0.125
# Share that is left of a ceramic capacitor's value, by the maker's number and the share of its rated voltage: X7R 1210, Murata
# SimSurfing's curves as far as public designs quote them.
BIAS_LEFT = {"GRM32ER71H106": 0.5, "GRM32ER71A476": 0.5}
# Microfarads at each module's input that remain at 20 V.
INPUT_UF = 15


def two_ends(part):
    """The two nets of a part with two pins."""
    return tuple(part.pins.values())


def protected_by(net):
    """The eFuses whose output is a net of the power board, after the fuses that are on the way, and the nets reached."""
    board = boards()["power"]
    reached, waiting, blockers = set(), [net], []
    while waiting:
        here = waiting.pop()
        if here in reached:
            continue
        reached.add(here)
        for ref, _ in board.nets[here]:
            part = board.parts[ref]
            number = part.fields.get("MPN", "")
            if number == EFUSE:
                if part.net(6) == here:
                    blockers.append(part)
                continue
            module = next((pins for start, pins in MODULES.items() if number.startswith(start)), None)
            if module and part.net(module[1]) == here:
                waiting.append(part.net(module[0]))
            elif ref[0] in "FQ" or ref[0] == "L" and ref[1:].isdigit():
                waiting += [other for other in part.pins.values() if other not in (here, "GND", "GATE")]
    return blockers, reached


class Supply(unittest.TestCase):
    # HAT guide, "Back-powering the Pi via the J8 GPIO header": a supply at the header passes an ideal diode.
    def test_what_feeds_the_header_passes_a_part_that_passes_nothing_back(self):
        header = boards()["adapter"].parts["J1"]
        self.assertEqual({header.net(pin) for pin in (2, 4)}, {"+5V"})
        self.assertEqual([boards()["adapter"].parts["J2"].net(pin) for pin in (1, 2)], ["+5V", "+5V"])
        self.assertEqual([boards()["power"].parts["J30"].net(pin) for pin in (1, 2)], ["+5V", "+5V"])
        blockers, reached = protected_by("+5V")
        self.assertEqual(len(blockers), 1)
        self.assertFalse(reached & {"VIN", "SUPPLY", *MODULE_OUTPUTS}, "a way round the eFuse")

    def test_every_output_is_cut_off_before_its_load_has_too_much(self):
        for net in ("+5V", "+5V_ZONE0", "+5V_ZONE1"):
            blockers, reached = protected_by(net)
            self.assertEqual(len(blockers), 1, net)
            self.assertFalse(reached & set(MODULE_OUTPUTS), net)
            source, ovlo = blockers[0].net(5), blockers[0].net(2)
            board = boards()["power"]
            least, _, most = values.lockout(quantity(board.between(source, ovlo, "R").value),
                                            quantity(board.between(ovlo, "GND", "R").value))
            self.assertGreater(least, values.BOARD_MAX + 0.2, net)
            self.assertLess(most, 6.0, net)
            self.assertEqual(blockers[0].net(8), "GND")
        # A short in a module's high side puts the supply's voltage, 5 % above its name, at the eFuse.
        self.assertLess(20 * 1.05, values.EFUSE_MAX)

    def test_a_peak_on_the_rail_meets_a_clamp_behind_fuse_and_efuse(self):
        clamp = boards()["power"].parts["D32"]
        self.assertEqual((clamp.pins, clamp.fields["MPN"]), ({"1": "+5V", "2": "GND"}, "SMCJ5.0A"))

    def test_the_rail_starts_whole(self):
        board = boards()["power"]
        self.assertEqual(board.parts["U31"].net(1), "RAIL_ON")
        least, _, most = values.lockout(quantity(board.between("RAIL_FUSED", "RAIL_ON", "R").value),
                                        quantity(board.between("RAIL_ON", "GND", "R").value))
        self.assertTrue(3.9 < least and most < 4.5, (least, most))

    def test_the_page_on_computers_asks_for_a_cable_without_supply(self):
        page = (HARDWARE.parent / "docs" / "sync.md").read_text(encoding="utf-8")
        self.assertRegex(page, r"(?s)USB-C socket.{0,400}without\s+VBUS")


class Tests(unittest.TestCase):
    """The loads of assembly.md."""

    rows = table("loads.csv")

    def test_a_load_is_below_the_efuses_least_limit_and_within_the_stated_supply(self):
        least = values.current_limit(values.LIMIT) * (1 - values.EFUSE_LIMIT_SHARE) * 0.99
        volts = values.output(*values.ZONE_FEEDBACK)
        for row in self.rows:
            # A resistor of 5 % at the highest output.
            amps = float(row["amps"] or volts * values.FEEDBACK_SPREAD[1] / (0.95 * float(row["ohms"] or 1)))
            if row["ohms"]:
                self.assertLess(amps, 0.9 * least, row)
                self.assertGreaterEqual(float(row["watts"]), 2 * amps ** 2 * float(row["ohms"]) * 0.95, row)
            taken = amps * volts / values.EFFICIENCY / float(row["supply_volts"])
            self.assertLess(taken, float(row["supply_amps"]), row)

    def test_every_output_is_loaded_alone(self):
        outputs = [row["output"] for row in self.rows if row["step"] == "2"]
        self.assertEqual(sorted(outputs), ["J10", "J11", "J20", "J21", "J30"])

    def test_the_guide_has_the_loads(self):
        guide = (HARDWARE / "assembly.md").read_text(encoding="utf-8")
        for row in self.rows:
            step = re.search(rf"(?ms)^## {row['step']}\..*?(?=^## )", guide).group()
            if row["ohms"]:
                self.assertIn(f"{row['ohms']} Ω, {row['watts']} W", step)
                self.assertRegex(step, r"one\s+after\s+the\s+other")
                self.assertRegex(step, r"burns?\b", "a warning")
            self.assertIn(f"{row['supply_volts']} V, {row['supply_amps']} A", step, row)


class Polarity(unittest.TestCase):
    def test_every_text_has_the_polarity_of_the_table(self):
        plugs = {row["family"]: row["polarity"] for row in table("plugs.csv")}
        sides = dict(re.fullmatch(r"(minus) at the (\w+) side; (plus) at the (\w+) side", plugs["XT60"]).group(*pair)
                     for pair in ((1, 2), (3, 4)))
        # The moulding of the maker, Amass XT60: a minus at the pointed side.
        self.assertEqual(sides, {"minus": "pointed", "plus": "flat"})
        found = 0
        for page in [*HARDWARE.rglob("*.md"), *(HARDWARE.parent / "docs").glob("*.md")]:
            text = re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))
            for pole, side in re.findall(r"(minus|plus) is the contact at the (\w+) side", text):
                self.assertEqual(sides[pole], side, page)
                found += 1
        self.assertGreaterEqual(found, 1)
        # KiCad's footprint has minus at pin 1.
        self.assertEqual(boards()["power"].parts["J1"].pins, {"1": "GND", "2": "SUPPLY"})

    def test_the_guide_measures_the_plug_before_the_fuse_goes_in(self):
        guide = (HARDWARE / "assembly.md").read_text(encoding="utf-8")
        self.assertRegex(guide, r"(?s)before\s+F1\s+goes\s+in,?\s+measure.{0,60}J1")

    def test_the_boards_pages_have_the_connectors_of_the_netlists(self):
        words = {"+5V_ZONE0": "+5V", "+5V_ZONE1": "+5V", "+5V": "+5V", "GND": "ground", "FAULT_N": "FAULT_N", "GND_IN": "ground"}
        for name in ("power", "adapter", "tile"):
            page = (HARDWARE / "boards" / name / "README.md").read_text(encoding="utf-8")
            lines = re.search(r"## Connectors\n(.*?)\n## ", page, re.S).group(1)
            listed = set()
            for refs, cells in re.findall(r"(?m)^\| ((?:J\d+(?:, )?)+)[^|]*\|(.*)\|$", lines):
                cells = [cell.strip() for cell in cells.split("|")]
                for ref in refs.split(", "):
                    part = boards()[name].parts[ref]
                    listed.add(ref)
                    pins = [pin for pin in sorted(part.pins, key=lambda pin: (len(pin), pin)) if pin.isdigit()]
                    self.assertEqual(len([cell for cell in cells if cell]), len(pins), (name, ref))
                    for pin, cell in zip(pins, cells):
                        net = part.net(pin)
                        if net in words:
                            self.assertTrue(cell.startswith(words[net]), (name, ref, pin, cell))
            wanted = {ref for ref, part in boards()[name].parts.items() if parts.family(part.footprint)}
            self.assertEqual(listed, wanted, name)


class Copper(unittest.TestCase):
    @staticmethod
    def least_mm(amps, micrometres):
        """Width of an outer track by IPC-2221, section 6.2: I = 0.048 ΔT^0.44 A^0.725, A in square mils."""
        area = (amps / (0.048 * FAULT_KELVIN ** 0.44)) ** (1 / 0.725)
        return area / (micrometres / 25.4) * 0.0254

    def test_a_track_carries_what_its_fuse_lets_through(self):
        for board, nets in FUSED.items():
            for net, layer, width in copper(board)["tracks"]:
                if net in nets:
                    self.assertIn(layer, ("F.Cu", "B.Cu"), (board, net))
                    self.assertGreaterEqual(width + 0.001, self.least_mm(nets[net], COPPER_UM[board]), (board, net))

    def test_fuses_are_those_of_the_netlists(self):
        for board, net, other in (("adapter", "+5V", "+5V_LOGIC"), ("adapter", "+5V", "FAN_5V"), ("power", "+5V", "+5V_LOGIC")):
            self.assertEqual(boards()[board].between(net, other, "F").fields["MPN"], "MF-NSMF050-2")
        # Behind the fuses of 5 A stand only fuses, connectors, capacitors and what carries the whole current.
        for board, net in (("adapter", "+5V"), ("power", "+5V")):
            refs = {ref.rstrip("0123456789") for ref in boards()[board].at(net)}
            self.assertLessEqual(refs - {"#FLG", "#PWR"}, {"F", "J", "C", "U", "D"}, board)
            self.assertLessEqual({ref for ref in boards()[board].at(net, "U")}, {"U31"}, board)

    def test_the_rules_know_which_nets_are_fused(self):
        for board, nets in FUSED.items():
            project = (HARDWARE / "boards" / board / "board.py").read_text(encoding="utf-8")
            for net, amps in nets.items():
                if amps > POLYFUSE_TRIP and net != "VIN":
                    self.assertRegex(project, rf'fused=\([^)]*"{re.escape(net)}"', (board, net))

    def test_a_power_capacitors_ground_has_four_vias_in_solid_copper(self):
        for board in ("power",):
            layout = copper(board)
            for ref, part in boards()[board].parts.items():
                if not re.match(r"C\d", ref) or not re.match(r"10u 50V|47u|330u", part.value):
                    continue
                pads = [pad for pad in layout["pads"] if pad[0] == ref and pad[2] == "GND"]
                self.assertEqual(len(pads), 1, ref)
                _, _, _, left, top, right, bottom, solid = pads[0]
                self.assertTrue(solid, ref)
                near = [via for via in layout["vias"] if via[0] == "GND"
                        and left - 1 < via[1] < right + 1 and top - 1 < via[2] < bottom + 1]
                self.assertGreaterEqual(len(near), 4, ref)

    def test_capacitors_keep_enough_of_their_value(self):
        """Each module has three at its input, near its pins."""
        board = boards()["power"]
        for refs in (("C10", "C11", "C18"), ("C20", "C21", "C28"), ("C30", "C31", "C38")):
            left = 0
            for ref in refs:
                part = board.parts[ref]
                self.assertEqual(part.pins, {"1": "VIN", "2": "GND"}, ref)
                share = next(share for start, share in BIAS_LEFT.items() if part.fields["MPN"].startswith(start))
                left += quantity(part.value) * share
            self.assertGreaterEqual(left, INPUT_UF * 1e-6 * 0.999, refs)


class Ground(unittest.TestCase):
    """Where the current returns while a ground is open: potentials of the boards' grounds, by the wires' and contacts' resistance."""

    loads = {"adapter": values.RAIL_AMPS, **{f"tile {n}": values.ZONE_AMPS / 2 for n in range(4)}}

    @staticmethod
    def ways():
        """Ground wires: cable and pin, both boards, ohms, and the name of the resistor on the way."""
        for cable in table("wiring.csv"):
            ends = [(cable[end], parts.board_of(cable[end])) for end in ("from", "to")]
            if None in (ends[0][1], ends[1][1]) or not cable["mm2"]:
                continue
            names = [re.sub(r" J\d+$", "", end) for end, _ in ends]
            wire = int(cable["mm"]) / 1000 * COPPER_OHM_MM2_PER_M / float(cable["mm2"]) + 2 * CONTACT_OHMS
            for pair, signal in zip(cable["pins"].split(), cable["signals"].split()):
                one, two = pair.split("-")
                ohms, resistor = wire, None
                nets = [boards()[board].parts[ref].net(pin) for (_, (board, ref)), pin in zip(ends, (one, two))]
                if not all(net.startswith("GND") for net in nets):
                    continue
                for net, name, (_, (board, _)) in zip(nets, names, ends):
                    if net != "GND":
                        found = boards()[board].parts
                        path = [part for part in found.values() if part.ref[0] in "RF" and set(two_ends(part)) & {net, "GND_FUSED"}
                                and set(two_ends(part)) <= {net, "GND_FUSED", "GND"}]
                        ohms += sum(quantity(part.value) for part in path if part.ref[0] == "R")
                        has_fuse = any(part.fields["MPN"] == "0466.125NR" for part in path)
                        resistor = (name, has_fuse)
                yield (cable["id"], pair), *names, ohms, resistor

    @classmethod
    def solve(cls, ways, opened=()):
        """Current in each way."""
        names = sorted({name for way in ways for name in way[1:3]} - {"power"})
        size = len(names)
        matrix = [[0.0] * (size + 1) for _ in range(size)]
        left = [way for way in ways if way[0] not in opened]
        for _, one, two, ohms, _ in left:
            for here, there in ((one, two), (two, one)):
                if here != "power":
                    matrix[names.index(here)][names.index(here)] += 1 / ohms
                    if there != "power":
                        matrix[names.index(here)][names.index(there)] -= 1 / ohms
        for name in names:
            matrix[names.index(name)][size] = cls.loads.get(name, 0)
            matrix[names.index(name)][names.index(name)] += 1e-9
        for pivot in range(size):
            best = max(range(pivot, size), key=lambda row: abs(matrix[row][pivot]))
            matrix[pivot], matrix[best] = matrix[best], matrix[pivot]
            for row in range(size):
                if row != pivot:
                    factor = matrix[row][pivot] / matrix[pivot][pivot]
                    matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[pivot])]
        volts = {name: matrix[i][size] / matrix[i][i] for i, name in enumerate(names)} | {"power": 0.0}
        # A load takes no more than the supply's voltage.
        worst = max(max(volts.values()) / 5.1, 1)
        return {way[0]: (volts[way[1]] - volts[way[2]]) / way[3] / worst for way in left}

    def test_without_a_fault_the_signals_grounds_carry_nothing_to_speak_of(self):
        ways = list(self.ways())
        self.assertGreater(len(ways), 15)
        currents = self.solve(ways)
        for way in ways:
            if way[4]:
                self.assertLess(abs(currents[way[0]]), 0.02 * values.RAIL_AMPS, way)

    def test_an_open_ground_burns_nothing(self):
        ways = list(self.ways())
        resistors = [way for way in ways if way[4]]
        self.assertEqual(len({way[4][0] for way in resistors}), 5, "the control cable's and each tile's")
        cables = {way[0][0] for way in ways}
        faults = [(way[0],) for way in ways] + [tuple(way[0] for way in ways if way[0][0] == cable) for cable in cables]
        for opened in faults:
            gone = set(opened)
            # Fuses open one after the other.
            for _ in range(len(resistors) + 1):
                currents = self.solve(ways, gone)
                through = collections.Counter()
                for way in resistors:
                    through[way[4]] += currents.get(way[0], 0)
                blown = {name for name, amps in through.items() if name[1] and abs(amps) >= 2 * CHIP_FUSE_AMPS}
                if not blown:
                    break
                gone |= {way[0] for way in resistors if way[4] in blown}
            for name, amps in through.items():
                self.assertLessEqual(amps ** 2 * 10, RESISTOR_WATTS, (opened, name, amps))


class Plugs(unittest.TestCase):
    # What can be at the far end of a cable: these have no voltage of their own.
    PASSIVE = {"buttons", "tempo knob", "volume knob", "status LED", "plate NTC"}
    STRONG = ("+5V", "+3V3", "FAN_5V", "SUPPLY")
    # Both ends of W5.
    SAME = {"gpio.ledEnable": "LED_ENABLE", "GND_CONTROL": "GND"}

    def test_a_contact_is_of_its_housings_series(self):
        # The makers' catalogues: JST VH, XH, PH, ZH; Molex KK 254 (22-01 with 08-50) and Micro-Fit 3.0 (43025 with 43030).
        series = {"VHR": "SVH", "XHP": "SXH", "PHR": "SPH", "ZHR": "SZH", "22-01": "08-50", "43025": "43030"}
        for plug in table("plugs.csv"):
            if plug["contact"]:
                found = [contact for housing, contact in series.items() if plug["housing"].startswith(housing)]
                self.assertEqual(len(found), 1, plug)
                self.assertTrue(plug["contact"].startswith(found[0]), plug)

    def test_a_cable_in_another_header_does_no_harm(self):
        kinds = collections.defaultdict(list)
        for name in ("power", "adapter", "tile"):
            for ref, part in boards()[name].parts.items():
                family = parts.family(part.footprint)
                if family:
                    pins = [part.net(pin) for pin in sorted(part.pins) if pin.isdigit()]
                    kinds[family, len(pins)].append((name, ref, pins))
        ends = {end: cable for cable in table("wiring.csv") for end in (cable["from"], cable["to"])}
        for kind, headers in kinds.items():
            # Zones are alike for the plug: their eFuses pass nothing back.
            alike = {tuple(re.sub(r"_ZONE\d$|\d(?=_)", "", self.SAME.get(net, net)) for net in pins) for _, _, pins in headers}
            if len(alike) == 1:
                continue
            for name, ref, pins in headers:
                self.assertFalse([net for net in pins if net.startswith(self.STRONG)], (kind, name, ref))
                far = [cable["to"] for end, cable in ends.items() if end == f"{name} {ref}"]
                others = {cable["to"] for end, cable in ends.items() for board, other, _ in headers if end == f"{board} {other}"}
                if not others - self.PASSIVE:
                    continue
                for net in pins:
                    self.assertTrue(net.startswith("GND") or self.is_limited(name, net), (kind, name, ref, net, far))

    @staticmethod
    def is_limited(name, net):
        """Whether a net reaches circuits by 100 Ω or more only, or a light that is isolated."""
        board = boards()[name]
        for ref, _ in board.nets[net]:
            part = board.parts[ref]
            if ref[0] == "R" and quantity(part.value) < 100 or ref[0] == "Q" or ref[0] == "U" and part.value != "H11L1":
                return False
        return True

    def test_no_supply_leaves_the_adapter_but_by_a_fuse(self):
        for ref, part in boards()["adapter"].parts.items():
            if ref.startswith("J") and ref not in ("J1", "J2"):
                self.assertFalse({"+5V", "+3V3", "+5V_LOGIC"} & set(part.pins.values()), ref)

    def test_an_output_has_another_plug_than_an_input(self):
        tile = boards()["tile"].parts
        self.assertNotEqual(len(tile["J1"].pins), len(tile["J2"].pins))


class Signals(unittest.TestCase):
    def test_leakage_keeps_an_open_clock_input_low(self):
        board = boards()["adapter"]
        diode = board.parts["D2"].fields["MPN"]
        # Reverse current at a junction of 150 °C, halved each 10 K down to the box's 70 °C: Diodes BAV99 (DS12007), 50 µA at 75 V;
        # BAT54S (DS11005), 100 µA at 25 V and 100 °C.
        amps = {"BAV99-7-F": 50e-6 / 2 ** 8, "BAT54S-7-F": 100e-6 / 2 ** 3}[diode]
        # The least falling threshold of a 74LVC1G17 at 3.3 V: 0.8 V (SCES351).
        self.assertLess(amps * quantity(board.between("CLOCK_IN", "GND", "R").value), 0.8 / 4)
        series = quantity(board.between("CLOCK_IN_TIP", "CLOCK_IN", "R").value)
        # A pulse of 3.3 V passes the highest rising threshold, 2.2 V; 12 V push less than 1 mA into the clamp.
        self.assertGreater(3.3 * quantity(board.between("CLOCK_IN", "GND", "R").value) / (
            series + quantity(board.between("CLOCK_IN", "GND", "R").value)), 2.2)
        self.assertLess((12 - 3.9) / series, 1e-3)

    def test_midi_out_rests_while_the_board_boots(self):
        self.assertEqual(quantity(boards()["adapter"].between("+3V3", "uart.tx", "R").value), 10e3)
        self.assertEqual([boards()["adapter"].parts["U1"].net(pin) for pin in (12, 11)], ["uart.tx", "TX_5V"])

    def test_every_jack_has_its_diodes(self):
        board = boards()["adapter"]
        jacks = {cable["from"].split()[1] for cable in table("wiring.csv") if cable["to"].endswith(("jack", "jacks"))}
        self.assertEqual(len(jacks), 4)
        guarded = {net for part in board.parts.values() if part.fields.get("MPN") == "NUP2105LT1G" and part.net(3) == "GND"
                   for net in (part.net(1), part.net(2))}
        for jack in jacks:
            for net in board.parts[jack].pins.values():
                self.assertTrue(net == "GND" or net in guarded, (jack, net))

    def test_the_line_outs_ground_and_the_supplys_class_are_stated(self):
        supply = next(row for row in table("other.csv") if row["part"] == "supply")
        self.assertIn("class II", supply["why"])
        text = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
        self.assertRegex(text, r"(?s)sleeve.{0,400}class\s+II.{0,300}transformer")

    def test_the_leds_can_be_ordered_and_are_tried_first(self):
        led = boards()["tile"].parts["D1"]
        row = next(row for row in table("bom.csv") if row["part"] == "diode SK9822")
        # Its sheet, SPC/SK9822-A, is the one whose pins and land were compared; "SK9822" alone is no maker's number.
        self.assertEqual((row["number"], row["manufacturer"]), (led.fields["MPN"], "Opsco"))
        self.assertEqual(row["number"], "SK9822-A")
        guide = re.sub(r"\s+", " ", (HARDWARE / "assembly.md").read_text(encoding="utf-8"))
        self.assertRegex(guide, r"[Tt]ry ten .{0,200}red")

    def test_the_supplys_own_cord_is_no_wire_to_buy(self):
        cord = next(cable for cable in table("wiring.csv") if cable["id"] == "W1")
        self.assertEqual((cord["to"], cord["mm2"]), ("inlet", ""))
        self.assertNotIn("W1 ", " ".join(row["where"] + " " for row in table("bom.csv") if row["part"].startswith("wire ")))


class Heat(unittest.TestCase):
    import thermal

    p = thermal.parameters()

    def test_the_table_is_that_of_configuration_boards_and_overlays(self):
        panel = configuration()["panel"]
        heat = panel["heat"]
        self.assertEqual({zone["amps"] for zone in panel["zones"]}, {self.p["zone_amps"]})
        self.assertEqual((heat["dimFrom"], heat["dimTo"]), (self.p["light_from"], self.p["light_to"]))
        self.assertEqual(self.p["zone_amps"], values.ZONE_AMPS)
        self.assertLessEqual(self.p["rail_amps"], values.RAIL_AMPS)
        self.assertAlmostEqual(self.p["volts"], values.output(*values.ZONE_FEEDBACK), delta=0.01)
        for name, trip, b in (("board", values.BOARD_TRIP, values.BOARD_B), ("plate", values.PLATE_TRIP, values.PLATE_B)):
            self.assertAlmostEqual(values.trip(**trip, b=b)[0], self.p[f"{name}_trip"], delta=1)
        page = (HARDWARE / "power.md").read_text(encoding="utf-8")
        typical, standby = [float(re.search(r"(?m)^all +\d+ +([\d.]+) A +([\d.]+) A", page).group(n)) for n in (2, 1)]
        self.assertEqual((typical, standby), (self.p["typical_amps"], self.p["standby_amps"]))
        fan = (HARDWARE / "overlays" / "pixelboop-fan.dts").read_text(encoding="utf-8")
        self.assertIn(f"temperature = <{self.p['processor_fan'] * 1000:.0f}>", fan)

    def test_limits_follow_each_other(self):
        p = self.p
        self.assertLess(p["light_to"], p["plate_trip"])
        self.assertLess(p["plate_trip"], p["plate_max"])
        self.assertLess(p["board_trip"] + 20, p["board_max"])

    def test_the_budget_is_below_the_trip_with_the_fan(self):
        lost = sum(self.thermal.losses(self.p, 2 * self.p["zone_amps"]).values())
        self.assertLess(35 + 20 + lost * self.p["board_fan"], self.p["board_trip"])

    def test_an_hour_of_rated_light_ends_without_a_fault(self):
        for name, case in self.thermal.cases(self.p):
            self.assertEqual(case.dark_seconds, 0, name)
            self.assertEqual(case.fault_seconds, 0, name)
            self.assertEqual(case.limit, 1, name)
            for body in ("plate", "board"):
                self.assertLess(case.peak[body], self.p[f"{body}_trip"], (name, body))
            if "fan" not in name:
                self.assertLess(case.peak["processor"], self.p["processor_max"], name)
            if "typical" in name:
                self.assertEqual(case.share, 1, name)
            self.assertGreater(case.share, 0.3, name)

    def test_the_page_has_the_simulation(self):
        page = (HARDWARE / "thermal.md").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"```\n(.*?)```", page, re.S).group(1).splitlines(), list(self.thermal.report()))


class Case(unittest.TestCase):
    """Tolerances of printed parts, by the numbers of enclosure/pixelboop.scad and boards.scad."""

    scad = (HARDWARE / "enclosure" / "pixelboop.scad").read_text(encoding="utf-8")

    def number(self, name):
        return float(re.search(rf"(?m)^{name} = ([\d.]+);", self.scad).group(1))

    def test_a_shrunken_grids_pegs_meet_their_holes(self):
        text = (HARDWARE / "enclosure" / "boards.scad").read_text(encoding="utf-8")
        holes = json.loads(re.search(r"tile_holes = (\[.*?\]);", text).group(1))
        # The rest of the shrinkage of PETG that a maker's profile does not compensate: 0.3 %.
        shrinkage = 0.003
        self.assertGreaterEqual(self.number("shrinkage"), shrinkage)
        peg = float(re.search(r"(?m)^peg = \[([\d.]+),", self.scad).group(1))
        for one, two in itertools.combinations(holes, 2):
            for axis in (0, 1):
                room = sum((hole[2] - peg) / 2 + (hole[3] / 2 if len(hole) > 3 and axis == 0 else 0) for hole in (one, two))
                # 0.1 mm for the holes' and the pegs' places.
                self.assertLessEqual(shrinkage * abs(one[axis] - two[axis]) + 0.1, room, (one, two))
        # And its cells: the grid is scaled to within grid_error over a half.
        cell = 1000 / 144 - self.number("grid_wall")
        led = float(re.search(r"(?m)^led = \[([\d.]+),", self.scad).group(1))
        self.assertLessEqual(self.number("grid_error") / 2, (cell - led) / 2)
        page = (HARDWARE / "enclosure" / "README.md").read_text(encoding="utf-8")
        self.assertIn(f"within {self.number('grid_error'):g} mm", re.sub(r"\s+", " ", page))

    def test_the_bed_leaves_a_brims_room(self):
        tall = float(re.search(r"(?m)^glass = \[\d+, (\d+),", self.scad).group(1)) + 2 * self.number("glass_gap") \
            + 2 * self.number("margin") + self.number("strip_height")
        self.assertGreaterEqual(self.number("brim"), 4)
        self.assertLessEqual(tall + 2 * self.number("brim"), self.number("bed"))

    def test_the_fan_blows_out_what_has_passed_the_modules(self):
        fan = [float(n) for n in re.search(r"(?m)^fan_at = \[(-?[\d.]+), (-?[\d.]+)\]", self.scad).groups()]
        board = [float(n) for n in re.search(r"(?m)^power_at = \[(-?[\d.]+), (-?[\d.]+)\]", self.scad).groups()]
        self.assertTrue(board[0] < fan[0] < board[0] + 100 and fan[1] > board[1], "above the power board")
        slots = re.search(r"(?s)^vents = \[.*?\n\];", self.scad, re.M).group()
        self.assertNotRegex(slots, r"\[\s*[1-9]\d*, \d+, \[", "air that enters above would not pass the board")


class Ready(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        loader = importlib.machinery.SourceFileLoader("ready", str(HARDWARE / "ready"))
        cls.module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ready", loader))
        loader.exec_module(cls.module)

    def test_what_nobody_compared_stands_in_the_list_and_blocks(self):
        rows = table("open.csv")
        blocking = [row for row in rows if row["blocking"] == "yes"]
        for row in rows:
            self.assertIn(row["blocking"], ("yes", "no"))
            if re.search(r"not compared with|was not read|not read here", row["line"]) and row["where"] != "cables":
                self.assertEqual(row["blocking"], "yes", row)
            if row["closed"].strip():
                self.assertRegex(row["closed"], r"^\d{4}-\d{2}-\d{2} \S+", "a date, and who compared with what")
        for name in ("power", "adapter", "tile"):
            page = (HARDWARE / "boards" / name / "README.md").read_text(encoding="utf-8")
            self.assertIn("open.csv", page)
            self.assertTrue([row for row in rows if row["where"] == name], name)
        self.assertTrue(blocking)

    def test_a_part_without_a_confirmed_number_blocks(self):
        found = self.module.unconfirmed(boards())
        for board in boards().values():
            for ref, part in board.parts.items():
                cells = part.fields.get("Supplier 1", ""), part.fields.get("Supplier 2", "")
                if re.fullmatch(r"[UQD]\d+", ref):
                    self.assertEqual(part.fields["MPN"] not in found, any(map(suppliers.is_confirmed, cells)), ref)

    def test_only_a_blocking_line_ends_with_1(self):
        row = {"where": "power", "line": "a line", "closed": ""}
        for rows, numbers, status in (([], {}, 0), ([{**row, "blocking": "no"}], {}, 0), ([{**row, "blocking": "yes"}], {}, 1),
                                      ([], {"LM2901DR": {"power"}}, 1)):
            with mock.patch.object(self.module, "lines", lambda rows=rows: rows), \
                    mock.patch.object(self.module, "unconfirmed", lambda _, numbers=numbers: numbers), \
                    mock.patch.object(sys, "argv", ["ready", "--netlists", str(exports())]), \
                    contextlib.redirect_stdout(io.StringIO()) as printed:
                self.assertEqual(self.module.main(), status)
            self.assertEqual("blocking:" in printed.getvalue(), status == 1)

    def test_publishing_marks_what_is_not_ready(self):
        script = (HARDWARE / "publish").read_text(encoding="utf-8")
        self.assertIn('cp "$netlists/ready" "$folder/NOT READY"', script)


if __name__ == "__main__":
    unittest.main()
