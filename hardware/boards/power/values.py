"""Calculated values of the power board. Run this file to print them.

Sources: LMZ13608 data sheet SNVS710I, section 8.2.2; LMZ23605 data sheet, section Detailed Design Procedure; TPS25947 data sheet
SLVSFC9: features (28.3 mΩ, 28 V, ±10 % of ILM above 1 A), 7.3.2 and 7.3.3 (both thresholds 1.183 to 1.223 V), 7.3.5.1 (ramp),
7.3.5.2 (3334 V). What of these nobody compared with the sheet itself is in hardware/open.csv.
"""

import itertools
from math import exp, log

E96 = [round(10 ** (step / 96), 2) for step in range(96)]

REFERENCE = 0.796         # V, feedback of both modules
SOFT_START_CURRENT = 50e-6  # A, out of SS
ENABLE_THRESHOLD = 1.274  # V, EN of both modules, rising
ENABLE_HYSTERESIS_CURRENT = 13e-6  # A, out of EN while on
ENABLE_MAX = 5.5          # V, EN absolute maximum
EFUSE_ON_RESISTANCE = 0.0283  # Ω
EFUSE_THRESHOLD = (1.183, 1.2, 1.223)  # V at EN and OVLO: least, typical, most
EFUSE_LIMIT_SHARE = 0.1   # tolerance of its current limit
EFUSE_MAX = 28.0          # V, absolute maximum at IN
RAMP_CONSTANT = 3.3e-9    # F·V/ms; assumed within 40 %: open.csv
FUSE_RESISTANCE = 0.015   # Ω, a mini blade fuse of 5 A and its holder, assumed
BOARD_B = 3930.0          # K, NCP21XV103 from 25 to 80 °C: Murata's catalogue of NTC thermistors
PLATE_B = 3977.0          # K, NTCLE100E3103 from 25 to 85 °C: Vishay document 29049
LED_MAX = 5.3             # V that an SK9822 takes
BOARD_MAX = 5.25          # V that a Raspberry Pi takes
FEEDBACK_SPREAD = (0.775 / 0.795, 0.815 / 0.795)  # of the modules' outputs, over temperature
SUPPLY_MAX = 20.0         # V
CLAMP = 38.9              # V, SMCJ24A at 38.5 A
MODULE_MAX = 40.0         # V, VIN absolute maximum


def output(top, bottom):
    """Output voltage of a module by its feedback divider."""
    return REFERENCE * (1 + top / bottom)


def feedback(volts):
    """The E96 pair (top, bottom) nearest to an output voltage, bottom from 1.0 to 1.5 kΩ."""
    tops = [1000 * value for value in E96]
    bottoms = [value for value in tops if value <= 1500]
    return min(itertools.product(tops, bottoms), key=lambda pair: abs(output(*pair) - volts))


def soft_start(farads):
    """Soft start of a module, in seconds."""
    return REFERENCE * farads / SOFT_START_CURRENT


def undervoltage(top, bottom):
    """Rising and falling input threshold of a module by its enable divider."""
    rising = ENABLE_THRESHOLD * (1 + top / bottom)
    return rising, rising - ENABLE_HYSTERESIS_CURRENT * top


def current_limit(ohms):
    """Current limit of an eFuse by its resistor at ILM."""
    return 3334 / ohms


def ramp(farads, volts):
    """Rise time of an eFuse's output, in seconds."""
    return 1e-3 * volts * farads / RAMP_CONSTANT


def lockout(top, bottom):
    """Least, typical and most voltage at which a divider reaches the eFuse's threshold, with resistors of 1 %."""
    return [volts * (1 + top / bottom * share) for volts, share in zip(EFUSE_THRESHOLD, (0.98, 1, 1.02))]


def ntc(celsius, b=BOARD_B):
    """Resistance of an NTC of 10 kΩ at 25 °C."""
    return 10e3 * exp(b * (1 / (celsius + 273.15) - 1 / 298.15))


def ntc_celsius(ohms, b=BOARD_B):
    """Temperature of an NTC of 10 kΩ at 25 °C."""
    return 1 / (log(ohms / 10e3) / b + 1 / 298.15) - 273.15


def trip(top, feedback_resistor, pull, ref_top, ref_bottom, b=BOARD_B):
    """Temperatures at which the comparator trips and releases."""
    share = ref_bottom / (ref_top + ref_bottom)
    high = 1 / (feedback_resistor + pull)
    low = 1 / feedback_resistor
    hot = share / (1 - share) / (1 / top + high)
    cold = 1 / (1 / top / share - 1 / top - low)
    return ntc_celsius(hot, b), ntc_celsius(cold, b)


def zone_low(top, bottom, offset, enable=3.3, rail=5.1):
    """Zone voltage below which FAULT_N goes low: half of LED_ENABLE against the zone's divider."""
    return top * (enable / 2 * (1 / top + 1 / bottom + 1 / offset) - rail / offset)


