"""Adapter: a board on the header, between the Raspberry Pi, the power board, the LED tiles, the controls and the jacks."""

import os
import sys

import pcbnew

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from drawing import REVISION, Board, Circuit, Part, Router
from stock import capacitor, connector, fields, polyfuse, resistor

# Pin of the 40-pin header: net. Names are the functions of hardware/pins.csv. None: left open.
HEADER = {
    1: "+3V3", 2: "+5V", 3: "plate.sensor", 4: "+5V", 5: "gpio.power", 6: "GND", 7: "gpio.statusLed", 8: "uart.tx",
    9: "GND", 10: "uart.rx", 11: "gpio.ledEnable", 12: "i2s.bclk", 13: "gpio.outputEnable", 14: "GND",
    15: "gpio.tempo.a", 16: "gpio.tempo.b", 17: "+3V3", 18: "gpio.volume.a", 19: "spi0.mosi", 20: "GND",
    21: None, 22: "gpio.volume.b", 23: "spi0.sclk", 24: "spi0.ce0", 25: "GND", 26: "spi0.ce1",
    27: None, 28: None, 29: "gpio.play", 30: "GND", 31: "gpio.shift", 32: "sync.clockIn",
    33: "sync.clockOut", 34: "GND", 35: "i2s.lrclk", 36: "FAULT_N", 37: "FAN", 38: None, 39: "GND", 40: "i2s.dout",
}
TEXAS = "Texas Instruments"


def at(column, row):
    """Place on the sheet, in mm, on the grid of 1.27 mm."""
    return (38.1 + 45.72 * column, 33.02 + 10.16 * row)


def header_parts():
    """The header, the supply from the power board and its control cable."""
    return [
        Part("J1", "Connector_Generic:Conn_02x20_Odd_Even", "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
             "Raspberry Pi", {str(pin): net for pin, net in HEADER.items()}, at(0, 2.25), 0,
             fields("Samtec", "SSQ-120-03-G-D", "10", "any 2 x 20 stacking header, 2.54 mm, body of 8.5 mm")),
        connector("J2", "VH", "+5V BOARD", ["+5V", "+5V", "GND", "GND"], at(2, 0)),
        connector("J5", "KK", "CONTROL", ["gpio.ledEnable", "FAULT_N", "GND"], at(3, 0)),
        capacitor("C1", "470u 16V", "+5V", "GND", at(2, 2)),
        capacitor("C2", "100n", "+3V3", "GND", at(3, 2)),
        # Behind the board's fuse of 5 A only copper of the full width; all narrow copper is behind this one.
        polyfuse("F2", "+5V", "+5V_LOGIC", at(4, 0)),
        resistor("R1", 10e3, "+3V3", "FAULT_N", at(2, 3)),
        resistor("R2", 10e3, "gpio.ledEnable", "GND", at(3, 3)),
    ]


