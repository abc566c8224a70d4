"""Power board: 12 to 20 V in; two switched LED zones and the board's rail at 5.1 V out."""

import os
import sys

import pcbnew

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

import values
from drawing import REVISION, Board, Circuit, Part, Router
from stock import capacitor, chip_fuse, connector, fields, polyfuse, resistor

LED = fields("Würth", "150080GS75000", "0.1", "any green LED 0805")
MINI_HOLDER = "Fuse:Fuseholder_Blade_Mini_Keystone_3568"


def at(column, row):
    """Place on the sheet, in mm, on the grid of 1.27 mm."""
    return (38.1 + 45.72 * column, 33.02 + 10.16 * row)


def fuse(ref, amperes, number, one, two, place):
    """A mini blade fuse in its holder."""
    order = fields("Littelfuse", number, "1", "any mini blade fuse of the same rating; holder: Keystone 3568")
    return Part(ref, "Device:Fuse", MINI_HOLDER, f"{amperes} A", {"1": one, "2": two}, place, 90, order)


def light(ref, anode, place):
    """A green LED with its cathode at ground."""
    return Part(ref, "Device:LED", "LED_SMD:LED_0805_2012Metric", "green", {"1": "GND", "2": anode}, place, 0, LED)


def input_parts():
    """Plug, fuse, reverse protection, clamp and bulk capacitors."""
    return [
        Part("J1", "Connector_Generic:Conn_01x02", "Connector_AMASS:AMASS_XT60PW-M_1x02_P7.20mm_Horizontal",
             "12-20 V", {"1": "GND", "2": "SUPPLY"}, at(0, 0), 0, fields("Amass", "XT60PW-M", "1")),
        fuse("F1", 7.5, "029707.5WXNV", "SUPPLY", "SUPPLY_FUSED", at(1, 0)),
        # Reverse protection: the body diode conducts first, then the channel, 15 mΩ: 0.35 W at 4.8 A.
        Part("Q1", "Transistor_FET:SUD50P06-15", "Package_TO_SOT_SMD:TO-252-2", "SUD50P06-15",
             {"1": "GATE", "2": "SUPPLY_FUSED", "3": "VIN"}, at(2, 0.5), 0,
             fields("Vishay", "SUD50P06-15-GE3", "10", "any P-MOSFET TO-252, 60 V, 20 mΩ")),
        resistor("R1", 10e3, "GATE", "GND", at(0, 3)),
        # Holds the gate within 12 V of the source, whose limit is 20 V.
        Part("D1", "Device:D_Zener", "Diode_SMD:D_SOD-123", "12V", {"1": "VIN", "2": "GATE"}, at(1, 3), 0,
             fields("Diodes", "BZT52C12-7-F", "0.1", "any 12 V Zener SOD-123")),
        # Stands off 24 V, clamps at 38.9 V, below the modules' 40 V.
        Part("D2", "Device:D_Zener", "Diode_SMD:D_SMC", "SMCJ24A", {"1": "VIN", "2": "GND"}, at(2, 3), 0,
             fields("Littelfuse", "SMCJ24A", "1", "any SMCJ24A")),
        capacitor("C1", "330u 35V", "VIN", "GND", at(0, 4.5)),
        capacitor("C2", "330u 35V", "VIN", "GND", at(1, 4.5)),
    ]


def efuse(ref, names, enable, source, out, limit, slope, ovlo, at):
    """An eFuse that passes no current back, and is off above 5.7 V: with its divider, limit and ramp.

    `names`: references of the divider's two resistors, of the limit's resistor, and of the capacitors of ramp, input and output.
    """
    top, bottom, limiter, ramp, before, behind = names
    x, y = at
    return [
        Part(ref, "PixelBoop:TPS259470", "PixelBoop:Texas_RPW0010A_VQFN-HR-10_2x2mm", "TPS259470A",
             {"1": enable, "2": ovlo, "3": None, "4": None, "5": source, "6": out, "7": slope, "8": "GND", "9": limit,
              "10": None}, (x + 45.72, y + 10.16), 0,
             fields("Texas Instruments", "TPS259470ARPWR", "2", "TPS259470LRPWR (latches off)")),
        resistor(top, values.OVERVOLTAGE[0], source, ovlo, (x, y)),
        resistor(bottom, values.OVERVOLTAGE[1], ovlo, "GND", (x, y + 10.16)),
        resistor(limiter, values.LIMIT, limit, "GND", (x, y + 20.32)),
        capacitor(ramp, "3.3n", slope, "GND", (x, y + 30.48)),
        capacitor(before, "1u", source, "GND", (x + 91.44, y)),
        capacitor(behind, "10u", out, "GND", (x + 91.44, y + 10.16)),
    ]


