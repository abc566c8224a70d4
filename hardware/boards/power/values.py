"""Calculated values of the power board. Run this file to print them.

Sources: LMZ13608 data sheet SNVS710I, section 8.2.2; LMZ23605 data sheet, section Detailed Design Procedure;
TPS25925 data sheet SLVSCQ3A, sections Programming the Current-Limit Threshold and Setting Output Voltage Ramp Time.
"""

import itertools
from math import exp, log

E96 = [round(10 ** (step / 96), 2) for step in range(96)]

REFERENCE = 0.796         # V, feedback of both modules
SOFT_START_CURRENT = 50e-6  # A, out of SS
ENABLE_THRESHOLD = 1.274  # V, EN of both modules, rising
ENABLE_HYSTERESIS_CURRENT = 13e-6  # A, out of EN while on
ENABLE_MAX = 5.5          # V, EN absolute maximum
EFUSE_ON_RESISTANCE = 0.028  # Ω
FUSE_RESISTANCE = 0.015   # Ω, a 7.5 A mini blade fuse and its holder
NTC_B = 3930.0            # K
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
    """Current limit of the eFuse."""
    return 0.7 + 3e-5 * ohms


def ramp(farads, volts):
    """Rise time of the eFuse's output, in seconds."""
    return 1e6 * volts * (farads + 70e-12)


def ntc(celsius):
    """Resistance of the NTC: 10 kΩ at 25 °C, B about 3930 K from 25 to 75 °C (Murata NCP21XV103)."""
    return 10e3 * exp(NTC_B * (1 / (celsius + 273.15) - 1 / 298.15))


def ntc_celsius(ohms):
    """Temperature of the NTC."""
    return 1 / (log(ohms / 10e3) / NTC_B + 1 / 298.15) - 273.15


def trip(top, feedback_resistor, pull, ref_top, ref_bottom):
    """Temperatures at which the comparator trips and releases."""
    share = ref_bottom / (ref_top + ref_bottom)
    high = 1 / (feedback_resistor + pull)
    low = 1 / feedback_resistor
    hot = share / (1 - share) / (1 / top + high)
    cold = 1 / (1 / top / share - 1 / top - low)
    return ntc_celsius(hot), ntc_celsius(cold)


def zone_low(top, bottom, offset, enable=3.3, rail=5.1):
    """Zone voltage below which FAULT_N goes low: half of LED_ENABLE against the zone's divider."""
    return top * (enable / 2 * (1 / top + 1 / bottom + 1 / offset) - rail / offset)


ZONE_FEEDBACK = feedback(5.1)
RAIL_FEEDBACK = feedback(5.1)
SOFT_START = 470e-9
RAIL_ENABLE = (60.4e3, 10e3)
LIMIT = 150e3
RAMP = 1e-9
TRIP = dict(top=4.99e3, feedback_resistor=22e3, pull=10e3, ref_top=10e3, ref_bottom=3.48e3)
ZONE_LOW = dict(top=17.4e3, bottom=10e3, offset=470e3)


def check():
    """Assert the calculated values and return the lines that report them."""
    zone, rail = output(*ZONE_FEEDBACK), output(*RAIL_FEEDBACK)
    assert abs(zone / 5.1 - 1) < 0.015 and abs(rail / 5.1 - 1) < 0.015
    start = soft_start(SOFT_START)
    assert 5e-3 <= start <= 10e-3
    rise = ramp(RAMP, zone)
    assert 5e-3 <= rise <= 10e-3
    on, off = undervoltage(*RAIL_ENABLE)
    assert 7 < off < on < 10
    share = RAIL_ENABLE[1] / sum(RAIL_ENABLE)
    assert CLAMP * share <= 5.55 and SUPPLY_MAX * share < ENABLE_MAX  # the clamp's peak lasts 1 ms
    assert CLAMP < MODULE_MAX
    limit = current_limit(LIMIT)
    assert abs(limit / 5.2 - 1) < 0.01 and limit * 1.15 < 7.5
    delivered = zone - 5 * (EFUSE_ON_RESISTANCE + FUSE_RESISTANCE)
    hot, cold = trip(**TRIP)
    assert abs(hot - 75) < 2 and 5 < hot - cold < 10
    low = zone_low(**ZONE_LOW)
    assert 4.2 < low < delivered - 0.3
    power = (2 * 5 * zone + 5 * rail) / 0.88
    assert power / 12 < 10
    return [
        f"zone module: {ZONE_FEEDBACK[0]:.0f} / {ZONE_FEEDBACK[1]:.0f} ohm give {zone:.3f} V",
        f"rail module: {RAIL_FEEDBACK[0]:.0f} / {RAIL_FEEDBACK[1]:.0f} ohm give {rail:.3f} V",
        f"soft start of the modules: {1e3 * start:.1f} ms",
        f"rise of the eFuse: {1e3 * rise:.1f} ms",
        f"rail on above {on:.1f} V in, off below {off:.1f} V",
        f"eFuse limit: {limit:.2f} A, {0.85 * limit:.2f} to {1.15 * limit:.2f} A",
        f"zone output at 5 A: {delivered:.2f} V; FAULT_N below {low:.2f} V",
        f"over-temperature: trips at {hot:.1f} C, releases at {cold:.1f} C",
        f"input at full load: {power:.0f} W, {power / 12:.1f} A at 12 V, {power / 20:.1f} A at 20 V",
    ]


if __name__ == "__main__":
    print("\n".join(check()))