ZONE_FEEDBACK = feedback(5.1)
RAIL_FEEDBACK = feedback(5.1)
SOFT_START = 470e-9
RAIL_ENABLE = (60.4e3, 10e3)
LIMIT = 750.0
OVERVOLTAGE = (374e3, 100e3)
# The rail's eFuse is off below this, so that a Raspberry Pi starts on a whole supply.
RAIL_ON = (249e3, 100e3)
RAMP = 3.3e-9
REFERENCE_DIVIDER = dict(ref_top=10e3, ref_bottom=3.48e3)
BOARD_TRIP = dict(top=2.26e3, feedback_resistor=10e3, pull=10e3, **REFERENCE_DIVIDER)
PLATE_TRIP = dict(top=4.02e3, feedback_resistor=24.3e3, pull=10e3, **REFERENCE_DIVIDER)
ZONE_LOW = dict(top=17.4e3, bottom=10e3, offset=470e3)
# What the box draws at most, in amperes: thermal.csv has the same.
ZONE_AMPS = 3.5
RAIL_AMPS = 3.0
EFFICIENCY = 0.88


def check():
    """Assert the calculated values and return the lines that report them."""
    zone, rail = output(*ZONE_FEEDBACK), output(*RAIL_FEEDBACK)
    assert abs(zone / 5.1 - 1) < 0.015 and abs(rail / 5.1 - 1) < 0.015
    start = soft_start(SOFT_START)
    assert 5e-3 <= start <= 10e-3
    rise = ramp(RAMP, zone)
    assert start + rise / 0.6 < 20e-3  # the program waits so long; the constant is known within 40 %
    on, off = undervoltage(*RAIL_ENABLE)
    assert 7 < off < on < 10
    share = RAIL_ENABLE[1] / sum(RAIL_ENABLE)
    assert CLAMP * share <= 5.55 and SUPPLY_MAX * share < ENABLE_MAX  # the clamp's peak lasts 1 ms
    assert CLAMP < MODULE_MAX and SUPPLY_MAX * 1.05 < EFUSE_MAX
    limit = current_limit(LIMIT)
    least, most = limit * (1 - EFUSE_LIMIT_SHARE) * 0.99, limit * (1 + EFUSE_LIMIT_SHARE) * 1.01
    assert max(ZONE_AMPS, RAIL_AMPS) < least and most < 5
    low_lockout, lockout_volts, high_lockout = lockout(*OVERVOLTAGE)
    assert max(zone, rail) * FEEDBACK_SPREAD[1] + 0.2 < low_lockout and high_lockout < 6
    assert lockout(*RAIL_ON)[2] < rail * FEEDBACK_SPREAD[0] - 0.4
    delivered = zone - ZONE_AMPS * (EFUSE_ON_RESISTANCE + FUSE_RESISTANCE)
    board = trip(**BOARD_TRIP)
    plate = trip(**PLATE_TRIP, b=PLATE_B)
    assert abs(board[0] - 100) < 2 and 4 < board[0] - board[1] < 10
    assert abs(plate[0] - 80) < 2 and 4 < plate[0] - plate[1] < 10
    low = zone_low(**ZONE_LOW)
    assert 4.2 < low < delivered - 0.3
    power = (2 * ZONE_AMPS * zone + RAIL_AMPS * rail) / EFFICIENCY
    assert power / 12 < 0.75 * 10
    return [
        f"zone module: {ZONE_FEEDBACK[0]:.0f} / {ZONE_FEEDBACK[1]:.0f} ohm give {zone:.3f} V",
        f"rail module: {RAIL_FEEDBACK[0]:.0f} / {RAIL_FEEDBACK[1]:.0f} ohm give {rail:.3f} V",
        f"soft start of the modules: {1e3 * start:.1f} ms",
        f"rise of an eFuse: about {1e3 * rise:.1f} ms",
        f"rail on above {on:.1f} V in, off below {off:.1f} V",
        f"eFuse limit: {limit:.2f} A, {least:.2f} to {most:.2f} A",
        f"eFuse off above {lockout_volts:.2f} V, {low_lockout:.2f} to {high_lockout:.2f} V",
        f"zone output at {ZONE_AMPS} A: {delivered:.2f} V; FAULT_N below {low:.2f} V",
        f"board too hot: FAULT_N at {board[0]:.0f} C, until {board[1]:.0f} C",
        f"plate too hot: FAULT_N at {plate[0]:.0f} C, until {plate[1]:.0f} C",
        f"input at full load: {power:.0f} W, {power / 12:.1f} A at 12 V, {power / 20:.1f} A at 20 V",
    ]


if __name__ == "__main__":
    print("\n".join(check()))
