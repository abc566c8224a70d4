"""Board: footprints, tracks, vias, zones and texts, written by KiCad's own library."""

import json
import os

import pcbnew

from .circuit import OWN, library_symbol, symbol_pins

FOOTPRINTS = "/usr/share/kicad/footprints"
LAYERS = {"F": pcbnew.F_Cu, "B": pcbnew.B_Cu, "1": pcbnew.In1_Cu, "2": pcbnew.In2_Cu}
ORIGIN = (50, 50)  # mm, the board's corner on the sheet


def mm(value):
    return pcbnew.FromMM(float(value))


def point(x, y):
    return pcbnew.VECTOR2I(mm(x + ORIGIN[0]), mm(y + ORIGIN[1]))


class Board:
    """A board with its corner at (0, 0), x to the right, y down, in mm."""

    def __init__(self, circuit, outline, layers=2, rules=None, fused=(), fused_mm=1.0):
        """`fused`: nets behind a fuse of the board. Their tracks are no narrower than `fused_mm`, by a net class and a design rule."""
        pcbnew.KIID.SeedGenerator(1)
        self.circuit, self.rules, self.fused, self.fused_mm = circuit, rules or {}, fused, fused_mm
        self.board = pcbnew.BOARD()
        self.board.SetCopperLayerCount(layers)
        title = self.board.GetTitleBlock()
        title.SetTitle(circuit.title)
        self.nets, self.footprints = {}, {}
        for part in circuit.parts:
            for net in part.nets.values():
                if net is not None and net not in self.nets:
                    self.nets[net] = pcbnew.NETINFO_ITEM(self.board, circuit.net(net))
                    self.board.Add(self.nets[net])
        for part in circuit.parts:
            if part.on_board:
                self._load(part)
        self._polygon(outline, pcbnew.Edge_Cuts)

    def _polygon(self, points, layer):
        for one, two in zip(points, points[1:] + points[:1]):
            line = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(point(*one))
            line.SetEnd(point(*two))
            line.SetLayer(layer)
            line.SetWidth(mm(0.1))
            self.board.Add(line)

    def _load(self, part):
        library, name = part.footprint.split(":")
        fp = pcbnew.FootprintLoad(f"{OWN.get(library, FOOTPRINTS)}/{library}.pretty", name)
        fp.SetFPIDAsString(part.footprint)
        fp.SetReference(part.ref)
        fp.SetValue(part.value)
        fp.SetPath(pcbnew.KIID_PATH("/" + self.circuit.symbol_uuid(part)))
        fp.SetSheetname("/")
        fp.SetSheetfile(self.circuit.name + ".kicad_sch")
        for key, text in part.fields.items():
            fp.SetField(key, text)
            fp.GetFieldByName(key).SetVisible(False)
            fp.GetFieldByName(key).SetLayer(pcbnew.F_Fab)
        for pad in fp.Pads():
            net = part.nets.get(pad.GetNumber())
            if net is not None:
                pad.SetNet(self.nets[net])
            elif pad.GetNumber() in part.nets:
                pad.SetNet(self._open(part, pad.GetNumber()))
        # The reference is on the silkscreen only where it has room: see `label`.
        fp.Reference().SetLayer(pcbnew.F_Fab)
        fp.Reference().SetTextSize(pcbnew.VECTOR2I(mm(0.8), mm(0.8)))
        fp.Reference().SetTextThickness(mm(0.12))
        self.board.Add(fp)
        self.footprints[part.ref] = fp

    def _open(self, part, number):
        """The net that KiCad gives to a pin without a connection."""
        pin = next(pin for pin in symbol_pins(library_symbol(part.symbol)) if pin.number == number)
        middle = "" if pin.name in ("~", number) else pin.name + "-"
        name = f"unconnected-({part.ref}-{middle}Pad{number})"
        if name not in self.nets:
            self.nets[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self.nets[name])
        return self.nets[name]

    def solid(self, *names):
        """Join the pads of "U1.3" to zones without thermal spokes: for heat, or where spokes have no room."""
        for name in names:
            for pad in self.pads(name):
                pad.SetLocalZoneConnection(pcbnew.ZONE_CONNECTION_FULL)

    def references(self):
        """Print references where they fit beside their parts; the others stay on the fabrication layer."""
        def box(item, grow=0.0):
            b = item.GetBoundingBox()
            return [b.GetLeft() - mm(grow), b.GetTop() - mm(grow), b.GetRight() + mm(grow), b.GetBottom() + mm(grow)]
        taken = []
        for fp in self.board.GetFootprints():
            taken += [box(pad, 0.15) for pad in fp.Pads()]
            taken += [box(item, 0.1) for item in fp.GraphicalItems() if item.GetLayer() == pcbnew.F_SilkS]
            b = fp.GetCourtyard(pcbnew.F_CrtYd).BBox()
            if not fp.IsFlipped() and b.GetWidth() > 0:
                taken.append([b.GetLeft(), b.GetTop(), b.GetRight(), b.GetBottom()])
        taken += [box(item, 0.1) for item in self.board.GetDrawings() if item.GetLayer() == pcbnew.F_SilkS]
        edge = self.board.GetBoardEdgesBoundingBox()
        for fp in sorted(self.board.GetFootprints(), key=lambda fp: fp.GetReference()):
            text = fp.Reference()
            if fp.IsFlipped() or not text.IsVisible():
                continue
            text.SetTextAngleDegrees(0)
            court = fp.GetCourtyard(pcbnew.F_CrtYd).BBox()
            own = text.GetBoundingBox()
            w, h, c = own.GetWidth() // 2, own.GetHeight() // 2, court.Centre()
            gap = mm(0.02)
            for x, y in ((c.x, court.GetTop() - h - gap), (c.x, court.GetBottom() + h + gap),
                         (court.GetLeft() - w - gap, c.y), (court.GetRight() + w + gap, c.y)):
                here = [x - w, y - h, x + w, y + h]
                if not (edge.GetLeft() + mm(0.5) < here[0] and here[2] < edge.GetRight() - mm(0.5)
                        and edge.GetTop() + mm(0.5) < here[1] and here[3] < edge.GetBottom() - mm(0.5)):
                    continue
                if all(here[2] <= t[0] or here[0] >= t[2] or here[3] <= t[1] or here[1] >= t[3] for t in taken):
                    text.SetLayer(pcbnew.F_SilkS)
                    text.SetPosition(pcbnew.VECTOR2I(int(x), int(y)))
                    taken.append(here)
                    break

    def place(self, ref, x, y, turn=0, back=False):
        """Place a footprint's origin; turn is counter-clockwise as seen from the front."""
        fp = self.footprints[ref]
        fp.SetPosition(point(x, y))
        if back:
            fp.Flip(point(x, y), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
        fp.SetOrientationDegrees(turn)

    def pads(self, name):
        """Pads of "U1.3"."""
        ref, number = name.rsplit(".", 1)
        return [pad for pad in self.footprints[ref].Pads() if pad.GetNumber() == number]

    def pad(self, name):
        """Centre of the first pad of "U1.3"."""
        position = self.pads(name)[0].GetPosition()
        return pcbnew.ToMM(position.x) - ORIGIN[0], pcbnew.ToMM(position.y) - ORIGIN[1]

    def is_back(self, ref):
        """Whether a part stands on the back."""
        return self.footprints[ref].IsFlipped()

    def courtyard(self, ref):
        """Left, top, right and bottom of a part's courtyard."""
        fp = self.footprints[ref]
        box = fp.GetCourtyard(pcbnew.B_CrtYd if fp.IsFlipped() else pcbnew.F_CrtYd).BBox()
        left, top, right, bottom = (pcbnew.ToMM(v) for v in (box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom()))
        return left - ORIGIN[0], top - ORIGIN[1], right - ORIGIN[0], bottom - ORIGIN[1]

    def drawing(self, points):
        """A closed outline on the layer of drawings, for other parts of the box."""
        self._polygon(points, pcbnew.Dwgs_User)

    def track(self, net, points, width=0.3, layer="F"):
        for one, two in zip(points, points[1:]):
            segment = pcbnew.PCB_TRACK(self.board)
            segment.SetStart(point(*one))
            segment.SetEnd(point(*two))
            segment.SetWidth(mm(width))
            segment.SetLayer(LAYERS[layer])
            segment.SetNet(self.nets[net])
            self.board.Add(segment)

    def track_between(self, one, two, via=(), width=0.3, layer="F"):
        net = self.pads(one)[0].GetNetname().removeprefix("/")
        self.track(net, [self.pad(one), *via, self.pad(two)], width, layer)

    def via(self, net, x, y, size=0.6, drill=0.3):
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(point(x, y))
        via.SetWidth(mm(size))
        via.SetDrill(mm(drill))
        via.SetNet(self.nets[net])
        self.board.Add(via)

    def zone(self, net, layer, polygon, clearance=0.25, priority=0, thermal=True, spoke=0.5):
        zone = pcbnew.ZONE(self.board)
        zone.SetLayer(LAYERS[layer])
        zone.SetNet(self.nets[net])
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in polygon:
            outline.Append(point(x, y))
        zone.SetLocalClearance(mm(clearance))
        zone.SetAssignedPriority(priority)
        zone.SetMinThickness(mm(0.25))
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL if thermal else pcbnew.ZONE_CONNECTION_FULL)
        zone.SetThermalReliefGap(mm(0.3))
        zone.SetThermalReliefSpokeWidth(mm(spoke))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        self.board.Add(zone)

    def hole(self, x, y, diameter, slot=0):
        """A hole without copper: M3, M2.5, or 2.0 mm for a peg, which can be a slot: longer by `slot` along x."""
        library, name = {3.2: ("MountingHole", "MountingHole_3.2mm_M3"), 2.7: ("MountingHole", "MountingHole_2.7mm_M2.5"),
                         2.0: ("PixelBoop", "Slot_2.0x3.2mm" if slot else "Hole_2.0mm")}[diameter]
        fp = pcbnew.FootprintLoad(f"{OWN.get(library, FOOTPRINTS)}/{library}.pretty", name)
        fp.SetFPIDAsString(f"{library}:{name}")
        fp.SetReference(f"H{int(x)}_{int(y)}")
        fp.Reference().SetVisible(False)
        fp.SetBoardOnly(True)
        fp.SetExcludedFromBOM(True)
        fp.SetExcludedFromPosFiles(True)
        fp.SetPosition(point(x, y))
        self.board.Add(fp)

    def text(self, x, y, words, size=1.0, layer=None, turn=0):
        item = pcbnew.PCB_TEXT(self.board)
        item.SetText(words)
        item.SetPosition(point(x, y))
        item.SetLayer(pcbnew.F_SilkS if layer is None else layer)
        item.SetTextSize(pcbnew.VECTOR2I(mm(size), mm(size)))
        item.SetTextThickness(mm(0.15 * size))
        item.SetTextAngleDegrees(turn)
        item.SetMirrored(layer == pcbnew.B_SilkS)
        self.board.Add(item)

    def save(self, folder):
        """Fill the zones and write board, schematic and project."""
        self.circuit.save(folder)
        self._project(folder)
        path = f"{folder}/{self.circuit.name}.kicad_pcb"
        pcbnew.SaveBoard(path, self.board, True)
        # The filler needs the project's rules, which only a loaded board has.
        board = pcbnew.LoadBoard(path)
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pcbnew.SaveBoard(path, board, True)

    def _project(self, folder):
        rules = {"min_clearance": 0.15, "min_track_width": 0.15, "min_via_diameter": 0.5, "min_through_hole_diameter": 0.2,
                 "min_copper_edge_clearance": 0.3, "min_hole_to_hole": 0.25, "min_hole_clearance": 0.2,
                 "solder_mask_to_copper_clearance": 0.0, "min_text_height": 0.7, "min_text_thickness": 0.08, **self.rules}
        classes = [{"name": "Default", "clearance": 0.15, "track_width": 0.25, "via_diameter": 0.6, "via_drill": 0.3,
                    "priority": 2147483647},
                   {"name": "Fused", "clearance": 0.15, "track_width": self.fused_mm, "via_diameter": 0.8, "via_drill": 0.4,
                    "priority": 0}]
        patterns = [{"netclass": "Fused", "pattern": self.circuit.net(net)} for net in self.fused]
        with open(os.path.join(folder, self.circuit.name + ".kicad_dru"), "w", encoding="utf-8") as file:
            file.write("(version 1)\n(rule fused\n\t(condition \"A.NetClass == 'Fused'\")\n"
                       f"\t(constraint track_width (min {self.fused_mm}mm)))\n")
        project = {
            "board": {"design_settings": {"rules": rules}},
            "meta": {"filename": self.circuit.name + ".kicad_pro", "version": 3},
            "net_settings": {"classes": classes, "netclass_patterns": patterns, "meta": {"version": 4}},
        }
        with open(os.path.join(folder, self.circuit.name + ".kicad_pro"), "w", encoding="utf-8") as file:
            json.dump(project, file, indent=2)
            file.write("\n")
