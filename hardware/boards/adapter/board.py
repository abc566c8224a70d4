"""Adapter: a HAT between the Raspberry Pi, the power board, the LED tiles, the controls and the jacks."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from drawing import Board, Circuit, Part, Router
from stock import capacitor, connector, fields, resistor

# Pin of the 40-pin header: net. Names are the functions of hardware/pins.csv. None: left open.
HEADER = {
    1: "+3V3", 2: "+5V", 3: None, 4: "+5V", 5: "gpio.power", 6: "GND", 7: "gpio.statusLed", 8: "uart.tx",
    9: "GND", 10: "uart.rx", 11: "gpio.ledEnable", 12: "i2s.bclk", 13: "gpio.outputEnable", 14: "GND",
    15: "gpio.tempo.a", 16: "gpio.tempo.b", 17: "+3V3", 18: "gpio.volume.a", 19: "spi0.mosi", 20: "GND",
    21: None, 22: "gpio.volume.b", 23: "spi0.sclk", 24: "spi0.ce0", 25: "GND", 26: "spi0.ce1",
    27: "id.sd", 28: "id.sc", 29: "gpio.play", 30: "GND", 31: "gpio.shift", 32: "sync.clockIn",
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
             fields("Samtec", "ESQ-120-44-G-D", "10", "any 2 x 20 stacking header, 2.54 mm, 11 mm high or more")),
        connector("J2", "VH", "+5V BOARD", ["+5V", "+5V", "GND", "GND"], at(2, 0)),
        connector("J5", "XH", "CONTROL", ["gpio.ledEnable", "FAULT_N", "+3V3", "GND"], at(3, 0)),
        capacitor("C1", "330u 16V wet", "+5V", "GND", at(2, 2)),
        capacitor("C2", "100n", "+3V3", "GND", at(3, 2)),
        resistor("R1", 10e3, "+3V3", "FAULT_N", at(2, 3)),
        resistor("R2", 10e3, "gpio.ledEnable", "GND", at(3, 3)),
    ]


def data_parts():
    """Level shifters: U1 by OUTPUT_ENABLE_N, then U2 by each chain's chip enable, so a chain gets its own frames."""
    parts = [
        Part("U1", "74xx:74AHCT125", "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm", "74AHCT125",
             {"1": "gpio.outputEnable", "2": "spi0.mosi", "3": "DATA", "4": "gpio.outputEnable", "5": "spi0.sclk",
              "6": "CLOCK", "10": "GND", "9": "sync.clockOut", "8": "CLOCK_5V", "13": "GND", "12": "uart.tx",
              "11": "TX_5V", "14": "+5V", "7": "GND"}, at(0, 7), 0, fields(TEXAS, "SN74AHCT125DR", "0.1"),
             {1: at(0, 7), 2: at(0, 9), 3: at(0, 11), 4: at(0, 13), 5: at(0, 16)}),
        Part("U2", "74xx:74AHCT125", "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm", "74AHCT125",
             {"1": "spi0.ce0", "2": "DATA", "3": "DATA0_5V", "4": "spi0.ce0", "5": "CLOCK", "6": "CLOCK0_5V",
              "10": "spi0.ce1", "9": "DATA", "8": "DATA1_5V", "13": "spi0.ce1", "12": "CLOCK", "11": "CLOCK1_5V",
              "14": "+5V", "7": "GND"}, at(1, 7), 0, fields(TEXAS, "SN74AHCT125DR", "0.1"),
             {1: at(1, 7), 2: at(1, 9), 3: at(1, 11), 4: at(1, 13), 5: at(1, 16)}),
        capacitor("C3", "100n", "+5V", "GND", at(2, 5)),
        capacitor("C4", "100n", "+5V", "GND", at(3, 5)),
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


def identity_parts():
    """ID EEPROM of the HAT specification: write-protected unless the jumper is set."""
    return [
        Part("U3", "Memory_EEPROM:24LC32", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm", "24LC32A",
             {"1": "GND", "2": "GND", "3": "GND", "4": "GND", "5": "id.sd", "6": "id.sc", "7": "WP", "8": "+3V3"},
             at(4, 1), 0, fields("Microchip", "24LC32A-I/SN", "0.1", "CAT24C32WI-GT3")),
        capacitor("C5", "100n", "+3V3", "GND", at(4, 3)),
        resistor("R16", 3.9e3, "+3V3", "id.sd", at(4, 4)),
        resistor("R17", 3.9e3, "+3V3", "id.sc", at(4, 5)),
        resistor("R18", 10e3, "+3V3", "WP", at(4, 6)),
        Part("JP1", "Jumper:Jumper_2_Open", "Connector_PinHeader_2.54mm:PinHeader_1x02_P2.54mm_Vertical", "WRITE ID",
             {"1": "WP", "2": "GND"}, at(4, 7), 0, fields("Würth", "61300211121", "0.1", "any 1 x 2 header, 2.54 mm")),
    ]


def control_parts():
    """Buttons 10 kΩ and 100 nF; knobs (10 + 1) kΩ × 4.7 nF = 0.05 ms; status LED 470 Ω."""
    parts = [
        connector("J6", "XH", "BUTTONS", ["PLAY", "SHIFT", "POWER", "GND"], at(5, 0)),
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
        resistor("R33", 100e3, "CLOCK_IN_TIP", "CLOCK_IN", at(4, 11)),
        resistor("R34", 1e6, "CLOCK_IN", "GND", at(4, 12)),
        Part("D2", "Diode:BAT54S", "Package_TO_SOT_SMD:SOT-23", "BAT54S", {"1": "GND", "2": "+3V3", "3": "CLOCK_IN"},
             at(4, 13), 0, fields("Diodes", "BAT54S-7-F", "0.1", "any BAT54S")),
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
        # MIDI out at 5 V: 220 Ω on each line.
        connector("J12", "PH", "MIDI OUT", ["MIDI_OUT_TIP", "MIDI_OUT_RING", "GND"], at(7, 18)),
        resistor("R38", 220, "TX_5V", "MIDI_OUT_TIP", at(7, 19.5)),
        resistor("R39", 220, "+5V", "MIDI_OUT_RING", at(7, 20.5)),
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
             {"1": "+5V", "2": "GND", "3": "+5V", "4": None, "5": "+3V3A"}, at(6, 15.5), 0,
             fields(TEXAS, "LP5907MFX-3.3/NOPB", "1", "any 3.3 V SOT-23-5 with this pinout, 100 mA")),
        capacitor("C15", "1u", "+5V", "GND", at(5, 14)),
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
    ]


def fan_parts():
    """Fan at 5 V, up to 0.5 A, off until the box switches it on."""
    return [
        Part("Q1", "Transistor_FET:AO3400A", "Package_TO_SOT_SMD:SOT-23", "AO3400A",
             {"1": "FAN", "2": "GND", "3": "FAN_N"}, at(0, 19), 0, fields("Alpha & Omega", "AO3400A", "0.1", "IRLML6244")),
        resistor("R43", 10e3, "FAN", "GND", at(1, 19)),
        Part("D4", "Device:D_Schottky", "Diode_SMD:D_SMA", "B340A", {"1": "+5V", "2": "FAN_N"}, at(1, 20), 0,
             fields("Diodes", "B340A-13-F", "0.1", "any 1 A Schottky SMA")),
        connector("J14", "XH", "FAN", ["+5V", "FAN_N"], at(2, 19.5)),
    ]


CIRCUIT = Circuit("adapter", "Adapter: Raspberry Pi to LEDs, controls and jacks",
                  header_parts() + data_parts() + identity_parts() + control_parts() + jack_parts() + sound_parts()
                  + fan_parts(), flags=["+5V", "+3V3", "GND"])
