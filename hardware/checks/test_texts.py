"""The pages: power.md's table is the program's output, and the drawings are those of their tables."""

import os
import pathlib
import re
import subprocess
import unittest

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
BOX = os.environ["PIXELBOOP"]


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, cwd=HARDWARE).stdout


class Texts(unittest.TestCase):
    def test_the_power_table_is_what_the_program_prints(self):
        page = (HARDWARE / "power.md").read_text(encoding="utf-8")
        printed = output(BOX, "panel", "power", "--config", "box.json5")
        self.assertEqual(re.search(r"```\n(.*?)```", page, re.S).group(1), printed)

    def test_the_wiring_drawing_is_that_of_the_table(self):
        drawn = output("/usr/bin/python3", "wiring_drawing.py", "wiring.csv")
        self.assertEqual((HARDWARE / "wiring.svg").read_text(encoding="utf-8"), drawn)


if __name__ == "__main__":
    unittest.main()