def data_parts():
    """Level shifters: U1 by OUTPUT_ENABLE_N, then U2 by each chain's chip enable, so a chain gets its own frames."""
    parts = [
        Part("U1", "74xx:74AHCT125", "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm", "74AHCT125",
             {"1": "gpio.outputEnable", "2": "spi0.mosi", "3": "DATA", "4": "gpio.outputEnable", "5": "spi0.sclk",
              "6": "CLOCK", "10": "GND", "9": "sync.clockOut", "8": "CLOCK_5V", "13": "GND", "12": "uart.tx",
              "11": "TX_5V", "14": "+5V_LOGIC", "7": "GND"}, at(0, 7), 0, fields(TEXAS, "SN74AHCT125DR", "0.1"),
             {1: at(0, 7), 2: at(0, 10.25), 3: at(0, 13.5), 4: at(0, 16.75), 5: (118.11, 266.7)}),
        Part("U2", "74xx:74AHCT125", "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm", "74AHCT125",
             {"1": "spi0.ce0", "2": "DATA", "3": "DATA0_5V", "4": "spi0.ce0", "5": "CLOCK", "6": "CLOCK0_5V",
              "10": "spi0.ce1", "9": "DATA", "8": "DATA1_5V", "13": "spi0.ce1", "12": "CLOCK", "11": "CLOCK1_5V",
              "14": "+5V_LOGIC", "7": "GND"}, at(1, 7), 0, fields(TEXAS, "SN74AHCT125DR", "0.1"),
             {1: at(1, 7), 2: at(1, 9.75), 3: at(1, 12.5), 4: at(1, 15.25), 5: (153.67, 266.7)}),
        capacitor("C3", "100n", "+5V_LOGIC", "GND", at(2, 5)),
        capacitor("C4", "100n", "+5V_LOGIC", "GND", at(3, 5)),
        resistor("R3", 10e3, "+3V3", "gpio.outputEnable", at(2, 6)),
        resistor("R4", 10e3, "+3V3", "spi0.ce0", at(3, 6)),
        resistor("R5", 10e3, "+3V3", "spi0.ce1", at(2, 7)),
        resistor("R6", 10e3, "DATA", "GND", at(3, 7)),
        resistor("R7", 10e3, "CLOCK", "GND", at(2, 8)),
        connector("J3", "XH", "LED0", ["LED0_DATA", "GND", "LED0_CLOCK", "GND"], at(2, 14)),
        connector("J4", "XH", "LED1", ["LED1_DATA", "GND", "LED1_CLOCK", "GND"], at(3, 14)),
        Part("D1", "Power_Protection:PESD5V0L4UG", "Package_TO_SOT_SMD:SOT-353_SC-70-5", "PESD5V0L4UG",
             {"1": "LED0_DATA", "2": "GND", "3": "LED0_CLOCK", "4": "LED1_DATA", "5": "LED1_CLOCK"}, at(2, 16), 0,
             fields("Nexperia", "PESD5V0L4UG,115", "0.1", "any quad 5 V ESD array SOT-353, common anode at pin 2"),
             {1: at(2, 16), 2: at(3, 16), 3: at(2, 17), 4: at(3, 17)}),
    ]
    for line, name in enumerate(("DATA", "CLOCK")):
        for chain in (0, 1):
            number = 8 + 4 * line + 2 * chain
            parts += [
                resistor(f"R{number}", 100, f"{name}{chain}_5V", f"LED{chain}_{name}", at(2 + chain, 9 + 2 * line)),
                resistor(f"R{number + 1}", 10e3, f"LED{chain}_{name}", "GND", at(2 + chain, 10 + 2 * line)),
            ]
    return parts


def esd(ref, one, two, place):
    """Two bidirectional diodes of 24 V at a jack's lines: a modular's 12 V pass, a discharge does not."""
    return Part(ref, "Power_Protection:NUP2105L", "Package_TO_SOT_SMD:SOT-23", "NUP2105L", {"1": one, "2": two, "3": "GND"}, place, 0,
                fields("onsemi", "NUP2105LT1G", "0.3", "any double bidirectional 24 V ESD diode SOT-23, common at pin 3"))


def sensor_parts():
    """The plate's thermometer: a DS18B20 at GPIO 2, whose pull-up of 1.8 kΩ is on the Raspberry Pi."""
    return [
        connector("J15", "ZH", "PLATE SENSOR", ["SENSOR_3V3", "GND", "plate.sensor"], at(4, 2)),
        # A cable with a short takes 33 mA.
        resistor("R46", 100, "+3V3", "SENSOR_3V3", at(4, 4)),
        capacitor("C25", "100n", "SENSOR_3V3", "GND", at(4, 5)),
    ]


def control_parts():
    """Buttons 10 kΩ and 100 nF; knobs (10 + 1) kΩ × 4.7 nF = 0.05 ms; status LED 470 Ω."""
    parts = [
        connector("J6", "KK", "BUTTONS", ["PLAY", "SHIFT", "POWER", "GND"], at(5, 0)),
        connector("J7", "XH", "TEMPO", ["TEMPO_A", "GND", "TEMPO_B"], at(6, 0)),
        connector("J8", "XH", "VOLUME", ["VOLUME_A", "GND", "VOLUME_B"], at(7, 0)),
        connector("J9", "XH", "STATUS", ["STATUS", "GND"], at(5, 12)),
        resistor("R19", 470, "gpio.statusLed", "STATUS", at(5, 11)),
        # GPIO 3 has its pull-up of 1.8 kΩ on the Raspberry Pi.
        resistor("R24", 100, "POWER", "gpio.power", at(5, 8)),
        capacitor("C8", "100n", "gpio.power", "GND", at(5, 9)),
    ]
    for number, button in enumerate(("play", "shift")):
        r, row = 20 + 2 * number, 2 + 3 * number
        parts += [
            resistor(f"R{r}", 10e3, "+3V3", f"gpio.{button}", at(5, row)),
            # Limits the capacitor's discharge by the contact to 33 mA.
            resistor(f"R{r + 1}", 100, button.upper(), f"gpio.{button}", at(5, row + 1)),
            capacitor(f"C{6 + number}", "100n", f"gpio.{button}", "GND", at(5, row + 2)),
        ]
    for number, (knob, way) in enumerate((k, w) for k in ("tempo", "volume") for w in "ab"):
        r, column, row = 25 + 2 * number, 6 + number // 2, 2 + 3 * (number % 2)
        contact = f"{knob.upper()}_{way.upper()}"
        parts += [
            resistor(f"R{r}", 10e3, "+3V3", contact, at(column, row)),
            resistor(f"R{r + 1}", 1e3, contact, f"gpio.{knob}.{way}", at(column, row + 1)),
            capacitor(f"C{9 + number}", "4.7n", f"gpio.{knob}.{way}", "GND", at(column, row + 2)),
        ]
    return parts


