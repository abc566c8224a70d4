"""The life of a card, from its first start on."""

import itertools
import json
import os
import pathlib
import re
import socket
import subprocess
import time
import unittest

from board import FOLDER, MIB, Board, wait_for

# Headroom for an emulator's delays.
SOUND = """{ audio: { period: 1024, periods: 4 } }\n"""
LIBRARY = "/var/lib/pixelboop/library.sqlite"
SIGN = pathlib.Path(__file__).resolve().parents[2] / "sign"
NOTES = [[2] * 32] + [[0] * 32] * 11
TUNE = {"bpm": 97, "length": 32, "rootNote": "C", "scale": "major", "name": "TUNE",
        "tracks": {name: NOTES for name in ["melody", "chords", "bass", "rhythm"]}}
# Millions of instructions until the box is ready, and from the kernel's end to the first light.
START_MAX = 2200
LIGHT_MAX = 1000
README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
START_MARK = "<!-- written by make check-image -->\n"
# The card has the commands to run it as the service would.
AS_BOX = ". /usr/share/pixelboop/service.sh; as_box pixelboop "


def microseconds(board, unit, name):
    return int(board.run(f"systemctl show --property {name}Monotonic --value {unit}"))


def report(title, text):
    print(f"\n-- {title}\n{text}", flush=True)


class CardCase(unittest.TestCase):
    def assert_plays(self, board, *but):
        """The machine has started, with all its units except `but`, and the box is ready, within this many seconds of
        QEMU's start."""
        states = {"running", "degraded"}
        wait_for("all units", lambda: board.run("systemctl is-system-running --wait", status=None) in states)
        failed = board.run("systemctl --failed --no-legend --plain | cut -d ' ' -f 1").split()
        journal = board.run("journalctl --boot --no-pager --output cat --unit 'pixelboop*' --unit ssh")
        self.assertEqual(failed, list(but), journal)
        box = board.run("systemctl show --property ActiveState,NRestarts pixelboop")
        self.assertCountEqual(box.splitlines(), ["ActiveState=active", "NRestarts=0"], journal)
        self.assertEqual(board.run("journalctl --boot --no-pager --output cat --grep 'ordering cycle'", status=None), "")
        since = float(board.run("cut -d ' ' -f 1 /proc/uptime")) - microseconds(board, "pixelboop", "ActiveEnterTimestamp") / 1e6
        return time.monotonic() - board.begin - since

    def assert_read_only(self, board):
        self.assertIn("Read-only file system", board.run("touch /usr/new", status=1))
        self.assertRegex(board.run("findmnt --noheadings --output OPTIONS /"), r"^ro,")