def zone_parts(zone, column, row):
    """One LED zone: module, eFuse, fuse and two outputs. References count from 10 or 20."""
    def name(letter, number):
        return f"{letter}{10 * zone + 10 + number}"
    buck, limited, out = f"Z{zone}_BUCK", f"Z{zone}_LIMITED", f"+5V_ZONE{zone}"
    enable, soft, back = f"Z{zone}_EN", f"Z{zone}_SS", f"Z{zone}_FB"
    top, bottom = values.ZONE_FEEDBACK
    return [
        Part(name("U", 0), "Regulator_Switching:LMZ13608", "Package_TO_SOT_SMD:Texas_NDY0011A", "LMZ13608",
             {"1": "VIN", "2": "VIN", "3": "GND", "4": enable, "5": "GND", "6": "GND", "7": back, "8": soft,
              "9": None, "10": buck, "11": buck, "12": "GND"}, at(column + 1, row + 1), 0,
             fields("Texas Instruments", "LMZ13608TZ/NOPB", "20", "LMZ13610TZ/NOPB")),
        capacitor(name("C", 0), "10u 50V", "VIN", "GND", at(column, row)),
        capacitor(name("C", 1), "10u 50V", "VIN", "GND", at(column, row + 1)),
        capacitor(name("C", 8), "10u 50V", "VIN", "GND", at(column + 1, row + 3)),
        capacitor(name("C", 2), "470n", soft, "GND", at(column, row + 2)),
        resistor(name("R", 0), 1e3, "LED_ENABLE", enable, at(column, row + 3)),
        resistor(name("R", 1), top, buck, back, at(column + 2, row)),
        resistor(name("R", 2), bottom, back, "GND", at(column + 2, row + 1)),
        capacitor(name("C", 3), "330u 16V", buck, "GND", at(column + 2, row + 2)),
        capacitor(name("C", 4), "47u 10V", buck, "GND", at(column + 2, row + 3)),
        *efuse(name("U", 1), [name("R", 5), name("R", 6), name("R", 3), name("C", 5), name("C", 6), name("C", 7)], "LED_ENABLE",
               buck, limited, f"Z{zone}_ILIM", f"Z{zone}_DVDT", f"Z{zone}_OVLO", at(column, row + 5)),
        # Takes the current of the cable's inductance when the eFuse opens.
        Part(name("D", 0), "Device:D_Schottky", "Diode_SMD:D_SMA", "B340A", {"1": limited, "2": "GND"},
             at(column + 2, row + 7), 0, fields("Diodes", "B340A-13-F", "0.1", "any 3 A Schottky SMA")),
        fuse(name("F", 0), 5, "0297005.WXNV", limited, out, at(column + 2, row + 8)),
        feed(name("J", 0), f"ZONE {zone} LEFT", out, at(column, row + 10)),
        feed(name("J", 1), f"ZONE {zone} RIGHT", out, at(column + 1, row + 10)),
        resistor(name("R", 4), 1e3, out, f"Z{zone}_LIGHT", at(column + 2, row + 9)),
        light(name("D", 1), f"Z{zone}_LIGHT", at(column + 2, row + 10)),
    ]


def feed(ref, name, net, place):
    """An output of a zone: two contacts for each pole, as the tile has them."""
    return Part(ref, "Connector_Generic:Conn_02x02_Odd_Even", "Connector_Molex:Molex_Micro-Fit_3.0_43045-0412_2x02_P3.00mm_Vertical",
                name, {"1": net, "2": net, "3": "GND", "4": "GND"}, place, 0, fields("Molex", "43045-0412", "1"))


