"""Schematic of one sheet: each pin gets a stub with a label or a power symbol."""

import dataclasses
import os
import uuid
from math import cos, radians, sin

from sexpr import dump, parse, quote

SYMBOLS = "/usr/share/kicad/symbols"
# Symbols of this project, by the name of their library.
OWN = {"PixelBoop": os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "library")}
POWER = {"GND": "power:GND", "+5V": "power:+5V", "+3V3": "power:+3V3"}
STUB = 2.54
# The boards' revision, on the sheets and on the boards.
REVISION = "2"


def identity(*names):
    """A UUID that depends on names only."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join(map(str, names))))


_libraries = {}


def library_symbol(name):
    """A library symbol as nested lists, with its parent's drawing if it extends one."""
    library, short = name.split(":")
    if library not in _libraries:
        tree = parse(open(f"{OWN.get(library, SYMBOLS)}/{library}.kicad_sym", encoding="utf-8").read())
        _libraries[library] = {item[1].strip('"'): item for item in tree if item[0] == "symbol"}
    own = _libraries[library][short]
    extends = [item[1].strip('"') for item in own if item[0] == "extends"]
    if not extends:
        body = own
    else:
        base = library_symbol(f"{library}:{extends[0]}")
        mine = {item[1]: item for item in own if item[0] == "property"}
        body = [mine.get(item[1], item) if item[0] == "property" else item for item in base]
        names = {item[1] for item in base if item[0] == "property"}
        body += [item for key, item in mine.items() if key not in names]
    result = ["symbol", quote(name)]
    for item in body[2:]:
        if item[0] == "symbol":
            unit = "_".join(item[1].strip('"').split("_")[-2:])
            item = ["symbol", quote(f"{short}_{unit}")] + item[2:]
        result.append(item)
    return result


@dataclasses.dataclass
class Pin:
    number: str
    kind: str
    unit: int
    x: float
    y: float
    angle: float
    name: str


def symbol_pins(symbol):
    """The pins of a symbol, hidden ones too."""
    pins = []
    for item in symbol:
        if item[0] != "symbol":
            continue
        unit = int(item[1].strip('"').split("_")[-2])
        for pin in item:
            if pin[0] == "pin":
                at = next(part for part in pin if part[0] == "at")
                number = next(part for part in pin if part[0] == "number")[1].strip('"')
                name = next(part for part in pin if part[0] == "name")[1].strip('"')
                pins.append(Pin(number, pin[1], unit, *map(float, at[1:4]), name))
    return pins


def extent(symbol, unit):
    """Left, bottom, right and top of a unit's drawing."""
    points = []

    def walk(tree):
        if tree[0] in ("xy", "start", "end", "mid", "center"):
            points.append((float(tree[1]), float(tree[2])))
        for item in tree:
            if isinstance(item, list):
                walk(item)
    for item in symbol:
        if item[0] == "symbol" and int(item[1].strip('"').split("_")[-2]) in (0, unit):
            walk([part for part in item if part[0] != "pin"])
    xs, ys = zip(*(points or [(0, 0)]))
    return min(xs), min(ys), max(xs), max(ys)


@dataclasses.dataclass
class Part:
    """A part: nets by pin number (None: not connected), place on the sheet in mm, and order fields."""

    ref: str
    symbol: str
    footprint: str
    value: str
    nets: dict
    at: tuple
    turn: int = 0
    fields: dict = dataclasses.field(default_factory=dict)
    unit_at: dict = dataclasses.field(default_factory=dict)
    mirror: str = None
    on_board: bool = True


def rotated(x, y, turn):
    c, s = round(cos(radians(turn))), round(sin(radians(turn)))
    return x * c - y * s, x * s + y * c


