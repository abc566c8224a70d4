"""The first test of docs/bench-kit.md, on a bare system with the package and the wheel."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from system import System

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support/Python"))

from harness import pypi  # noqa: E402 (its folder is known only now)
from harness.kit import PYTEST  # noqa: E402

GUIDE = (ROOT / "docs/bench-kit.md").read_text(encoding="utf-8")


class FirstTest(unittest.TestCase):
    """The commands of the guide, but that pytest's packages are downloaded beforehand, with fixed hashes."""

    def test_first(self):
        with tempfile.TemporaryDirectory() as name:
            wheels = pathlib.Path(name)
            if not pypi.download("".join(f"{requirement}\n" for requirement in PYTEST), wheels):
                self.skipTest("the package index is unavailable")
            subprocess.run([sys.executable, ROOT / "clients/python/backend.py", wheels], check=True, stdout=subprocess.DEVNULL)
            system = System()
            self.addCleanup(system.remove)
            shutil.copytree(wheels, system.folder / "srv/bench")
            shutil.copy(os.environ["PACKAGE"], system.folder / "srv/bench")
        test = re.search(r"```python\n(def test_.*?)```", GUIDE, re.DOTALL)[1]
        system.put("/srv/bench/test_first.py", test)
        begin = time.monotonic()
        system.run("sh", "-c", "apt-get -q update && apt-get -qy install /srv/bench/pixelboop_*.deb python3-venv")
        installed = time.monotonic()
        said = system.run(
            "sh", "-ec", "cd /srv/bench; python3 -m venv bench; "
            "bench/bin/pip install --no-index --find-links . pytest ./pixelboop-*.whl; bench/bin/pytest")
        self.assertIn("1 passed", said)
        print(f"apt {installed - begin:.0f} s, environment and test {time.monotonic() - installed:.0f} s ", end="")


if __name__ == "__main__":
    unittest.main()
