"""Plugin of pytest: boxes as fixtures, golden frames, and what a failed test leaves behind (docs/bench-kit.md).

    def test_menu(box, golden):
        box.tap("MENU")
        assert box.frame() == golden("menu")
"""

from __future__ import annotations

import pathlib
import re
import typing
from collections.abc import Iterator

import pytest

from pixelboop import Bench, BenchError, Box, Frame, LiveBox, ProgramMissing, connect, run
from pixelboop.frame import PICTURE_SCALE
from pixelboop.lines import find_program

KEPT_FOLDER = ".pixelboop"
GOLDEN_FOLDER = "golden"
# Differing LEDs that a failure names.
NAMED_LEDS = 5
BENCHES = pytest.StashKey[list[Bench]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("pixelboop")
    group.addoption("--pixelboop", metavar="PROGRAM", help="the program pixelboop; else PIXELBOOP of the environment, or of PATH")
    group.addoption("--pixelboop-box", metavar="ADDRESS",
                    help="the box of the fixture live_box: its page's address, with ?token=TOKEN; else one that runs on this machine")
    group.addoption("--update-golden", action="store_true", help="write the golden frames instead of comparing with them")


def pytest_configure(config: pytest.Config) -> None:
    """The markers, which a test has by its fixtures: pytest -m "not live"."""
    config.addinivalue_line("markers", "virtual: plays a box on a virtual clock")
    config.addinivalue_line("markers", "live: plays a box that runs, in real time")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests."""
    for item in items:
        for fixture, marker in (("bench", "virtual"), ("live_box", "live")):
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(marker)


def program_of(config: pytest.Config) -> str:
    """The path of the program; fails the test, in one line, if there is none."""
    try:
        return find_program(config.getoption("--pixelboop"))
    except ProgramMissing as missing:
        pytest.fail(f"{missing}; or run pytest --pixelboop PROGRAM", pytrace=False)


def folder_of(item: pytest.Item) -> pathlib.Path:
    """The folder for what a test leaves: where pytest was started, and named after the test, so that processes share none."""
    return item.config.invocation_params.dir / KEPT_FOLDER / re.sub(r"[^\w.-]+", "-", item.nodeid).strip("-")


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A bench without boxes, with a clock at 0 and a process of its own."""
    with Bench(program_of(request.config)) as made:
        request.node.stash.setdefault(BENCHES, []).append(made)
        yield made


@pytest.fixture
def box(bench: Bench) -> Box:
    """A box with an empty pattern."""
    return bench.box("box")


@pytest.fixture
def two_boxes(bench: Bench) -> tuple[Box, Box]:
    """Two boxes with empty patterns, on one clock; `bench.connect` lays cables between them."""
    return bench.box("a"), bench.box("b")


@pytest.fixture
def live_box(request: pytest.FixtureRequest) -> Iterator[LiveBox]:
    """A box that runs in real time, seen and played through its page: on this machine, with a new library and its demos, or the
    one of --pixelboop-box as it is."""
    address = request.config.getoption("--pixelboop-box")
    with connect(address) if address else run("--audio", "none", program=program_of(request.config)) as box:
        yield box


class Golden:
    """A kept frame: golden/NAME.png beside the test, one pixel an LED. It equals a frame with the same LEDs."""

    def __init__(self, path: pathlib.Path, kept: pathlib.Path, updates: bool) -> None:
        self._path, self._kept, self._updates = path, kept, updates
        self._explanation: list[str] = []

    def __eq__(self, frame: object) -> bool:
        if not isinstance(frame, Frame):
            return NotImplemented
        if self._updates:
            self._path.parent.mkdir(exist_ok=True)
            frame.save(self._path, scale=1)
            return True
        if not self._path.exists():
            picture = self._keep("drawn", frame)
            self._explanation = [f"{self._path} is missing: look at {picture}, then run pytest --update-golden"]
            return False
        wanted = Frame.load(self._path)
        if (wanted.columns, wanted.rows) != (frame.columns, frame.rows):
            self._explanation = [f"{self._path} has {wanted.columns} × {wanted.rows} LEDs, the box {frame.columns} × {frame.rows}"]
            return False
        differing = frame.differences(wanted)
        if differing:
            self._explanation = [f"{len(differing)} of {frame.columns * frame.rows} LEDs differ from {self._path}:"]
            self._explanation += [
                f"  column {mine.column}, row {mine.row}: {mine.colour}, should be {its.colour}"
                for mine, its in differing[:NAMED_LEDS]]
            picture = self._keep("difference", frame.difference(wanted))
            self._explanation += [f"box, golden frame and the difference, one below the other: {picture}"]
        return not differing

    __hash__ = None  # type: ignore[assignment]

    def _keep(self, kind: str, frame: Frame) -> pathlib.Path:
        self._kept.mkdir(parents=True, exist_ok=True)
        path = self._kept / f"{self._path.stem}-{kind}.png"
        frame.save(path, PICTURE_SCALE)
        return path

    def explanation(self) -> list[str]:
        """Why the last comparison failed."""
        return self._explanation


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> typing.Callable[[str], Golden]:
    """`golden("menu")` is the kept frame of that name; `pytest --update-golden` writes it."""
    folder = request.node.path.parent / GOLDEN_FOLDER
    return lambda name: Golden(folder / f"{name}.png", folder_of(request.node), request.config.getoption("--update-golden"))


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explains a frame that is not the golden one."""
    kept = next((side for side in (left, right) if isinstance(side, Golden)), None)
    if op != "==" or kept is None:
        return None
    return ["the frame is not the golden one", *kept.explanation()]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> typing.Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keeps what a failed test's boxes did, showed and played, while they still exist."""
    report = yield
    if report.when == "call" and report.failed:
        boxes = [box for bench in item.stash.get(BENCHES, []) for box in bench.boxes.values()]
        if boxes:
            report.sections.append(("pixelboop", "\n".join(keep(box, folder_of(item)) for box in boxes)))
    return report


def keep(box: Box, folder: pathlib.Path) -> str:
    """Writes the session of a box as a touch script, its frame and its newest sound; returns a line about them."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / re.sub(r"[^\w.-]+", "-", box.name)
    writers: dict[str, typing.Callable[[pathlib.Path], None]] = {
        ".jsonl": lambda path: box.record().save(path), ".png": lambda path: box.frame().save(path),
        ".wav": lambda path: box.sound().save(path)}
    kept = []
    for suffix, write in writers.items():
        try:
            write(stem.with_suffix(suffix))
            kept.append(suffix)
        except BenchError as error:
            # A box without sound has none to keep, and a program that has ended has nothing.
            kept.append(f"({error})")
    return f"{box.name}: script, frame and sound are {stem}: {' '.join(kept)}"