def jack_parts():
    """Clock and MIDI. The jacks are at the case's back, on cables."""
    return [
        connector("J10", "PH", "CLOCK", ["CLOCK_IN_TIP", "GND", "CLOCK_OUT_TIP"], at(4, 9)),
        # An open input rests low: the diodes' leakage, 50 µA at 150 °C by the data sheet, is a few µA in the box.
        resistor("R33", 33e3, "CLOCK_IN_TIP", "CLOCK_IN", at(4, 11)),
        resistor("R34", 100e3, "CLOCK_IN", "GND", at(4, 12)),
        Part("D2", "Diode:BAV99", "Package_TO_SOT_SMD:SOT-23", "BAV99", {"1": "GND", "2": "+3V3", "3": "CLOCK_IN"},
             at(4, 13), 0, fields("Diodes", "BAV99-7-F", "0.1", "any BAV99 SOT-23; no Schottky: it leaks")),
        esd("D6", "CLOCK_IN_TIP", "CLOCK_OUT_TIP", at(8, 12.5)),
        Part("U4", "74xGxx:74LVC1G17", "Package_TO_SOT_SMD:SOT-23-5", "74LVC1G17",
             {"1": None, "2": "CLOCK_IN", "3": "GND", "4": "sync.clockIn", "5": "+3V3"}, at(4, 16), 0,
             fields(TEXAS, "SN74LVC1G17DBVR", "0.1", "74LVC1G17GV")),
        capacitor("C13", "100n", "+3V3", "GND", at(4, 18)),
        resistor("R35", 1e3, "CLOCK_5V", "CLOCK_OUT_TIP", at(4, 19)),
        # MIDI in, TRS type A: ring is the current's source (DIN pin 4), tip its sink (DIN pin 5). The sleeve is open.
        connector("J11", "PH", "MIDI IN", ["MIDI_IN_TIP", "MIDI_IN_RING"], at(7, 9)),
        resistor("R36", 220, "MIDI_IN_RING", "MIDI_ANODE", at(7, 10)),
        Part("D3", "Device:D", "Diode_SMD:D_SOD-123", "1N4148W", {"1": "MIDI_ANODE", "2": "MIDI_IN_TIP"}, at(7, 11), 0,
             fields("Diodes", "1N4148W-7-F", "0.1", "any 1N4148 SOD-123")),
        Part("U5", "Isolator:H11L1", "Package_DIP:SMDIP-6_W9.53mm", "H11L1",
             {"1": "MIDI_ANODE", "2": "MIDI_IN_TIP", "3": None, "4": "uart.rx", "5": "GND", "6": "+3V3"}, at(7, 13), 0,
             fields("onsemi", "H11L1SM", "1", "H11L1S-TA1")),
        resistor("R37", 1e3, "+3V3", "uart.rx", at(7, 15)),
        capacitor("C14", "100n", "+3V3", "GND", at(7, 16)),
        esd("D7", "MIDI_IN_TIP", "MIDI_IN_RING", at(8, 9)),
        # MIDI out at 5 V: 220 Ω on each line. Idle is high: without the pull-up the line would send a break while the board boots.
        resistor("R45", 10e3, "+3V3", "uart.tx", at(8, 15)),
        esd("D8", "MIDI_OUT_TIP", "MIDI_OUT_RING", at(8, 18)),
        connector("J12", "PH", "MIDI OUT", ["MIDI_OUT_TIP", "MIDI_OUT_RING", "GND"], at(7, 18)),
        resistor("R38", 220, "TX_5V", "MIDI_OUT_TIP", at(7, 19.5)),
        resistor("R39", 220, "+5V_LOGIC", "MIDI_OUT_RING", at(7, 20.5)),
    ]


