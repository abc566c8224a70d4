"""Power board: 12 to 20 V in; two switched LED zones and the board's rail at 5.1 V out."""

import os
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

import values
from drawing import Board, Circuit, Part, Router
from stock import capacitor, connector, fields, resistor

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
        fuse("F1", 10, "0297010.WXNV", "SUPPLY", "SUPPLY_FUSED", at(1, 0)),
        # Reverse protection: the body diode conducts first, then the channel, 15 mΩ: 0.8 W at 7.3 A.
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


def zone_parts(zone, column, row):
    """One LED zone: module, eFuse, fuse and two outputs. References count from 10 or 20."""
    def name(letter, number):
        return f"{letter}{10 * zone + 10 + number}"
    buck, limited, out = f"Z{zone}_BUCK", f"Z{zone}_LIMITED", f"+5V_ZONE{zone}"
    enable, soft, back = f"Z{zone}_EN", f"Z{zone}_SS", f"Z{zone}_FB"
    slope, limit = f"Z{zone}_DVDT", f"Z{zone}_ILIM"
    top, bottom = values.ZONE_FEEDBACK
    return [
        Part(name("U", 0), "Regulator_Switching:LMZ13608", "Package_TO_SOT_SMD:Texas_NDY0011A", "LMZ13608",
             {"1": "VIN", "2": "VIN", "3": "GND", "4": enable, "5": "GND", "6": "GND", "7": back, "8": soft,
              "9": None, "10": buck, "11": buck, "12": "GND"}, at(column + 1, row + 1), 0,
             fields("Texas Instruments", "LMZ13608TZ/NOPB", "20", "LMZ13610TZ/NOPB")),
        capacitor(name("C", 0), "10u 50V", "VIN", "GND", at(column, row)),
        capacitor(name("C", 1), "10u 50V", "VIN", "GND", at(column, row + 1)),
        capacitor(name("C", 2), "470n", soft, "GND", at(column, row + 2)),
        resistor(name("R", 0), 1e3, "LED_ENABLE", enable, at(column, row + 3)),
        resistor(name("R", 1), top, buck, back, at(column + 2, row)),
        resistor(name("R", 2), bottom, back, "GND", at(column + 2, row + 1)),
        capacitor(name("C", 3), "330u 16V", buck, "GND", at(column + 2, row + 2)),
        capacitor(name("C", 4), "47u 10V", buck, "GND", at(column + 2, row + 3)),
        Part(name("U", 1), "Power_Management:TPS2592xx",
             "Package_SON:VSON-10-1EP_3x3mm_P0.5mm_EP1.65x2.4mm_ThermalVias", "TPS259251",
             {"1": slope, "2": "LED_ENABLE", "3": buck, "4": buck, "5": buck, "6": limited, "7": limited,
              "8": limited, "9": None, "10": limit, "11": "GND"}, at(column + 1, row + 6), 0,
             fields("Texas Instruments", "TPS259251DRCR", "1", "TPS259250DRCR (latches off)")),
        capacitor(name("C", 5), "1n", slope, "GND", at(column, row + 5)),
        resistor(name("R", 3), values.LIMIT, limit, "GND", at(column, row + 6)),
        capacitor(name("C", 6), "1u", buck, "GND", at(column, row + 7)),
        # Takes the current of the cable's inductance when the eFuse opens.
        Part(name("D", 0), "Device:D_Schottky", "Diode_SMD:D_SMA", "B340A", {"1": limited, "2": "GND"},
             at(column + 2, row + 5), 0, fields("Diodes", "B340A-13-F", "0.1", "any 3 A Schottky SMA")),
        capacitor(name("C", 7), "10u", limited, "GND", at(column + 2, row + 6)),
        fuse(name("F", 0), 7.5, "029707.5WXNV", limited, out, at(column + 2, row + 7)),
        connector(name("J", 0), "VH", f"ZONE {zone} LEFT", [out, "GND"], at(column, row + 9)),
        connector(name("J", 1), "VH", f"ZONE {zone} RIGHT", [out, "GND"], at(column + 1, row + 9)),
        resistor(name("R", 4), 1e3, out, f"Z{zone}_LIGHT", at(column + 2, row + 9)),
        light(name("D", 1), f"Z{zone}_LIGHT", at(column + 2, row + 10)),
    ]