def rail_parts():
    """The board's rail, always on above 9 V of input. Its eFuse keeps the current of a computer at the Raspberry Pi's USB-C out."""
    top, bottom = values.RAIL_FEEDBACK
    return [
        Part("U30", "Regulator_Switching:LMZ23605TZ", "Package_TO_SOT_SMD:Texas_NDW-7_TabPin4", "LMZ23605",
             {"1": "VIN", "2": "GND", "3": "RAIL_EN", "4": "GND", "5": "RAIL_FB", "6": "RAIL_SS", "7": "RAIL_BUCK"},
             at(4, 1.25), 0, fields("Texas Instruments", "LMZ23605TZ/NOPB", "20", "no substitute")),
        capacitor("C30", "10u 50V", "VIN", "GND", at(3, 0)),
        capacitor("C31", "10u 50V", "VIN", "GND", at(3, 1)),
        capacitor("C38", "10u 50V", "VIN", "GND", at(3, 5)),
        capacitor("C32", "470n", "RAIL_SS", "GND", at(3, 2)),
        resistor("R30", values.RAIL_ENABLE[0], "VIN", "RAIL_EN", at(3, 3)),
        resistor("R35", values.RAIL_ENABLE[1], "RAIL_EN", "GND", at(3, 4)),
        resistor("R31", top, "RAIL_BUCK", "RAIL_FB", at(5, 0)),
        resistor("R32", bottom, "RAIL_FB", "GND", at(5, 1)),
        capacitor("C33", "330u 16V", "RAIL_BUCK", "GND", at(5, 2)),
        capacitor("C34", "47u 10V", "RAIL_BUCK", "GND", at(5, 3)),
        fuse("F30", 5, "0297005.WXNV", "RAIL_BUCK", "RAIL_FUSED", at(5, 4)),
        *efuse("U31", ["R36", "R37", "R33", "C35", "C36", "C37"], "RAIL_ON", "RAIL_FUSED", "+5V", "RAIL_ILIM", "RAIL_DVDT",
               "RAIL_OVLO", at(6, 20)),
        resistor("R38", values.RAIL_ON[0], "RAIL_FUSED", "RAIL_ON", at(5, 20)),
        resistor("R39", values.RAIL_ON[1], "RAIL_ON", "GND", at(5, 21)),
        # Behind fuse and eFuse: takes the peak that passes before the eFuse opens, and what enters by the Raspberry Pi's USB-C.
        Part("D32", "Device:D_Zener", "Diode_SMD:D_SMC", "SMCJ5.0A", {"1": "+5V", "2": "GND"}, at(5, 22), 0,
             fields("Littelfuse", "SMCJ5.0A", "1", "any SMCJ5.0A")),
        # Logic and lights take little: their narrow copper has a fuse of its own.
        polyfuse("F31", "+5V", "+5V_LOGIC", at(5, 23)),
        resistor("R34", 1e3, "+5V_LOGIC", "RAIL_LIGHT", at(4, 4)),
        light("D31", "RAIL_LIGHT", at(4, 5)),
        connector("J30", "VH", "+5V BOARD", ["+5V", "+5V", "GND", "GND"], at(6, 16)),
    ]


def heat_watch(refs, trip, sensor, ok, place):
    """Two comparators: the first has the hysteresis, the second pulls FAULT_N. `refs`: top, feedback and pull-up resistor, filter."""
    column, row = place
    top, feedback, pull, filtered = refs
    return [
        resistor(top, trip["top"], "+5V_LOGIC", sensor, at(column, row)),
        resistor(feedback, trip["feedback_resistor"], ok, sensor, at(column, row + 1)),
        resistor(pull, trip["pull"], "+5V_LOGIC", ok, at(column, row + 2)),
        capacitor(filtered, "100n", sensor, "GND", at(column, row + 3)),
    ]


