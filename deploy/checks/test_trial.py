"""The starts of a new system on trial are counted, or it is left."""

import pathlib
import subprocess
import tempfile
import unittest

SLOTS = pathlib.Path(__file__).resolve().parents[1] / "image/debian/usr/libexec/pixelboop/slots.sh"
# What the initramfs does at one start of slot b.
START = f"""
set -u
. {SLOTS}
if is_on_trial "$1" b && ! count_start "$1"; then printf 'falls back to %s\\n' "$before"; else echo starts; fi
"""


class TrialTests(unittest.TestCase):
    def starts(self, folder, count):
        trial = pathlib.Path(folder) / "trial"
        return [subprocess.run(["sh", "-c", START, "sh", trial], capture_output=True, text=True, check=True).stdout.strip()
                for _ in range(count)]

    def test_three_starts(self):
        """A system that never gets its box ready is left at its fourth start."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "trial").write_text("b a 0\n")
            self.assertEqual(self.starts(folder, 5), ["starts"] * 3 + ["falls back to a"] * 2)

    def test_others(self):
        """Without a trial, and in the system from before, nothing is counted."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.starts(folder, 2), ["starts"] * 2)
            for text in ["a b 9\n", "\n", ""]:
                trial = pathlib.Path(folder) / "trial"
                trial.write_text(text)
                self.assertEqual(self.starts(folder, 2), ["starts"] * 2)
                self.assertEqual(trial.read_text(), text)

    def test_damaged(self):
        """A count that is none is no licence to start for ever."""
        with tempfile.TemporaryDirectory() as folder:
            for text in ["b a\n", "b a x\n"]:
                (pathlib.Path(folder) / "trial").write_text(text)
                self.assertEqual(self.starts(folder, 1), ["falls back to a"])

    def test_full(self):
        """On a full partition, and on one that became read-only, the start cannot be counted."""
        script = """
            mount -t tmpfs -o size=64k tmpfs "$0"
            printf 'b a 0\\n' >"$0/trial"
            if [ "$1" = full ]; then dd if=/dev/zero of="$0/fill" bs=1k 2>/dev/null; else mount -o remount,ro "$0"; fi
            shift
            exec sh -c "$@" sh "$0/trial" 2>/dev/null
        """
        with tempfile.TemporaryDirectory() as folder:
            for kind in ["full", "read-only"]:
                done = subprocess.run(["unshare", "--mount", "sh", "-c", script, folder, kind, START],
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout.strip(), "falls back to a", kind)
