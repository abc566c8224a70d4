"""A disposable Debian system in a folder."""

import os
import pathlib
import shutil
import subprocess
import tempfile


class System:
    """A copy of the system of deploy/check; only requested processes run in it."""

    # Mount point of its /proc, while something runs.
    proc = "proc"

    def __init__(self):
        template = pathlib.Path(os.environ["SYSTEM"])
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=template.parent))
        subprocess.run(["cp", "-a", f"{template}/.", self.folder], check=True)
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")

    def remove(self):
        shutil.rmtree(self.folder)

    def run(self, *words, status=0):
        """The output of `words`; fails if the status is not `status`."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.folder / self.proc}", "chroot",
             self.folder, *map(str, words)],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=300)
        if done.returncode != status:
            raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def pretend_to_be(self, board):
        """Mounts /proc with the device tree's name of `board` beside it: proc itself accepts no file."""
        self.proc = "real-proc"
        (self.folder / self.proc).mkdir(exist_ok=True)
        for name in ["meminfo", "mounts", "self", "sys"]:
            link = self.folder / "proc" / name
            if not link.is_symlink():
                link.symlink_to(f"/{self.proc}/{name}")
        self.put("/proc/device-tree/model", board + "\0")

    def put(self, path, text):
        file = self.folder / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def files(self):
        """Every path, except those written by package management itself."""
        own = ("/var/lib/dpkg", "/var/lib/apt", "/var/cache", "/var/log", "/tmp", "/run")
        found = set()
        for folder, folders, names in os.walk(self.folder):
            place = "/" + os.path.relpath(folder, self.folder).removeprefix(".")
            place = place.replace("//", "/")
            if place.startswith(own):
                folders.clear()
                continue
            found.update(os.path.join(place, name) for name in folders + names)
        return {path for path in found if not path.startswith(own)}

    def entries(self, name):
        """The lines of /etc/NAME, passwd or group."""
        return set((self.folder / "etc" / name).read_text().splitlines())