def rail_parts():
    """The board's rail, always on above 9 V of input."""
    top, bottom = values.RAIL_FEEDBACK
    return [
        Part("U30", "Regulator_Switching:LMZ23605TZ", "Package_TO_SOT_SMD:Texas_NDW-7_TabPin4", "LMZ23605",
             {"1": "VIN", "2": "GND", "3": "RAIL_EN", "4": "GND", "5": "RAIL_FB", "6": "RAIL_SS", "7": "RAIL_BUCK"},
             at(4, 1.25), 0, fields("Texas Instruments", "LMZ23605TZ/NOPB", "20", "no substitute")),
        capacitor("C30", "10u 50V", "VIN", "GND", at(3, 0)),
        capacitor("C31", "10u 50V", "VIN", "GND", at(3, 1)),
        capacitor("C32", "470n", "RAIL_SS", "GND", at(3, 2)),
        resistor("R30", values.RAIL_ENABLE[0], "VIN", "RAIL_EN", at(3, 3)),
        resistor("R35", values.RAIL_ENABLE[1], "RAIL_EN", "GND", at(3, 4)),
        resistor("R31", top, "RAIL_BUCK", "RAIL_FB", at(5, 0)),
        resistor("R32", bottom, "RAIL_FB", "GND", at(5, 1)),
        capacitor("C33", "330u 16V", "RAIL_BUCK", "GND", at(5, 2)),
        capacitor("C34", "47u 10V", "RAIL_BUCK", "GND", at(5, 3)),
        fuse("F30", 5, "0297005.WXNV", "RAIL_BUCK", "+5V", at(5, 4)),
        resistor("R34", 1e3, "+5V", "RAIL_LIGHT", at(4, 4)),
        light("D31", "RAIL_LIGHT", at(4, 5)),
        connector("J30", "VH", "+5V BOARD", ["+5V", "+5V", "GND", "GND"], at(6, 16)),
    ]


