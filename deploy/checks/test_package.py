"""The package, from its installation to its purge."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from system import System

PACKAGE = pathlib.Path(os.environ["PACKAGE"])
CONFIGURATION = "/etc/pixelboop/config.json5"
EXAMPLES = "usr/share/doc/pixelboop/examples"
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/configuration.md"
CHIPS = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[A-Z].*?) \|", PAGE.read_text(), re.MULTILINE)).lower())


def field(name):
    return subprocess.run(["dpkg-deb", "-f", PACKAGE, name], capture_output=True, text=True, check=True).stdout.strip()


class ProjectTests(unittest.TestCase):
    """Homepage and maintainer from the address of the git remote, if deploy/project states none."""

    def stated(self, folder, word):
        return subprocess.run([folder / "deploy/project", word], capture_output=True, text=True, check=True,
                              env={"PATH": os.environ["PATH"]}).stdout.strip()

    def test_remotes(self):
        github = ("https://github.com/someone/box", "someone <someone@users.noreply.github.com>")
        for remote, homepage, maintainer in [
                ("https://github.com/someone/box.git", *github), ("git@github.com:someone/box.git", *github),
                ("https://word@github.com/someone/box", *github), ("ssh://git@github.com:22/someone/box.git", *github),
                ("https://example.org/box", "https://example.org/box", None), ("/srv/box.git", "", None), (None, "", None)]:
            with self.subTest(remote), tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                (folder / "deploy").mkdir()
                text = (PAGE.parents[1] / "deploy/project").read_text()
                project = folder / "deploy/project"
                project.write_text(re.sub(r'(?m)^(homepage|maintainer)=".*"$', r'\1=""', text))
                project.chmod(0o755)
                if remote:
                    subprocess.run(["git", "init", "--quiet", folder], check=True)
                    subprocess.run(["git", "-C", folder, "remote", "add", "origin", remote], check=True)
                self.assertEqual(self.stated(folder, "homepage"), homepage)
                if maintainer:
                    self.assertEqual(self.stated(folder, "maintainer"), maintainer)
                else:
                    self.assertRegex(self.stated(folder, "maintainer"), r"^[^<>@]+ <pixelboop@[\w.-]+\.[a-z]+>$")


class SignTests(unittest.TestCase):
    """deploy/sign, with a user's own key and with a named one."""

    SIGN = PAGE.parents[1] / "deploy/sign"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "file"
        self.file.write_text("what is signed\n")

    def sign(self, *words, **environment):
        return subprocess.run([self.SIGN, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={"PATH": os.environ["PATH"], "HOME": self.folder, **environment})

    def is_signed(self, key):
        return subprocess.run(["minisign", "-V", "-q", "-H", "-p", key, "-m", self.file], stderr=subprocess.DEVNULL).returncode == 0

    def test_own_key(self):
        """It is created once, for its user only, and one line reports it."""
        own = self.folder / ".config/pixelboop"
        first = self.sign(self.file)
        self.assertEqual((first.returncode, first.stdout), (0, ""))
        self.assertRegex(first.stderr, rf"^Packages are signed with a new key of your own, {own}/signing.key; [^\n]*\n$")
        self.assertEqual((own / "signing.key").stat().st_mode & 0o777, 0o600)
        self.assertTrue(self.is_signed(own / "signing.pub"))
        key = (own / "signing.key").read_bytes()
        second = self.sign(self.file)
        self.assertEqual((second.returncode, second.stdout, second.stderr), (0, "", ""))
        self.assertEqual((own / "signing.key").read_bytes(), key)
        self.assertEqual(self.sign("--key").stdout, f"{own}/signing.pub\n")

    def test_named_key(self):
        """A named key signs, if its public key is beside it; no other is created."""
        for name in ["a", "b"]:
            subprocess.run(["minisign", "-G", "-W", "-p", self.folder / f"{name}.pub", "-s", self.folder / f"{name}.key"],
                           check=True, capture_output=True)
        named = {"PIXELBOOP_SIGNING_KEY": str(self.folder / "a.key")}
        done = self.sign(self.file, **named)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(self.is_signed(self.folder / "a.pub"))
        self.assertFalse(self.is_signed(self.folder / "b.pub"))
        (self.folder / "b.pub").rename(self.folder / "a.pub")
        done = self.sign(self.file, **named)
        self.assertEqual(done.returncode, 65)
        self.assertIn("a.pub: is not the public key of", done.stderr)
        self.assertFalse((self.folder / "file.minisig").exists())
        (self.folder / "a.pub").unlink()
        self.assertEqual(self.sign(self.file, **named).returncode, 66)
        self.assertEqual(self.sign(self.file, PIXELBOOP_SIGNING_KEY="/none.key").returncode, 66)
        self.assertFalse((self.folder / ".config").exists())


class PackageTests(unittest.TestCase):
    def test_signature(self):
        """The package is signed by the key that it contains, and contains no secret."""
        with tempfile.TemporaryDirectory() as name:
            subprocess.run(["dpkg-deb", "--extract", PACKAGE, name], check=True)
            key = pathlib.Path(name) / "usr/share/pixelboop/update.pub"
            self.assertRegex(key.read_text(), r"^untrusted comment: minisign public key \w+\nRW[\w+/]{54}\n$")
            subprocess.run(["minisign", "-V", "-q", "-H", "-p", key, "-m", PACKAGE], check=True)
        self.assertIn("minisign", field("Depends").split(", "))

    def test_lintian(self):
        """lintian finds no error."""
        done = subprocess.run(["lintian", "--fail-on", "error", PACKAGE], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_libraries(self):
        """The package depends on every linked library, and on nothing of Swift."""
        depends = field("Depends")
        for library in ["libasound2", "libdrm2", "libevdev2", "libgpiod", "libpng16", "libsndfile1", "libsqlite3", "libsystemd0",
                        "libwebsockets", "libxml2", "libyaml", "zlib1g"]:
            self.assertIn(library, depends)
        needed = subprocess.run(["objdump", "-p", os.environ["PIXELBOOP"]], capture_output=True, text=True, check=True)
        self.assertNotRegex(needed.stdout, r"NEEDED\s+lib(swift|Foundation)")


    def test_version(self):
        """The version names the package's Debian release, and sorts before the bare number."""
        release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
        self.assertRegex(field("Version"), rf"^\d+\.\d+\.\d+~deb{release['VERSION_ID'].strip(chr(34))}$")
        self.assertIn(f"_{field('Version')}_{field('Architecture')}.deb", PACKAGE.name)

    def test_maintainer(self):
        """The maintainer has a valid address, and nothing is left to fill in."""
        self.assertRegex(field("Maintainer"), r"^[^<>@]+ <[^<>@\s]+@[\w.-]+\.[a-z]+>$")
        self.assertNotRegex(field("Maintainer"), r"\.(invalid|example|localdomain)>$")
        whole = subprocess.run(["dpkg-deb", "-f", PACKAGE], capture_output=True, text=True, check=True).stdout
        self.assertNotRegex(whole, r"@\w+@")

    def test_documents(self):
        """Links in the package's pages lead to its other pages or to the Web; changelog and manual pages exist."""
        with tempfile.TemporaryDirectory() as name:
            subprocess.run(["dpkg-deb", "--extract", PACKAGE, name], check=True)
            folder = pathlib.Path(name) / "usr/share/doc/pixelboop"
            pages = list(folder.glob("*.md"))
            self.assertEqual({page.name for page in pages}, {"README.md", "configuration.md"})
            for page in pages:
                for link in re.findall(r"\]\(([^)\s]*)\)", page.read_text()):
                    with self.subTest(page=page.name, link=link):
                        self.assertTrue(link.startswith("https://") or (folder / link.split("#")[0]).exists())
            changelog = gzip.decompress((folder / "changelog.gz").read_bytes()).decode()
            self.assertRegex(changelog, rf"^pixelboop \({re.escape(field('Version'))}\) \w+; urgency=\w+\n\n  \* \w+")
            self.assertNotRegex(changelog, r"(?m)^  \*\s*$")
            manual = pathlib.Path(name) / "usr/share/man"
            for page in ["man1/pixelboop.1", "man8/pixelboop-update.8", "man8/pixelboop-reset.8", "man8/pixelboop-usb.8"]:
                self.assertTrue((manual / f"{page}.gz").exists(), page)
            for path in ["bash-completion/completions/pixelboop", "zsh/vendor-completions/_pixelboop",
                         "fish/vendor_completions.d/pixelboop.fish"]:
                self.assertTrue((pathlib.Path(name) / "usr/share" / path).exists(), path)

    def test_figures(self):
        """The sizes that deploy/README.md states are this package's sizes."""
        done = subprocess.run([PAGE.parents[1] / "deploy/figures", "--compare", PACKAGE], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_remade_figures(self):
        """The command writes the package's row, and leaves all else."""
        sizes = r"(?m)^(\| (?:package|image)[^|]*\|) .*$"
        with tempfile.TemporaryDirectory() as folder:
            root, code = pathlib.Path(folder), PAGE.parents[1] / "deploy"
            for place in ["deploy", ".build/deb"]:
                (root / place).mkdir(parents=True)
            shutil.copy(code / "figures", root / "deploy")
            (root / ".build/deb" / PACKAGE.name).symlink_to(PACKAGE)
            page, before = root / "deploy/README.md", (code / "README.md").read_text()
            page.write_text(re.sub(sizes, r"\1 0.1 MB | 0.1 MB | 0.1 MB |", before))
            subprocess.run([root / "deploy/figures", "--remake"], check=True)
            self.assertEqual(re.sub(sizes, r"\1", page.read_text()), re.sub(sizes, r"\1", before))
            again = subprocess.run([root / "deploy/figures", "--compare", PACKAGE], capture_output=True, text=True)
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)


class LifeTests(unittest.TestCase):
    """One system, from installation to purge."""

    @classmethod
    def setUpClass(cls):
        cls.system = System()
        cls.addClassCleanup(cls.system.remove)
        system = cls.system
        system.run("apt-get", "update", "-qq")
        system.run("apt-get", "satisfy", "-qq", "-y", "--no-install-recommends", field("Depends"))

    def install(self, package):
        self.system.put("/tmp/pixelboop.deb", "")
        (self.system.folder / "tmp/pixelboop.deb").write_bytes(package.read_bytes())
        self.system.run("dpkg", "--install", "/tmp/pixelboop.deb")

    def as_box(self, script, status=0):
        return self.system.run("setpriv", "--reuid=pixelboop", "--regid=pixelboop", "--init-groups", "sh", "-c", script,
                               status=status)

    def assert_owned_by_root(self, *paths):
        """All are root's, and nobody else may write them."""
        for path in paths:
            owner, mode = self.system.run("stat", "-c", "%U %a", path).split()
            self.assertEqual((owner, int(mode, 8) & 0o7022), ("root", 0), path)

    def upgraded(self):
        """The package with the next version, another default configuration and another /etc/default."""
        folder = self.system.folder.parent / "upgrade"
        subprocess.run(["rm", "-rf", folder], check=True)
        subprocess.run(["dpkg-deb", "--raw-extract", PACKAGE, folder], check=True)
        self.addCleanup(subprocess.run, ["rm", "-rf", folder], check=True)
        control = folder / "DEBIAN/control"
        version = field("Version") + "+1"
        control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", control.read_text(), flags=re.MULTILINE))
        for path in ["usr/share/pixelboop/config.json5", "etc/default/pixelboop"]:
            with open(folder / path, "a") as file:
                file.write("// changed by the package\n" if path.endswith("5") else "# changed by the package\n")
        package = folder.parent / "upgrade.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", folder, package], check=True,
                       stdout=subprocess.DEVNULL)
        self.addCleanup(package.unlink)
        return package, version

    def test_life(self):
        system = self.system
        before, users, groups = system.files(), system.entries("passwd"), system.entries("group")

        self.install(PACKAGE)
        output = set(re.findall(r"\((\w+)\)", system.run("id", "pixelboop")))
        self.assertEqual(output, {"pixelboop", "audio", "dialout", "gpio", "input", "spi", "video"})
        self.assertEqual(system.run("systemctl", "is-enabled", "pixelboop").strip(), "enabled")
        self.assertEqual(system.run("systemctl", "is-enabled", "pixelboop-usb", status=1).strip(), "disabled")
        self.assertEqual(system.run("pixelboop", "version").strip(), "pixelboop " + field("Version").split("~")[0])
        system.run("install", "-d", "-o", "pixelboop", "/var/lib/pixelboop")
        doctor = self.as_box("STATE_DIRECTORY=/var/lib/pixelboop pixelboop doctor")
        self.assertIn(f"read from {CONFIGURATION}", doctor)
        self.assertIn("/var/lib/pixelboop/library.sqlite can be created", doctor)

        # Root's own, which nobody else writes: the configuration, and the files of updates.
        self.assertEqual(system.run("stat", "-c", "%U:%G %a", "/etc/pixelboop", "/var/lib/pixelboop-update").split("\n")[:-1],
                         ["root:root 755"] * 2)
        self.assert_owned_by_root("/etc/pixelboop", CONFIGURATION, "/var/lib/pixelboop-update")
        for path in [CONFIGURATION, "/etc/pixelboop/new", "/var/lib/pixelboop-update/new"]:
            self.assertIn("Permission denied", self.as_box(f"exec 2>&1; echo >{path}", status=2))
        self.as_box(f"exec 2>/dev/null; rm -f {CONFIGURATION}", status=1)

        # The maker changes both files; the music exists.
        system.put(CONFIGURATION, '{ listen: "127.0.0.1:4425" }\n')
        system.put("/etc/default/pixelboop", "PIXELBOOP_OPTIONS='--panel spi'\n")
        self.as_box("STATE_DIRECTORY=/var/lib/pixelboop timeout --signal=TERM 3 "
                    "pixelboop run --panel none --audio none", status=124)
        library = system.folder / "var/lib/pixelboop/library.sqlite"
        self.assertTrue(library.exists())

        # As left by an older version: the service's user has calibrated, and put traps for root there.
        system.run("chgrp", "pixelboop", "/etc/pixelboop")
        system.run("chmod", "775", "/etc/pixelboop")
        self.as_box(f"""cd /etc/pixelboop && mv -f config.json5 old
            echo '{{ listen: "127.0.0.1:4425", touch: {{ matrix: [-1, 0, 1, 0, -1, 1] }} }}' >config.json5
            ln -s /etc/shadow link && ln -s /etc/shadow config.json5.replaced-1 && mkfifo pipe && mkdir folder
            ln -s /etc/shadow folder/link && echo >folder/file && echo >secret && chmod 660 secret""")
        shadow = system.run("stat", "-c", "%U %G %a", "/etc/shadow")

        package, version = self.upgraded()
        system.put("/etc/dpkg/dpkg.cfg.d/keep", "force-confold\n")
        self.install(package)
        (system.folder / "etc/dpkg/dpkg.cfg.d/keep").unlink()
        self.assertEqual(system.run("dpkg-query", "-W", "-f", "${Version}", "pixelboop"), version)
        self.assertIn("4425", (system.folder / CONFIGURATION[1:]).read_text())
        self.assertIn("[-1, 0, 1, 0, -1, 1]", (system.folder / CONFIGURATION[1:]).read_text())
        left = system.run("find", "/etc/pixelboop").split()
        self.assertCountEqual(left, [f"/etc/pixelboop{path}" for path in ["", "/config.json5", "/old", "/folder", "/folder/file", "/secret"]])
        self.assert_owned_by_root(*left)
        self.assertEqual(system.run("stat", "-c", "%U:%G %a", "/etc/pixelboop"), "root:root 755\n")
        # The service can still read its files.
        self.as_box("cat /etc/pixelboop/config.json5 /etc/pixelboop/secret")
        self.assertEqual(system.run("stat", "-c", "%U %G %a", "/etc/shadow"), shadow)
        self.assertIn("--panel spi", (system.folder / "etc/default/pixelboop").read_text())
        self.assertTrue(library.exists())

        system.run("dpkg", "--remove", "pixelboop")
        left = system.files() - before
        self.assertFalse({path for path in left if path.startswith(("/usr", "/lib"))})
        self.assertIn(CONFIGURATION, left)
        self.assertTrue(library.exists())

        system.run("dpkg", "--purge", "pixelboop")
        # Backups of the user database, by sysusers, and its lock.
        left = {path for path in system.files() - before
                if path not in {"/etc/passwd-", "/etc/group-", "/etc/shadow-", "/etc/gshadow-", "/etc/.pwd.lock"}}
        self.assertEqual(left, set())
        self.assertEqual(system.entries("passwd"), users)
        new = {line.split(":")[0] for line in system.entries("group") - groups}
        self.assertLessEqual(new, {"gpio", "spi", "input"}, "the devices' groups stay, and nothing else")


