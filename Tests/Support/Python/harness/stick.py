"""Sticks: file systems in memory, mounted where the box looks for sticks. Mounting needs root."""

import json
import os
import pathlib
import subprocess
import tempfile

MOUNT = pathlib.Path("/media/pixelboop-test")


class Stick:
    """A stick with these patterns, a bank and a document each. Each is mounted at a new place: the box polls once a
    second, and must recognise it as another stick."""

    count = 0

    def __init__(self, patterns, *options, prepare=lambda folder: None):
        Stick.count += 1
        self.mount = MOUNT / str(Stick.count)
        self.folder = self.mount / "pixelboop"
        self.mount.mkdir(parents=True)
        # It is filled elsewhere, and appears complete.
        with tempfile.TemporaryDirectory() as name:
            mount_at(name)
            for bank, document in patterns:
                folder = pathlib.Path(name, "pixelboop", bank)
                folder.mkdir(parents=True, exist_ok=True)
                (folder / f"{document['name']}.json").write_text(json.dumps(document), encoding="utf-8")
            pathlib.Path(name, "pixelboop").mkdir(exist_ok=True)
            prepare(pathlib.Path(name, "pixelboop"))
            if options:
                subprocess.run(["mount", "-o", "remount," + ",".join(options), name], check=True)
            subprocess.run(["mount", "--bind", name, self.mount], check=True)
            subprocess.run(["umount", "-l", name], check=True)

    def pull_out(self):
        subprocess.run(["umount", "-l", self.mount], check=True)

    @staticmethod
    def pull_out_all():
        for mount in MOUNT.glob("*"):
            subprocess.run(["umount", "-l", mount], capture_output=True)
            mount.rmdir()
        if MOUNT.exists():
            MOUNT.rmdir()


def mount_at(folder):
    return subprocess.run(["mount", "-t", "tmpfs", "pixelboop-test", folder], capture_output=True).returncode == 0


def can_mount():
    with tempfile.TemporaryDirectory() as name:
        if os.geteuid() != 0 or not mount_at(name):
            return False
        subprocess.run(["umount", name], check=True)
        return True