def watch_parts():
    """Comparators that pull FAULT_N low: a zone that is enabled and low, and over-temperature."""
    t, z = values.TRIP, values.ZONE_LOW
    parts = [
        Part("U40", "Comparator:LM339", "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm", "LM339",
             {"3": "+5V", "12": "GND",
              "5": "Z0_SENSE", "4": "HALF_ENABLE", "2": "FAULT_N",
              "7": "Z1_SENSE", "6": "HALF_ENABLE", "1": "FAULT_N",
              "9": "NTC", "8": "TEMP_REF", "14": "TEMP_OK",
              "11": "TEMP_OK", "10": "TEMP_REF", "13": "FAULT_N"}, at(6, 0), 0,
             fields("Texas Instruments", "LM339DR", "0.1", "LM2901DR"),
             {1: at(6, 0), 2: at(6, 2), 3: at(6, 6), 4: at(6, 4), 5: at(6, 9)}),
        capacitor("C40", "100n", "+5V", "GND", at(6, 11)),
        # LED_ENABLE is both the zones' switch and the reference: an unpowered zone is no fault while it is off.
        resistor("R40", 10e3, "LED_ENABLE", "HALF_ENABLE", at(6, 12)),
        resistor("R41", 10e3, "HALF_ENABLE", "GND", at(6, 13)),
        resistor("R42", 10e3, "LED_ENABLE", "GND", at(6, 14)),
        resistor("R43", t["top"], "+5V", "NTC", at(7, 8)),
        Part("TH1", "Device:Thermistor_NTC", "Resistor_SMD:R_0805_2012Metric", "10k NTC", {"1": "NTC", "2": "GND"},
             at(7, 9), 90, fields("Murata", "NCP21XV103J03RA", "0.1", "any 10 kΩ NTC 0805, B 3900 to 4000 K")),
        resistor("R44", t["ref_top"], "+5V", "TEMP_REF", at(7, 10)),
        resistor("R45", t["ref_bottom"], "TEMP_REF", "GND", at(7, 11)),
        resistor("R46", t["feedback_resistor"], "TEMP_OK", "NTC", at(7, 12)),
        resistor("R47", t["pull"], "+5V", "TEMP_OK", at(7, 13)),
        capacitor("C41", "100n", "NTC", "GND", at(7, 14)),
        connector("J31", "XH", "CONTROL", ["LED_ENABLE", "FAULT_N", "+3V3", "GND"], at(7, 16)),
        # The adapter pulls FAULT_N up as well; this one keeps it high on the bench.
        resistor("R48", 100e3, "+3V3", "FAULT_N", at(7, 18)),
    ]
    for zone in (0, 1):
        r, row = 50 + 3 * zone, 4 * zone
        parts += [
            resistor(f"R{r}", z["top"], f"+5V_ZONE{zone}", f"Z{zone}_SENSE", at(7, row)),
            resistor(f"R{r + 1}", z["bottom"], f"Z{zone}_SENSE", "GND", at(7, row + 1)),
            resistor(f"R{r + 2}", z["offset"], "+5V", f"Z{zone}_SENSE", at(7, row + 2)),
            capacitor(f"C{50 + zone}", "100n", f"Z{zone}_SENSE", "GND", at(7, row + 3)),
        ]
    return parts


CIRCUIT = Circuit("power", "Power: 12-20 V in, 2 x 5.1 V for LEDs, 5.1 V for the board",
                  input_parts() + zone_parts(0, 0, 7) + zone_parts(1, 3, 7) + rail_parts() + watch_parts(),
                  notes=[(20, 22, "Input"), (190, 22, "Board rail"), (310, 22, "Faults"), (20, 95, "LED zone 0"),
                         (160, 95, "LED zone 1")],
                  flags=["VIN", "GND", "+5V", "+3V3"])


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


