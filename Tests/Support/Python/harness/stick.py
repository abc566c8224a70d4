"""Sticks: file systems in memory, mounted where the box looks for sticks, for this program and its boxes only. Needs root."""

import json
import pathlib
import subprocess
import tempfile

from harness import namespace

MEDIA = pathlib.Path("/media")


class Stick:
    """A stick with these patterns, a bank and a document each. Each is mounted at a new place: the box polls once a
    second, and must recognise it as another stick."""

    count = 0

    def __init__(self, patterns, *options, prepare=lambda folder: None):
        Stick.count += 1
        self.mount = MEDIA / str(Stick.count)
        self.folder = self.mount / "pixelboop"
        self.mount.mkdir()
        # It is filled elsewhere, and appears complete.
        with tempfile.TemporaryDirectory() as name:
            subprocess.run(["mount", "-t", "tmpfs", "pixelboop-test", name], check=True)
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


def enter_own_media():
    """Goes on in a mount namespace with an empty /media, so that no other box sees the sticks; false without permission."""
    return namespace.enter("PIXELBOOP_OWN_MEDIA", f"mount -t tmpfs none {MEDIA}", ["unshare", "--mount"])
