"""Updates from the setup page: a package is sent by a browser of this computer, and installed."""

import pathlib
import shutil
import subprocess

import test_card
from board import FOLDER, MIB, Board
from test_card import CardCase, report
from test_setup import PhoneTab, free_port, wait_long

VERSION = "9.5"
STATE = "/var/lib/pixelboop"


class UpdatePageTests(CardCase):
    ssh, bring = test_card.VirtTests.ssh, test_card.VirtTests.bring

    @classmethod
    def setUpClass(cls):
        cls.board = Board("virt", 4096 * MIB)
        cls.addClassCleanup(cls.board.cut)
        if not (FOLDER / "key").exists():
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", FOLDER / "key"], check=True)
        cls.port, cls.page = free_port(), free_port()
        cls.board.put("authorized_keys", (FOLDER / "key.pub").read_text())

    def test_update(self):
        self.start()
        self.open_page()
        self.refused()
        self.installed()
        self.cut_short()

    def start(self):
        self.board.start(network=f",hostfwd=tcp:127.0.0.1:{self.port}-:22,hostfwd=tcp:127.0.0.1:{self.page}-:80")
        self.assert_plays(self.board)

    def open_page(self):
        """The page of a box in a network, which asks for its token; the emulator takes longer than a board."""
        board = self.board
        board.run("systemctl set-environment PIXELBOOP_READY_SECONDS=600")
        board.run("mkdir -p /data/network; touch /data/network/page; systemctl start pixelboop-setup")
        token = board.run(f"cat {STATE}/page-token")
        tab = PhoneTab(f"--host-resolver-rules=MAP pixelboop.local:80 127.0.0.1:{self.page}")
        self.addCleanup(tab.stop)
        tab.open(f"http://pixelboop.local/?token={token}")
        self.tab = tab

    def shows(self, name, words):
        content = f"document.getElementById('{name}')?.innerText ?? ''"
        wait_long(f"{words!r} in #{name}", lambda: words in self.tab.evaluate(content))

    def send(self, package):
        """Sends a package and the files beside it."""
        self.tab.choose_files("files", [f"{package}{ending}" for ending in ("", ".sha256", ".minisig")])
        self.shows("chosen", f"{package.name} is complete.")
        self.tab.evaluate("document.getElementById('upload').click()")

    def assert_tidy(self):
        self.assertEqual(self.board.run(f"ls -d {STATE}/upload* 2>/dev/null", status=None), "")
        self.assert_read_only(self.board)

    def refused(self):
        """A package with the signature of another one."""
        self.bring(VERSION)
        type(self).package = FOLDER / f"pixelboop_{VERSION}_arm64.deb"
        summed = subprocess.run(["sha256sum", self.package.name], cwd=FOLDER, capture_output=True, check=True).stdout
        pathlib.Path(f"{self.package}.sha256").write_bytes(summed)
        box = self.board.run("systemctl show --property MainPID --value pixelboop")
        type(self).old = self.board.run("dpkg-query --show --showformat '${Version}' pixelboop")
        self.shows("version", self.old)
        forged = FOLDER / "pixelboop_9.6_arm64.deb"
        for ending in ("", ".minisig"):
            shutil.copy(f"{self.package}{ending}", f"{forged}{ending}")
        with open(forged, "ab") as file:
            file.write(b"\n")
        summed = subprocess.run(["sha256sum", forged.name], cwd=FOLDER, capture_output=True, check=True).stdout
        pathlib.Path(f"{forged}.sha256").write_bytes(summed)
        self.send(forged)
        self.shows("update-state", "is not signed by the key of this box")
        self.assertEqual(self.board.run("systemctl show --property MainPID --value pixelboop"), box)
        self.assert_tidy()

    def installed(self):
        """The page is the new version's, too."""
        board = self.board
        page = board.run("systemctl show --property MainPID --value pixelboop-setup")
        self.send(self.package)
        self.shows("update-state", f"Installed: pixelboop {self.old} → {VERSION}")
        self.shows("version", VERSION)
        wait_long("the new page", lambda: board.run("systemctl show --property MainPID --value pixelboop-setup") not in (page, "0"))
        self.shows("status", "connected")
        self.tab.screenshot(FOLDER / "update-page.png")
        self.assertEqual(board.run("dpkg-query --show --showformat '${db:Status-Abbrev}${Version}' pixelboop"), f"ii {VERSION}")
        self.assertEqual(board.run("systemctl --failed --no-legend --plain"), "")
        self.assert_tidy()
        report("update from the page", board.run("journalctl --boot --no-pager --output cat --unit pixelboop-setup-update"))
        report("memory of the page", board.run("systemctl show --property MemoryPeak pixelboop-setup"))

    def cut_short(self):
        """What was sent before a power cut is gone after the next start, even if nobody opens the page."""
        board = self.board
        board.run(f"rm /data/network/page; for folder in {STATE}/upload {STATE}/upload.installing; do "
                  "install -d -o pixelboop -g pixelboop $folder; echo >$folder/file; done; sync")
        board.cut()
        self.start()
        wait_long("the end of the start", lambda: board.run("systemctl is-active systemd-tmpfiles-setup", status=None) == "active")
        self.assert_tidy()