def place_zone(board, zone):
    """One LED zone, from the module at the top to the two outputs at the front edge."""
    o, n = 29 * zone, 10 * zone + 10
    buck, limited, out = f"Z{zone}_BUCK", f"Z{zone}_LIMITED", f"+5V_ZONE{zone}"
    for letter, number, x, y, turn in (
            ("U", 0, 16, 36, 90), ("C", 0, 9.2, 50.2, 270), ("C", 1, 5.6, 50.2, 270), ("R", 0, 13.46, 50, 90),
            ("R", 2, 15.8, 50, 270), ("R", 1, 18, 50, 90), ("C", 2, 20.2, 50, 270), ("C", 3, 30, 39.6, 90),
            ("C", 4, 23.4, 50.5, 270), ("U", 1, 28, 53, 270), ("C", 6, 32, 50, 270), ("C", 5, 32, 53.7, 0),
            ("R", 3, 32, 55.8, 0), ("D", 0, 22, 57, 180), ("C", 7, 22.2, 54.1, 180), ("F", 0, 26, 64.2, 180),
            ("R", 4, 10.9, 65.5, 180), ("D", 1, 7, 65.5, 0), ("J", 0, 11, 73, 0), ("J", 1, 20.5, 73, 0)):
        board.place(f"{letter}{n + number}", x + o, y, turn)

    def area(net, layer, points):
        board.zone(net, layer, [(x + o, y) for x, y in points], 0.25, 2, False)

    def track(net, points, width=0.3, layer="F"):
        board.track(net, [(x + o, y) for x, y in points], width, layer)
    area("VIN", "F", [(4, 43.9), (11.4, 43.9), (11.4, 49.4), (4, 49.4)])
    for x in (5, 6.4, 7.8):
        for y in (45.2, 46.9):
            board.via("VIN", x + o, y, 0.8, 0.4)
    area(buck, "F", [(20.6, 43.9), (32.8, 43.9), (32.8, 49.7), (30.2, 49.7), (30.2, 48.9), (28.25, 48.9), (28.25, 52),
                     (25.6, 52), (25.6, 49.6), (21.6, 49.6), (21.6, 47.6), (20.6, 47.6)])
    area(limited, "F", [(22.4, 53.2), (26.6, 53.9), (28.25, 53.9), (28.25, 66), (24.2, 66), (24.2, 58.4), (22.4, 58.4)])
    area(out, "F", [(14.3, 59.2), (18, 59.2), (18, 68.5), (22.3, 69.5), (22.3, 74.8), (18.8, 74.8), (18.8, 71.4),
                    (12.7, 71.4), (12.7, 74.8), (9.2, 74.8), (9.2, 69.5), (14.3, 67.5)])
    track(f"Z{zone}_EN", [(13.46, 45.5), (13.46, 49.09)])
    track(f"Z{zone}_FB", [(17.27, 45.5), (17.27, 48.36), (18, 49.09)])
    track(f"Z{zone}_FB", [(17.27, 48.36), (16.54, 49.09), (15.8, 49.09)])
    track(f"Z{zone}_SS", [(18.54, 45.5), (18.54, 47.39), (20.2, 49.05)])
    track(buck, [(18, 50.91), (18, 52.4)])
    board.via(buck, 18 + o, 52.4)
    track(buck, [(18, 52.4), (22.3, 48.1), (22.3, 46.5)], layer="B")
    board.via(buck, 22.3 + o, 46.5)
    track(f"Z{zone}_DVDT", [(29, 51.52), (29.9, 51.52), (31.05, 52.67), (31.05, 53.7)], 0.25)
    track(f"Z{zone}_ILIM", [(29, 54.48), (29.77, 54.48), (31.09, 55.8)], 0.25)
    track("LED_ENABLE", [(28.5, 51.52), (28.5, 51), (29.25, 50.25)], 0.25)
    board.via("LED_ENABLE", 29.25 + o, 50.25)
    track(f"Z{zone}_LIGHT", [(9.99, 65.5), (7.94, 65.5)])
    track(out, [(11.81, 65.5), (15, 65.5)], 0.5)


def place_rail(board):
    """The board's rail at the right."""
    for ref, *place in (("U30", 75, 37.8, 90), ("C30", 70, 50.2, 270), ("C31", 66.4, 50.2, 270), ("R35", 72.9, 50.2, 270),
                        ("R30", 75, 50.2, 90), ("R32", 77.1, 50.2, 270), ("R31", 79.2, 50.2, 90), ("C32", 81.3, 50.2, 270),
                        ("C33", 88, 39.6, 90), ("C34", 91, 49.5, 270), ("F30", 85, 58.6, 180), ("J30", 62, 73),
                        ("J31", 80, 73)):
        board.place(ref, *place)
    board.zone("VIN", "F", [(65, 43.6), (71.9, 43.6), (71.9, 49.4), (65, 49.4)], 0.25, 2, False)
    for x in (66, 67.5, 69):
        for y in (45.2, 46.9):
            board.via("VIN", x, y, 0.8, 0.4)
    board.zone("RAIL_BUCK", "F", [(78.1, 43.6), (92.8, 43.6), (92.8, 48.8), (87.2, 48.8), (87.2, 60.2), (83.4, 60.2),
                                  (83.4, 48.4), (82.4, 47.2), (78.1, 47.2)], 0.25, 2, False)
    board.zone("+5V", "F", [(73.2, 53.6), (76.8, 53.6), (76.8, 69.6), (68, 71), (68, 74.8), (60.2, 74.8), (60.2, 70.2),
                            (73.2, 69)], 0.25, 2, False)
    board.track("RAIL_EN", [(73.73, 45.46), (73.73, 48.46), (72.9, 49.29)])
    board.track("RAIL_EN", [(73.73, 48.46), (74.56, 49.29), (75, 49.29)])
    board.track("VIN", [(75, 51.11), (75, 52.4)])
    board.via("VIN", 75, 52.4)
    board.track("RAIL_FB", [(76.27, 45.46), (76.27, 48.46), (78.37, 48.46), (79.2, 49.29)])
    board.track("RAIL_FB", [(76.27, 48.46), (77.1, 49.29)])
    board.track("RAIL_SS", [(77.54, 45.46), (77.54, 47.7), (79.75, 47.7), (81.3, 49.25)])
    board.track("RAIL_BUCK", [(79.2, 51.11), (79.2, 52.4)])
    board.via("RAIL_BUCK", 79.2, 52.4)
    board.track("RAIL_BUCK", [(79.2, 52.4), (83.6, 48), (83.6, 45.5)], layer="B")
    board.via("RAIL_BUCK", 83.6, 45.5)


