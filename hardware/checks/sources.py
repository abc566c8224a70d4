"""The files that the checks compare: tables, netlists and placements of the boards, and the configuration as the program reads it."""

import csv
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
BOX = os.environ["PIXELBOOP"]
sys.path.insert(0, str(HARDWARE / "boards"))

import netlist  # noqa: E402


def table(name):
    """The rows of a table in this folder."""
    with open(HARDWARE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@functools.cache
def exports():
    """The folder of netlists and placements: exported already, or now."""
    folder = os.environ.get("PIXELBOOP_NETLISTS")
    if folder is None:
        folder = tempfile.mkdtemp()
        netlist.export(folder)
    return pathlib.Path(folder)


@functools.cache
def boards():
    """The netlists of the boards, by name."""
    return netlist.load(exports())


def places(board):
    """Place of each part of a board: x to the right and y down in mm, and the angle."""
    with open(exports() / f"{board}.pos", encoding="utf-8", newline="") as file:
        return {row["Ref"]: (float(row["PosX"]), -float(row["PosY"]), float(row["Rot"])) for row in csv.DictReader(file)}


@functools.cache
def copper(board):
    """Tracks, vias and pads of a board: see boards/copper.py."""
    return json.loads((exports() / f"{board}.copper").read_text(encoding="utf-8"))


@functools.cache
def configuration():
    """The settings that the program reads from box.json5."""
    done = subprocess.run(
        [BOX, "doctor", "--json", "--config", HARDWARE / "box.json5"], capture_output=True, text=True, check=False)
    # 69: there are no lines here.
    assert done.returncode in (0, 69), done.stderr
    return json.loads(done.stdout)["configuration"]


def box(*words):
    """The output of a command of the program."""
    return subprocess.run([BOX, *words], capture_output=True, text=True, check=True, cwd=HARDWARE).stdout
