#!/usr/bin/python3
"""The parts list, from the boards' netlists, the cables and the lists of other parts.

    parts.py [--netlists FOLDER] > bom.csv
    parts.py [--netlists FOLDER] --board power|adapter|tile      the list of one board, for a board house
    parts.py [--netlists FOLDER] --sum                           what one box and ten boxes cost, roughly
    parts.py [--netlists FOLDER] --confirmed                     how many suppliers' numbers are confirmed
"""

import argparse
import collections
import csv
import dataclasses
import math
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "boards"))

import netlist  # noqa: E402
import suppliers  # noqa: E402

# Boards in a box.
COUNT = {"power": 1, "adapter": 1, "tile": 4}
KINDS = {"R": "resistor", "C": "capacitor", "F": "fuse", "D": "diode", "U": "circuit", "Q": "transistor", "J": "header",
         "JP": "header", "TH": "thermistor"}
COLUMNS = ("quantity", "part", "manufacturer", "number", "supplier_1", "supplier_2", "each", "setup", "substitute", "where")
# Wire per metre, in euro, by cross-section in mm².
WIRE = {"0.14": 0.3, "0.22": 0.3, "0.75": 0.5, "1": 1, "2.5": 2}


@dataclasses.dataclass
class Row:
    """One part of the list: prices in euro, one piece and once for each order."""

    quantity: int
    part: str
    manufacturer: str
    number: str
    supplier_1: str
    supplier_2: str
    each: float
    setup: float
    substitute: str
    where: str


def table(name):
    """The rows of a table in this folder."""
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def natural(ref):
    """C2 before C10."""
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters):] or 0)


def spans(refs):
    """References with runs joined: C1 C2 C3 -> C1-C3."""
    out, run = [], []
    for ref in sorted(refs, key=natural) + [""]:
        if run and ref and natural(ref) == (natural(run[-1])[0], natural(run[-1])[1] + 1):
            run.append(ref)
            continue
        if run:
            out.append(run[0] if len(run) == 1 else f"{run[0]} {run[1]}" if len(run) == 2 else f"{run[0]}-{run[-1]}")
        run = [ref]
    return " ".join(out)


def board_rows(boards, names):
    """Parts of the named boards, in one row for each maker's number."""
    found = {}
    for name in names:
        for part in boards[name].parts.values():
            found.setdefault(part.fields["MPN"], []).append((name, part))
    for number, uses in found.items():
        first = uses[0][1]
        kind = KINDS[first.ref.rstrip("0123456789")]
        word = f"{kind} {first.value}" if kind != "header" else kind
        where = "; ".join(f"{name} {spans([part.ref for board, part in uses if board == name])}"
                          for name in names if any(board == name for board, _ in uses))
        substitutes = sorted({part.fields["Substitute"] for _, part in uses})
        yield Row(sum(COUNT[name] for name, _ in uses), word, first.fields["Manufacturer"], number,
                  first.fields["Supplier 1"], first.fields["Supplier 2"], float(first.fields["Price"]), 0,
                  "; ".join(substitutes), where)


def family(footprint):
    """The family of plugs for a header's footprint; None if nothing is plugged in."""
    for word in ("VH", "XH", "PH", "ZH", "KK", "Micro-Fit", "XT60"):
        if re.search(rf"[_:]{word}", footprint):
            return word
    return None


def board_of(end):
    """Board and connector of a cable's end, such as "tile 0 J3": ("tile", "J3"); None for other ends."""
    match = re.fullmatch(r"(power|adapter|tile)(?: \d)? (J\d+)", end)
    return match.groups() if match else None