class Circuit:
    """Parts on one sheet. `flags`: nets whose supply ERC should take as given."""

    def __init__(self, name, title, parts, notes=(), paper="A3", flags=()):
        self.name, self.title, self.parts, self.notes, self.paper = name, title, list(parts), notes, paper
        for index, net in enumerate(flags):
            self.parts.append(Part(f"#FLG{index + 1:02}", "power:PWR_FLAG", "", "PWR_FLAG", {"1": net},
                                   (38.1 + 20.32 * index, 264.16), on_board=False))
        refs = [part.ref for part in self.parts]
        assert len(refs) == len(set(refs)), "a reference is used twice"
        self.root = identity(name)
        for part in self.parts:
            pins = {pin.number for pin in symbol_pins(library_symbol(part.symbol))}
            assert pins == set(part.nets), f"{part.ref}: pins {sorted(pins ^ set(part.nets))}"

    def net(self, name):
        """The net's name in the netlist: labels of the root sheet have a slash."""
        return name if name in POWER else "/" + name

    def symbol_uuid(self, part):
        unit = min(part.unit_at) if part.unit_at else 1
        return identity(self.name, part.ref, unit)

    def save(self, folder):
        """Write the schematic and the project."""
        used = {part.symbol for part in self.parts} | set(POWER.values())
        tree = ["kicad_sch", ["version", "20250114"], ["generator", quote("eeschema")],
                ["generator_version", quote("9.0")], ["uuid", quote(self.root)], ["paper", quote(self.paper)],
                ["title_block", ["title", quote(self.title)], ["rev", quote(REVISION)],
                 ["comment", "1", quote("CERN-OHL-S-2.0")]],
                ["lib_symbols"] + [library_symbol(name) for name in sorted(used)]]
        self._power = 0
        for part in self.parts:
            for unit, place in (part.unit_at or {1: part.at}).items():
                tree += self._unit(part, unit, place)
        for index, (x, y, text) in enumerate(self.notes):
            tree.append(["text", quote(text), ["exclude_from_sim", "no"], ["at", str(x), str(y), "0"],
                         ["effects", ["font", ["size", "2", "2"]], ["justify", "left", "bottom"]],
                         ["uuid", quote(identity(self.name, "note", index))]])
        tree += [["sheet_instances", ["path", quote("/"), ["page", quote("1")]]], ["embedded_fonts", "no"]]
        with open(f"{folder}/{self.name}.kicad_sch", "w", encoding="utf-8") as file:
            file.write(dump(tree) + "\n")

    def _symbol(self, symbol, ref, value, place, turn, unit, properties, pins, on_board, texts, hide=(), mirror=None):
        x, y = place
        tree = ["symbol", ["lib_id", quote(symbol)], ["at", f"{x:g}", f"{y:g}", f"{turn:g}"]]
        if mirror:
            tree.append(["mirror", mirror])
        tree += [["unit", str(unit)], ["exclude_from_sim", "no"], ["in_bom", "yes" if on_board else "no"],
                 ["on_board", "yes" if on_board else "no"], ["dnp", "no"],
                 ["uuid", quote(identity(self.name, ref, unit))]]
        for key, text in {"Reference": ref, "Value": value, **properties}.items():
            tx, ty, justify = texts.get(key, (x, y, None))
            effects = ["effects", ["font", ["size", "1.27", "1.27"]]]
            if justify:
                effects.append(["justify", justify])
            if key not in texts or key in hide:
                effects.append(["hide", "yes"])
            angle = "90" if turn in (90, 270) else "0"
            tree.append(["property", quote(key), quote(text), ["at", f"{tx:g}", f"{ty:g}", angle], effects])
        tree += [["pin", quote(number), ["uuid", quote(identity(self.name, ref, unit, number))]] for number in pins]
        tree.append(["instances", ["project", quote(self.name), ["path", quote("/" + self.root),
                     ["reference", quote(ref)], ["unit", str(unit)]]]])
        return tree

    def _unit(self, part, unit, place):
        symbol = library_symbol(part.symbol)
        x, y = place
        pins = [pin for pin in symbol_pins(symbol) if pin.unit in (0, unit)]
        left, bottom, right, top = extent(symbol, unit)
        corners = [rotated(a, b, part.turn) for a in (left, right) for b in (bottom, top)]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        sides = {pin.angle for pin in pins}
        if len(pins) <= 3 and (sides <= {0, 180} or not part.turn and 180 not in sides or part.turn):
            texts = {"Reference": (x, y - max(ys) - 1.5, None), "Value": (x, y - min(ys) + 1.7, None)}
            if part.turn == 0 and sides & {90, 270}:
                texts = {"Reference": (x + max(xs) + 1.3, y - 1.3, "left"), "Value": (x + max(xs) + 1.3, y + 1.3, "left")}
        else:
            def beside(angle):
                """Left of the pins at the top or at the bottom, or at the left edge if there are none."""
                places = [pin.x for pin in pins if pin.angle == angle]
                return (x + min(places) - 1, "right") if places else (x + min(xs), "left")
            (above, one), (below, two) = beside(270), beside(90)
            texts = {"Reference": (above, y - max(ys) - 1.5, one), "Value": (below, y - min(ys) + 1.7, two)}
        if part.ref.startswith("#"):
            texts = {"Value": (x, y - 5, None)}
        out = [self._symbol(part.symbol, part.ref, part.value, place, part.turn, unit,
                            {"Footprint": part.footprint, **part.fields}, [pin.number for pin in pins],
                            part.on_board, texts, mirror=part.mirror)]
        seen = set()
        for pin in pins:
            px, py = rotated(pin.x, pin.y, part.turn)
            px, py, angle = x + px, y - py, (pin.angle + part.turn + 180) % 360
            net = part.nets[pin.number]
            if net is None:
                if pin.kind not in ("no_connect", "free"):
                    out.append(["no_connect", ["at", f"{px:g}", f"{py:g}"],
                                ["uuid", quote(identity(self.name, part.ref, pin.number, "nc"))]])
                continue
            if (px, py) in seen:
                continue
            seen.add((px, py))
            ex, ey = px + STUB * round(cos(radians(angle))), py - STUB * round(sin(radians(angle)))
            out.append(["wire", ["pts", ["xy", f"{px:g}", f"{py:g}"], ["xy", f"{ex:g}", f"{ey:g}"]],
                        ["stroke", ["width", "0"], ["type", "default"]],
                        ["uuid", quote(identity(self.name, part.ref, pin.number, "wire"))]])
            out.append(self._end(net, ex, ey, angle, part.ref, pin.number))
        return out

    def _end(self, net, x, y, angle, ref, number):
        """A power symbol or a label at a stub's end; angle: outward."""
        if net not in POWER:
            justify = "left" if angle in (0, 90) else "right"
            return ["label", quote(net), ["at", f"{x:g}", f"{y:g}", f"{angle:g}"],
                    ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", justify, "bottom"]],
                    ["uuid", quote(identity(self.name, ref, number, "label"))]]
        self._power += 1
        turn = (angle + 90) % 360 if net == "GND" else (angle - 90) % 360
        dx, dy = round(cos(radians(angle))), -round(sin(radians(angle)))
        reach = 3.0 if dy else 2.9
        # A symbol that is turned by 90 degrees shows its texts with left and right exchanged.
        text = (x + reach * dx, y + reach * dy, {1: "left", -1: "right"}.get(dx if turn != 90 else -dx))
        return self._symbol(POWER[net], f"#PWR{self._power:03}", net, (x, y), turn, 1, {"Footprint": ""}, ["1"],
                            False, {"Value": text}, hide=("Value",) if net == "GND" and dx else ())