def place_watch(board):
    """Comparators between the zones' and the rail's outputs; the thermistor between the modules."""
    board.place("U40", 67.2, 57.5)
    board.place("TH1", 30.5, 30.5)
    for ref, x, y, turn in (
            ("R53", 60.9, 58.6, 0), ("R54", 60.9, 60.7, 0), ("R55", 60.9, 62.8, 180), ("C51", 60.9, 64.9, 0),
            ("R50", 60.9, 67, 0), ("R51", 65.2, 64.2, 180), ("R52", 65.2, 66.3, 0), ("C50", 69.4, 64.2, 0),
            ("C40", 69.4, 66.3, 0)):
        board.place(ref, x, y, turn)
    for index, ref in enumerate(("R40", "R41", "R42", "R48", "R44", "R45", "R46", "R47", "R43", "C41", "R34", "D31")):
        board.place(ref, 80.5 + 4.2 * (index // 3), 62.6 + 2.4 * (index % 3), 180 if ref == "D31" else 0)


def draw(folder):
    """Place, route and save to a folder."""
    print("\n".join(values.check()))
    board = Board(CIRCUIT, [(0, 0), (100, 0), (100, 80), (0, 80)], layers=4)
    for x in (4, 96):
        for y in (4, 76):
            board.hole(x, y, 3.2)
    place_input(board)
    for zone in (0, 1):
        place_zone(board, zone)
    place_rail(board)
    place_watch(board)
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
    router.plane("GND", skip=("U11.11", "U21.11"), share=1.3)
    router.route("Z1_SENSE", "Z0_SENSE", "HALF_ENABLE", "TEMP_REF", "TEMP_OK", "NTC", "FAULT_N", "LED_ENABLE", "+3V3",
                 "RAIL_LIGHT", "+5V", "+5V_ZONE1", "+5V_ZONE0")
    assert not router.failed, router.failed
    board.text(70, 23, "PixelBoop power 1", 2)
    board.text(70, 26, "CERN-OHL-S-2.0")
    board.text(17.6, 22.5, "12-20 V 10 A")
    for x, words in ((13, "+5V  GND"), (22.5, "ZONE 0"), (42, "+5V  GND"), (51.5, "ZONE 1"), (68, "+5V +5V GND GND"),
                     (83.7, "EN FAULT 3V3 GND")):
        board.text(x, 79, words, 0.8)
    for x, y, words in ((36, 5, "10 A"), (21, 67.2, "7.5 A"), (50, 67.2, "7.5 A"), (80, 52.4, "5 A")):
        board.text(x, y, words, 0.8)
    board.solid("U10.12", "U11.11", "U20.12", "U21.11", "U30.4", "Q1.2", "U40.12")
    board.references()
    board.save(folder)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
