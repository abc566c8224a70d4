"""LED tile: 22 x 12 SK9822 in serpentine, four of which make the panel."""

import os
import sys

import pcbnew

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from drawing import REVISION, Board, Circuit, Part
from stock import capacitor, chip_fuse, fields, resistor

COLUMNS, ROWS = 22, 12
PITCH = 1000 / 144  # mm
# Neighbouring tiles are 0.25 mm apart: a board house mills an outline to ±0.1 mm.
GAP = 0.25
WIDTH, HEIGHT = COLUMNS * PITCH - GAP, ROWS * PITCH - GAP
FIRST = (PITCH - GAP) / 2
# Holes for the light grid's pegs: the crossing behind this column and this row. A round one in the tile's middle sets the place, a
# slot of 3.2 mm along the row sets the angle: a printed grid shrinks, and more round holes would not meet its pegs.
PEG, SLOT = (10, 5), (19, 7)
PEG_HOLE = 2.0  # mm
# Cut-outs of the plate behind the tile, where parts and plugs stand on the back: left, top, right and bottom in mm.
CUTOUTS = [(2.2, 4.6, 27.4, 21), (2.2, 33.5, 27.4, 49.6), (2.2, 62.4, 19.3, 75),
           (WIDTH - 27.4, HEIGHT - 49.6, WIDTH - 2.2, HEIGHT - 33.5)]
COUNT = COLUMNS * ROWS


def place_of(number):
    """Column and row of an LED, 0 to 263: even rows run right, odd rows left."""
    row, step = divmod(number, COLUMNS)
    return (step if row % 2 == 0 else COLUMNS - 1 - step), row


def centre(column, row):
    """Centre of an LED in mm."""
    return FIRST + PITCH * column, FIRST + PITCH * row


def data(number):
    """The net into LED `number`; behind the last one, the chain's output."""
    return f"DATA_{number + 1}" if number < COUNT else "OUT_DATA"


def clock(number):
    return f"CLOCK_{number + 1}" if number < COUNT else "OUT_CLOCK"


def at(column, row):
    """Place on the sheet, in mm, on the grid of 1.27 mm."""
    return (50.8 + 48.26 * column, 88.9 + 50.8 * row)


def led_parts():
    """Each LED with its capacitor."""
    parts = []
    for number in range(COUNT):
        column, row = place_of(number)
        x, y = at(column, row)
        parts.append(Part(
            f"D{number + 1}", "LED:APA102", "PixelBoop:LED_SK9822_5050_Pitch6.944", "SK9822",
            {"1": data(number), "2": clock(number), "3": "GND", "4": "+5V", "5": clock(number + 1), "6": data(number + 1)},
            (x, y), 0, fields("Opsco", "SK9822-A", "0.1", "SK9822 or APA102 5050: other order of colours, other current; ten first")))
        parts.append(capacitor(f"C{number + 1}", "100n 0603", "+5V", "GND", (x, y + 22.86)))
    return parts


def connector_parts():
    """The chain's input with its buffer, its output, and a feed at either edge."""
    row = ROWS
    feed = dict(symbol="Connector_Generic_MountingPin:Conn_02x02_Odd_Even_MountingPin",
                footprint="Connector_Molex:Molex_Micro-Fit_3.0_43045-0418_2x02-1MP_P3.00mm_Vertical",
                nets={"1": "+5V", "2": "+5V", "3": "GND", "4": "GND", "MP": "GND"},
                fields=fields("Molex", "43045-0418", "1", "43045-0419, 43045-0420 (plating)"))
    def chain(count):
        return dict(symbol=f"Connector_Generic_MountingPin:Conn_01x{count:02}_MountingPin",
                    footprint=f"Connector_JST:JST_PH_B{count}B-PH-SM4-TB_1x{count:02}-1MP_P2.00mm_Vertical",
                    fields=fields("JST", f"B{count}B-PH-SM4-TB(LF)(SN)", "1"))
    return [
        # The grounds of the input reach the tile's ground by 10 Ω: no supply current returns by the data cable. If the supply's
        # ground opens, the fuse opens before the resistor burns. In and out have different plugs, so that no cable joins two outputs.
        Part("J1", value="CHAIN IN", at=at(0, row),
             nets={"1": "IN_DATA", "2": "GND_IN", "3": "IN_CLOCK", "4": "GND_IN", "MP": "GND"}, **chain(4)),
        Part("J2", value="CHAIN OUT", at=at(1, row),
             nets={"1": "OUT_DATA", "2": "GND", "3": "OUT_CLOCK", "4": "GND", "5": "GND", "MP": "GND"}, **chain(5)),
        Part("J3", value="FEED", at=at(2, row), **feed),
        Part("J4", value="FEED", at=at(3, row), **feed),
        # Takes no current into its inputs while the tile has no supply.
        Part("U1", "74xGxx:74LVC2G17", "Package_TO_SOT_SMD:SOT-363_SC-70-6", "74LVC2G17",
             {"1": "IN_DATA", "2": "GND", "3": "IN_CLOCK", "4": "BUFFERED_CLOCK", "5": "+5V", "6": "BUFFERED_DATA"},
             at(4, row), 0, fields("Texas Instruments", "SN74LVC2G17DCKR", "0.1", "74LVC2G17GW,125"),
             {1: at(4, row), 2: at(5, row), 3: at(6, row)}),
        chip_fuse("F1", "GND_IN", "GND_FUSED", at(19, row)),
        resistor("R1", 10, "GND_FUSED", "GND", at(7, row)),
        resistor("R2", 100, "BUFFERED_DATA", data(0), at(8, row)),
        resistor("R3", 100, "BUFFERED_CLOCK", clock(0), at(9, row)),
        resistor("R4", 100e3, "IN_DATA", "GND", at(10, row)),
        resistor("R5", 100e3, "IN_CLOCK", "GND", at(11, row)),
        capacitor("C301", "100n 0603", "+5V", "GND", at(12, row)),
    ] + [capacitor(f"C{302 + index}", "47u 10V", "+5V", "GND", at(13 + index, row)) for index in range(4)]