def watch_parts():
    """Comparators that pull FAULT_N low: a zone that is enabled and low, and over-temperature of board and plate."""
    z = values.ZONE_LOW
    texas = "Texas Instruments"
    parts = [
        # LM2901 and LM2903 work to 125 °C; LM339 to 70 °C only.
        Part("U40", "Comparator:LM2901", "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm", "LM2901",
             {"3": "+5V_LOGIC", "12": "GND",
              "5": "Z0_SENSE", "4": "HALF_ENABLE", "2": "FAULT_N",
              "7": "Z1_SENSE", "6": "HALF_ENABLE", "1": "FAULT_N",
              "9": "BOARD_NTC", "8": "TEMP_REF", "14": "BOARD_OK",
              "11": "BOARD_OK", "10": "TEMP_REF", "13": "FAULT_N"}, at(6, 0), 0,
             fields(texas, "LM2901DR", "0.1", "LM2901DT"),
             {1: at(6, 0), 2: at(6, 2), 3: at(6, 6), 4: at(6, 4), 5: at(6, 9)}),
        capacitor("C40", "100n", "+5V_LOGIC", "GND", at(6, 11)),
        Part("U41", "Comparator:LM2903", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm", "LM2903",
             {"8": "+5V_LOGIC", "4": "GND", "3": "PLATE_NTC", "2": "TEMP_REF", "1": "PLATE_OK",
              "5": "PLATE_OK", "6": "TEMP_REF", "7": "FAULT_N"}, at(8, 0), 0, fields(texas, "LM2903DR", "0.1", "LM2903DT"),
             {1: at(8, 0), 2: at(8, 2), 3: at(9, 1)}),
        capacitor("C42", "100n", "+5V_LOGIC", "GND", at(8, 6)),
        # LED_ENABLE is both the zones' switch and the reference: an unpowered zone is no fault while it is off.
        resistor("R40", 10e3, "LED_ENABLE", "HALF_ENABLE", at(6, 12)),
        resistor("R41", 10e3, "HALF_ENABLE", "GND", at(6, 13)),
        resistor("R42", 10e3, "LED_ENABLE", "GND", at(6, 14)),
        *heat_watch(("R43", "R46", "R47", "C41"), values.BOARD_TRIP, "BOARD_NTC", "BOARD_OK", (7, 8)),
        *heat_watch(("R60", "R61", "R62", "C43"), values.PLATE_TRIP, "PLATE_NTC", "PLATE_OK", (8, 8)),
        Part("TH1", "Device:Thermistor_NTC", "Resistor_SMD:R_0805_2012Metric", "10k NTC", {"1": "BOARD_NTC", "2": "GND"},
             at(7, 12), 90, fields("Murata", "NCP21XV103J03RA", "0.1", "any 10 kΩ NTC 0805, B 3900 to 4000 K, to 125 °C")),
        connector("J32", "XH", "PLATE", ["PLATE_NTC", "GND"], at(8, 12)),
        resistor("R44", values.REFERENCE_DIVIDER["ref_top"], "+5V_LOGIC", "TEMP_REF", at(7, 13)),
        resistor("R45", values.REFERENCE_DIVIDER["ref_bottom"], "TEMP_REF", "GND", at(7, 14)),
        # The cable's ground is for the signals only: by 10 Ω, and a fuse for the fault in which W4's ground is open.
        connector("J31", "KK", "CONTROL", ["LED_ENABLE", "FAULT_N", "GND_CONTROL"], at(7, 16)),
        resistor("R49", 10, "GND_CONTROL", "GND_FUSED", at(8, 15)),
        chip_fuse("F40", "GND_FUSED", "GND", at(8, 16)),
        # High by itself on the bench, at 3.3 V; the adapter pulls FAULT_N up as well.
        resistor("R48", 150e3, "+5V_LOGIC", "FAULT_N", at(7, 18)),
        resistor("R63", 301e3, "FAULT_N", "GND", at(8, 18)),
    ]
    for zone in (0, 1):
        r, row = 50 + 3 * zone, 4 * zone
        parts += [
            resistor(f"R{r}", z["top"], f"+5V_ZONE{zone}", f"Z{zone}_SENSE", at(7, row)),
            resistor(f"R{r + 1}", z["bottom"], f"Z{zone}_SENSE", "GND", at(7, row + 1)),
            resistor(f"R{r + 2}", z["offset"], "+5V_LOGIC", f"Z{zone}_SENSE", at(7, row + 2)),
            capacitor(f"C{50 + zone}", "100n", f"Z{zone}_SENSE", "GND", at(7, row + 3)),
        ]
    return parts


