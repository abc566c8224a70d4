"""Maze router for slow signals: the cheapest path over a grid on the front and the back."""

import heapq
from math import ceil, floor, hypot

import pcbnew

from .layout import LAYERS, ORIGIN

STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
FRONT, BACK = 0, 1
NAMES = "FB"


class Router:
    """Routes nets of a board of `width` x `height` mm. `keep`: (layer, x0, y0, x1, y1) where no track may go."""

    def __init__(self, board, width, height, step=0.25, track=0.25, clearance=0.17, via=0.6, drill=0.3, keep=(),
                 cost=(1, 1), planes=("GND",)):
        self.board, self.step, self.track, self.clearance = board, step, track, clearance
        self.via_size, self.drill, self.cost = via, drill, cost
        self.nx, self.ny = int(width / step) + 1, int(height / step) + 1
        # For each layer, and for tracks and vias: the one net that may use a cell, or -1 for none.
        self.owner = [[None] * (self.nx * self.ny) for _ in range(2)]
        self.via_owner = [None] * (self.nx * self.ny)
        self.failed, self.routed = [], set()
        for layer, x0, y0, x1, y1 in keep:
            self._rectangle("", [layer], x0, y0, x1, y1)
        edge = 0.35
        for box in ((-1, -1, edge, height + 1), (width - edge, -1, width + 1, height + 1), (-1, -1, width + 1, edge),
                    (-1, height - edge, width + 1, height + 1)):
            self._rectangle("", [FRONT, BACK], *box)
        for fp in board.board.GetFootprints():
            for pad in fp.Pads():
                layers = [i for i, name in enumerate(NAMES) if pad.IsOnLayer(LAYERS[name])]
                box = pad.GetBoundingBox()
                corners = [pcbnew.ToMM(v) for v in (box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom())]
                if pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH:
                    corners = [v + 0.1 * s for v, s in zip(corners, (-1, -1, 1, 1))]
                    layers = [FRONT, BACK]
                self._rectangle(self._name(pad), layers, corners[0] - ORIGIN[0], corners[1] - ORIGIN[1],
                                corners[2] - ORIGIN[0], corners[3] - ORIGIN[1])
        for item in board.board.GetTracks():
            if item.Type() == pcbnew.PCB_VIA_T:
                x, y = self._mm(item.GetPosition())
                self._line(self._name(item), [FRONT, BACK], x, y, x, y, pcbnew.ToMM(item.GetWidth(pcbnew.F_Cu)))
            else:
                layer = [i for i, name in enumerate(NAMES) if LAYERS[name] == item.GetLayer()]
                self._line(self._name(item), layer, *self._mm(item.GetStart()), *self._mm(item.GetEnd()),
                           pcbnew.ToMM(item.GetWidth()))
        for zone in board.board.Zones():
            layer = [i for i, name in enumerate(NAMES) if LAYERS[name] == zone.GetLayer()]
            if self._name(zone) in planes or not layer:
                continue
            box = zone.GetBoundingBox()
            for i in range(self.nx):
                for j in range(self.ny):
                    x, y = i * step, j * step
                    place = pcbnew.VECTOR2I(pcbnew.FromMM(x + ORIGIN[0]), pcbnew.FromMM(y + ORIGIN[1]))
                    if box.Contains(place) and zone.Outline().Collide(place, pcbnew.FromMM(clearance + track / 2)):
                        self._set(self.owner[layer[0]], i, j, self._name(zone))
                        self._set(self.via_owner, i, j, self._name(zone))

    def _mm(self, position):
        return pcbnew.ToMM(position.x) - ORIGIN[0], pcbnew.ToMM(position.y) - ORIGIN[1]

    def _name(self, item):
        return item.GetNetname().removeprefix("/")

    def _set(self, grid, i, j, net):
        if 0 <= i < self.nx and 0 <= j < self.ny:
            k = i * self.ny + j
            grid[k] = net if grid[k] in (None, net) else -1

    def _line(self, net, layers, x0, y0, x1, y1, width):
        """Mark the cells near a segment."""
        for margin, grids in ((self.clearance + (self.track + width) / 2, [self.owner[layer] for layer in layers]),
                              (self.clearance + (self.via_size + width) / 2, [self.via_owner])):
            for i in range(floor((min(x0, x1) - margin) / self.step), ceil((max(x0, x1) + margin) / self.step) + 1):
                for j in range(floor((min(y0, y1) - margin) / self.step), ceil((max(y0, y1) + margin) / self.step) + 1):
                    x, y = i * self.step, j * self.step
                    length = hypot(x1 - x0, y1 - y0)
                    t = 0 if length == 0 else max(0, min(1, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length ** 2))
                    if hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)) < margin - 1e-6:
                        for grid in grids:
                            self._set(grid, i, j, net)

    def _rectangle(self, net, layers, x0, y0, x1, y1):
        """Mark the cells near a rectangle."""
        for margin, grids in ((self.clearance + self.track / 2, [self.owner[layer] for layer in layers]),
                              (self.clearance + self.via_size / 2, [self.via_owner])):
            for i in range(floor((x0 - margin) / self.step), ceil((x1 + margin) / self.step) + 1):
                for j in range(floor((y0 - margin) / self.step), ceil((y1 + margin) / self.step) + 1):
                    x, y = i * self.step, j * self.step
                    if hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1)) < margin - 1e-6:
                        for grid in grids:
                            self._set(grid, i, j, net)

    def _terminals(self, net):
        """For each pad of a net: its centre, and the cells inside it."""
        for fp in self.board.board.GetFootprints():
            for pad in fp.Pads():
                if self._name(pad) != net:
                    continue
                cx, cy = self._mm(pad.GetPosition())
                layers = [i for i, name in enumerate(NAMES) if pad.IsOnLayer(LAYERS[name])]
                i, j = round(cx / self.step), round(cy / self.step)
                cells = [(layer, i, j) for layer in layers if self._free(layer, i, j, net)]
                near = [v for v in self._vias(net) if hypot(v[0] - cx, v[1] - cy) < 2.5]
                if near and not cells:  # the pad's way out is drawn by hand
                    cx, cy = near[0]
                    cells = [(layer, round(cx / self.step), round(cy / self.step)) for layer in (FRONT, BACK)]
                yield (cx, cy), cells

    def _free(self, layer, i, j, net):
        return 0 <= i < self.nx and 0 <= j < self.ny and self.owner[layer][i * self.ny + j] in (None, net)

    def _search(self, net, sources, goal, aim=None):
        """The cheapest path from a set of cells to a cell for which goal(cell) holds."""
        def rest(cell):
            return 0 if aim is None else hypot(cell[1] - aim[0], cell[2] - aim[1])
        queue = [(rest(cell), 0, cell, None, -1) for cell in sources]
        heapq.heapify(queue)
        came = {}
        while queue:
            _, spent, cell, parent, way = heapq.heappop(queue)
            if cell in came:
                continue
            came[cell] = parent
            if goal(cell):
                path = [cell]
                while came[path[-1]] is not None:
                    path.append(came[path[-1]])
                return path[::-1]
            layer, i, j = cell
            for turn, (di, dj) in enumerate(STEPS):
                after = (layer, i + di, j + dj)
                if after not in came and self._free(*after, net):
                    bend = 0 if way in (-1, turn) else 0.4
                    cost = spent + hypot(di, dj) * self.cost[layer] + bend
                    heapq.heappush(queue, (cost + rest(after), cost, after, cell, turn))
            if self.via_owner[i * self.ny + j] in (None, net) and self._free(1 - layer, i, j, net):
                after = (1 - layer, i, j)
                if after not in came:
                    heapq.heappush(queue, (spent + 12 + rest(after), spent + 12, after, cell, -1))
        return None

    def _draw(self, net, path, ends=()):
        """Tracks and vias along a path; ends: exact places of the pads at its two ends."""
        runs, run = [], [path[0]]
        for cell in path[1:]:
            if cell[0] != run[-1][0]:
                x, y = cell[1] * self.step, cell[2] * self.step
                self.board.via(net, x, y, self.via_size, self.drill)
                self._line(net, [FRONT, BACK], x, y, x, y, self.via_size)
                runs.append(run)
                run = [cell]
            else:
                run.append(cell)
        runs.append(run)
        for number, run in enumerate(runs):
            points = [(i * self.step, j * self.step) for _, i, j in run]
            if number == 0 and ends and ends[0]:
                points.insert(0, ends[0])
            if number == len(runs) - 1 and ends and ends[1]:
                points.append(ends[1])
            clean = points[:1]
            for index in range(1, len(points) - 1):
                (x0, y0), (x1, y1), (x2, y2) = clean[-1], points[index], points[index + 1]
                if abs((x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)) > 1e-9:
                    clean.append(points[index])
            clean += points[-1:] if len(points) > 1 else []
            clean = [p for k, p in enumerate(clean) if k == 0 or hypot(p[0] - clean[k - 1][0], p[1] - clean[k - 1][1]) > 1e-6]
            self.board.track(net, clean, self.track, NAMES[run[0][0]])
            for (x0, y0), (x1, y1) in zip(clean, clean[1:]):
                self._line(net, [run[0][0]], x0, y0, x1, y1, self.track)

    def plane(self, net, skip=(), share=0):
        """A short track and a via to the net's plane for each pad on one side only, unless near a pad of `skip`.

        A pad nearer than `share` to a via of its net gets none: for nets with a fill on the outer layers.
        """
        away = [self.board.pad(name) for name in skip]
        for centre, cells in list(self._terminals(net)):
            if len(cells) != 1 or any(hypot(centre[0] - x, centre[1] - y) < 3 for x, y in away):
                continue
            near = [hypot(v[0] - centre[0], v[1] - centre[1]) for v in self._vias(net)]
            if near and min(near) < share:
                continue
            holes = self._vias(net)
            path = self._search(net, cells, lambda c: self._room(net, c, centre, holes))
            if path is None or len(path) > 24:
                self.failed.append((net, centre))
                continue
            layer, i, j = path[-1]
            self.board.via(net, i * self.step, j * self.step, self.via_size, self.drill)
            self._draw(net, path, (centre, None))
            self._line(net, [FRONT, BACK], i * self.step, j * self.step, i * self.step, j * self.step, self.via_size)

    def _vias(self, net):
        return [self._mm(item.GetPosition()) for item in self.board.board.GetTracks()
                if item.Type() == pcbnew.PCB_VIA_T and self._name(item) == net]

    def _room(self, net, cell, centre, holes):
        """Room for a via beside the pad, not in it."""
        layer, i, j = cell
        if self.via_owner[i * self.ny + j] is not None and self.via_owner[i * self.ny + j] != net:
            return False
        if hypot(i * self.step - centre[0], j * self.step - centre[1]) < 1.1:
            return False
        if any(hypot(i * self.step - x, j * self.step - y) < 2 * self.drill for x, y in holes):
            return False
        return self._free(1 - layer, i, j, net)

    def length(self, net):
        """Width plus height of the box around a net's pads."""
        xs, ys = zip(*(centre for centre, _ in self._terminals(net)))
        return max(xs) - min(xs) + max(ys) - min(ys)

    def route(self, *nets):
        """Connect all pads of each net."""
        for net in nets:
            self.routed.add(net)
            pads = list(self._terminals(net))
            tree, joined = set(pads[0][1]), {cell: pads[0][0] for cell in pads[0][1]}
            rest = pads[1:]
            while rest:
                rest.sort(key=lambda pad: min(hypot(pad[0][0] - i * self.step, pad[0][1] - j * self.step)
                                              for _, i, j in tree) if tree else 0)
                centre, cells = rest.pop(0)
                path = self._search(net, tree, lambda c, cells=set(cells): c in cells,
                                    (centre[0] / self.step, centre[1] / self.step))
                if path is None:
                    self.failed.append((net, centre))
                    continue
                self._draw(net, path, (joined.get(path[0]), centre))
                tree |= set(path) | set(cells)
                joined.update({cell: centre for cell in cells})
