"""The unit, and what stands beside it."""

import pathlib
import re
import subprocess
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
UNIT = FOLDER / "systemd" / "pixelboop.service"
# systemd's rating "OK" ends at 5; this is the limit of what the network reaches.
EXPOSURE_MAX = 2.0
# Of root's scripts, which change the system: without anything they need not do it would be 9.5.
ROOT_EXPOSURE_MAX = 7.0


def exposure(unit):
    output = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--no-pager", unit],
                            capture_output=True, text=True, check=True).stdout
    return float(re.search(r"Overall exposure level for \S+: ([\d.]+)", output)[1])


class UnitTests(unittest.TestCase):
    def test_exposure(self):
        """The service's exposure is within its limit, also when it may talk to every network."""
        more = (FOLDER / "systemd" / "network.conf").read_text()
        for addition in ["", more]:
            with tempfile.TemporaryDirectory() as folder:
                unit = pathlib.Path(folder) / UNIT.name
                unit.write_text(f"{UNIT.read_text()}\n{addition}")
                found = exposure(unit)
            print(f"exposure {found}" + (" with network.conf" if addition else ""))
            self.assertLessEqual(found, EXPOSURE_MAX)

    def test_every_unit(self):
        """So is the exposure of every other unit, and none of root's may do what no script does."""
        units = sorted([*FOLDER.glob("systemd/*.service"), *FOLDER.glob("image/root/etc/systemd/system/*.service")])
        self.assertGreater(len(units), 12)
        for unit in units:
            found, text = exposure(unit), unit.read_text()
            print(f"{found} {unit.name}")
            self.assertLessEqual(found, EXPOSURE_MAX if "User=pixelboop\n" in text else ROOT_EXPOSURE_MAX, unit.name)
            self.assertIn("\nNoNewPrivileges=yes\n", text, unit.name)

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