CIRCUIT = Circuit("power", "Power: 12-20 V in, 2 x 5.1 V for LEDs, 5.1 V for the board",
                  input_parts() + zone_parts(0, 0, 7) + zone_parts(1, 3, 7) + rail_parts() + watch_parts(),
                  notes=[(20, 22, "Input"), (190, 22, "Board rail"), (310, 22, "Faults"), (20, 95, "LED zone 0"),
                         (160, 95, "LED zone 1")],
                  flags=["VIN", "GND", "RAIL_FUSED", "+5V_LOGIC"], paper="A2")


def place_input(board):
    """Plug at the back edge, then from left to right fuse, transistor, clamp and capacitors."""
    for ref, *place in (("J1", 14, 17.2), ("F1", 31, 8), ("Q1", 51, 9.7, 180), ("D2", 64.5, 9.5, 270),
                        ("C1", 73.5, 9.5, 270), ("C2", 85, 9.5, 270), ("D1", 59, 10.4, 270), ("R1", 57, 15)):
        board.place(ref, *place)
    board.zone("SUPPLY", "F", [(19, 14.6), (28.8, 6.2), (33, 6.2), (33, 13.2), (23.5, 19.5), (19, 19.5)], 0.3, 2, False)
    board.zone("SUPPLY_FUSED", "F", [(39, 6), (53.4, 6), (53.4, 13.4), (39, 13.4)], 0.3, 2, False)
    board.zone("VIN", "F", [(54.7, 2), (90, 2), (90, 7.4), (61, 7.4), (60.3, 9.6), (54.7, 9)], 0.3, 2, False)
    for x in (57.5, 59, 60.5, 78.3, 79.4):
        for y in (3, 4.5, 6):
            board.via("VIN", x, y, 0.8, 0.4)
    board.track("GATE", [(56.04, 11.98), (59, 12.05)], 0.4)
    board.track("GATE", [(56.04, 11.98), (56.09, 15)], 0.4)


def place_efuse(board, refs, x, y, enable, ovlo, limit, slope):
    """An eFuse at (x, y) with its small parts: the current enters from above and leaves below. The bars of IN and OUT are reached
    at their ends by copper of the full width; the other pads leave to the sides."""
    chip, top, bottom, limiter, ramp = refs
    for ref, dx, dy, turn in ((chip, 0, 0, 0), (top, -2.75, 0.2, 270), (bottom, -5.6, 0.9, 180), (limiter, 3.3, 0.3, 0),
                              (ramp, 3.4, 3, 0)):
        board.place(ref, x + dx, y + dy, turn)

    def track(net, *points):
        board.track(net, [(x + dx, y + dy) for dx, dy in points], 0.2)
    track(enable, (-0.9, -0.7), (-1.6, -0.85))
    board.via(enable, x - 1.6, y - 0.85)
    track(ovlo, (-0.9, -0.225), (-1.25, -0.225), (-2.59, 1.11), (-2.75, 1.11), (-4.48, 1.11), (-4.69, 0.9))
    track(limit, (0.9, -0.225), (1.6, -0.225), (2.39, 0.3))
    track(slope, (0.9, 0.7), (0.9, 2.6), (2.45, 3))
    track("GND", (0.9, 0.225), (1.45, 0.225), (1.45, 1.2), (1.55, 1.65))
    board.via("GND", x + 1.55, y + 1.65)


def ground_vias(board, *refs):
    """Four vias beside the ground pad of each power capacitor, in solid copper: a single one is most of its inductance."""
    for ref in refs:
        board.solid(f"{ref}.2")
        (x, y), (x1, y1) = board.pad(f"{ref}.2"), board.pad(f"{ref}.1")
        pad = board.pads(f"{ref}.2")[0]
        along = abs(x - x1) > abs(y - y1)  # the pads are beside each other
        near = pcbnew.ToMM(pad.GetBoundingBox().GetWidth() if along else pad.GetBoundingBox().GetHeight()) / 2 + 0.42
        side = (1 if x > x1 else -1) if along else (1 if y > y1 else -1)
        for step in (-1.5, -0.5, 0.5, 1.5):
            shift = step * 0.58
            board.via("GND", *((x + side * near, y + shift) if along else (x + shift, y + side * near)), 0.6, 0.3)