CIRCUIT = Circuit("tile", "LED tile: 22 x 12 SK9822", led_parts() + connector_parts(), paper="A0", flags=["+5V", "GND", "GND_IN"],
                  notes=[(50.8, 50.8, "264 LEDs, each with 100 nF; even rows run right, odd rows left"),
                         (50.8, 660.4, "Chain in and out, feeds, buffer")])


def place_leds(board):
    """LEDs with their capacitors. An odd row is turned by half, so that outputs face the next inputs. The capacitors of two rows
    stand in the gap between them, ground outside; the other gaps hold the pegs' holes."""
    for number in range(COUNT):
        column, row = place_of(number)
        x, y = centre(column, row)
        side = -1 if row % 2 else 1
        board.place(f"D{number + 1}", x, y, 180 if row % 2 else 0)
        board.place(f"C{number + 1}", x - 1.736 * side, y + PITCH / 2 * side, 180 if row % 2 == 0 else 0)
    for number in range(COUNT):
        column, row = place_of(number)
        x, y = centre(column, row)
        side = -1 if row % 2 else 1
        hole = (x - 2.48 * side, y + 2.55 * side)
        board.via("GND", *hole)
        board.track("GND", [board.pad(f"D{number + 1}.3"), hole], 0.5)
        board.track("GND", [board.pad(f"C{number + 1}.2"), hole], 0.5)
        last = column == (COLUMNS - 1 if row % 2 == 0 else 0)
        if number + 1 < COUNT and not last:
            board.track_between(f"D{number + 1}.6", f"D{number + 2}.1", width=0.3)
            board.track_between(f"D{number + 1}.5", f"D{number + 2}.2", width=0.3)
        elif number + 1 < COUNT:
            turn(board, number, side)


def under(board, name, side):
    """A via under the LED's body, beside the pad."""
    x, y = board.pad(name)
    place = (x - 1.2 * side, y)
    net = board.pads(name)[0].GetNetname().removeprefix("/")
    board.track(net, [(x, y), place], 0.3)
    board.via(net, *place, 0.6, 0.3)
    return place


def turn(board, number, side):
    """From the end of a row to the start of the next one, on the back: one loop lies around the other."""
    data_ends, clock_ends = (
        [under(board, f"D{number + 1 + k}.{pin}", side) for k, pin in enumerate(pins)] for pins in ((6, 1), (5, 2)))
    outer, inner = (data_ends, clock_ends) if side > 0 else (clock_ends, data_ends)
    nets = (data(number + 1), clock(number + 1))
    (x0, y0), (x1, y1) = outer
    x = x0 - 0.8 * side
    board.track(nets[side < 0], [(x0, y0), (x, y0 + 0.8), (x, y1 - 0.8), (x1, y1)], 0.3, "B")
    board.track(nets[side > 0], inner, 0.3, "B")


def place_feeds(board):
    """A feed at each edge with two capacitors: the right one is the left one after half a turn."""
    for (name, one, two), flip in ((("J3", "C302", "C303"), False), (("J4", "C304", "C305"), True)):
        def spot(x, y, flip=flip):
            return (WIDTH - x, HEIGHT - y) if flip else (x, y)

        middle = FIRST + 5.5 * PITCH
        # Here the +5V pads lie between the LEDs' ground vias.
        x = FIRST + PITCH + 0.98
        half = 180 if flip else 0
        board.place(name, *spot(x, middle), half, back=True)
        board.place(one, *spot(20.6, middle + 2.7), half + 90, back=True)
        board.place(two, *spot(23.9, middle + 2.7), half + 90, back=True)
        # Copper on the back from the +5V pads to the capacitors, and vias to the front's plane.
        box = [(x - 4.2, middle + 3.1), (25.4, middle + 3.1), (25.4, middle + 6), (x - 4.2, middle + 6)]
        board.zone("+5V", "B", [spot(*point) for point in box], 0.25, 2, False)
        for via in [(11.1, y) for y in (3.4, 4.4, 5.4)] + [(16.2 + k, y) for k in range(3) for y in (3.6, 4.6)]:
            board.via("+5V", *spot(via[0], middle + via[1]), 0.8, 0.4)


