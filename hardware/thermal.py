#!/usr/bin/python3
"""The box's heat: a budget of its losses, and a simulation of an hour at 25 and 35 °C. All parameters are in thermal.csv.

    thermal.py          prints what thermal.md has

Four bodies exchange heat: the LED plate, the power board, the processor, and the air between them, which the fan moves. The light
follows the plate's thermometer as the program does (docs/panel.md, Heat and faults); FAULT_N follows the two NTCs.
"""

import csv
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
HOUR = 3600
# The box's reaction to FAULT_N: LightLimit.swift and SupplySequence.swift.
FAULT_MIN, FAULT_DARK, RECOVERY = 0.1, 10, 60


def parameters():
    """The table: values by name."""
    with open(HERE / "thermal.csv", encoding="utf-8", newline="") as file:
        return {row["name"]: float(row["value"]) for row in csv.DictReader(file, strict=True)}


def losses(p, led_amps, rail_amps=None):
    """Heat of the power board in watts, by its cause: both zones draw `led_amps` together."""
    rail = p["rail_amps"] if rail_amps is None else rail_amps
    ohms = p["efuse_ohms"] + p["fuse_ohms"]
    out = p["volts"] * (led_amps + rail)
    source = out / p["efficiency"] / p["supply_volts"]
    return {"modules": out * (1 / p["efficiency"] - 1), "eFuses and fuses": (2 * (led_amps / 2) ** 2 + rail ** 2) * ohms,
            "input": source ** 2 * (p["transistor_ohms"] + p["fuse_ohms"])}


def light(p, plate):
    """Share of the zones' limit that the program allows at a temperature of the plate, in whole degrees."""
    share = 1 - (1 - p["light_least"]) * (round(plate) - p["light_from"]) / (p["light_to"] - p["light_from"])
    return min(1, max(p["light_least"], share))


class Case:
    """An hour of a box: room temperature, current that the pattern wants, whether the fan turns, worse ways of heat."""

    def __init__(self, p, room, wanted, fan=True, worse=1.0):
        self.p, self.room, self.wanted, self.fan, self.worse = p, room, wanted, fan, worse
        self.plate = self.board = self.air = self.processor = room
        self.peak = {"plate": room, "board": room, "processor": room}
        self.share = self.limit = 1.0
        self.fault_seconds = self.dark_seconds = 0

    def run(self, seconds=HOUR):
        """Simulate second by second; returns itself."""
        for _ in range(seconds):
            self.step()
        return self

    def step(self):
        p, name = self.p, "fan" if self.fan else "still"
        top, least = 2 * p["zone_amps"], p["standby_amps"]
        # A fault halves the limit each second; without one it rises within a minute.
        if self.plate > p["plate_trip"] or self.board > p["board_trip"]:
            self.fault_seconds += 1
            self.limit = max(p["light_least"], self.limit / 2)
        else:
            self.fault_seconds = 0
            self.limit = min(1, self.limit + 1 / RECOVERY)
        is_dark = self.fault_seconds > FAULT_DARK
        self.dark_seconds += is_dark
        self.share = min(self.limit, light(p, self.plate))
        amps = 0 if is_dark else min(self.wanted, least + self.share * (top - least))
        to_room, to_air = p["plate_front"] / self.worse, p[f"plate_{name}"] / self.worse
        out, board_ways = p[f"case_{name}"] / self.worse, 1 / (p[f"board_{name}"] * self.worse)
        own = sum(losses(p, amps).values())
        plate_air, board_air = to_air * (self.plate - self.air), board_ways * (self.board - self.air)
        rail = p["rail_amps"] * p["volts"]
        light_heat = amps * p["volts"] * (1 - p["light_share"])
        self.plate += (light_heat - to_room * (self.plate - self.room) - plate_air) / p["plate_heat"]
        self.board += (own - board_air) / p["board_heat"]
        self.air += (plate_air + board_air + rail - out * (self.air - self.room)) / p["air_heat"]
        self.processor = self.air + p["processor_watts"] * p["processor_resistance"]
        for key in self.peak:
            self.peak[key] = max(self.peak[key], getattr(self, key))


def cases(p):
    """The simulated hours: name and result."""
    rated = 2 * p["zone_amps"]
    worse = 1 + p["tolerance"]
    for room in (25, 35):
        yield f"{room} C, typical pattern", Case(p, room, p["typical_amps"]).run()
        yield f"{room} C, rated light", Case(p, room, rated).run()
        yield f"{room} C, rated, worst case", Case(p, room, rated, worse=worse).run()
        yield f"{room} C, rated, no fan", Case(p, room, rated, fan=False).run()


def report():
    """The budget and the simulation as lines."""
    p = parameters()
    found = losses(p, 2 * p["zone_amps"])
    yield f"losses on the power board at 2 x {p['zone_amps']} A and {p['rail_amps']} A:"
    for cause, watts in found.items():
        yield f"  {cause:<18}{watts:5.1f} W"
    total = sum(found.values())
    still, moved = total * p["board_still"], total * p["board_fan"]
    yield f"  {'together':<18}{total:5.1f} W: {still:.0f} K above still air, {moved:.0f} K with the fan"
    yield ""
    yield f"{'an hour at':<28}{'plate':>7}{'board':>7}{'processor':>11}{'light':>7}{'fault':>7}"
    for name, case in cases(p):
        fault = "dark" if case.dark_seconds else "yes" if case.limit < 1 or case.fault_seconds else "no"
        yield (f"{name:<28}{case.peak['plate']:5.0f} C{case.peak['board']:5.0f} C{case.peak['processor']:9.0f} C"
               f"{100 * case.share:5.0f} %{fault:>7}")


if __name__ == "__main__":
    print("\n".join(report()))