def place_zone(board, zone):
    """One LED zone, from the module at the top to the two outputs at the front edge."""
    o, n = 29 * zone, 10 * zone + 10
    buck, limited, out = f"Z{zone}_BUCK", f"Z{zone}_LIMITED", f"+5V_ZONE{zone}"
    for letter, number, x, y, turn in (
            ("U", 0, 16, 36, 90), ("C", 0, 10.75, 50.2, 270), ("C", 1, 7.4, 50.2, 270), ("C", 8, 4.05, 50.2, 270),
            ("R", 0, 13.46, 50, 90), ("R", 2, 15.8, 50, 270), ("R", 1, 18, 50, 90), ("C", 2, 20.2, 50, 270),
            ("C", 3, 30, 39.6, 90), ("C", 4, 23.2, 49.4, 270), ("C", 6, 26.9, 48, 0), ("D", 0, 20.5, 57.02, 180),
            ("C", 7, 31.5, 58.6, 0), ("F", 0, 26, 64.2, 180), ("R", 4, 11, 65.3, 180), ("D", 1, 7.1, 65.3, 0),
            ("J", 0, 11.6, 72.5, 0), ("J", 1, 22.9, 72.5, 0)):
        board.place(f"{letter}{n + number}", x + o, y, turn)
    board.place(f"R{50 + 3 * zone}", 11 + o, 61.6, 180)

    def area(net, layer, points, clearance=0.25):
        board.zone(net, layer, [(x + o, y) for x, y in points], clearance, 2, False)

    def track(net, points, width=0.3, layer="F"):
        board.track(net, [(x + o, y) for x, y in points], width, layer)
    area("VIN", "F", [(2.4, 43.9), (12.8, 43.9), (12.8, 47.4), (12.4, 49.4), (2.4, 49.4)])
    for x in (3.2, 4.6, 6, 7.4):
        for y in (44.7, 46.3):
            board.via("VIN", x + o, y, 0.8, 0.4)
    place_efuse(board, [f"U{n + 1}", f"R{n + 5}", f"R{n + 6}", f"R{n + 3}", f"C{n + 5}"], 28 + o, 53.3, "LED_ENABLE",
                f"Z{zone}_OVLO", f"Z{zone}_ILIM", f"Z{zone}_DVDT")
    area(buck, "F", [(20.6, 43.9), (32.6, 43.9), (32.6, 51.9), (28.05, 52.4), (27.2, 52.4), (26.4, 53.2), (24.9, 53.2), (24.9, 49.6),
                     (21.6, 49.6), (21.6, 47.6), (20.6, 47.6)], 0.15)
    area(limited, "F", [(27.95, 54.2), (28.7, 54.2), (28.7, 57.3), (31.2, 57.5), (31.2, 59.5), (28.5, 59.8), (28.5, 66),
                        (24.2, 66), (24.2, 58.8), (21.2, 58.8), (21.2, 55.6), (27.3, 55.2)], 0.15)
    area(out, "F", [(14.3, 59.2), (18, 59.2), (18, 68.3), (27.2, 70.5), (27.2, 73.7), (10.4, 73.7), (10.4, 70.5), (14.3, 68.3),
                    (14.3, 66.4), (11.4, 66.4), (11.4, 60.5), (14.3, 60.5)])
    track(f"Z{zone}_EN", [(13.46, 45.5), (13.46, 49.09)])
    track(f"Z{zone}_FB", [(17.27, 45.5), (17.27, 48.36), (18, 49.09)])
    track(f"Z{zone}_FB", [(17.27, 48.36), (16.54, 49.09), (15.8, 49.09)])
    track(f"Z{zone}_SS", [(18.54, 45.5), (18.54, 47.39), (20.2, 49.05)])
    track(buck, [(18, 50.91), (18, 52.4)])
    board.via(buck, 18 + o, 52.4)
    track(buck, [(18, 52.4), (22.3, 48.1), (22.3, 46.5)], layer="B")
    board.via(buck, 22.3 + o, 46.5)
    track("GND", [(27.85, 48), (27.85, 46.95)])
    board.via("GND", 27.85 + o, 46.95)
    track(f"Z{zone}_LIGHT", [(10.09, 65.3), (8.04, 65.3)])
    ground_vias(board, *(f"C{n + number}" for number in (0, 1, 3, 4, 7, 8)))


