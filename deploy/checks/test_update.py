"""Updates that succeed, fail and are interrupted; and the reset. On a machine with systemd running."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

from machine import Machine, READ_ONLY, wait_for

PACKAGE = pathlib.Path(os.environ["PACKAGE"])
STATE = "/var/lib/pixelboop-update"
LIBRARY = "/var/lib/pixelboop/library.sqlite"
CALIBRATION = "/var/lib/pixelboop/calibration.json"
CONFIGURATION = "/etc/pixelboop/config.json5"
OPTIONS = 'PIXELBOOP_OPTIONS="--panel none --audio none"\n'

KEPT = '{ listen: "127.0.0.1:4425" } // kept\n'

ENDS = "#!/bin/sh\nexit 3\n"
HANGS = "#!/bin/sh\nexec sleep 1000\n"
# The schema's number is at byte 60 of the file.
MIGRATES = f"#!/bin/sh\nprintf '\\000\\000\\000\\143' | dd of={LIBRARY} bs=1 seek=60 conv=notrunc\nexit 3\n"
# Kills the script and dpkg, like a power cut; the process that started it continues.
KILLS = """
for process in /proc/[0-9]*; do
    case $(tr '\\0' ' ' <$process/cmdline 2>/dev/null) in
    *sh*pixelboop-update\\ *.deb*|dpkg\\ *) kill -KILL ${process#/proc/} ;;
    esac
done
"""


def field(name):
    return subprocess.run(["dpkg-deb", "-f", PACKAGE, name], capture_output=True, text=True, check=True).stdout.strip()


OLD = field("Version")
ARCHITECTURE = field("Architecture")


def taps():
    """A recording of a tap on each calibration target, on an overlay that is upside down."""
    lines = ["# EVEMU 1.3", "N: Overlay", "A: 35 0 4399 0 0 0", "A: 36 0 2399 0 0 0"]
    for number, (column, row) in enumerate([(40, 20), (3, 20), (3, 3), (40, 3)]):
        down = [f"0003 0039 {number}", f"0003 0035 {column * 100 + 50}", f"0003 0036 {row * 100 + 50}"]
        for time, reports in [(f"{number}.000000", down), (f"{number}.100000", ["0003 0039 -1"])]:
            lines += [f"E: {time} {report}" for report in [*reports, "0000 0000 0"]]
    return "\n".join(lines) + "\n"


class Packages:
    """Packages derived from the tested one, with the public key of these checks in place of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=pathlib.Path(os.environ["SYSTEM"]).parent))
        self.tree = self.folder / "tree"
        subprocess.run(["dpkg-deb", "--raw-extract", PACKAGE, self.tree], check=True)
        for name in ["own", "next", "other"]:
            subprocess.run(["minisign", "-G", "-W", "-p", self.folder / f"{name}.pub", "-s", self.folder / f"{name}.key"],
                           check=True, capture_output=True)
        self.bring_key(self.tree, "own")
        # The same version as the tested package.
        self.first = self.build(self.tree, OLD)

    def remove(self):
        shutil.rmtree(self.folder)

    def bring_key(self, tree, name):
        """Puts the public key `name` into a package's tree."""
        path = "usr/share/pixelboop/update.pub"
        shutil.copy(self.folder / f"{name}.pub", tree / path)
        sums = tree / "DEBIAN/md5sums"
        digest = hashlib.md5((tree / path).read_bytes()).hexdigest()
        sums.write_text(re.sub(rf"^\w+  {path}$", f"{digest}  {path}", sums.read_text(), flags=re.MULTILINE))

    def sign(self, package, name):
        """The text of the signature of `package` by the key `name`."""
        place = self.folder / "signature"
        subprocess.run(["minisign", "-S", "-s", self.folder / f"{name}.key", "-m", package, "-x", place], check=True,
                       capture_output=True)
        return place.read_text()

    def build(self, tree, version):
        package = self.folder / f"pixelboop_{version}_{ARCHITECTURE}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, package], check=True,
                       stdout=subprocess.DEVNULL)
        return package

    def make(self, version, command=None, control=(), scripts=(), key="own"):
        """One of `version`, with `command` for pixelboop, other fields in `control`, lines before those of `scripts`,
        and the public key `key`; without a key if that is None."""
        tree = self.folder / version
        subprocess.run(["cp", "-a", self.tree, tree], check=True)
        if key:
            self.bring_key(tree, key)
        else:
            (tree / "usr/share/pixelboop/update.pub").unlink()
            sums = tree / "DEBIAN/md5sums"
            sums.write_text(re.sub(r"(?m)^.*update\.pub\n", "", sums.read_text()))
        for name, value in [("Version", version), *control]:
            file = tree / "DEBIAN/control"
            file.write_text(re.sub(rf"^{name}: .*$", f"{name}: {value}", file.read_text(), flags=re.MULTILINE))
        if command:
            (tree / "usr/bin/pixelboop").write_text(command)
        with open(tree / "etc/default/pixelboop", "a") as file:
            file.write(f"# of {version}\n")
        for name, lines in scripts:
            script = tree / "DEBIAN" / name
            rest = script.read_text().removeprefix("#!/bin/sh\n") if script.exists() else ""
            script.write_text("#!/bin/sh\n" + lines + rest)
            script.chmod(0o755)
        package = self.build(tree, version)
        shutil.rmtree(tree)
        return package


