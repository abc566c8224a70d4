"""The pages: power.md's table is the program's output."""

import re
import unittest

from sources import HARDWARE, box


class Texts(unittest.TestCase):
    def test_the_power_table_is_what_the_program_prints(self):
        page = (HARDWARE / "power.md").read_text(encoding="utf-8")
        printed = box("panel", "power", "--config", "box.json5", "--milliohms", "0.5")
        self.assertEqual(re.search(r"```\n(.*?)```", page, re.S).group(1), printed)


if __name__ == "__main__":
    unittest.main()
