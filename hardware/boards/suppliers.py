"""Order numbers at suppliers, by the maker's number: the table suppliers.csv.

Each number there was confirmed in public material, as the column "source" says. A supplier whose number was not confirmed is to
be searched by the maker's number.
"""

import csv
import pathlib
import re

TABLE = pathlib.Path(__file__).with_name("suppliers.csv")
# How each supplier writes its numbers.
FORMATS = {"Digi-Key": r"\S+-ND", "Farnell": r"\d{6,7}", "LCSC": r"C\d+", "Mouser": r"\d{2,3}-\S+", "RS": r"\d{3}-\d{4}"}


def rows():
    """The rows of the table."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


PAIRS = {row["number"]: (row["supplier_1"], row["supplier_2"]) for row in rows()}


def search(supplier, number):
    """The cell of a supplier whose number is not confirmed."""
    return f"{supplier}: search {number}"


def pair(number, *default):
    """Both suppliers' cells for a maker's number; the default where the table has no row."""
    return PAIRS.get(number, default)


def is_confirmed(cell):
    """Whether a cell is a supplier's name and a number as that supplier writes it."""
    name, _, number = cell.partition(" ")
    return name in FORMATS and re.fullmatch(FORMATS[name], number) is not None


def name(cell):
    """The supplier's name in a cell: "Mouser" of "Mouser 595-LM339DR" and of "Mouser: search LM339DR"."""
    return cell.partition(" ")[0] if is_confirmed(cell) else cell.partition(":")[0]