class MachineCase(unittest.TestCase):
    """A machine with the box installed, playing, with a pattern in its library and its own configuration."""

    machine = None

    @classmethod
    def setUpClass(cls):
        if MachineCase.machine:
            return
        MachineCase.packages = Packages()
        unittest.addModuleCleanup(cls.packages.remove)
        MachineCase.machine = machine = Machine()
        unittest.addModuleCleanup(machine.remove)
        machine.run("apt-get", "update", "-qq")
        machine.run("apt-get", "satisfy", "-qq", "-y", "--no-install-recommends", field("Depends"))
        machine.put("/etc/default/pixelboop", OPTIONS)
        machine.bring(cls.packages.first, "/srv/first.deb")
        machine.run("dpkg", "--force-confold", "--install", "/srv/first.deb")
        notes = [[2] * 32] + [[0] * 32] * 11
        tracks = {name: notes for name in ["melody", "chords", "bass", "rhythm"]}
        machine.put("/srv/tune.json", json.dumps(
            {"bpm": 97, "length": 32, "rootNote": "C", "scale": "major", "name": "TUNE", "tracks": tracks}))
        machine.run("install", "-d", "-o", "pixelboop", "-g", "pixelboop", "/var/lib/pixelboop")
        machine.run("setpriv", "--reuid=pixelboop", "--regid=pixelboop", "--init-groups", "pixelboop", "library",
                    "import", "/srv/tune.json", "--library", LIBRARY)
        machine.start()

    def setUp(self):
        """The tested package is installed, with the key of these checks, and plays."""
        self.machine.put(CONFIGURATION, KEPT)
        self.machine.put("/etc/default/pixelboop", OPTIONS)
        if self.version() != f"ii {OLD}" or not self.has_own_key():
            self.machine.run("dpkg", "--force-confold", "--install", "/srv/first.deb")
        self.machine.run("systemctl", "start", "pixelboop")

    def wait_until_ready(self):
        wait_for("the box", lambda: self.machine.execute("systemctl", "is-active", "pixelboop").stdout == "active\n")

    def version(self):
        return self.machine.run("dpkg-query", "-W", "-f", "${db:Status-Abbrev}${Version}", "pixelboop")

    def has_own_key(self):
        key = self.machine.folder / "usr/share/pixelboop/update.pub"
        return key.exists() and key.read_bytes() == (self.packages.folder / "own.pub").read_bytes()

    def bring(self, package, name=None, summed=True, key="own"):
        """Copies `package` to the machine, with its checksum and its signature by `key`, if any; returns its path."""
        path = f"/srv/{name or package.name}"
        self.machine.bring(package, path)
        if summed:
            self.machine.put(path + ".sha256", f"{hashlib.sha256(package.read_bytes()).hexdigest()}  {package.name}\n")
        if key:
            self.machine.put(path + ".minisig", self.packages.sign(package, key))
        return path

    def as_box(self, script):
        """The output of a script run by the service's user."""
        return self.machine.run("setpriv", "--reuid=pixelboop", "--regid=pixelboop", "--init-groups", "sh", "-euc", script)

    def assert_whole(self, *versions):
        """One of `versions` is installed and plays, with library and configuration unchanged, and no update is in
        progress."""
        self.wait_until_ready()
        self.assertIn(self.version(), [f"ii {version}" for version in versions])
        self.assertEqual(self.machine.run("dpkg", "--audit"), "")
        self.assertEqual(self.machine.run("dpkg", "--verify", "pixelboop").replace("??5?????? c /etc/default/pixelboop\n", ""),
                         "")
        self.assertIn("TUNE", self.machine.run("pixelboop", "library", "list", "--library", LIBRARY))
        self.assertEqual((self.machine.folder / CONFIGURATION[1:]).read_text(), KEPT)
        self.assertEqual((self.machine.folder / "etc/default/pixelboop").read_text(), OPTIONS)
        self.assertFalse((self.machine.folder / STATE[1:] / "under-way").exists())

    def update(self, *words, environment=()):
        return self.machine.execute("pixelboop-update", *words, environment=environment)

    def refuse(self, status, says, *words, version=OLD):
        """It exits with `status` and one line, and nothing has changed."""
        process = self.machine.run("systemctl", "show", "-p", "MainPID", "--value", "pixelboop")
        done = self.update(*words)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.machine.run("systemctl", "show", "-p", "MainPID", "--value", "pixelboop"), process)
        self.assert_whole(version)


