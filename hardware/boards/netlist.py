#!/usr/bin/python3
"""Netlists and placements of the boards, as KiCad exports them.

    netlist.py FOLDER               write BOARD.net, BOARD.pos and BOARD.copper for each board to FOLDER
    netlist.py FOLDER BOARDS        the same for the boards in the folder BOARDS
    netlist.py --compare ONE TWO    name the boards whose parts, nets or places differ in two such folders; exit with 1 if there are any
"""

import dataclasses
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from sexpr import parse

HERE = pathlib.Path(__file__).resolve().parent
BOARDS = ("power", "adapter", "tile")


@dataclasses.dataclass
class Component:
    """A part: value, footprint, order fields, and the net at each pin (None: not connected)."""

    ref: str
    value: str
    footprint: str
    fields: dict
    pins: dict

    def net(self, pin):
        """The net at a pin."""
        return self.pins[str(pin)]


class Netlist:
    """Parts by reference, and nets by name; labels are without KiCad's slash."""

    def __init__(self, text):
        tree = parse(text)
        self.parts = {}
        self.nets = {}
        for comp in _all(_one(tree, "components"), "comp"):
            fields = {_text(_one(field, "name")): _word(field[2]) if len(field) > 2 else ""
                      for field in _all(_one(comp, "fields"), "field")}
            ref = _text(_one(comp, "ref"))
            self.parts[ref] = Component(ref, _text(_one(comp, "value")), _text(_one(comp, "footprint")), fields, {})
        for net in _all(_one(tree, "nets"), "net"):
            name = _text(_one(net, "name")).removeprefix("/")
            nodes = [(_text(_one(node, "ref")), _text(_one(node, "pin"))) for node in _all(net, "node")]
            is_open = name.startswith("unconnected-")
            for ref, pin in nodes:
                self.parts[ref].pins[pin] = None if is_open else name
            if not is_open:
                self.nets[name] = nodes

    def at(self, net, prefix=""):
        """References of the parts at a net, by the letters of the reference."""
        return sorted({ref for ref, _ in self.nets[net] if ref.rstrip("0123456789") == prefix or not prefix})

    def between(self, one, two, prefix):
        """The only part of a kind between two nets, such as the pull-up between a line and its supply."""
        found = [part for ref, part in self.parts.items()
                 if ref.rstrip("0123456789") == prefix and set(part.pins.values()) == {one, two}]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} {prefix} between {one} and {two}, should be one: {[p.ref for p in found]}")
        return found[0]


def _all(tree, key):
    return [item for item in tree if isinstance(item, list) and item[0] == key]


def _one(tree, key):
    return _all(tree, key)[0]


def _word(token):
    return token[1:-1].replace('\\"', '"').replace("\\\\", "\\") if token.startswith('"') else token


def _text(item):
    return _word(item[1]) if len(item) > 1 else ""


def quantity(text):
    """A value as a number: 4.99k -> 4990, 2.2u -> 2.2e-6, 330u 16V -> 330e-6."""
    scales = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "k": 1e3, "M": 1e6}
    word = text.split()[0]
    return float(word[:-1]) * scales[word[-1]] if word[-1] in scales else float(word)


def export(folder, boards=HERE):
    """Write the netlist, the placement and the copper of each board to a folder."""
    def kicad(*words):
        subprocess.run(["kicad-cli", *words], check=True, capture_output=True, text=True)

    for board in BOARDS:
        file = pathlib.Path(boards, board, board)
        kicad("sch", "export", "netlist", "--format", "kicadsexpr", "-o", pathlib.Path(folder, f"{board}.net"), f"{file}.kicad_sch")
        kicad("pcb", "export", "pos", "--format", "csv", "--units", "mm", "-o", pathlib.Path(folder, f"{board}.pos"),
              f"{file}.kicad_pcb")
        subprocess.run([sys.executable, HERE / "copper.py", f"{file}.kicad_pcb", pathlib.Path(folder, f"{board}.copper")],
                       check=True, capture_output=True)


def load(folder):
    """The netlists in a folder, by board."""
    return {board: Netlist(pathlib.Path(folder, f"{board}.net").read_text(encoding="utf-8")) for board in BOARDS}


def differing(one, two):
    """Boards whose parts, nets or places differ in two folders. Texts and drawings of KiCad's libraries do not count."""
    first, second = load(one), load(two)
    for board in BOARDS:
        order = {"Manufacturer", "MPN", "Supplier 1", "Supplier 2", "Price", "Substitute"}
        parts = [{ref: (part.value, part.footprint, part.pins, {key: part.fields.get(key) for key in order})
                  for ref, part in netlists[board].parts.items()} for netlists in (first, second)]
        places = [sorted(pathlib.Path(folder, f"{board}.pos").read_text(encoding="utf-8").splitlines()) for folder in (one, two)]
        if parts[0] != parts[1] or places[0] != places[1]:
            yield board


def main(words):
    if len(words) == 3 and words[0] == "--compare":
        found = list(differing(*words[1:]))
        sys.exit(f"{' '.join(found)}: parts, nets or places differ" if found else 0)
    if len(words) not in (1, 2):
        sys.exit("usage: netlist.py FOLDER [BOARDS] | --compare ONE TWO")
    export(*words)


if __name__ == "__main__":
    main(sys.argv[1:])
