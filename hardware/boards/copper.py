"""The copper of a board as a table: tracks, vias and pads with their nets, in mm."""

import json
import sys

import pcbnew


def mm(value):
    return round(pcbnew.ToMM(value), 3)


def tables(path):
    """Tracks [net, layer, width], vias [net, x, y, drill] and pads [part, pin, net, left, top, right, bottom, solid]; labels are
    without KiCad's slash."""
    board = pcbnew.LoadBoard(path)

    def net(item):
        return item.GetNetname().removeprefix("/")
    tracks, vias, pads = [], [], []
    for item in board.GetTracks():
        place = item.GetPosition()
        if item.Type() == pcbnew.PCB_VIA_T:
            vias.append([net(item), mm(place.x), mm(place.y), mm(item.GetDrillValue())])
        else:
            tracks.append([net(item), board.GetLayerName(item.GetLayer()), mm(item.GetWidth())])
    for fp in board.GetFootprints():
        for pad in fp.Pads():
            box = pad.GetBoundingBox()
            pads.append([fp.GetReference(), pad.GetNumber(), net(pad), mm(box.GetLeft()), mm(box.GetTop()), mm(box.GetRight()),
                         mm(box.GetBottom()), pad.GetLocalZoneConnection() == pcbnew.ZONE_CONNECTION_FULL])
    return {"tracks": tracks, "vias": vias, "pads": pads}


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as output:
        json.dump(tables(sys.argv[1]), output)