class UpdateTests(MachineCase):
    def test_up_and_down(self):
        package = self.bring(self.packages.make("9.1"))
        done = self.update(package)
        self.assertRegex(done.stdout, rf"^pixelboop {re.escape(OLD)} → 9\.1, \d+ s\n$", done.stderr)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_whole("9.1")
        done = self.update(self.bring(self.packages.first))
        self.assertRegex(done.stdout, rf"^pixelboop 9\.1 → {re.escape(OLD)} \(older\), \d+ s\n$", done.stderr)
        self.assert_whole(OLD)

    def test_made_again(self):
        """Without the installed package, an equivalent one is built."""
        (self.machine.folder / STATE[1:] / "current.deb").unlink(missing_ok=True)
        self.refused_in_the_end(ENDS, "9.2")
        made = self.machine.folder / STATE[1:] / "current.deb"
        for words in ["dpkg-deb --contents {}", "dpkg-deb --field {}", "dpkg-deb --ctrl-tarfile {} | tar -t",
                      "dpkg-deb --ctrl-tarfile {} | tar -xO ./conffiles", "dpkg-deb --ctrl-tarfile {} | tar -xO ./postinst"]:
            printed = [subprocess.run(["sh", "-c", words.format(file)], capture_output=True, text=True, check=True).stdout
                    for file in [self.packages.first, made]]
            # The times of folders and the order differ from the package's.
            lines = [sorted(re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "", line) for line in text.splitlines()) for text in printed]
            self.assertEqual(*lines)

    def refused_in_the_end(self, command, version, environment=()):
        """A version whose pixelboop is `command` is rolled back completely."""
        before = self.machine.run("pixelboop", "library", "export", "A1", "-o", "-", "--library", LIBRARY)
        done = self.update(self.bring(self.packages.make(version, command)), environment=environment)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertEqual(done.stderr, f"pixelboop-update: {version} did not get ready (see journalctl -u pixelboop): "
                                      f"{OLD} is back and ready\n")
        self.assert_whole(OLD)
        after = self.machine.run("pixelboop", "library", "export", "A1", "-o", "-", "--library", LIBRARY)
        self.assertEqual(after, before)

    def test_never_ready(self):
        self.refused_in_the_end(HANGS, "9.4", ["PIXELBOOP_READY_SECONDS=7"])

    def test_migrated_library(self):
        """A library that the old version cannot read is kept, and the previous one is restored."""
        folder = self.machine.folder / "var/lib/pixelboop"
        before = set(folder.glob("*.replaced-*"))
        self.refused_in_the_end(MIGRATES, "9.5")
        kept = set(folder.glob("*.replaced-*")) - before
        self.assertEqual(len(kept), 1)
        self.assertEqual(kept.pop().read_bytes()[60:64], b"\0\0\0\x63")
        self.assertFalse(list(folder.glob("*.damaged-*")))

    def test_checks(self):
        self.refuse(66, "/srv/none.deb: there is no such file", "/srv/none.deb")
        self.refuse(64, "usage: pixelboop-update", "one.deb", "two.deb")
        self.refuse(64, "usage: pixelboop-update", "--list", "http://one", "two")
        self.refuse(64, "one.deb: is no address of a folder", "--list", "one.deb")
        self.refuse(65, "card.img.xz: is the image of a card, and this machine has no slot for it", "card.img.xz")
        self.refuse(64, "unknown option --frob", "--frob")
        self.refuse(66, "bare.deb.sha256: is missing", self.bring(self.packages.first, "bare.deb", summed=False))
        bad = self.bring(self.packages.first, "bad.deb")
        with open(self.machine.folder / bad[1:], "r+b") as file:
            file.seek(1000)
            file.write(b"damage")
        self.refuse(65, "bad.deb: is damaged, as it is not what /srv/bad.deb.sha256 says", bad)
        self.machine.put("/srv/empty.deb.sha256", "")
        self.machine.put("/srv/empty.deb", "")
        self.machine.put("/srv/empty.deb.minisig", "")
        self.refuse(65, "empty.deb: is damaged", "/srv/empty.deb")
        self.refuse(65, "is no Debian package", self.bring(pathlib.Path(__file__), "text.deb"))
        make = self.packages.make
        self.refuse(65, "is a package of frob", self.bring(make("9.6", control=[("Package", "frob")])))
        self.refuse(65, f"is for s390x, and this machine is {ARCHITECTURE}",
                    self.bring(make("9.7", control=[("Architecture", "s390x")])))
        self.refuse(65, "is for Debian 99, and this machine has Debian", self.bring(make("9.8~deb99")))
        self.refuse(69, "needs libfrob9 (>= 3); with a network",
                    self.bring(make("9.8", control=[("Depends", field("Depends") + ", libfrob9 (>= 3)")])))
        # A package available in Debian, but not installed here.
        self.refuse(69, "needs time; with a network",
                    self.bring(make("9.9", control=[("Depends", field("Depends") + ", time")])))
        done = self.machine.execute("setpriv", "--reuid=pixelboop", "--clear-groups", "pixelboop-update")
        self.assertEqual((done.returncode, done.stderr), (77, "pixelboop-update: only root may do this; use sudo\n"))

    def test_full_disk(self):
        self.machine.run("sh", "-c", f"mkdir -p {STATE} && mount -t tmpfs -o size=6M tmpfs {STATE}")
        self.addCleanup(self.machine.run, "umount", STATE)
        self.refuse(74, "KiB are needed and", self.bring(self.packages.first))

    def test_two_at_once(self):
        self.machine.run("mkdir", "-p", STATE)
        held = subprocess.Popen(
            ["nsenter", f"--target={self.machine.first()}", "--all", "--root", "--wd", "flock", f"{STATE}/lock", "sh", "-c",
             "touch /run/held && exec cat"], stdin=subprocess.PIPE)
        self.addCleanup(held.communicate)
        wait_for("the lock", lambda: self.machine.execute("test", "-e", "/run/held").returncode == 0)
        self.refuse(69, "another update or reset is under way", self.bring(self.packages.first))

    def test_stick(self):
        """A package on a stick is found and listed; with several versions one must be named."""
        self.machine.run("sh", "-c", "mkdir -p '/media/A stick' && mount -t tmpfs tmpfs '/media/A stick'")
        self.addCleanup(self.machine.run, "umount", "/media/A stick")
        self.refuse(66, f"no stick has a pixelboop_VERSION_{ARCHITECTURE}.deb")
        put = "cp \"$1\" \"$1.sha256\" \"$1.minisig\" '/media/A stick'"
        new = self.bring(self.packages.make("9.10"))
        self.machine.run("sh", "-c", put, "sh", new)
        other = self.bring(self.packages.make("9.11"))
        self.machine.run("sh", "-c", put, "sh", other)
        self.refuse(64, "there are several versions, 9.10 9.11: name the file")
        listed = self.update("--list").stdout.splitlines()
        self.assertEqual(listed, [f"{version}\tpackage\t/media/A stick/{pathlib.Path(file).name}"
                                  for version, file in [("9.11", other), ("9.10", new)]])
        self.machine.run("rm", "/media/A stick/" + pathlib.Path(other).name)
        # A package for another Debian release may be beside it.
        self.machine.run("sh", "-c", put, "sh", self.bring(self.packages.make("9.11~deb99")))
        done = self.update()
        self.assertRegex(done.stdout, "→ 9.10,", done.stderr)
        self.assert_whole("9.10")

    def test_traps_on_a_stick(self):
        """Non-files are neither followed nor waited for: ignored on a stick, and rejected beside a package."""
        stick = "/media/stick"
        self.machine.run("sh", "-c", f"mkdir -p {stick} /srv/elsewhere && mount -t tmpfs tmpfs {stick}")
        self.addCleanup(self.machine.run, "umount", stick)
        good = self.bring(self.packages.make("9.60"))
        name = pathlib.Path(good).name
        nothing = f"no stick has a pixelboop_VERSION_{ARCHITECTURE}.deb"
        self.machine.run("sh", "-c", f"cp {good}* /srv/elsewhere")
        for trap in [f"ln -s {good} {name}", f"mkfifo {name}", f"mkdir {name}", "ln -s /srv/elsewhere pixelboop"]:
            with self.subTest(trap):
                self.machine.run("sh", "-euc", f"rm -rf {stick}/* && cd {stick} && {trap} && cp {good}.sha256 {good}.minisig .")
                self.refuse(66, nothing)
        for part, trap in [(part, trap) for part in ["", ".sha256", ".minisig"] for trap in ["ln -s /srv/elsewhere/", "mkfifo"]]:
            with self.subTest(part=part, trap=trap):
                source = trap + (name + part if trap.startswith("ln") else "")
                self.machine.run("sh", "-euc", f"rm -rf {stick}/* && cd {stick} && cp {good}* . && rm {name}{part} && "
                                 f"{source} {name}{part}")
                self.refuse(65, f"{stick}/{name}{part}: is a link, or no file", f"{stick}/{name}")
        # Exchanged between the check and the copy.
        for trap, status, says in [(f"ln -s {good}", 74, "cannot be copied"), ("mkfifo", 65, "is damaged")]:
            with self.subTest(exchanged=trap):
                self.machine.run("sh", "-euc", f"rm -rf {stick}/* && cp {good}* {stick}")
                self.machine.put("/usr/local/sbin/stat", f"""#!/bin/sh
/usr/bin/stat "$@"
case $* in *%s*) rm {stick}/{name} && {trap} {stick}/{name} ;; esac
""")
                self.machine.run("chmod", "755", "/usr/local/sbin/stat")
                self.addCleanup((self.machine.folder / "usr/local/sbin/stat").unlink, missing_ok=True)
                self.refuse(status, says, f"{stick}/{name}")
                (self.machine.folder / "usr/local/sbin/stat").unlink()