class VirtTests(CardCase):
    @classmethod
    def setUpClass(cls):
        cls.board = Board("virt", 4096 * MIB)
        cls.addClassCleanup(cls.board.cut)
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", FOLDER / "key"], check=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.port = free.getsockname()[1]

    def start(self, *but):
        self.board.start(network=f",hostfwd=tcp:127.0.0.1:{self.port}-:22")
        return self.assert_plays(self.board, *but)

    def ssh(self, *words, status=0, data=b""):
        """The output of ssh to the box, as bytes if `data` is."""
        done = subprocess.run(
            ["ssh", "-p", str(self.port), "-i", FOLDER / "key", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o",
             "LogLevel=ERROR", "-o", "StrictHostKeyChecking=accept-new", "-o", f"UserKnownHostsFile={FOLDER}/known_hosts",
             "root@127.0.0.1", *words], input=data, capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def test_life(self):
        self.first_start()
        self.power_cut()
        self.after_the_cut()
        self.with_ssh()
        self.update()
        self.update_cut_short()
        self.third_start()

    def first_start(self):
        board = self.board
        board.put("pixelboop.json5", SOUND)
        report("Start", f"ready {self.start():.0f} s after QEMU's start")
        self.assert_read_only(board)
        self.assertEqual(board.run("cat /etc/pixelboop/config.json5"), SOUND.strip())
        report("doctor", board.run(AS_BOX + "doctor", status=None))
        report("journal of the box", board.run("journalctl --boot --no-pager --output cat --unit pixelboop"))

        # There are no passwords, and no password prompts.
        self.assertEqual(board.run("cut -d : -f 2 /etc/shadow | grep --invert-match --line-regexp '[!*][!*]*'", status=1), "")
        self.assertEqual(board.run("pgrep --count getty", status=None), "0")
        # No ssh, and no key common to all cards.
        self.assertEqual(board.run("systemctl is-active ssh", status=3), "inactive")
        listening = "grep --extended-regexp ':0016 [0-9A-F]+:0000 0A' /proc/net/tcp /proc/net/tcp6"
        self.assertEqual(board.run(listening, status=1), "")
        self.assertEqual(board.run("ls /etc/ssh /data/ssh 2>/dev/null | grep host_", status=1), "")

        # The data partition ends where the card does, as does its file system.
        self.assert_grown()
        self.assertGreater(int(board.run("df --output=size --block-size 1M /data | tail -n 1")), 2000)

    def assert_grown(self):
        board = self.board
        wait_for("the growth", lambda: board.run("systemctl is-active pixelboop-grow", status=None) == "active")
        sizes = board.run("cat /sys/class/block/vda/size /sys/class/block/vda4/start /sys/class/block/vda4/size").split()
        disk, start, size = map(int, sizes)
        self.assertLess(disk - start - size, 2048)
        blocks = int(re.search(r"Block count: +(\d+)", board.run("dumpe2fs -h /dev/vda4"))[1])
        self.assertLess(size // 8 - blocks, 256)

    def power_cut(self):
        """It plays and keeps the music when the power is cut."""
        board = self.board
        # A line of the shell must not be too long.
        document = json.dumps(TUNE).replace("],", "],\n")
        board.run(f"echo '{document}' >/tmp/tune.json")
        board.run(AS_BOX + "library import /tmp/tune.json")
        board.press("spc")
        writes = set()
        look = f"stat -c '%y %s' {LIBRARY} {LIBRARY}-wal"
        keys = itertools.cycle(["up"] * 5 + ["down"] * 5)
        def written():
            board.press(next(keys))
            writes.add(board.run(look, status=None))
            return len(writes) > 5
        wait_for("writing", written, 180)
        board.run("dd if=/dev/zero of=/data/torn bs=1M count=256 >/dev/null 2>&1 &")
        board.press(next(keys))
        board.cut()

    def after_the_cut(self):
        board = self.board
        # The card grows again, and the power was cut after the partition was enlarged.
        os.truncate(board.card, 6144 * MIB)
        subprocess.run(["sfdisk", "--quiet", "--partno", "4", board.card], input=", +", text=True, check=True)
        board.put("pixelboop.json5", "{ panel: { chip: 7 } }\n")
        board.put("authorized_keys", (FOLDER / "key.pub").read_text().strip() + "\r\n")
        self.start("pixelboop-card.service")
        self.assertIn("recovering journal", board.run("journalctl --boot --no-pager --output cat --identifier pixelboop-data"))
        board.run(AS_BOX + "library check")
        self.assertIn("TUNE", board.run(AS_BOX + "library list"))
        self.assertEqual(board.run(f"find {LIBRARY}.* -name '*replaced*' 2>/dev/null", status=None), "")
        self.assert_grown()
        self.assertGreater(int(board.run("df --output=size --block-size 1M /data | tail -n 1")), 4000)

    def with_ssh(self):
        board = self.board
        self.assertIn("refused: ", board.run("journalctl --boot --no-pager --output cat --unit pixelboop-card"))
        self.assertEqual(board.run("ls /boot/firmware | grep '^pixelboop'").split(),
                         ["pixelboop.refused.json5", "pixelboop.refused.txt", "pixelboop.taken.json5"])
        report("refused", board.run("cat /boot/firmware/pixelboop.refused.txt"))
        self.assertEqual(board.run("cat /etc/pixelboop/config.json5"), SOUND.strip())
        self.assertRegex(board.run("findmnt --noheadings --output OPTIONS /boot/firmware"), "^ro,")

        self.assertEqual(self.ssh("id --user --name; hostname"), b"root\npixelboop\n")
        self.assertIn(b"Permission denied (publickey).", self.ssh(
            "-o", "PubkeyAuthentication=no", "-o", "PreferredAuthentications=password,keyboard-interactive", status=255))

    def bring(self, version, postinst=""):
        """A package of the installed files as this version, in the box's /tmp, with the signature of the image's builder. Its
        postinst begins with `postinst`."""
        package, tree = FOLDER / f"pixelboop_{version}_arm64.deb", FOLDER / f"tree-{version}"
        installed = FOLDER / "current.deb"
        installed.write_bytes(self.ssh("cat /var/lib/pixelboop-update/current.deb"))
        subprocess.run(["dpkg-deb", "--raw-extract", installed, tree], check=True)
        changes = [("control", "^Version: .*$", f"Version: {version}"), ("postinst", "^#!.*$", rf"\g<0>\n{postinst}")]
        for name, before, after in changes:
            script = tree / "DEBIAN" / name
            script.write_text(re.sub(before, after, script.read_text(), count=1, flags=re.MULTILINE))
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, package], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([SIGN, package], check=True)
        self.ssh(f"cd /tmp && cat >{package.name} && sha256sum {package.name} >{package.name}.sha256", data=package.read_bytes())
        self.ssh(f"cat >/tmp/{package.name}.minisig", data=pathlib.Path(f"{package}.minisig").read_bytes())
        return f"/tmp/{package.name}"

    def assert_installed(self, version):
        """This version is installed as a whole."""
        board = self.board
        self.assertEqual(board.run("dpkg-query --show --showformat '${db:Status-Abbrev}${Version}' pixelboop"), f"ii {version}")
        self.assertEqual(board.run("dpkg --audit"), "")
        self.assertEqual(board.run("dpkg --verify pixelboop", status=None), self.verified)
        self.assertEqual(board.run("ls /var/lib/pixelboop-update | grep under-way", status=1), "")
        self.assert_read_only(board)

    def update(self):
        """With pixelboop-update, on a read-only root; with the key of the image's builder."""
        self.verified = self.board.run("dpkg --verify pixelboop", status=None)
        report("not of the package, or left out", self.verified)
        done = self.board.run(f"PIXELBOOP_READY_SECONDS=600 pixelboop-update {self.bring('9.1')}")
        self.assertRegex(done, "→ 9.1,")
        report("update", done)
        self.assert_installed("9.1")

    def update_cut_short(self):
        """The power is cut within dpkg, between its unpacking and its configuring of a version."""
        board = self.board
        package = self.bring("9.2", "[ ! -e /run/stop ] || { touch /run/stopped; exec sleep 1000; }")
        board.run(f"touch /run/stop; pixelboop-update {package} >/run/update 2>&1 &")
        wait_for("dpkg", lambda: board.run("ls /run/stopped; cat /run/update", status=None).startswith("/run/stopped"))
        self.assertEqual(board.run("cat /var/lib/pixelboop-update/under-way"), "install 9.1 9.2")
        board.cut()

    def third_start(self):
        """The update is rolled back before the box starts. Other changes are kept; the card's configuration is adopted, and stays
        root's."""
        board = self.board
        board.put("pixelboop.json5", board.read("examples/ws2812b.json5"))
        self.start()
        self.assert_installed("9.1")
        self.assertIn("the update to 9.2 was cut short: 9.1 is back",
                      board.run("journalctl --boot --no-pager --output cat --unit pixelboop-update"))
        self.assertLess(microseconds(board, "pixelboop-update", "ExecMainExitTimestamp"),
                        microseconds(board, "pixelboop", "ExecMainStartTimestamp"))
        board.run(AS_BOX + "library check")
        self.assertEqual(board.run("ls /boot/firmware | grep '^pixelboop'").split(),
                         ["pixelboop.refused.json5", "pixelboop.taken.json5"])
        board.run("cmp /etc/pixelboop/config.json5 /usr/share/doc/pixelboop/examples/ws2812b.json5")
        self.assertEqual(board.run("stat -c '%U:%G %a' /etc/pixelboop /var/lib/pixelboop-update").split("\n"), ["root:root 755"] * 2)
        self.assertIn("WS2812B", board.run("journalctl --boot --no-pager --output cat --unit pixelboop"))
        self.assertIn("TUNE", board.run(AS_BOX + "library list"))
        self.assertEqual(self.ssh("true"), b"")
        done = board.run("pixelboop-reset --yes")
        report("reset", done)
        board.run("grep --fixed-strings -e '--panel spi' /etc/default/pixelboop")
        self.assert_read_only(board)


class StartTests(CardCase):
    """The instructions of a start, in millions: from the kernel's first to the box that is ready."""

    def test_instructions(self):
        board = Board("counted", 4096 * MIB)
        self.addCleanup(board.cut)
        board.start()
        self.assert_plays(board)

        kernel = int(1000 * float(re.search(r"\[ *([\d.]+)\] Run /init", board.run("dmesg"))[1]))
        manager, begun, ready = (
            microseconds(board, unit, f"{name}Timestamp") // 1000
            for unit, name in (("", "Userspace"), ("pixelboop", "ExecMainStart"), ("pixelboop", "ActiveEnter")))
        # The LEDs' supply rises from here on, if it is switched, within 20 ms.
        line = board.run("journalctl --boot --unit pixelboop --output short-monotonic --grep 'the panel is '")
        light = int(1000 * float(re.search(r"\[ *([\d.]+)\]", line)[1]))
        parts = [
            ("kernel, until the initramfs", kernel), ("initramfs, until systemd", manager - kernel),
            ("systemd, until the box", begun - manager), ("the box, until its first light", light - begun),
            ("and until it is ready", ready - light), ("in all", ready)]
        chain = board.run("systemd-analyze critical-chain pixelboop.service --no-pager").split("\n\n", 1)[1].strip()
        text = "\n".join(f"{title:<30}{count:>6}" for title, count in parts) + f"\n\n{chain}"
        report("millions of instructions; the critical chain, where 1 s is 1000 million", text)
        report("blame", board.run("systemd-analyze blame --no-pager | head -n 25"))
        write_start(text)
        self.assertNotIn("the disk has only", board.run("journalctl --boot --no-pager --unit pixelboop"))
        self.assertLess(ready, START_MAX)
        self.assertLess(light - kernel, LIGHT_MAX)


def write_start(text):
    """Writes the figures of a start into deploy/README.md."""
    before, rest = README.read_text().split(START_MARK)
    README.write_text(before + START_MARK + f"\n    {text.replace(chr(10), chr(10) + '    ')}\n".replace("\n    \n", "\n\n")
                      + rest[rest.index("\n<!-- end -->"):])


class PiTests(CardCase):
    def test_start(self):
        """On QEMU's Pi 3B the box is ready."""
        board = Board("raspi3b", 2048 * MIB)
        self.addCleanup(board.cut)
        board.start()
        seconds = self.assert_plays(board)
        self.assert_read_only(board)
        report("Pi 3B", f"ready {seconds:.0f} s after QEMU's start\n" + board.run(AS_BOX + "doctor", status=None))