def sound_parts():
    """PCM5102A with its own regulator, as its data sheet SLAS859 has it."""
    return [
        Part("U6", "Audio:PCM5102A", "Package_SO:TSSOP-20_4.4x6.5mm_P0.65mm", "PCM5102A",
             {"1": "+3V3A", "2": "CAPP", "3": "GND", "4": "CAPM", "5": "VNEG", "6": "OUTL", "7": "OUTR", "8": "+3V3A",
              "9": "GND", "10": "GND", "11": "GND", "12": "GND", "13": "i2s.bclk", "14": "i2s.dout", "15": "i2s.lrclk",
              "16": "GND", "17": "XSMT", "18": "LDOO", "19": "GND", "20": "+3V3A"}, at(6, 11), 0,
             fields(TEXAS, "PCM5102APWR", "10", "PCM5122 is no substitute; PCM5102APW")),
        Part("U7", "Regulator_Linear:LP5907MFX-3.3", "Package_TO_SOT_SMD:SOT-23-5", "LP5907-3.3",
             {"1": "+5V_LOGIC", "2": "GND", "3": "+5V_LOGIC", "4": None, "5": "+3V3A"}, at(6, 15.5), 0,
             fields(TEXAS, "LP5907MFX-3.3/NOPB", "1", "any 3.3 V SOT-23-5 with this pinout, 100 mA")),
        capacitor("C15", "1u", "+5V_LOGIC", "GND", at(5, 14)),
        capacitor("C16", "10u", "+3V3A", "GND", at(5, 15)),
        capacitor("C17", "100n", "+3V3A", "GND", at(5, 16)),
        capacitor("C18", "100n", "+3V3A", "GND", at(5, 17)),
        capacitor("C19", "100n", "+3V3A", "GND", at(5, 18)),
        capacitor("C20", "2.2u", "CAPP", "CAPM", at(5, 19)),
        capacitor("C21", "2.2u", "VNEG", "GND", at(5, 20)),
        capacitor("C22", "1u", "LDOO", "GND", at(6, 18)),
        resistor("R40", 10e3, "+3V3A", "XSMT", at(6, 19)),
        resistor("R41", 470, "OUTL", "LINE_LEFT", at(6, 20)),
        capacitor("C23", "2.2n", "LINE_LEFT", "GND", at(6, 21)),
        resistor("R42", 470, "OUTR", "LINE_RIGHT", at(5, 21)),
        capacitor("C24", "2.2n", "LINE_RIGHT", "GND", at(4, 21)),
        connector("J13", "PH", "LINE OUT", ["LINE_LEFT", "GND", "LINE_RIGHT"], at(3, 20.5)),
        esd("D9", "LINE_LEFT", "LINE_RIGHT", at(8, 22)),
    ]


def fan_parts():
    """Fan at 5 V, up to 0.4 A: on with the light's supply, on during a fault, and when the kernel wants it. Its fuse trips at 1 A and
    holds 0.40 A at 50 °C."""
    return [
        polyfuse("F1", "+5V", "FAN_5V", at(2, 20.5)),
        Part("Q1", "Transistor_FET:AO3400A", "Package_TO_SOT_SMD:SOT-23", "AO3400A",
             {"1": "FAN_GATE", "2": "GND", "3": "FAN_N"}, at(0, 20), 0, fields("Alpha & Omega", "AO3400A", "0.1", "IRLML6244")),
        resistor("R43", 10e3, "FAN_GATE", "GND", at(1, 19.5)),
        Part("D5", "Diode:BAT54C", "Package_TO_SOT_SMD:SOT-23", "BAT54C", {"1": "FAN", "2": "gpio.ledEnable", "3": "FAN_GATE"},
             at(0, 25), 0, fields("Diodes", "BAT54C-7-F", "0.1", "any BAT54C")),
        # A fault switches the light off in the end, but not the fan: heat has to leave.
        Part("Q2", "Transistor_BJT:MMBT3906", "Package_TO_SOT_SMD:SOT-23", "MMBT3906",
             {"1": "FAULT_BASE", "2": "+3V3", "3": "FAN_GATE"}, at(1, 25), 0, fields("Diodes", "MMBT3906-7-F", "0.1", "any MMBT3906")),
        resistor("R44", 10e3, "FAULT_N", "FAULT_BASE", at(2, 25)),
        Part("D4", "Device:D_Schottky", "Diode_SMD:D_SMA", "B340A", {"1": "FAN_5V", "2": "FAN_N"}, at(1, 20.5), 0,
             fields("Diodes", "B340A-13-F", "0.1", "any 1 A Schottky SMA")),
        connector("J14", "KK", "FAN", ["FAN_5V", "FAN_N"], at(2, 19.5)),
    ]