class FolderTests(MachineCase):
    """A folder of the network, with a signed list of checksums."""

    PORT = 8080
    ADDRESS = f"http://127.0.0.1:{PORT}/box"

    def setUp(self):
        super().setUp()
        self.served = pathlib.Path(tempfile.mkdtemp(dir=self.packages.folder))
        (self.served / "box").mkdir()
        # In the machine's network.
        server = subprocess.Popen(
            ["nsenter", f"--target={self.machine.first()}", "--net", "/usr/bin/python3", "-m", "http.server", str(self.PORT),
             "--bind", "127.0.0.1", "--directory", self.served], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        connects = ["nsenter", f"--target={self.machine.first()}", "--net", "/usr/bin/python3", "-c",
                    f"import socket; socket.create_connection(('127.0.0.1', {self.PORT}))"]
        wait_for("the server", lambda: subprocess.run(connects, capture_output=True).returncode == 0)

    def serve(self, package, key="own"):
        """Puts `package` into the folder, signed by `key`."""
        place = self.served / "box" / package.name
        shutil.copy(package, place)
        pathlib.Path(f"{place}.sha256").write_text(f"{hashlib.sha256(package.read_bytes()).hexdigest()}  {package.name}\n")
        pathlib.Path(f"{place}.minisig").write_text(self.packages.sign(package, key))
        return place

    def list_all(self, key="own"):
        """Writes the folder's list, signed by `key`."""
        sums = self.served / "box/SHA256SUMS"
        sums.write_text("".join(place.read_text() for place in sorted(self.served.glob("box/*.sha256"))))
        pathlib.Path(f"{sums}.minisig").write_text(self.packages.sign(sums, key))

    def test_folder(self):
        """The newest version for this machine is installed, and all are listed."""
        names = [self.serve(self.packages.make(version)).name for version in ["9.9", "9.10~rc1", "9.10"]]
        self.serve(self.packages.make("9.11~deb99"))
        # A card's image is none of this machine's.
        self.serve(pathlib.Path(shutil.copy(self.packages.first, self.served / f"pixelboop_9.12_{ARCHITECTURE}.img.xz")))
        self.list_all()
        listed = self.update("--list", self.ADDRESS)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        expected = [("9.10", names[2]), ("9.10~rc1", names[1]), ("9.9", names[0])]
        self.assertEqual(listed.stdout.splitlines(), [f"{version}\tpackage\t{self.ADDRESS}/{name}" for version, name in expected])
        done = self.update(self.ADDRESS + "/")
        self.assertRegex(done.stdout, rf"^pixelboop {re.escape(OLD)} → 9\.10, \d+ s\n$", done.stderr)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_whole("9.10")
        self.assertEqual(self.machine.run("sh", "-c", "ls -d /run/pixelboop-list.* 2>/dev/null || true"), "")

    def test_file(self):
        """One version is named by its address."""
        place = self.serve(self.packages.make("9.13"))
        done = self.update(f"{self.ADDRESS}/{place.name}")
        self.assertRegex(done.stdout, r"→ 9\.13,", done.stderr)
        self.assert_whole("9.13")

    def test_another_name(self):
        """An old package that is signed does not pass for a new one: by its name, or by a name in an old list."""
        old = self.packages.make("0.0.1")
        place = self.serve(old)
        new = place.with_name(f"pixelboop_9.16_{ARCHITECTURE}.deb")
        for ending in ["", ".minisig"]:
            shutil.copy(f"{place}{ending}", f"{new}{ending}")
        digest = hashlib.sha256(old.read_bytes()).hexdigest()
        pathlib.Path(f"{new}.sha256").write_text(f"{digest}  {new.name}\n")
        self.refuse(65, f"{self.ADDRESS}/{new.name}: has version 0.0.1 inside", f"{self.ADDRESS}/{new.name}")
        self.machine.bring(new, f"/srv/{new.name}")
        for ending in [".sha256", ".minisig"]:
            self.machine.bring(f"{new}{ending}", f"/srv/{new.name}{ending}")
        self.refuse(65, f"/srv/{new.name}: has version 0.0.1 inside", f"/srv/{new.name}")
        # The list is signed, and has the new file's checksum; the old one is in its place.
        real = self.serve(self.packages.make("9.16"))
        self.list_all()
        for ending in ["", ".minisig"]:
            shutil.copy(f"{place}{ending}", f"{real}{ending}")
        pathlib.Path(f"{real}.sha256").write_text(f"{digest}  {real.name}\n")
        self.refuse(65, f"{self.ADDRESS}/{real.name}: is damaged, as it is not what the folder's SHA256SUMS says", self.ADDRESS)

    def test_older_list(self):
        """A folder with an old list does not bring an old version back; by its address it is installed."""
        self.serve(self.packages.make("0.0.2"))
        self.list_all()
        address = f"{self.ADDRESS}/pixelboop_0.0.2_{ARCHITECTURE}.deb"
        self.refuse(69, f"{self.ADDRESS}: its newest version is 0.0.2, older than the installed {OLD}", self.ADDRESS)
        done = self.update(address)
        self.assertRegex(done.stdout, rf"^pixelboop {re.escape(OLD)} → 0\.0\.2 \(older\), ", done.stderr)

    def test_refused(self):
        """Nothing is taken from a list or a file that is missing, or signed by another key."""
        address = f"{self.ADDRESS}/pixelboop_9.14_{ARCHITECTURE}.deb"
        self.refuse(69, f"{self.ADDRESS}/SHA256SUMS.minisig: cannot be fetched: 404", self.ADDRESS)
        self.refuse(69, f"{address}.sha256: cannot be fetched: 404", address)
        self.refuse(69, "cannot be fetched", "http://127.0.0.1:9/box")
        package = self.packages.make("9.14")
        self.serve(package, key="other")
        self.list_all(key="other")
        self.refuse(65, f"{self.ADDRESS}/SHA256SUMS: is not signed by the key of this box", self.ADDRESS)
        self.refuse(65, f"{address}: is not signed by the key of this box", address)
        # A list that is larger than any.
        self.list_all()
        with open(self.served / "box/SHA256SUMS", "ab") as file:
            file.write(b"#" * 200_000)
        self.refuse(69, f"{self.ADDRESS}/SHA256SUMS: cannot be fetched", self.ADDRESS)
        # A signed list with nothing for this machine, and one whose file was exchanged.
        for file in self.served.glob("box/*"):
            file.unlink()
        self.serve(self.packages.make("9.15~deb99"))
        self.list_all()
        self.refuse(66, f"{self.ADDRESS}: has no version for this machine", self.ADDRESS)
        self.serve(package)
        self.list_all()
        shutil.copy(self.packages.first, self.served / f"box/{package.name}")
        self.refuse(65, f"{address}: is damaged", self.ADDRESS)

    def test_small_disk(self):
        """A download leaves room for the music."""
        place = self.serve(self.packages.make("9.16"))
        self.machine.run("sh", "-c", f"mkdir -p {STATE} && mount -t tmpfs -o size=60M tmpfs {STATE}")
        self.addCleanup(self.machine.run, "umount", STATE)
        self.refuse(74, "MiB are free, and 64 MiB stay so for the music", f"{self.ADDRESS}/{place.name}")


class SignatureTests(MachineCase):
    """pixelboop-update installs packages only if signed by the installed key; root can install others by hand."""

    def test_signatures(self):
        package = self.packages.make("9.50")
        self.refuse(66, "unsigned.deb.minisig: is missing; copy it from where the package is from, or if you trust that without: "
                        "apt-get install /srv/unsigned.deb", self.bring(package, "unsigned.deb", key=None))
        refused = "is not signed by the key of this box, /usr/share/pixelboop/update.pub; "
        other = self.bring(package, "other.deb", key="other")
        self.refuse(65, f"/srv/other.deb: {refused}", other)
        # A flipped bit in the content: an accident, and an attack with a matching checksum.
        flipped = self.bring(package, "flipped.deb")
        file = self.machine.folder / flipped[1:]
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
        self.refuse(65, "flipped.deb: is damaged", flipped)
        self.machine.put(flipped + ".sha256", hashlib.sha256(data).hexdigest())
        self.refuse(65, f"flipped.deb: {refused}", flipped)
        # A signature of another file; an invalid one; and an endless one.
        signed = self.bring(package, "signed.deb")
        for text in [self.packages.sign(self.packages.first, "own"), "", "nonsense\n" * 3,
                     self.packages.sign(package, "own").replace("trusted comment: ", "trusted comment: " + "x" * 5000)]:
            self.machine.put(signed + ".minisig", text)
            self.refuse(65, f"signed.deb: {refused}", signed)
        # Nothing of an unsigned package is parsed.
        self.refuse(65, refused, self.bring(pathlib.Path(__file__), "text.deb", key="other"))
        # By a relative path.
        self.machine.put(signed + ".minisig", self.packages.sign(package, "own"))
        done = self.machine.execute("sh", "-c", "cd /srv && pixelboop-update signed.deb")
        self.assertRegex(done.stdout, r"→ 9\.50,", done.stderr)
        self.assert_whole("9.50")

    def test_rotation(self):
        """A package brings the key for later ones."""
        done = self.update(self.bring(self.packages.make("9.51", key="next")))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        package = self.packages.make("9.52", key="next")
        self.refuse(65, "is not signed by the key of this box", self.bring(package, key="own"), version="9.51")
        done = self.update(self.bring(package, key="next"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_whole("9.52")

    def test_without_key(self):
        """A version without a key, such as an old one, reports that and is updated by hand; a rollback needs no
        signature."""
        done = self.update(self.bring(self.packages.make("9.53", key=None)))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        package = self.bring(self.packages.make("9.54", ENDS))
        self.refuse(69, "/usr/share/pixelboop/update.pub: is missing, and nothing can be checked by it; if you trust the package: "
                        f"apt-get install {package}", package, version="9.53")


class DoctorTests(MachineCase):
    def test_service(self):
        """doctor checks the service with systemd's settings, while the service plays."""
        self.wait_until_ready()
        process = self.machine.run("systemctl", "show", "-p", "MainPID", "--value", "pixelboop").strip()
        printed = self.machine.run("pixelboop", "doctor", "--service")
        self.assertIn(f"read from {CONFIGURATION}\n", printed)
        self.assertIn(f"{LIBRARY} is in use by the running box (process {process})\n", printed)
        self.assertIn("not served: the panel is none\n", printed)
        self.assertRegex(printed.splitlines()[-1], rf"^Runs already \(process {process}\): ")


class OwnerTests(MachineCase):
    """Root's files stay root's while the service runs, and root is not tricked by the service's files."""

    def test_configuration(self):
        """The service reads its configuration, and cannot write it, nor anything in the folder."""
        self.wait_until_ready()
        for path in ["/etc/pixelboop", STATE]:
            self.machine.run("mkdir", "-p", path)
            self.assertEqual(self.machine.run("stat", "-c", "%U:%G %a", path), "root:root 755\n", path)
            for command in [f"echo >{path}/new", f"mkfifo {path}/new", f"ln -s /etc/shadow {path}/new", f"mv {path} {path}.moved"]:
                done = self.machine.execute("setpriv", "--reuid=pixelboop", "--regid=pixelboop", "--init-groups", "sh", "-c", command)
                self.assertIn("Permission denied", done.stderr, command)
        # Within the unit it is read-only even for root.
        process = self.machine.run("systemctl", "show", "-p", "MainPID", "--value", "pixelboop").strip()
        done = self.machine.execute("nsenter", f"--target={process}", "--mount", "--root", "touch", "/etc/pixelboop/new")
        self.assertIn("Read-only file system", done.stderr)

    def test_calibrate(self):
        """Root calibrates for the service, as its user: whatever that user put in the folder, nothing else is
        written."""
        self.machine.put("/srv/taps.evemu", taps())
        self.addCleanup(self.machine.run, "rm", "-rf", CALIBRATION)
        passwd = self.machine.run("sha256sum", "/etc/passwd")
        for trap in ["true", f"ln -s /etc/passwd {CALIBRATION}", f"mkfifo {CALIBRATION}", f"echo nonsense >{CALIBRATION}"]:
            # Also as root's own, with the folder named.
            for environment in [[], ["STATE_DIRECTORY=/var/lib/pixelboop"]]:
                with self.subTest(trap=trap, environment=environment):
                    self.as_box(f"rm -rf {CALIBRATION}; {trap}")
                    done = self.machine.execute(
                        "sh", "-c", "umask 077; exec timeout 20 pixelboop touch calibrate --from /srv/taps.evemu",
                        environment=environment)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIn(f" was written to {CALIBRATION}\n", done.stdout)
                    self.assertEqual(self.machine.run("stat", "-c", "%U %F", CALIBRATION), "pixelboop regular file\n")
                    self.assertIn('"matrix"', self.as_box(f"cat {CALIBRATION}"))
                    self.assertEqual(self.machine.run("sha256sum", "/etc/passwd"), passwd)
        printed = self.machine.run("pixelboop", "doctor", "--service")
        self.assertIn(f"the touch overlay's matrix comes from {CALIBRATION}\n", printed)


class CutTests(MachineCase):
    """Updates that are killed, and machines that lose power."""

    # The commands of the script; each call is a step before which it can end.
    WRAPPED = ["cp", "dd", "minisign", "sync", "mv", "rm", "install", "setpriv", "dpkg", "systemctl", "mount"]
    # The call and its words: the library's copy, both installations, the start, and the end.
    STEPS = ["setpriv *", "dpkg *--install*new.deb", "systemctl start *", "rm *under-way"]

    def arm(self, step, then):
        """Runs `then` before the calls whose words match the pattern `step`, or before those numbers."""
        machine = self.machine
        for name in self.WRAPPED:
            place = machine.run("sh", "-c", f"PATH=/usr/sbin:/usr/bin command -v {name}").strip()
            machine.put(f"/usr/local/sbin/{name}", f"""#!/bin/sh
step=$(($(/usr/bin/cat /srv/step 2>/dev/null || echo 0) + 1))
echo $step >/srv/step
echo "{name} $*" >>/srv/steps
case "$step:{name} $*" in {step}) {then} ;; esac
exec {place} "$@"
""")
            machine.run("chmod", "755", f"/usr/local/sbin/{name}")
        machine.run("rm", "-f", "/srv/step", "/srv/steps", "/srv/cut")
        self.addCleanup(self.disarm)

    def disarm(self):
        for name in self.WRAPPED:
            (self.machine.folder / "usr/local/sbin" / name).unlink(missing_ok=True)

    def patterns(self):
        """The steps before which to kill."""
        if not os.environ.get("PIXELBOOP_EVERY_STEP"):
            return ["*:" + step.replace(" ", "\\ ") for step in self.STEPS]
        # After the first, which has more to do, each update takes the same steps.
        self.update(self.bring(self.packages.make("9.20")))
        self.arm("none", ":")
        done = self.update(self.bring(self.packages.first))
        self.disarm()
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = (self.machine.folder / "srv/steps").read_text().splitlines()
        return [f"{number}:*" for number, step in enumerate(steps, 1) if not re.match("systemctl (show|is-active)", step)]

    def resume(self):
        """Finishes a killed update."""
        self.machine.run("pixelboop-update", "--resume")
        # A script of a killed dpkg goes on, and holds the lock until it ends.
        self.machine.run("flock", "--timeout", "60", f"{STATE}/lock", "true")

    def test_killed(self):
        """Killed before any of its calls and finished later, one version is completely installed."""
        newer = self.packages.make("9.21")
        for pattern in self.patterns():
            with self.subTest(pattern):
                self.arm(pattern, KILLS)
                done = self.update(self.bring(newer if self.version().endswith(OLD) else self.packages.first))
                self.disarm()
                self.assertNotEqual(done.returncode, 0, done.stdout)
                self.resume()
                self.assert_whole(OLD, "9.21")

    def test_killed_within_dpkg(self):
        """Also between dpkg's own steps."""
        for script in ["preinst", "postinst"]:
            with self.subTest(script):
                package = self.packages.make(f"9.3{len(script)}", scripts=[(script, KILLS + "sleep 1\n")])
                done = self.update(self.bring(package))
                self.assertNotEqual(done.returncode, 0, done.stdout)
                self.resume()
                self.assert_whole(OLD)

    def test_power(self):
        """After a power cut the machine's start rolls back, before it starts the box."""
        target = self.bring(self.packages.make("9.22"))
        for step in ["dpkg *--install*new.deb", "systemctl start *"]:
            with self.subTest(step):
                self.arm("*:" + step.replace(" ", "\\ "), ">/srv/cut; exec sleep 1000")
                ends, cut = [], self.machine.folder / "srv/cut"
                update = threading.Thread(target=lambda: ends.append(self.update(target)))
                update.start()
                wait_for(step, lambda: cut.exists() or ends)
                self.assertTrue(cut.exists(), ends)
                self.machine.cut()
                update.join()
                self.disarm()
                self.machine.start()
                self.assert_whole(OLD)
                log = self.machine.run("journalctl", "-b", "-u", "pixelboop-update", "--no-pager")
                self.assertIn(f"was cut short: {OLD} is back", log)
                times = self.machine.run("systemctl", "show", "-p", "ExecMainStartTimestampMonotonic", "--value",
                                         "pixelboop-update", "pixelboop").split()
                self.assertLess(*map(int, times))


class ResetTests(MachineCase):
    def reset(self, *words):
        return self.machine.execute("pixelboop-reset", *words)

    def test_reset(self):
        """Configuration, options and settings are the package's, the music stays, and old files are kept."""
        asked = self.reset()
        self.assertEqual((asked.returncode, asked.stderr), (64, "pixelboop-reset: nothing was changed\n"))
        self.assertEqual(self.reset("--frob").returncode, 64)
        self.assert_whole(OLD)

        done = self.reset("--yes")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.wait_until_ready()
        folder = self.machine.folder
        for path, was in [(CONFIGURATION, KEPT), ("/etc/default/pixelboop", OPTIONS)]:
            kept = re.search(rf" {re.escape(path)}\.replaced-\d{{8}}-\d{{6}}", done.stdout)
            self.assertTrue(kept, done.stdout)
            self.assertEqual((folder / kept[0].strip(" /")).read_text(), was)
            package = {CONFIGURATION: "config.json5", "/etc/default/pixelboop": "default"}[path]
            self.assertEqual((folder / path[1:]).read_text(), (folder / "usr/share/pixelboop" / package).read_text())
        self.assertIn("TUNE", self.machine.run("pixelboop", "library", "list", "--library", LIBRARY))
        # The folder is still root's.
        self.assertEqual(self.machine.run("stat", "-c", "%U:%G %a", "/etc/pixelboop"), "root:root 755\n")

        # A stopped box stays stopped; unchanged files are not kept again.
        self.machine.put(CONFIGURATION, KEPT)
        self.machine.run("systemctl", "stop", "pixelboop")
        done = self.reset("--yes")
        self.assertEqual(done.stdout.count(".replaced-"), 1, done.stdout)
        self.assertEqual(self.machine.execute("systemctl", "is-active", "pixelboop").stdout, "inactive\n")

        # A non-file in the configuration's place is replaced, not followed.
        victim = (folder / "etc/passwd").read_text()
        for trap in ["ln -s /etc/passwd", "mkfifo", "echo nonsense >"]:
            self.machine.run("sh", "-c", f"rm -f {CONFIGURATION} && {trap} {CONFIGURATION}")
            done = self.reset("--yes")
            self.assertEqual(done.returncode, 0, done.stderr)
            configuration = folder / CONFIGURATION[1:]
            self.assertFalse(configuration.is_symlink())
            self.assertEqual(configuration.read_text(), (folder / "usr/share/pixelboop/config.json5").read_text())
        self.assertEqual((folder / "etc/passwd").read_text(), victim)

    def test_system_hooks(self):
        """A system may reset what it keeps for the box; a failure there is told, and does not end the reset."""
        hook = "/usr/libexec/pixelboop/reset.d/network"
        self.machine.put(hook, "#!/bin/sh\necho ran >/run/hook\nexit $(cat /run/hook-status)\n")
        (self.machine.folder / hook[1:]).chmod(0o755)
        try:
            for status, said in [(0, ""), (3, "/usr/libexec/pixelboop/reset.d: not all is reset")]:
                self.machine.run("sh", "-c", f"rm -f /run/hook && echo {status} >/run/hook-status")
                done = self.reset("--yes")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(said, done.stderr)
                self.machine.run("test", "-e", "/run/hook")
        finally:
            self.machine.run("rm", "-r", "/usr/libexec/pixelboop/reset.d")

    def test_calibration(self):
        """The calibration is removed, and kept beside; traps of the service's user are not followed."""
        self.as_box(f"echo kept >{CALIBRATION}")
        done = self.reset("--yes")
        kept = re.search(rf" ({re.escape(CALIBRATION)}\.replaced-\d{{8}}-\d{{6}})", done.stdout)
        self.assertTrue(kept, done.stdout + done.stderr)
        self.assertEqual((self.machine.folder / kept[1][1:]).read_text(), "kept\n")
        passwd = self.machine.run("stat", "-c", "%U %a %s", "/etc/passwd")
        for trap in ["ln -s /etc/passwd", "mkfifo", "mkdir"]:
            with self.subTest(trap):
                self.as_box(f"{trap} {CALIBRATION}")
                done = self.reset("--yes")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.machine.run("test", "!", "-e", CALIBRATION)
                self.machine.run("test", "!", "-L", CALIBRATION)
                self.assertEqual(self.machine.run("stat", "-c", "%U %a %s", "/etc/passwd"), passwd)

    def test_stick(self):
        """A backup on a stick is complete, or missing: the stick is full, or read-only."""
        as_box = ["setpriv", "--reuid=pixelboop", "--regid=pixelboop", "--init-groups", "env",
                  "STATE_DIRECTORY=/var/lib/pixelboop", "pixelboop", "library"]
        self.machine.run("sh", "-c", "mkdir -p /media/stick && mount -t tmpfs -o size=256K,uid=pixelboop tmpfs /media/stick")
        self.addCleanup(self.machine.run, "umount", "/media/stick")
        printed = self.machine.run(*as_box, "backup", "/media/stick")
        self.assertRegex(printed, r"^/media/stick/pixelboop-library-\d{8}-\d{6}\.sqlite: \d patterns?\n$")
        backup = printed.split(":")[0]
        self.machine.run("sh", "-c", "head -c 1M /dev/zero >/media/stick/full; test -s /media/stick/full")
        for end, says in [("", "the disk is full"), ("mount -o remount,ro /media/stick", "")]:
            self.machine.run("sh", "-c", end)
            done = self.machine.execute(*as_box, "backup", "/media/stick/other.sqlite")
            self.assertEqual(done.returncode, 74, done.stderr)
            self.assertIn("cannot write the backup /media/stick/other.sqlite: " + says, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(self.machine.run("ls", "/media/stick").split(), ["full", pathlib.Path(backup).name])
        # From a read-only stick, also as root, whose library the box can then use.
        self.machine.run("systemctl", "stop", "pixelboop")
        self.machine.run("pixelboop", "library", "restore", backup, "--library", LIBRARY)
        self.assertEqual(self.machine.run("stat", "-c", "%U", LIBRARY), "pixelboop\n")


class ReadOnlyTests(MachineCase):
    """A machine with a read-only /, like the SD card's image."""

    def setUp(self):
        super().setUp()
        self.machine.cut()
        self.machine.start(READ_ONLY)
        self.addCleanup(self.machine.start)
        self.addCleanup(self.machine.cut)

    def assert_read_only(self):
        self.assertIn("Read-only file system", self.machine.execute("touch", "/usr/new").stderr)

    def test_read_only(self):
        """It is read-only again after an update, successful or not."""
        self.wait_until_ready()
        self.assert_read_only()
        packages = [self.packages.make("9.41"), self.packages.make("9.42", ENDS)]
        files = {package.name: package.read_bytes() for package in packages}
        files |= {f"{package.name}.minisig": self.packages.sign(package, "own").encode() for package in packages}
        self.machine.run("sh", "-c", "mkdir /run/packages")
        for name, data in files.items():
            subprocess.run(["nsenter", f"--target={self.machine.first()}", "--all", "--root", "--wd", "sh", "-c",
                            'cat >"/run/packages/$0" && cd /run/packages && sha256sum "$0" >"$0.sha256"', name],
                           input=data, check=True, env={"PATH": "/usr/bin:/bin"})
        done = self.update("/run/packages/" + packages[0].name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.version(), "ii 9.41")
        self.assert_read_only()
        done = self.update("/run/packages/" + packages[1].name)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("9.41 is back and ready", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(self.version(), "ii 9.41")
        self.assert_read_only()
        done = self.machine.execute("pixelboop-reset", "--yes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_read_only()