def place_rail(board):
    """The board's rail at the right: module, fuse, then the eFuse above its connector."""
    for ref, *place in (("U30", 75, 37.8, 90), ("C30", 70, 50.2, 270), ("C31", 66.6, 50.2, 270), ("C38", 63.2, 50.2, 270),
                        ("R35", 72.9, 50.2, 270), ("R30", 75, 50.2, 90), ("R32", 77.1, 50.2, 270), ("R31", 79.2, 50.2, 90),
                        ("C32", 81.3, 50.2, 270), ("C33", 88, 39.6, 90), ("C34", 91, 49.5, 270), ("F30", 85, 58.6, 180),
                        ("J30", 62, 73), ("J31", 85.5, 74), ("D32", 79, 64.2), ("C37", 65.3, 66.4, 180),
                        ("C36", 65.2, 57.3, 180), ("F31", 61.2, 66.3, 90), ("R38", 65, 55.2, 180), ("R39", 64.2, 59.45, 180)):
        board.place(ref, *place)
    board.zone("VIN", "F", [(61.6, 43.6), (71.9, 43.6), (71.9, 49.4), (61.6, 49.4)], 0.25, 2, False)
    for x in (62.6, 64, 65.4, 66.8):
        for y in (44.6, 46.3):
            board.via("VIN", x, y, 0.8, 0.4)
    board.zone("RAIL_BUCK", "F", [(78.1, 43.6), (92.8, 43.6), (92.8, 48.8), (87.2, 48.8), (87.2, 60.2), (83.4, 60.2),
                                  (83.4, 48.4), (82.4, 47.2), (78.1, 47.2)], 0.25, 2, False)
    x, y = 68.6, 62
    place_efuse(board, ["U31", "R36", "R37", "R33", "C35"], x, y, "RAIL_ON", "RAIL_OVLO", "RAIL_ILIM", "RAIL_DVDT")
    board.zone("RAIL_FUSED", "F", [(65.4, 54.3), (76.8, 53.6), (76.8, 60.4), (71, 60.6), (x + 0.05, y - 0.9), (x - 0.8, y - 0.9),
                                   (66.5, 61.9), (64.8, 61.9), (64.8, 60.6), (66.4, 60.4), (66.4, 58.4), (65.4, 58.2)],
               0.15, 2, False)
    board.zone("+5V", "F", [(x - 0.05, y + 0.9), (x + 0.7, y + 0.9), (x + 0.7, 66.2), (74, 66.2), (74, 63), (77.2, 63),
                            (77.2, 66.8), (69, 69.4), (68.4, 74.8), (60.2, 74.8), (60.2, 67.4), (64.6, 65.2), (x - 0.9, 64.4)],
               0.15, 2, False)
    board.track("RAIL_EN", [(73.73, 45.46), (73.73, 48.46), (72.9, 49.29)])
    board.track("RAIL_EN", [(73.73, 48.46), (74.56, 49.29), (75, 49.29)])
    board.track("VIN", [(75, 51.11), (75, 52.4)], 0.8)
    board.via("VIN", 75, 52.4, 0.8, 0.4)
    board.track("RAIL_FB", [(76.27, 45.46), (76.27, 48.46), (78.37, 48.46), (79.2, 49.29)])
    board.track("RAIL_FB", [(76.27, 48.46), (77.1, 49.29)])
    board.track("RAIL_SS", [(77.54, 45.46), (77.54, 47.7), (79.75, 47.7), (81.3, 49.25)])
    board.track("RAIL_BUCK", [(79.2, 51.11), (79.2, 52.4)])
    board.via("RAIL_BUCK", 79.2, 52.4)
    board.track("RAIL_BUCK", [(79.2, 52.4), (83.6, 48), (83.6, 45.5)], layer="B")
    board.via("RAIL_BUCK", 83.6, 45.5)
    ground_vias(board, "C30", "C31", "C38", "C33", "C34", "C37")


