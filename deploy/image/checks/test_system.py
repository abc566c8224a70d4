"""Updates of the whole system, from a folder of the network: the slots of a card, power cuts, and a system that fails."""

import functools
import hashlib
import http.server
import json
import pathlib
import re
import subprocess
import threading

from board import FOLDER, IMAGE, MIB, Board, wait_for
from test_card import AS_BOX, LIBRARY, SIGN, TUNE, CardCase, report

STATE = "/var/lib/pixelboop-update"
VERSION = "9.9~deb13"
# Partitions of the image: the first slot is copied to the second one.
SLOTS = {"a": 260 * MIB, "b": 900 * MIB}
# A version whose box ends at once, after it has changed the library: the schema's number is at byte 60 of the file.
ENDS = f"""#!/bin/sh
[ "$1" != run ] || printf '\\000\\000\\000\\143' | dd of={LIBRARY} bs=1 seek=60 conv=notrunc
exit 3
"""
# Stops the update before it chooses the slot that starts.
STOPS = """#!/bin/sh
case "$*" in *of=/boot/firmware/config.txt*) touch /run/stopped; exec sleep 10000 ;; esac
exec /usr/bin/dd "$@"
"""


def replace(card, slot, path, text, mode):
    """Replaces a file in a slot of `card`, which is off."""
    file = FOLDER / "replacement"
    file.write_text(text)
    script = FOLDER / "script"
    script.write_text(f"rm {path}\nwrite {file} {path}\nset_inode_field {path} mode 0100{mode:o}\n")
    done = subprocess.run(["debugfs", "-w", "-f", script, f"{card}?offset={SLOTS[slot]}"], capture_output=True, text=True, check=True)
    if "not found" in done.stderr:
        raise AssertionError(done.stderr)