def cable_rows(boards):
    """Housings, contacts and wire of the cables."""
    plugs = {plug["family"]: plug for plug in table("plugs.csv")}
    needed, metres = collections.Counter(), collections.Counter()
    where = collections.defaultdict(list)
    for cable in table("wiring.csv"):
        pins = cable["pins"].split()
        ends = [board_of(cable[end]) for end in ("from", "to")]
        kinds = [family(boards[end[0]].parts[end[1]].footprint) if end else None for end in ends]
        if cable["to"] == "inlet":
            kinds[1] = "XT60"
        for end, kind in zip(ends, kinds):
            if kind is None:
                continue
            plug = plugs[kind]
            count = sum(pin.isdigit() for pin in boards[end[0]].parts[end[1]].pins) if end else 2
            for number, amount in ((plug["housing"].format(n=count), 1), (plug["contact"], len(pins))):
                if number:
                    needed[kind, number] += amount
                    where[number].append(cable["id"])
        if cable["mm2"]:
            metres[cable["mm2"]] += len(pins) * int(cable["mm"]) / 1000
            where[cable["mm2"]].append(cable["id"])
    for (kind, number), amount in sorted(needed.items()):
        plug = plugs[kind]
        is_contact = number == plug["contact"]
        # Crimping wants spare contacts.
        amount = math.ceil(amount * 1.2) if is_contact else amount
        yield Row(amount, f"{'contact' if is_contact else 'plug'} {kind}", plug["manufacturer"], number,
                  *suppliers.pair(number, suppliers.search("Mouser", number), suppliers.search("Digi-Key", number)),
                  float(plug["each_contact" if is_contact else "each_housing"]), 0, "ready-made cables of the family",
                  " ".join(dict.fromkeys(where[number])))
    for size, length in sorted(metres.items(), key=lambda item: float(item[0])):
        yield Row(math.ceil(length * 1.1), f"wire {size} mm² in metres", "any", "any", "any dealer", "any dealer", WIRE[size], 0,
                  "stranded copper, insulation for the contact", " ".join(dict.fromkeys(where[size])))


def other_rows():
    """Parts that are in no netlist and on no cable: other.csv, and the case's parts."""
    for row in table("other.csv"):
        yield Row(int(row["quantity"]), row["part"], row["manufacturer"], row["number"],
                  *suppliers.pair(row["number"], row["supplier_1"], row["supplier_2"]), float(row["each"]), float(row["setup"]),
                  row["substitute"], row["why"])
    for row in table("enclosure/parts.csv"):
        yield Row(int(row["quantity"]), row["part"], row["manufacturer"], row["number"],
                  *suppliers.pair(row["number"], row["supplier1"], row["supplier2"]), float(row["price"]), 0,
                  row["substitute"], row["why"])


def rows(boards):
    """The whole list."""
    return [*other_rows(), *board_rows(boards, netlist.BOARDS), *cable_rows(boards)]


def write(parts, file):
    """Write a list as CSV."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for part in parts:
        writer.writerow([f"{value:g}" if isinstance(value, float) else value for value in dataclasses.astuple(part)])


def cost(parts, count):
    """The cost of a number of boxes in euro: pieces and, once, what each order costs."""
    return sum(part.setup + count * part.quantity * part.each for part in parts)


def summary(parts):
    """The sums as words, to the next ten euro."""
    one, ten = cost(parts, 1), cost(parts, 10)
    return (f"one box: about {10 * math.ceil(one / 10)} euro\n"
            f"ten boxes: about {10 * math.ceil(ten / 10)} euro, {10 * math.ceil(ten / 100)} each\n")


def confirmed(parts):
    """How many of the makers' numbers have confirmed numbers of suppliers, as words."""
    counts = collections.Counter(sum(map(suppliers.is_confirmed, (part.supplier_1, part.supplier_2)))
                                 for part in parts if part.manufacturer not in ("any", "board house"))
    return (f"{counts.total()} parts have a maker's number: {counts[2]} with two confirmed suppliers' numbers, "
            f"{counts[1]} with one, {counts[0]} with none\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--netlists", help="folder that boards/netlist.py has written; default: export them now")
    parser.add_argument("--board", choices=netlist.BOARDS)
    parser.add_argument("--sum", action="store_true")
    parser.add_argument("--confirmed", action="store_true")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if words.netlists is None:
            netlist.export(folder)
        boards = netlist.load(words.netlists or folder)
    if words.sum:
        print(summary(rows(boards)), end="")
    elif words.confirmed:
        print(confirmed(rows(boards)), end="")
    elif words.board:
        parts = [dataclasses.replace(part, quantity=part.quantity // COUNT[words.board])
                 for part in board_rows(boards, (words.board,))]
        write(parts, sys.stdout)
    else:
        write(rows(boards), sys.stdout)


if __name__ == "__main__":
    main()