class ConfigurationTests(unittest.TestCase):
    """The examples and the firmware's settings, on each board."""

    # By device tree name; the setting that fixes the clock of its SPI.
    BOARDS = {
        "Raspberry Pi 3 Model B Plus Rev 1.3": "core_freq=250",
        "Raspberry Pi Zero 2 W Rev 1.0": "core_freq=250",
        "Raspberry Pi 4 Model B Rev 1.4": "core_freq=500, core_freq_min=500",
        "Raspberry Pi 5 Model B Rev 1.0": None,
    }

    @classmethod
    def setUpClass(cls):
        cls.system = System()
        cls.addClassCleanup(cls.system.remove)
        cls.system.run("apt-get", "update", "-qq")
        cls.system.run("apt-get", "satisfy", "-qq", "-y", "--no-install-recommends", field("Depends"))
        (cls.system.folder / "tmp/pixelboop.deb").write_bytes(PACKAGE.read_bytes())
        cls.system.run("dpkg", "--install", "/tmp/pixelboop.deb")

    def machine(self, example):
        """doctor's report on the machine with `example`; an invalid configuration has another status."""
        # Missing devices are faults here.
        output = self.system.run("pixelboop", "doctor", "--config", f"/{EXAMPLES}/{example}.json5", status=69)
        self.assertIn(f"read from /{EXAMPLES}/{example}.json5", output)
        return [line for line in output.splitlines() if line.startswith("machine")]

    def test_every_chip_has_an_example(self):
        there = {path.stem for path in (self.system.folder / EXAMPLES).glob("*.json5")}
        self.assertEqual(there, {*CHIPS, "page", "usb-sound"})

    def test_boards_and_chips(self):
        """Each example is a valid configuration for each board with its firmware's settings."""
        for fragment in ["config-raspberry-pi-os.txt", "config-debian.txt"]:
            settings = (self.system.folder / "usr/share/pixelboop/boot" / fragment).read_text()
            # Raspberry Pi OS as delivered.
            self.system.put("/boot/firmware/config.txt", "dtparam=audio=off\n" + settings)
            for board, clock in self.BOARDS.items():
                if board.startswith("Raspberry Pi 5") and fragment == "config-debian.txt":
                    continue
                self.system.pretend_to_be(board)
                for example in [*CHIPS, "usb-sound"]:
                    with self.subTest(fragment=fragment, board=board, example=example):
                        lines = self.machine(example)
                        self.assertIn(board, lines[0])
                        self.assertFalse([line for line in lines if re.match(r"machine +fault", line)], lines)
                        held = [line for line in lines if "clock is fixed" in line]
                        self.assertEqual(bool(held), clock is not None, lines)
                        if clock:
                            self.assertIn(clock, held[0])
                        chip = "SK9822" if example == "usb-sound" else example.upper()
                        self.assertTrue([line for line in lines if f" {chip} at " in line], lines)

    def test_messages(self):
        """spidev accepts the longest message of the examples at once."""
        limit = int(re.search(r"bufsiz=(\d+)", (self.system.folder / "usr/lib/modprobe.d/pixelboop.conf").read_text())[1])
        cmdline = (self.system.folder / "usr/share/pixelboop/boot/cmdline.txt").read_text()
        self.assertEqual(cmdline.strip(), f"spidev.bufsiz={limit}")
        self.assertEqual(len(cmdline.splitlines()), 1)
        for example in CHIPS:
            size = int(re.search(r"take (\d+) bytes", "\n".join(self.machine(example)))[1])
            self.assertLessEqual(size, limit, example)

    def test_page(self):
        """The page's example needs nothing on a bare machine; its token is created at the first start."""
        output = self.system.run("pixelboop", "doctor", "--config", f"/{EXAMPLES}/page.json5")
        self.assertFalse([line for line in output.splitlines() if re.match(r"[\w ]+ fault ", line)], output)
        self.assertRegex(output.splitlines()[-1], r"^Runs: page at http://.*:4424/; ")

    def test_udev_rules(self):
        """udev knows every key and operator of the rules."""
        if int(self.system.run("udevadm", "--version")) < 254:
            self.skipTest("this udev is older than 254 and has no `udevadm verify`")
        self.system.run("udevadm", "verify", "/usr/lib/udev/rules.d/60-pixelboop.rules")

    def test_unit_is_understood(self):
        """systemd reads the installed unit without complaint."""
        output = subprocess.run(["systemd-analyze", "verify", "--man=no", "--root", self.system.folder, "pixelboop.service"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertNotIn("pixelboop", output.stdout)
        self.assertEqual(output.returncode, 0, output.stdout)