def read(card, slot, path):
    return subprocess.run(["debugfs", "-R", f"cat {path}", f"{card}?offset={SLOTS[slot]}"], capture_output=True, check=True,
                          text=True).stdout


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class SystemTests(CardCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = FOLDER / "served"
        cls.folder.mkdir()
        cls.serve_version()
        cls.serve_other_partitions()
        handler = functools.partial(QuietHandler, directory=cls.folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        # The computer's own address, in QEMU's network.
        cls.address = f"http://10.0.2.2:{server.server_port}"
        cls.board = Board("virt", 4096 * MIB)
        cls.addClassCleanup(cls.board.cut)

    @classmethod
    def serve_version(cls):
        """The checked image as another version, and the signed list of the folder."""
        raw = FOLDER / "version.img"
        with open(raw, "wb") as file:
            subprocess.run(["xz", "--decompress", "--stdout", IMAGE], stdout=file, check=True)
        status = "/var/lib/dpkg/status"
        changed, count = re.subn(r"(?m)(^Package: pixelboop\n(?:.+\n)*?Version: ).*$", rf"\g<1>{VERSION}", read(raw, "a", status))
        assert count == 1
        replace(raw, "a", status, changed, 0o644)
        name = f"pixelboop_{VERSION}_arm64.img.xz"
        with open(cls.folder / name, "wb") as file:
            subprocess.run(["xz", "-T0", "-0", "--stdout", raw], stdout=file, check=True)
        raw.unlink()
        (cls.folder / "SHA256SUMS").write_text(cls.finish(cls.folder / name))
        subprocess.run([SIGN, cls.folder / "SHA256SUMS"], check=True)

    @classmethod
    def serve_other_partitions(cls):
        """An image with slots of another size."""
        raw, name = FOLDER / "other.img", "pixelboop_9.8~deb13_arm64.img.xz"
        with open(raw, "wb") as file:
            file.truncate(1024 * MIB)
        subprocess.run(["sfdisk", "--quiet", raw], check=True, text=True,
                       input="label: dos\nstart=4MiB, size=256MiB\nstart=260MiB, size=300MiB\nstart=560MiB, size=300MiB\n")
        with open(cls.folder / name, "wb") as file:
            subprocess.run(["xz", "-0", "--stdout", raw], stdout=file, check=True)
        raw.unlink()
        cls.finish(cls.folder / name)

    @staticmethod
    def finish(file):
        """Writes the checksum and the signature of `file`; the line of its checksum."""
        line = f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        pathlib.Path(f"{file}.sha256").write_text(line)
        subprocess.run([SIGN, file], check=True)
        return line

    def start(self):
        board = self.board
        board.start()
        self.assert_plays(board)
        wait_for("the network", lambda: board.run("ip route show default", status=None))

    def assert_system(self, slot, version):
        """This version runs, in this slot, with the music."""
        board = self.board
        self.assertIn(f"pixelboop.slot={slot} ", board.run("cat /proc/cmdline"))
        device = {"a": "vda2", "b": "vda3"}[slot]
        self.assertEqual(board.run("findmnt --noheadings --output MAJ:MIN /").strip(), board.run(f"cat /sys/class/block/{device}/dev"))
        self.assertEqual(board.run("dpkg-query --show --showformat '${Version}' pixelboop"), version)
        self.assertEqual(board.run(f"ls {STATE}/trial", status=None), f"ls: cannot access '{STATE}/trial': No such file or directory")
        board.run(AS_BOX + "library check")
        self.assertIn("TUNE", board.run(AS_BOX + "library list"))
        self.assert_read_only(board)
        self.assertRegex(board.run("findmnt --noheadings --output OPTIONS /boot/firmware"), "^ro,")

    def test_update(self):
        self.first()
        self.cut_while_writing()
        self.cut_before_the_choice()
        self.fails_three_times()
        self.kept()

    def first(self):
        board = self.board
        self.start()
        document = json.dumps(TUNE).replace("],", "],\n")
        board.run(f"echo '{document}' >/tmp/tune.json")
        board.run(AS_BOX + "library import /tmp/tune.json")
        type(self).old = board.run("dpkg-query --show --showformat '${Version}' pixelboop")
        self.assert_system("a", self.old)
        name = f"pixelboop_{VERSION}_arm64.img.xz"
        self.assertEqual(board.run(f"pixelboop-update --list {self.address}"), f"{VERSION}\timage\t{self.address}/{name}")
        box = board.run("systemctl show --property MainPID --value pixelboop")
        self.assertIn("the image has other partitions than this card", board.run(
            f"pixelboop-update {self.address}/pixelboop_9.8~deb13_arm64.img.xz", status=65))
        self.assertEqual(board.run("systemctl show --property MainPID --value pixelboop"), box)
        self.assert_system("a", self.old)

    def cut_while_writing(self):
        board = self.board
        # Written sectors (Documentation/block/stat.rst).
        def written():
            return int(board.run("cat /sys/class/block/vda3/stat").split()[6])
        board.run(f"pixelboop-update {self.address} >/run/update 2>&1 &")
        wait_for("the writing", lambda: written() > 200 * MIB // 512, pause=2)
        board.cut()
        self.assertEqual(board.read_system(), "a")

    def cut_before_the_choice(self):
        """All is written, and the new system is marked as on trial, but the old one starts."""
        board = self.board
        board.put("stops", STOPS)
        self.start()
        self.assert_system("a", self.old)
        board.run("mkdir /run/bin; install -m 755 /boot/firmware/stops /run/bin/dd")
        board.run(f"PATH=/run/bin:$PATH pixelboop-update {self.address} >/run/update 2>&1 &")
        wait_for("the choice", lambda: board.run("ls /run/stopped; cat /run/update", status=None).startswith("/run/stopped"), pause=2)
        self.assertEqual(board.run(f"cat {STATE}/trial"), "b a 0")
        board.cut()
        self.assertEqual(board.read_system(), "a")
        self.start()
        self.assert_system("a", self.old)
        self.assertIn("was cut short before its system started", board.run(f"cat {STATE}/problem"))

    def update(self):
        """Until the machine starts again, in the other slot."""
        board = self.board
        board.run(f"pixelboop-update {self.address} >/run/update 2>&1 || cat /run/update >/dev/ttyAMA0 &")
        board.wait_for_restart()

    def fails_three_times(self):
        board = self.board
        self.update()
        self.assertEqual(board.read_system(), "b")
        replace(board.card, "b", "/usr/bin/pixelboop", ENDS, 0o755)
        # Its first start ends with the plug being pulled.
        board.start()
        self.assertEqual(board.run(f"cat {STATE}/trial"), "b a 1")
        board.cut()
        for _ in range(2):
            self.assertEqual(board.read_system(), "b")
            board.switch_on()
            board.wait_for_restart()
        # The initramfs chooses.
        board.switch_on()
        board.wait_for_restart()
        self.assertEqual(board.read_system(), "a")
        self.start()
        self.assert_system("a", self.old)
        self.assertIn("did not get the box ready", board.run(f"cat {STATE}/problem"))
        self.assertIn("did not get the box ready", board.run("pixelboop doctor --service", status=None))
        self.assertEqual(board.run(f"ls {LIBRARY}.replaced-* | wc -l"), "1")

    def kept(self):
        board = self.board
        self.update()
        self.assertEqual(board.read_system(), "b")
        self.start()
        wait_for("the end of the trial", lambda: board.run(f"ls {STATE}/trial", status=None).startswith("ls:"))
        self.assert_system("b", VERSION)
        self.assertEqual(board.run(f"ls {STATE}/problem", status=None), f"ls: cannot access '{STATE}/problem': No such file or directory")
        report("the new system", board.run("journalctl --boot --no-pager --output cat --unit pixelboop-trial"))
        board.cut()
        self.start()
        self.assert_system("b", VERSION)