CIRCUIT = Circuit("adapter", "Adapter: Raspberry Pi to LEDs, controls and jacks",
                  header_parts() + data_parts() + sensor_parts() + control_parts() + jack_parts() + sound_parts()
                  + fan_parts(),
                  notes=[(20, 22, "Header"), (20, 94, "LED data"), (215, 22, "Logic's fuse, plate"), (255, 22, "Controls"),
                         (215, 115, "Clock"), (350, 115, "MIDI"), (255, 168, "Sound"), (20, 222, "Fan")],
                  flags=["+5V", "+5V_LOGIC", "+3V3", "GND"], paper="A2")

# Column of small parts between header, controls and supply, in the order of the slots.
SMALL = ("R20", "R21", "C6", "R24", "C8", "R22", "R23", "C7", "R25", "R26", "C9", "R27", "R28", "C10", "R19", "R29",
         "R30", "C11", "R31", "R32", "C12")
PLACES = (
    ("J2", 6, 11.5, 270), ("J14", 4.1, 29.3, 270), ("J9", 4.6, 38.2, 270), ("J3", 60.4, 18, 90), ("J4", 60.4, 32, 90),
    ("J5", 60.9, 46.5, 90), ("J6", 10.7, 52.3), ("J7", 24.5, 51.9), ("J8", 36, 51.9), ("J13", 47, 52.4),
    ("J10", 14, 44.8), ("J11", 24, 44.8), ("J12", 31.5, 44.8),
    ("C1", 19.2, 12.5), ("F1", 12.07, 10.4, 90), ("F2", 12.07, 15.1, 270), ("U1", 36.5, 14), ("C3", 37.5, 8), ("R3", 30.4, 9), ("R6", 41.5, 12.9, 90), ("R7", 41.5, 16.9, 90),
    ("R4", 42.8, 7.7), ("R5", 42.8, 9.8), ("U2", 46.5, 16), ("C4", 47.6, 9.8), ("R8", 54.6, 8.6), ("R9", 54.6, 10.8),
    ("R12", 54.6, 13), ("R13", 54.6, 15.2), ("R14", 54.6, 17.4), ("R15", 54.6, 19.6), ("R10", 54.6, 21.8),
    ("R11", 54.6, 24), ("D1", 50.6, 23),
    ("Q2", 40.7, 24), ("D5", 40.7, 28.2), ("R44", 45.1, 24), ("R45", 45.1, 26.2), ("R46", 45.1, 28.4), ("C25", 45.1, 30.6),
    ("J15", 48.95, 30), ("D6", 8.9, 46.3), ("D7", 24.4, 31.05), ("D8", 28.6, 31.05), ("D9", 56, 53),
    ("U6", 50, 40), ("C17", 43.5, 34.6), ("C20", 43.5, 37), ("C21", 43.5, 39.2), ("R41", 43.5, 41.4, 180),
    ("R42", 43.5, 43.6, 180), ("C18", 43.5, 45.8, 180), ("C23", 47.6, 45.6), ("C24", 47.6, 47.8), ("C19", 55.7, 35.2),
    ("C22", 55.7, 37.4), ("R40", 55.7, 39.6, 180), ("U7", 51.7, 46), ("C15", 55.7, 44.6), ("C16", 55.7, 47),
    ("U5", 29, 37), ("R36", 20.2, 32.6, 180), ("D3", 20.2, 34.8, 180), ("C14", 37.3, 35), ("R37", 37.3, 39.5),
    ("R38", 33, 30.9), ("R39", 37, 30.9), ("R33", 14.6, 40), ("R34", 14.6, 37.8), ("D2", 18.8, 39.2, 180),
    ("U4", 14.6, 34.3), ("C13", 14.8, 31.2), ("R35", 9.6, 42.8), ("Q1", 10.4, 29), ("R43", 10.4, 31.9), ("D4", 9.8, 37, 90),
    ("R1", 54.9, 26.2), ("R2", 29.8, 23.6), ("C2", 30.4, 11.3),
)


