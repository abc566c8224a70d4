"""Power board: 12 to 20 V in; two switched LED zones at 5.2 V and the board's rail at 5.1 V out."""

import os
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]

import values
from drawing import Board, Circuit, Part
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


CIRCUIT = Circuit("power", "Power: 12-20 V in, 2 x 5.2 V for LEDs, 5.1 V for the board",
                  input_parts() + zone_parts(0, 0, 7) + zone_parts(1, 3, 7) + rail_parts() + watch_parts(),
                  flags=["VIN", "GND", "+5V"])
