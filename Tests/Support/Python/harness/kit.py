"""The wheel of clients/python in a bare virtual environment, with pytest and mypy of PyPI.

pytest comes from PyPI and not from Debian: a test's author has it from there too, and Debian 12 and 13 differ by a major version.
"""

import contextlib
import os
import pathlib
import socket
import subprocess
import sys
import venv

from harness import ROOT, pypi
from harness.results import Failure, Skip, require
from harness.waiting import LIMIT_SECONDS, wait

CLIENT = ROOT / "clients/python"
PYTEST = (
    "pytest==8.3.5 --hash=sha256:c69214aa47deac29fad6c2a4f590b9c4a9fdb16a403176fe154b79c0b4d4d820",
    "pluggy==1.5.0 --hash=sha256:44e1ad92c8ca002de6377e165f3e0f1be63266ab4d554740532335b9d75ea669",
    "iniconfig==2.0.0 --hash=sha256:b6a85871a79d2e3b22d2d1b94ac2824226a63c6b741c88f7ae975f18b6778374",
    "packaging==24.2 --hash=sha256:09abb1bccd265c01f4a3aa3f7a7db064b36514d2cba19a2f694fe6150451a759",
    "pytest-xdist==3.6.1 --hash=sha256:9ed4adfb68a016610848639bb7e02c9352d5d9f03d04809919e2dafc3be4cca7",
    "execnet==2.1.1 --hash=sha256:26dee51f1b80cebd6d0ca8e74dd8745419761d3bef34163928cbebbdc4749fdc",
)
# The wheel of pure Python, which every machine can run.
MYPY = (
    "mypy==1.15.0 --hash=sha256:5469affef548bd1895d86d3bf10ce2b44e33d86923c29e4d675b3e323437ea3e",
    "mypy_extensions==1.0.0 --hash=sha256:4392f6c0eb8a5668a69e23d168ffa70f0be9ccfd32b5cc2d26a34ae5b844552d",
    "typing_extensions==4.12.2 --hash=sha256:04e5ca0351e0f3f85c6853954072df659d0d13fac324d0072316b67d7794700d",
)


def pip(*words):
    """Runs pip without a package index; ends the check if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, words)], capture_output=True, text=True, check=False,
        env={**os.environ, "PIP_NO_INDEX": "1"})
    require(done.returncode == 0, f"pip {words[0]} fails: {done.stderr.strip()}")


class Bare:
    """A virtual environment in `folder` with the wheel that pip builds there, and with these packages of PyPI."""

    def __init__(self, folder, program, **packages):
        self.folder, self.program, self.python = pathlib.Path(folder), program, pathlib.Path(folder, "bare/bin/python")
        fetched = {name: pypi.fetch(name, *requirements) for name, requirements in packages.items()}
        for name in fetched:
            if fetched[name] is None:
                raise Skip(f"the package index has no {name} for this machine, or is unavailable")
        pip("wheel", "--no-deps", "--wheel-dir", self.folder, CLIENT)
        (self.wheel,) = self.folder.glob("pixelboop-*.whl")
        venv.create(self.folder / "bare", with_pip=False)
        pip("--python", self.python, "install", self.wheel)
        (site,) = self.folder.glob("bare/lib/python*/site-packages")
        (site / "fetched.pth").write_text("".join(f"{path}\n" for path in fetched.values()), encoding="utf-8")

    def run(self, *words, folder=None):
        """Runs the environment's Python with this program; returns its status and what it printed."""
        done = subprocess.run(
            [self.python, *map(str, words)], cwd=folder or self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False, env=self.environment())
        return done.returncode, done.stdout

    def environment(self):
        """The environment of a user: with the program, and without the checkout's modules."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "PIXELBOOP": str(pathlib.Path(self.program).resolve()), "PYTHONDONTWRITEBYTECODE": "1"}

    def succeed(self, *words, folder=None):
        """Runs the environment's Python; returns what it printed, or raises a Failure with it."""
        status, said = self.run(*words, folder=folder)
        if status != 0:
            raise Failure(f"{' '.join(map(str, words))}:\n{said}")
        return said

    def pytest(self, *words, folder=None):
        """The words that run pytest, without files beside the tests."""
        return self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *words, folder=folder)


@contextlib.contextmanager
def controlled(program, path):
    """A box that runs, with its control at the socket `path`."""
    process = subprocess.Popen(
        [program, "run", "--panel", "none", "--audio", "none", "--control", path, "--library", f"{path}.sqlite"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait("the control's socket", lambda: listens(path))
        yield
    finally:
        process.terminate()
        process.wait(LIMIT_SECONDS)


def listens(path):
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0
