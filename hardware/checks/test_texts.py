"""The pages: the table of power.md is what the program prints, the drawings are those of their tables, every command
exists, and every link leads somewhere."""

import os
import pathlib
import re
import shlex
import subprocess
import unittest

HARDWARE = pathlib.Path(__file__).resolve().parent.parent
BOX = os.environ["PIXELBOOP"]
PAGES = sorted(HARDWARE.rglob("*.md"))


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

    def test_every_link_leads_somewhere(self):
        for page in PAGES:
            for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
                self.assertTrue((page.parent / link).exists(), (page.name, link))

    def test_every_command_exists_with_its_options(self):
        commands = []
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            commands += re.findall(r"^    (pixelboop .*)$", text, re.M)
            # In running text a command may be broken across lines.
            commands += [" ".join(words.split()) for words in re.findall(r"`(pixelboop\s[^`]*)`", text)]
            commands += ["pixelboop " + words for words in re.findall(r"`((?:panel|touch) [^`]*)`", text)]
        self.assertGreater(len(commands), 15)
        for command in commands:
            words = shlex.split(command)
            usage = subprocess.run([BOX, words[1], "--help"], capture_output=True, text=True, check=False)
            self.assertEqual(usage.returncode, 0, command)
            for index, word in enumerate(words[2:], start=2):
                if word.startswith("--"):
                    self.assertRegex(usage.stdout, rf"{word}\b", command)
                elif words[1] in ("panel", "touch") and index == 2:
                    self.assertRegex(usage.stdout, rf"\b{words[1]} {word}\b", command)
                elif words[index - 1] in ("--picture", "--by"):
                    self.assertRegex(usage.stdout, rf"\b{word}\b", command)


if __name__ == "__main__":
    unittest.main()
