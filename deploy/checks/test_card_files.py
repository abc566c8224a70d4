"""Files that a maker's computer writes onto the card's first partition: as any editor saves them, and refused with a reason beside them."""

import pathlib
import subprocess
import unittest

from test_setup_requests import SCRIPTS, RequestCase

WIFI = 'country=DE\nctrl_interface=/run/wpa_supplicant\nnetwork={\n  ssid="Home"\n  psk="12345678"\n}\n'
# How editors and systems save a text.
WRITINGS = {
    "as it is": lambda text: text.encode(),
    "with a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "UTF-16 of Notepad": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16, highest byte first": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "lines of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "lines of an old Macintosh": lambda text: text.replace("\n", "\r").encode(),
    "typographic quotes": lambda text: text.replace('"Home"', "“Home”").replace('"12345678"', "„12345678“").encode(),
    "wide spaces": lambda text: text.replace("  ", "\u00a0\u2003").encode(),
    "all of it": lambda text: b"\xff\xfe" + text.replace("\n", "\r\n").replace('"Home"', "“Home”").encode("utf-16-le"),
}
MOUNT = '#!/bin/sh\necho "$*" >>"$PIXELBOOP_ROOT/mounts"\n'


class CardFileTests(RequestCase):
    def setUp(self):
        super().setUp()
        for name, script in [("mount", MOUNT), ("mountpoint", "#!/bin/sh\nexit 0\n")]:
            self.put(f"bin/{name}", script)
            (self.root / "bin" / name).chmod(0o755)
        self.card = self.root / "boot/firmware"

    def shell(self, script):
        return subprocess.run(
            ["sh", "-c", f"set -eu\nname=check\n. {SCRIPTS}/network.sh\n. $root/usr/share/pixelboop/service.sh\n{script}"],
            env={"PATH": f"{self.root}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PIXELBOOP_ROOT": str(self.root)},
            capture_output=True, text=True, timeout=60, check=False)

    def file(self, name):
        return subprocess.run([SCRIPTS / "card-file", self.card, name], capture_output=True, check=False)

    def test_writings(self):
        """A text is the same however it is saved."""
        for writing, write in WRITINGS.items():
            for name in ["wpa_supplicant.conf", "wpa_supplicant.conf.txt"]:
                (self.card / name).write_bytes(write(WIFI))
                self.assertEqual(self.file("wpa_supplicant.conf").stdout.decode(), WIFI, writing)
                (self.card / name).unlink()
        self.assertEqual(self.file("wpa_supplicant.conf").returncode, 66)

    def test_values(self):
        """Quotes within a name stay, also a phone's quotes, and so do letters of all scripts and bytes that are no text."""
        for text in ['ssid="Anna’s “Phone” 🎵"\n', "# “quoted” words\n", 'ssid="„x“"\n', "{ name: 'é 字' }\n"]:
            for writing in ["with a byte order mark", "UTF-16 of Notepad", "as it is"]:
                (self.card / "x").write_bytes(WRITINGS[writing](text))
                self.assertEqual(self.file("x").stdout.decode(), text, writing)
        (self.card / "x").write_bytes(b'ssid="caf\xe9"\r\n')
        self.assertEqual(self.file("x").stdout, b'ssid="caf\xe9"\n')
        (self.card / "x").write_text("{ a: “b”, “c”: [“d”] }\n")
        self.assertEqual(self.file("x").stdout.decode(), '{ a: "b", "c": ["d"] }\n')

    def test_network(self):
        """wpa_supplicant gets the text; what it cannot read is refused beside the file, and counts as none."""
        used = self.root / "run/pixelboop-setup/card.conf"
        note = self.card / "wpa_supplicant.refused.txt"
        for writing, write in WRITINGS.items():
            (self.card / "wpa_supplicant.conf").write_bytes(write(WIFI))
            done = self.shell("take_card_network")
            self.assertEqual((done.returncode, done.stderr), (0, ""), writing)
            self.assertEqual(used.read_text(), WIFI, writing)
            self.assertEqual(used.stat().st_mode & 0o777, 0o600)
            self.assertFalse(note.exists())
        for text, reason in [("nonsense\n", "line 1: "), (WIFI.replace('"12345678"', "abc"), "line 5: "),
                             ("country=DE\n", "has no network={ … }"), (WIFI.replace("}", ""), "line ")]:
            (self.card / "wpa_supplicant.conf").write_text(text)
            done = self.shell("take_card_network")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse(used.exists(), text)
            self.assertTrue(note.read_text().startswith(reason), note.read_text())
            self.assertEqual(len(note.read_text().splitlines()), 1)
            self.assertIn("wpa_supplicant.conf on the card's first partition: " + reason, done.stderr)
        (self.card / "wpa_supplicant.conf").unlink()
        self.assertEqual(self.shell("take_card_network").returncode, 0)
        self.assertFalse(note.exists() or used.exists())
        # The partition is writable only for a note.
        (self.root / "mounts").unlink()
        self.shell("take_card_network")
        self.assertFalse((self.root / "mounts").exists())

    def test_keys(self):
        """ssh gets the keys; a file without one is refused beside it, and the keys from before do not stay."""
        key = self.root / "key"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "one", "-f", key], check=True)
        public = pathlib.Path(f"{key}.pub").read_text()
        installed = self.root / "data/ssh/authorized_keys"
        note = self.card / "authorized_keys.refused.txt"

        def take():
            return subprocess.run(
                ["sh", SCRIPTS / "take-keys"], capture_output=True, text=True, check=False,
                env={"PATH": f"{self.root}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PIXELBOOP_ROOT": str(self.root)})

        for writing in ["as it is", "with a byte order mark", "UTF-16 of Notepad", "lines of Windows"]:
            (self.card / "authorized_keys").write_bytes(WRITINGS[writing](public))
            self.assertEqual(take().returncode, 0, writing)
            self.assertEqual(installed.read_text(), public, writing)
        (self.card / "authorized_keys").rename(self.card / "authorized_keys.txt")
        self.assertEqual(take().returncode, 0)
        self.assertFalse(note.exists())
        (self.card / "authorized_keys.txt").write_text("my key\n")
        done = take()
        self.assertEqual(done.returncode, 65)
        self.assertEqual(note.read_text(), "has no ssh key; put the line of a .pub file there\n")
        self.assertIn("authorized_keys on the card's first partition: has no ssh key", done.stderr)


if __name__ == "__main__":
    unittest.main()
