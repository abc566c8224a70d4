#!/usr/bin/python3
"""Writes what the case needs to know of the boards: outline, holes and the body of each tall part.

    boards.py > boards.scad
"""

import pathlib

import pcbnew

BOARDS = pathlib.Path(__file__).resolve().parent.parent / "boards"
# Heights in mm above the board by footprint; of connectors with the plug and 5 mm for its wires. Data sheets' maxima where known
# (JST VH, XH, PH catalogues: mated height; Molex 43045 and 43025: mated height; capacitors: their names), else rounded up.
HEIGHTS = {
    "AMASS_XT60PW": 8.5, "CP_Elec_10x10.5": 10.8, "CP_Elec_10x12.6": 13, "CP_Elec_8x10": 10.8, "C_0603": 1, "C_0805": 1.5,
    "C_1210": 2.8, "JST_ZH": 12, "Molex_KK-254": 20, "Texas_RPW": 1.1, "D_SMA": 2.6, "D_SMC": 2.7, "D_SOD-123": 1.4, "Fuse_1206": 1.2, "Fuseholder_Blade_Mini_Keystone_3568": 17, "JST_PH_B2B": 13,
    "JST_PH_B3B": 13, "JST_PH_B4B-PH-SM4": 15, "JST_PH_B5B-PH-SM4": 15, "JST_VH": 22, "JST_XH": 15, "LED_0805": 1, "LED_SK9822": 1.6,
    "Molex_Micro-Fit": 20, "PinHeader_1x02": 9, "PinSocket_2x20": 8.6, "R_0805": 0.8, "SMDIP-6": 4.5, "SOIC": 1.9, "SOT": 1.6,
    "TO-252": 2.5, "TSSOP": 1.3, "Texas_NDW": 6, "Texas_NDY": 6, "VSON": 1.1,
}
# Lower parts than this are not listed: nothing comes so near to a board.
LOW = 2


def mm(value):
    return round(pcbnew.ToMM(value), 2)


def height(name):
    found = [value for key, value in HEIGHTS.items() if name.startswith(key)]
    assert len(found) == 1, name
    return found[0]


def describe(name):
    """Lines of OpenSCAD for one board: coordinates in mm from its corner, x to the right and y down."""
    board = pcbnew.LoadBoard(str(BOARDS / name / f"{name}.kicad_pcb"))
    edge = board.GetBoardEdgesBoundingBox()
    line = pcbnew.FromMM(0.1)
    left, top = edge.GetLeft() + line // 2, edge.GetTop() + line // 2
    size = [mm(edge.GetWidth() - line), mm(edge.GetHeight() - line)]
    holes, bodies = [], []
    for fp in sorted(board.GetFootprints(), key=lambda fp: fp.GetReference()):
        kind = str(fp.GetFPID().GetUniStringLibItemName())
        place = fp.GetPosition()
        if kind.startswith(("MountingHole", "Hole", "Slot")):
            drill = list(fp.Pads())[0].GetDrillSize()
            holes.append([mm(place.x - left), mm(place.y - top), mm(drill.y)] + ([mm(drill.x - drill.y)] if drill.x > drill.y else []))
        elif height(kind) >= LOW:
            box = fp.GetCourtyard(pcbnew.B_CrtYd if fp.IsFlipped() else pcbnew.F_CrtYd).BBox()
            bodies.append([fp.GetReference(), mm(box.GetLeft() - left), mm(box.GetTop() - top), mm(box.GetRight() - left),
                           mm(box.GetBottom() - top), -height(kind) if fp.IsFlipped() else height(kind)])
    yield f"{name}_size = {size};"
    yield f"{name}_holes = {holes}; // x, y, diameter; of a slot how much longer it is along x"
    yield f"{name}_bodies = [ // name, left, top, right, bottom, height; negative: behind the board"
    for body in bodies:
        yield "    " + str(body).replace("'", '"') + ","
    yield "];"
    if name == "tile":
        yield from grid("led", "LED_SK9822", board, left, top)
        yield from grid("capacitor", "C_0603", board, left, top)
    cuts = cutouts(board, left, top)
    if cuts:
        yield f"{name}_cutouts = {cuts}; // left, top, right, bottom"


def grid(word, kind, board, left, top):
    """Columns and rows of the parts of one kind on the front, which must fill every place."""
    places = {(mm(fp.GetPosition().x - left), mm(fp.GetPosition().y - top)) for fp in board.GetFootprints()
              if str(fp.GetFPID().GetUniStringLibItemName()).startswith(kind) and not fp.IsFlipped()}
    columns, rows = (sorted({place[axis] for place in places}) for axis in (0, 1))
    assert len(places) == len(columns) * len(rows), word
    yield f"tile_{word}_x = {columns};"
    yield f"tile_{word}_y = {rows};"


def cutouts(board, left, top):
    """Rectangles on the layer of drawings: four lines each, from the left top corner."""
    lines = [item for item in board.GetDrawings() if item.GetLayer() == pcbnew.Dwgs_User]
    points = sorted({(mm(p.x - left), mm(p.y - top)) for line in lines for p in (line.GetStart(), line.GetEnd())})
    found = []
    while points:
        x0, y0 = points[0]
        y1 = min(y for x, y in points if x == x0 and y > y0)
        x1 = min(x for x, y in points if x > x0 and y == y0 and (x, y1) in points)
        found.append([x0, y0, x1, y1])
        points = [point for point in points if point not in ((x0, y0), (x0, y1), (x1, y0), (x1, y1))]
    return found


def main():
    print("// Written by boards.py from the boards' files; hardware/check compares it.")
    for name in ("power", "adapter", "tile"):
        print("\n".join(describe(name)))


if __name__ == "__main__":
    main()