# Rows of small parts between the input and the modules, in columns from the left.
WATCH = (
    (66, ("R52", "R51", "C50", "R55", "R54", "C51")), (70.2, ("C40", "R40", "R41", "R42", "R48", "R63")),
    (84.4, ("R60", "R61", "R62", "C43", "C42", "R44")), (88.6, ("R45", "R43", "R46", "R47", "C41", "R49")),
    (93.4, ("F40", "R34", "D31")),
)


def place_watch(board):
    """Comparators between the input and the modules; the thermistor between the zones' modules."""
    board.place("U40", 59.5, 23)
    board.place("U41", 77.3, 22)
    board.place("TH1", 30.5, 30.5)
    board.place("J32", 93.6, 27.5)
    for x, refs in WATCH:
        for row, ref in enumerate(refs):
            board.place(ref, x, 18.3 + 2.4 * row, 180 if ref == "D31" else 0)


def draw(folder):
    """Place, route and save to a folder."""
    print("\n".join(values.check()))
    board = Board(CIRCUIT, [(0, 0), (100, 0), (100, 80), (0, 80)], layers=4,
                  fused=("+5V", "+5V_ZONE0", "+5V_ZONE1", "RAIL_FUSED", "SUPPLY_FUSED"))
    for x in (4, 96):
        for y in (4, 76):
            board.hole(x, y, 3.2)
    place_input(board)
    for zone in (0, 1):
        place_zone(board, zone)
    place_rail(board)
    place_watch(board)
    ground_vias(board, "C1", "C2", "D2", "D32")
    edge = [(0.6, 0.6), (99.4, 0.6), (99.4, 79.4), (0.6, 79.4)]
    for layer in "F12B":
        board.zone("GND", layer, edge, 0.25, 0, spoke=1)
    board.zone("VIN", "2", [(1.5, 1.5), (98.5, 1.5), (98.5, 54.5), (1.5, 54.5)], 0.3, 1)
    # Heat of the modules goes through the board: vias in the pad and around it.
    for x0, x1, y0, y1 in ((12.1, 19.9, 30.2, 41.8), (41.1, 48.9, 30.2, 41.8), (72.8, 77.4, 34.2, 41.5)):
        columns, rows = round((x1 - x0) / 1.5), round((y1 - y0) / 1.5)
        for i in range(columns + 1):
            for j in range(rows + 1):
                board.via("GND", x0 + (x1 - x0) * i / columns, y0 + (y1 - y0) * j / rows, 0.6, 0.3)
    router = Router(board, 100, 80, cost=(1.2, 1))
    router.plane("GND", skip=("U11.8", "U21.8", "U31.8"), share=1.3)
    router.route("Z1_SENSE", "Z0_SENSE", "HALF_ENABLE", "TEMP_REF", "BOARD_OK", "PLATE_OK", "BOARD_NTC", "PLATE_NTC", "FAULT_N",
                 "LED_ENABLE", "RAIL_ON", "GND_CONTROL", "GND_FUSED", "RAIL_LIGHT", "+5V_LOGIC")
    assert not router.failed, router.failed
    board.text(41, 18.5, f"PixelBoop power {REVISION}", 2)
    board.text(41, 21.5, "CERN-OHL-S-2.0")
    board.text(17.6, 22.5, "12-20 V 5 A")
    for x, words in ((13.1, "ZONE 0 LEFT"), (24.4, "ZONE 0 RIGHT"), (42.1, "ZONE 1 LEFT"), (53.4, "ZONE 1 RIGHT"), (68, "+5V +5V GND GND"),
                     (88, "EN FAULT GND")):
        board.text(x, 79, words, 0.8)
    for x in (13.1, 24.4, 42.1, 53.4):
        board.text(x, 68.7, "1 2 +5V  3 4 GND", 0.7)
    for x, y, words in ((36, 5, "7.5 A"), (21, 67.2, "5 A"), (50, 67.2, "5 A"), (80, 52.4, "5 A")):
        board.text(x, y, words, 0.8)
    board.solid("U10.12", "U20.12", "U30.4", "Q1.2", "U10.3", "U20.3")
    board.references()
    board.save(folder)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
