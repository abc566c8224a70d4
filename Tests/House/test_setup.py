#!/usr/bin/python3
"""Tests of the set-up scripts, on machines with fake commands. Called by `make check-setup`.

PIXELBOOP_CHECKOUT names another checkout to test.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CHECKOUT = pathlib.Path(os.environ.get("PIXELBOOP_CHECKOUT", pathlib.Path(__file__).resolve().parents[2]))
TOOLS = """awk basename cat chmod chown cp dirname env find grep gzip head ls ln mkdir mktemp mv readlink realpath rm sed
sha256sum sh sort touch tr true uname""".split()
FAKES = {
    # A line of `packages` is a package's name, architecture and status.
    "dpkg-query": r'''#!/usr/bin/python3
import sys
form, names = sys.argv[3].replace("\\n", "\n"), sys.argv[4:]
rows = [line.split() for line in open("@/packages")]
for name, architecture, status in rows:
    if name in names:
        print(form.replace("${Architecture}", architecture).replace("${db:Status-Status}", status), end="")
sys.exit(0 if {row[0] for row in rows} >= set(names) else 1)
''',
    # Its lists come from a mirror, if there is one.
    "apt-get": r'''#!/bin/sh
echo "apt-get $*" >>@/log
case "$1" in
update) [ ! -e @/mirror ] || cp @/mirror @/lists ;;
indextargets) [ ! -e @/lists ] || cat @/lists ;;
download) touch linux-image-1.deb linux-headers-1.deb linux-kbuild-1.deb ;;
esac
''',
    "apt-cache": '#!/bin/sh\necho "  Depends: linux-image-6.1.0-1-amd64"\n',
    "dpkg": r'''#!/bin/sh
[ "$1" = -x ] || { echo amd64; exit 0; }
mkdir -p "$3/boot" "$3/lib/modules" "$3/usr/src/linux-headers-6.1.0-1-amd64"
touch "$3/boot/vmlinuz-1" "$3/usr/src/linux-headers-6.1.0-1-amd64/Makefile" "$3/virtio.ko"
''',
    "dpkg-deb": "#!/bin/sh\necho arm64\n",
    "modprobe": '#!/bin/sh\necho "insmod $2/virtio.ko"\n',
    "id": '#!/bin/sh\n[ "$1" = -u ] && echo 1000 || echo maker\n',
    **dict.fromkeys(["make", "depmod", "busybox"], "#!/bin/sh\n"),
}
SUDO = '#!/bin/sh\necho "sudo $*" >>@/log\nexec "$@"\n'
SUDO_ONLY_NOTED = '#!/bin/sh\necho "sudo $*" >>@/log\n'
SUDO_REFUSES = '#!/bin/sh\necho "maker is not in the sudoers file." >&2\nexit 1\n'
SWIFT = '#!/bin/sh\necho "Swift version {} (swift-RELEASE)"\n'
BROKEN = "swift: error while loading shared libraries: libncurses.so.6: cannot open shared object file"
SWIFT_WITHOUT_LIBRARIES = f'''#!/bin/sh
grep -qs "apt-get install .*libncurses6" @/log && echo "Swift version 6.3.1 (swift-RELEASE)" && exit 0
echo "{BROKEN}" >&2
exit 127
'''
SWIFT_BROKEN = f'#!/bin/sh\necho "{BROKEN}" >&2\nexit 127\n'
# Compiles a plain program, but none with a sanitizer.
COMPILER = r'''#!/bin/sh
case "$*" in *sanitize*) exit 1 ;; esac
while [ "$1" != -o ]; do shift; done
printf '#!/bin/sh\n' >"$2"
chmod +x "$2"
'''


class SetupTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "checkout"
        for path in ["deploy", "Tests/System/KernelBench", "Tests/Sanitizers", "docs/configuration.md", "hardware/box.json5"]:
            source, target = CHECKOUT / path, self.tree / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
        self.commands = self.folder / "commands"
        self.commands.mkdir()
        for tool in TOOLS:
            (self.commands / tool).symlink_to(shutil.which(tool))
        for name, text in FAKES.items():
            self.fake(name, text)
        self.fake("sudo", SUDO)
        self.fake("swift", SWIFT.format("6.3.1"))
        (self.folder / "log").touch()
        self.packages("amd64")

    def fake(self, name, text):
        file = self.commands / name
        file.write_text(text.replace("@/", f"{self.folder}/"))
        file.chmod(0o755)

    def packages(self, *architectures, but=(), but_status=None):
        """Marks every package of `deploy/setup run` and the kernel bench as installed, for each of `architectures`."""
        libraries = self.run_script("deploy/setup", "libraries").stdout.split()
        rows = []
        for name in [*libraries, "make", "g++", "pkg-config", "qemu-system-x86", "busybox-static", "cpio", "kmod", "gcc",
                     "libelf1", "python3"]:
            status = but_status if name in but else "installed"
            rows += [f"{name} {architecture} {status}\n" for architecture in architectures if status]
        (self.folder / "packages").write_text("".join(rows))

    def run_script(self, script, *words, status=0, environment=()):
        done = subprocess.run(
            [self.tree / script, *map(str, words)], cwd=self.tree, capture_output=True, text=True, timeout=60,
            env={"PATH": str(self.commands), **dict(environment)})
        self.assertEqual(done.returncode, status, f"{done.stdout}{done.stderr}")
        return done

    def calls(self, word):
        return [line for line in (self.folder / "log").read_text().splitlines() if word in line]

    def test_nothing_is_missing(self):
        done = self.run_script("deploy/setup", "run")
        self.assertEqual((done.stdout, done.stderr, self.calls("")), ("", "", []))

    def test_package_of_two_architectures(self):
        """A library installed for two architectures counts as installed."""
        self.packages("amd64", "i386")
        self.run_script("deploy/setup", "run")
        self.assertEqual(self.calls(""), [])

    def test_package_of_another_architecture(self):
        """A library for another architecture only does not count."""
        self.packages("amd64", but=["libpng-dev"])
        with open(self.folder / "packages", "a") as file:
            file.write("libpng-dev i386 installed\n")
        self.run_script("deploy/setup", "run")
        self.assertTrue(self.calls("sudo env DEBIAN_FRONTEND=noninteractive apt-get install")[0].endswith(" libpng-dev"))

    def test_package_that_apt_has_only_heard_of(self):
        """`not-installed` is not installed."""
        self.packages("amd64", but=["cpio"], but_status="not-installed")
        self.fake("cpio", "#!/bin/sh\nexit 127\n")
        self.run_script("Tests/System/KernelBench/setup", "vm", status=127)
        self.assertTrue(self.calls("apt-get install")[0].endswith(" cpio"))

    def test_renamed_library(self):
        """Debian 13's libelf1t64 is libelf1."""
        self.packages("amd64", but=["libelf1"])
        with open(self.folder / "packages", "a") as file:
            file.write("libelf1t64 amd64 installed\n")
        self.fake("cpio", "#!/bin/sh\nexit 127\n")
        self.run_script("Tests/System/KernelBench/setup", "vm", status=127)
        self.assertEqual(self.calls("apt-get install"), [])

    def test_initrd_that_cannot_be_written(self):
        """A virtual machine without its initrd does not count as built."""
        self.fake("cpio", "#!/bin/sh\nexit 127\n")
        self.run_script("Tests/System/KernelBench/setup", "vm", status=127)
        self.assertFalse((self.tree / "vm/made").exists())

    def test_initrd_without_its_files(self):
        self.fake("cpio", "#!/bin/sh\n[ $1 = -t ] || echo\n")
        done = self.run_script("Tests/System/KernelBench/setup", "vm", status=70)
        self.assertIn("init is missing", done.stderr)
        self.assertFalse((self.tree / "vm/made").exists())

    def test_no_sudo(self):
        """Without sudo, or if it refuses, the command for root is printed."""
        self.packages("amd64", but=["libpng-dev", "libyaml-dev"])
        for refuse in [lambda: self.fake("sudo", SUDO_REFUSES), (self.commands / "sudo").unlink]:
            refuse()
            done = self.run_script("deploy/setup", "run", status=77)
            self.assertIn("Run as root: apt-get update && apt-get install -y --no-install-recommends libpng-dev libyaml-dev\n",
                          done.stderr)
            self.assertNotIn("not found", done.stderr)

    def test_swift_without_its_libraries(self):
        """The libraries that Swift needs to start are installed."""
        self.fake("swift", SWIFT_WITHOUT_LIBRARIES)
        self.run_script("deploy/setup", "run")
        self.assertTrue(self.calls("apt-get install")[0].endswith(" libcurl4 libncurses6"))

    def test_broken_swift(self):
        self.fake("swift", SWIFT_BROKEN)
        done = self.run_script("deploy/setup", "run", status=69)
        self.assertIn(BROKEN, done.stderr)
        self.assertIn(f"Swift does not start: {self.commands}/swift", done.stderr)

    def test_versions_of_swift(self):
        for version, status in [("5.10", 69), ("5.10.1", 69), ("6.0", 0), ("6.0.3", 0), ("6.3.1", 0), ("10.0", 0)]:
            with self.subTest(version=version):
                self.fake("swift", SWIFT.format(version))
                done = self.run_script("deploy/setup", "run", status=status)
                self.assertEqual(f"Swift {version} is too old" in done.stderr, status != 0)

    def test_mirrors_without_lists(self):
        """apt's lists are downloaded if missing."""
        (self.folder / "mirror").write_text("deb http://mirror.example/debian trixie main\n")
        done = self.run_script("deploy/mirrors", "trixie")
        self.assertEqual(done.stdout, "deb http://mirror.example/debian trixie main\n")

    def test_no_mirror(self):
        """An empty list of mirrors is an error."""
        done = self.run_script("deploy/mirrors", "trixie", status=69)
        self.assertIn("apt has no mirror", done.stderr)

    def test_sanitizer_with_broken_swift(self):
        """A Swift that compiles nothing is a failure, not a Swift without the sanitizer."""
        for text in [SWIFT_BROKEN, None]:
            for name in ["swift", "swiftc", "clang"]:
                self.fake(name, text) if text else (self.commands / name).unlink()
            for script in ["realtime", "threads"]:
                done = self.run_script(f"Tests/Sanitizers/{script}", status=69)
                self.assertNotIn("Skipped", done.stdout)

    def test_swift_without_sanitizers(self):
        for name in ["swiftc", "clang"]:
            self.fake(name, COMPILER)
        for script in ["realtime", "threads"]:
            self.assertIn("Skipped", self.run_script(f"Tests/Sanitizers/{script}").stdout)

    def test_configurations_without_the_table(self):
        """Examples without any chip are a failure."""
        (self.tree / "docs/configuration.md").write_text("| chip | order |\n|---|---|\n| APA102 | BGR |\n")
        done = self.run_script("deploy/configurations/make", self.folder, status=65)
        self.assertIn("the table of LED chips is missing", done.stderr)

    def test_configurations_without_the_panel(self):
        (self.tree / "hardware/box.json5").write_text("{\n  panel: { order: \"BGR\" },\n}\n")
        done = self.run_script("deploy/configurations/make", self.folder, status=65)
        self.assertIn("the line '  panel: {' is missing", done.stderr)

    def test_kicad(self):
        """KiCad 9 is kept; an older one leads to an installation, and to words if it is still there."""
        self.fake("sudo", SUDO_ONLY_NOTED)
        self.fake("kicad-cli", "#!/bin/sh\necho 9.0.8\n")
        self.run_script("deploy/kicad")
        self.assertEqual(self.calls(""), [])
        self.fake("kicad-cli", "#!/bin/sh\necho 6.0.11\n")
        done = self.run_script("deploy/kicad", status=69)
        self.assertIn("KiCad 9 is needed; kicad-cli says: 6.0.11", done.stderr)
        self.assertIn(" kicad kicad-footprints kicad-symbols", self.calls("apt-get install")[0])

    def test_every_step_through_sudo(self):
        """PIXELBOOP_EVERY_STEP is passed through sudo, which drops variables."""
        self.fake("sudo", SUDO_ONLY_NOTED)
        self.run_script("deploy/check", "box", "package", environment={"PIXELBOOP_EVERY_STEP": "1"})
        self.assertTrue(self.calls("PIXELBOOP_EVERY_STEP=1 "))

    def test_folders_of_the_user(self):
        """Folders filled by sudo are created before, so that they are the user's."""
        self.fake("sudo", SUDO_ONLY_NOTED)
        for folder, script in [("arm64", "deploy/arm64/setup"), ("image", "deploy/image/make")]:
            self.run_script(script, "package")
            self.assertTrue((self.tree / ".build" / folder).is_dir(), folder)


if __name__ == "__main__":
    unittest.main()
