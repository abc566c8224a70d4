"""Jobs: each a process with a log, several of them at once."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import time

from harness import ROOT

RELEASE = ROOT / ".build/release"
# One build for the command that ships and for its tests.
BUILD = ["swift", "build", "-c", "release", "--build-tests"]
BUNDLE = RELEASE / "PixelBoopPackageTests.xctest"
BOX = RELEASE / "pixelboop"
# What the checks in Python import: their library, and the client for Python.
LIBRARIES = [ROOT / "Tests/Support/Python", ROOT / "clients/python"]
LOGS = ROOT / ".build/tests"
SECONDS = ROOT / "Tests/seconds.tsv"
# Far longer than any job: only a job that hangs takes as long.
HANG_SECONDS = 1800

# Programs in Tests/System, each with the sentence that it proves. Each takes the path of the command.
CHECKS = {
    "House/run_test.py": "The count of these tests",
    "Allocations/count": "No allocation per frame, per touch report or per second of sound",
    "Gestures/compare": "Gestures, beside an independent reading",
    "Touch/recordings": "Recorded touchscreens, beside an independent reading",
    "Exchange/patterns": "Patterns into a library and out again",
    "Exchange/midi": "Notes out and in, beside an independent reader",
    "Exchange/clock": "The clock, the pulses and the notes that are sent, beside the arithmetic",
    "Exchange/stick": "A stick is plugged in",
    "Link/peer": "A Link session with an independent member",
    "Lights/receive": "The light of walls, beside independent readers",
    "Lights/send": "Pictures of other machines, beside independent senders",
    "Grid/play": "Programs for grids play on the panel",
    "OSC/play": "A program plays the box by Open Sound Control",
    "Announce/find": "The box is found by name on the network",
    "Kit/client": "The client for Python by itself",
    "Kit/stranger": "Ten short tests of boxes, and the examples of the bench kit",
    "Kit/protocol": "The page's WebSocket does what docs/protocol.md says",
    "Recording/repeat": "A recorded session sounds the same again",
    "Browser/panel": "A browser plays the page",
    "Browser/page": "A keyboard, a phone and a lost box at the page",
    "Browser/accessibility": "The page is accessible",
    "Browser/proxy": "The page behind a proxy with TLS and a path",
    "Browser/setup": "A phone sets the box up",
    "Browser/recording": "Taps on a page are recorded where they were heard",
    "Browser/voices": "Every voice sounds as its recipe does in a browser",
}

# Those that only compute: they wait for no time, thread, socket or device.
COMPUTING = {"House/run_test.py", "Allocations/count", "Gestures/compare", "Touch/recordings", "Exchange/patterns", "Exchange/midi"}


def build():
    """Whether the build succeeds."""
    return subprocess.run(BUILD, cwd=ROOT, check=False).returncode == 0


def program(check):
    """The file of a check."""
    return ROOT / "Tests" / (check if check.startswith("House/") else f"System/{check}")


def targets():
    """The names of the unit tests' targets."""
    return sorted(folder.name for folder in (ROOT / "Tests/Unit").iterdir() if folder.is_dir())


def environment():
    """The environment of every job: the libraries of the programs in Python, which leave no files behind."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, LIBRARIES)), "PYTHONDONTWRITEBYTECODE": "1"}


@dataclasses.dataclass
class Job:
    """A process: unit tests of a target, or a check. `name` is unique, `title` is printed."""

    name: str
    title: str
    words: list
    # The xUnit file of unit tests; None for a check.
    report: pathlib.Path | None = None
    status: int | None = None
    # From start to end, and of CPU with all its children that it has awaited.
    wall: float = 0
    cpu: float = 0

    @property
    def log(self):
        return LOGS / (self.name.replace("/", "-") + ".log")

    def lines(self):
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines()


def unit_tests(target, *options):
    """One after the other: the job beside it uses the other core, and the time of each suite is its own."""
    report = LOGS / f"{target}.xml"
    words = [BUNDLE, "--testing-library", "swift-testing", "--no-parallel", "--xunit-output", report]
    return Job(target, target, [*words, *(options or ["--filter", rf"^{target}\."])], report)


def check(name, *options):
    return Job(name, CHECKS.get(name, name), [program(name), BOX, *options])


def every_job():
    return [*map(unit_tests, targets()), *map(check, CHECKS)]


def figures():
    """CPU seconds and seconds of each job and part on the machine that Tests/seconds.tsv names."""
    rows = [line.split("\t") for line in SECONDS.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return {name: (float(cpu), float(wall)) for name, cpu, wall in rows}


class Running:
    """A job's process, in a session of its own, so that it ends with all its children."""

    def __init__(self, job):
        self.job, self.began = job, time.monotonic()
        job.log.parent.mkdir(parents=True, exist_ok=True)
        if job.report:
            job.report.unlink(missing_ok=True)
        with job.log.open("wb") as log:
            try:
                self.process = subprocess.Popen(
                    [str(word) for word in job.words], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT,
                    env=environment(), start_new_session=True)
            except OSError as error:
                log.write(f"{error}\n".encode())
                self.process = None
        if self.process is None:
            job.status = 127

    def poll(self):
        """Whether it has ended."""
        if self.process is None:
            return True
        if time.monotonic() - self.began > HANG_SECONDS:
            with self.job.log.open("a", encoding="utf-8") as log:
                log.write(f"hangs: ended after {HANG_SECONDS} s\n")
            self.kill()
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if pid == 0:
            return False
        # The process is awaited here, for its CPU time.
        self.process.returncode = self.job.status = os.waitstatus_to_exitcode(status)
        self.job.cpu, self.job.wall = usage.ru_utime + usage.ru_stime, time.monotonic() - self.began
        return True

    def kill(self):
        if self.process is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def run_all(jobs, ended, cores=os.cpu_count()):
    """Runs jobs, the longest first, as many at once as the cores can take: a job that mostly waits leaves its core to another.
    Calls `ended` with each job that has ended."""
    known = figures()
    waiting = sorted(jobs, key=lambda job: -known.get(job.name, (0, 60))[1])
    running = []

    def load(job):
        cpu, wall = known.get(job.name, (1, 1))
        return min(1, max(0.1, cpu / max(wall, 0.1)))

    try:
        while waiting or running:
            free = cores - sum(load(one.job) for one in running)
            fitting = next((job for job in waiting if load(job) <= free + 0.01 or not running), None)
            if fitting:
                waiting.remove(fitting)
                running.append(Running(fitting))
                continue
            done = [one for one in running if one.poll()]
            for one in done:
                running.remove(one)
                ended(one.job)
            if not done:
                time.sleep(0.05)
    finally:
        for one in running:
            one.kill()
