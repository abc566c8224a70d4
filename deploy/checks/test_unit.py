"""The unit, and what stands beside it."""

import pathlib
import re
import subprocess
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
UNIT = FOLDER / "systemd" / "pixelboop.service"
# systemd's rating "OK" ends at 5; this is the box's own limit.
EXPOSURE_MAX = 2.0


class UnitTests(unittest.TestCase):
    def test_exposure(self):
        """The service's exposure is within its limit."""
        output = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--no-pager", UNIT],
                              capture_output=True, text=True, check=True).stdout
        exposure = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", output)[1])
        print(f"exposure {exposure}")
        self.assertLessEqual(exposure, EXPOSURE_MAX)

    def test_settings(self):
        """The requirements of sound, panel and recovery are set."""
        lines = UNIT.read_text().splitlines()
        for line in ["Type=notify", "Restart=always", "User=pixelboop", "LimitRTPRIO=95", "LimitMEMLOCK=infinity",
                     "StateDirectory=pixelboop", "ProtectSystem=strict", "StartLimitIntervalSec=0"]:
            self.assertIn(line, lines)
        # systemd makes a configuration directory writable, and this one is root's.
        for word in ["network", "RestrictRealtime", "PrivateDevices", "ProcSubset", "ConfigurationDirectory"]:
            self.assertFalse([line for line in lines if word in line and not line.startswith("#")], word)

    def test_stops_before_the_watchdog(self):
        """A hanging panel is dark (after 3 s) before systemd kills the box."""
        seconds = int(re.search(r"^WatchdogSec=(\d+)$", UNIT.read_text(), re.MULTILINE)[1])
        self.assertGreater(seconds, 3)


class BootTests(unittest.TestCase):
    def test_polkit_rule(self):
        """The rule allows only the box's user to switch off, and only that."""
        rule = (FOLDER / "systemd" / "50-pixelboop.rules").read_text()
        self.assertEqual(re.findall(r'"(org\.[^"]+)"', rule),
                         ["org.freedesktop.login1.power-off", "org.freedesktop.login1.power-off-multiple-sessions"])
        self.assertIn('subject.user == "pixelboop"', rule)
