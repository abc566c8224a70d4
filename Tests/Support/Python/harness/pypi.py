"""Packages of PyPI, with fixed hashes."""

import fcntl
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from harness import ROOT


def fetch(name, *requirements):
    """Makes the modules of packages importable; returns their folder, .build/NAME, where they are kept. None if the package index
    is unavailable, or has no package for this machine. A requirement is a line of pip's with --hash."""
    folder, wanted = ROOT / ".build" / name, "".join(f"{requirement}\n" for requirement in requirements)
    kept = folder / "fetched.txt"
    folder.parent.mkdir(exist_ok=True)
    # Two checks may need the same package.
    with open(folder.with_suffix(".lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists() or kept.read_text(encoding="ascii") != wanted:
            with tempfile.TemporaryDirectory() as archives:
                if not download(wanted, pathlib.Path(archives)):
                    return None
                folder.mkdir(exist_ok=True)
                for archive in pathlib.Path(archives).iterdir():
                    unpack(archive, folder)
            # Last: it tells that the folder is complete.
            kept.write_text(wanted, encoding="ascii")
    sys.path.insert(0, str(folder))
    return folder


def download(wanted, folder):
    requirements = folder / "requirements.txt"
    requirements.write_text(wanted, encoding="ascii")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes",
         "--dest", folder, "--requirement", requirements], capture_output=True, text=True, check=False)
    requirements.unlink()
    if done.returncode != 0:
        print(done.stderr.strip(), flush=True)
    return done.returncode == 0


def unpack(archive, folder):
    """Unpacks a wheel, or the modules at the top of a source package."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as files:
            files.extractall(folder)
        return
    with tarfile.open(archive) as files:
        for member in files:
            path = pathlib.PurePath(member.name)
            if len(path.parts) == 2 and path.suffix == ".py" and member.isfile():
                (folder / path.name).write_bytes(files.extractfile(member).read())
