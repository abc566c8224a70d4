"""A running system: systemd is its process 1, and its power can be cut."""

import pathlib
import shutil
import subprocess
import time

from system import System

# Its own namespaces, and its own group below this machine's, so that neither sees the other.
START = """
set -eu
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
group=$root/sys/fs/cgroup/$2
mkdir -p "$group"
echo $$ >"$group/cgroup.procs"
exec unshare --cgroup --pid --ipc --uts --net --fork --kill-child sh -euc '
    root=$1
    umount "$root/sys/fs/cgroup"
    mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for device in null zero full random urandom tty; do
        touch "$root/dev/$device"
        mount --bind "/dev/$device" "$root/dev/$device"
    done
    ln -s /proc/self/fd "$root/dev/fd"
    eval "$2"
    exec env -i container=check PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /lib/systemd/systemd --show-status=0
' sh "$root" "$3"
"""

# Makes / a read-only file system, and the box's state a writable one: like the SD card's image.
READ_ONLY = """
    data=$root/mnt
    mount -t tmpfs tmpfs "$data"
    for kept in var/lib/pixelboop var/lib/pixelboop-update etc/pixelboop; do
        mkdir -p "$data/$kept" "$root/$kept"
        cp -a "$root/$kept/." "$data/$kept"
        chown --reference="$root/$kept" "$data/$kept"
    done
    new=$root/media
    mount -t tmpfs -o mode=755 tmpfs "$new"
    cp -a --one-file-system "$root/." "$new"
    for place in sys proc run dev; do mount --rbind "$root/$place" "$new/$place"; done
    for kept in var/lib/pixelboop var/lib/pixelboop-update etc/pixelboop; do
        mount --bind "$data/$kept" "$new/$kept"
    done
    mount -o remount,ro "$new"
    root=$new
"""

SECONDS_MAX = 60


def wait_for(what, condition):
    """Waits until `condition` is true."""
    end = time.monotonic() + SECONDS_MAX
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {SECONDS_MAX} s")
        time.sleep(0.05)


class Machine(System):
    def __init__(self):
        super().__init__()
        self.process = None

    def start(self, prepared=""):
        """Switches it on; `prepared` is performed in its file systems first."""
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "sh", "-c", START, "sh", self.folder, self.folder.name,
             prepared],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # `degraded`: one of Debian's units may need something missing here.
        wait_for("the start", lambda: self.execute("systemctl", "is-system-running").stdout.strip() in
                 {"running", "degraded"})

    def cut(self):
        """Cuts its power."""
        if self.process is None:
            return
        first = self.first()
        if first:
            subprocess.run(["kill", "-KILL", first], check=True)
        self.process.wait()
        self.process = None
        # Groups can be removed once empty, from the inside out.
        subprocess.run(
            ["unshare", "--mount", "sh", "-c",
             'mount -t cgroup2 cgroup2 /mnt && find "/mnt/$0" -depth -type d -exec rmdir {} +', self.folder.name],
            check=False, stderr=subprocess.DEVNULL)

    def remove(self):
        self.cut()
        super().remove()

    def first(self):
        """Process 1, by this machine's number."""
        try:
            words = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        except FileNotFoundError:
            return None
        return words[0] if words else None

    def execute(self, *words, environment=()):
        """The result of `words`, run on the machine."""
        first = self.first()
        if first is None:
            return subprocess.CompletedProcess(words, 1, "", "the machine is off")
        path = "PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
        return subprocess.run(
            ["nsenter", f"--target={first}", "--all", "--root", "--wd", "env", "-i", path, "LC_ALL=C.UTF-8",
             *environment, *map(str, words)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)

    def run(self, *words, status=0):
        if self.process is None:
            return super().run(*words, status=status)
        done = self.execute(*words)
        if done.returncode != status:
            raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def bring(self, file, path):
        """Copies a file of this machine to `path` there."""
        target = self.folder / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