# Slow nets that find no way if the others are routed first.
FIRST = ("plate.sensor", "spi0.ce1", "FAN_5V", "FAN_GATE", "FAN", "gpio.ledEnable", "gpio.play", "uart.tx", "uart.rx")


def draw(folder):
    """Place, route and save to a folder."""
    board = Board(CIRCUIT, [(0, 0), (65, 0), (65, 56.5), (0, 56.5)], layers=4,
                  rules={"min_resolved_spokes": 1}, fused=("+5V",))  # the inner plane connects every ground pad as well
    for x in (3.5, 61.5):
        for y in (3.5, 52.5):
            board.hole(x, y, 2.7)
    board.place("J1", 8.37, 4.77, 270, back=True)
    for pin, place in ((1, (8.37, 4.77)), (2, (8.37, 2.23)), (3, (10.91, 4.77)), (40, (56.63, 2.23))):
        found = board.pad(f"J1.{pin}")
        assert max(abs(a - b) for a, b in zip(found, place)) < 0.01, (pin, found)
    for place in PLACES:
        board.place(*place)
    slots = [(15 + 3.7 * i, 19 + 2.3 * j) for i in range(5) for j in range(5)]
    for ref, (x, y) in zip(SMALL, slots):
        board.place(ref, x, y)
    # The board's rail: from J2 round pins 1 and 3 to pins 2 and 4, on both sides.
    # On the back pin 3 has its way out.
    for layer, right in (("F", [(12, 1.2), (12, 7.6)]), ("B", [(12, 1.2), (12, 3.5), (9.65, 3.5), (9.65, 7.6)])):
        board.zone("+5V", layer, [(5.4, 1.2), *right, (10.9, 7.6), (10.9, 10.8), (18, 10.8), (18, 14.7), (10.9, 14.7),
                                  (10.9, 17.4), (4.2, 17.4), (4.2, 7.6), (5.4, 7.6)], 0.25, 2, False)
    edge = [(0.6, 0.6), (64.4, 0.6), (64.4, 55.9), (0.6, 55.9)]
    for layer in "F1B":
        board.zone("GND", layer, edge, 0.2, 0)
    board.zone("+3V3", "2", edge, 0.25, 0)
    router = Router(board, 65, 56.5, clearance=0.155, track=0.2, via=0.55, cost=(1, 1.1), planes=("GND", "+3V3"))
    router.route("spi0.mosi", "spi0.sclk", "DATA", "CLOCK", "DATA0_5V", "CLOCK0_5V", "DATA1_5V", "CLOCK1_5V", "LED0_DATA",
                 "LED0_CLOCK", "LED1_DATA", "LED1_CLOCK", "i2s.bclk", "i2s.lrclk", "i2s.dout", "OUTL", "OUTR", "LINE_LEFT",
                 "LINE_RIGHT", "CAPP", "CAPM", "VNEG",
                 "LDOO")
    router.plane("GND", share=1.3)
    router.route("+3V3A", *FIRST)
    router.plane("+3V3")
    done = {net for part in CIRCUIT.parts for net in part.nets.values()} - {None, "GND", "+3V3", "+5V"}
    rest = sorted(done - router.routed, key=lambda net: router.length(net))
    router.route(*rest)
    assert not router.failed, router.failed
    board.solid("C17.2", "U7.2")
    for x, y, words, turn in (
            (56.9, 14.2, "LED0  D G C G", 90), (56.9, 28.2, "LED1  D G C G", 90), (59.6, 50, "CONTROL", 0),
            (10.8, 22, "5V 5V GND GND", 270), (9.7, 26.5, "FAN", 0), (4.6, 46.2, "STATUS", 0), (14.5, 48.55, "BUTTONS", 0),
            (27, 48.55, "TEMPO", 0), (38.5, 48.55, "VOLUME", 0), (49, 49.5, "LINE", 0), (16, 41.85, "CLOCK", 0),
            (25, 41.85, "MIDI IN", 0), (33.5, 41.85, "MIDI OUT", 0), (50.4, 33.3, "PLATE", 0)):
        board.text(x, y, words, 0.7, turn=turn)
    board.text(32, 30, f"PixelBoop adapter {REVISION}", 1.5, pcbnew.B_SilkS)
    board.text(32, 33, "CERN-OHL-S-2.0", 1, pcbnew.B_SilkS)
    board.references()
    board.save(folder)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