def place_chain(board):
    """Input with its buffer at the first row, output at the last one, both at the left edge."""
    x, y = FIRST + PITCH, FIRST + 1.5 * PITCH
    board.place("J1", x, y + 0.5, back=True)
    board.place("J2", x + 0.75, HEIGHT - y - 0.5, 180, back=True)
    for ref, *place in (("U1", 20.2, y), ("F1", 18.25, 9.9, 90), ("R1", 15.2, 8, 180), ("R4", 20.4, 18.6), ("R5", 21.2, 9.5),
                        ("R2", 25.4, 6.8, 90), ("R3", 22.95, 6.8, 90), ("C301", 23.6, 13.5)):
        board.place(ref, *place, back=True)

    def track(net, *points, width=0.3):
        board.track(net, [board.pad(point) if isinstance(point, str) else point for point in points], width, "B")

    track("IN_DATA", "J1.1", (x - 3, 18.6), "R4.1", (19.49, 15), "U1.1")
    track("IN_CLOCK", "J1.3", (x + 1, 6.75), (19.9, 6.75), (20.33, 7.18), (20.33, 8.8), "R5.1", (20.0, 11.5), (19.79, 12.5), "U1.3")
    track("GND_IN", "J1.2", (x - 1, 17.2), (x + 3, 17.2), "J1.4", (x + 3, 11.3), "F1.1")
    track("GND_FUSED", "F1.2", "R1.1")
    track("BUFFERED_CLOCK", "U1.4", (22.95, 11.3), "R3.1")
    track("BUFFERED_DATA", "U1.6", (25.15, y + 0.65), (25.4, y + 0.4), "R2.1")
    track("+5V", "U1.5", "C301.1", (23.05, 12.65), width=0.4)
    board.via("+5V", 23.05, 12.65)
    track(clock(0), "R3.2", (22.95, FIRST), under(board, "D1.2", -1))
    first = under(board, "D1.1", -1)
    track(data(0), "R2.2", (25.4, first[1]), first)
    last = under(board, f"D{COUNT}.5", -1)
    track(clock(COUNT), last, (board.pad("J2.3")[0], last[1]), "J2.3")
    last = under(board, f"D{COUNT}.6", -1)
    track(data(COUNT), last, (12.04, last[1]), (12.04, 75.1), (14.1, 75.1), (15.04, 74.1), "J2.1")


def cut_out(board):
    """Draw the cut-outs, and assert that every part of the back stands in one."""
    for left, top, right, bottom in CUTOUTS:
        board.drawing([(left, top), (right, top), (right, bottom), (left, bottom)])
    for ref in board.footprints:
        x0, y0, x1, y1 = board.courtyard(ref)
        assert not board.is_back(ref) or any(
            left + 0.4 < x0 and top + 0.4 < y0 and x1 < right - 0.4 and y1 < bottom - 0.4
            for left, top, right, bottom in CUTOUTS), (ref, x0, y0, x1, y1)


def draw(folder):
    """Place, connect and save to a folder."""
    board = Board(CIRCUIT, [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], layers=2, rules={"min_resolved_spokes": 1},
                  fused=("+5V",), fused_mm=0.4)
    place_leds(board)
    place_feeds(board)
    place_chain(board)
    for (column, row), slot in ((PEG, 0), (SLOT, 1.2)):
        board.hole(*centre(column + 0.5, row + 0.5), PEG_HOLE, slot)
    board.solid("U1.2")
    cut_out(board)
    edge = [(0.3, 0.3), (WIDTH - 0.3, 0.3), (WIDTH - 0.3, HEIGHT - 0.3), (0.3, HEIGHT - 0.3)]
    board.zone("+5V", "F", edge, 0.2, 0)
    board.zone("GND", "B", edge, 0.2, 0)
    back = pcbnew.B_SilkS
    board.text(76.3, 32, f"PixelBoop tile {REVISION}", 2.5, back)
    board.text(76.3, 36.5, "CERN-OHL-S-2.0", 1.5, back)
    board.text(10.3, 7.2, "CHAIN IN", 1, back)
    board.text(10.3, 20.8, "GND CLOCK GND DATA", 0.8, back)
    board.text(10.3, 63.5, "CHAIN OUT", 1, back)
    board.text(10.3, 74.6, "DATA GND CLOCK GND GND", 0.8, back)
    for x, y, plus, minus in ((11.3, HEIGHT / 2, 1, -1), (WIDTH - 11.3, HEIGHT / 2, -1, 1)):
        board.text(x, y + 7.7 * plus, "+5V", 1.2, back)
        board.text(x, y + 7.7 * minus, "GND", 1.2, back)
    board.save(folder)


if __name__ == "__main__":
    draw(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
