"""Sticks: file systems in memory, mounted where the box looks for sticks, for this program and its boxes only. Needs root."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

MEDIA = pathlib.Path("/media")
INSIDE = "PIXELBOOP_OWN_MEDIA"


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


def mount_at(folder):
    subprocess.run(["mount", "-t", "tmpfs", "pixelboop-test", folder], check=True)


def enter_own_media():
    """Goes on in a mount namespace with an empty /media, so that no other box sees the sticks; false without permission."""
    if INSIDE in os.environ:
        return True
    own = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {MEDIA} && exec "$@"', "sh"]
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    if os.geteuid() != 0 or subprocess.run([*own, "true"], capture_output=True, env={"PATH": path}).returncode != 0:
        return False
    sys.stdout.flush()
    return os.execvpe(own[0], [*own, sys.executable, *sys.argv], {**os.environ, "PATH": path, INSIDE: "yes"})
