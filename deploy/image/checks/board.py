"""A card in a board emulated by QEMU: the shipped image, unchanged except for its size, started with its own kernel,
initramfs and options. The additional options give a shell on a serial line, a feature of systemd."""

import codecs
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

FOLDER = pathlib.Path(os.environ["FOLDER"])
IMAGE = pathlib.Path(os.environ["IMAGE"])
SECONDS_MAX = 900
MIB = 1 << 20

VIRT = ["-M", "virt", "-cpu", "cortex-a72", "-m", "1024"]
VIRT_LINES = "ttyAMA0", "ttyS0", ["-serial", "file:{console}", "-device", "pci-serial,chardev=shell"]
# For each machine: its kind, its console, the shell's line, and their wiring.
MACHINES = {
    # An instruction takes two nanoseconds of this machine's time, or one: its waits are as long as on a board, however slow the
    # emulation is, and its clock counts instructions.
    "virt": ([*VIRT, "-smp", "2", "-icount", "shift=1"], *VIRT_LINES),
    "counted": ([*VIRT, "-smp", "1", "-icount", "shift=0"], *VIRT_LINES),
    # Its other line is Bluetooth's.
    "raspi3b": (["-M", "raspi3b"], "ttyS1,115200", "ttyS1", ["-serial", "null", "-serial", "chardev:shell"]),
}


def wait_for(what, condition, seconds=SECONDS_MAX, pause=0.2):
    """Waits until `condition` returns a true value, and returns it; asks every `pause` seconds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s; see {FOLDER}")
        time.sleep(pause)
    return found


class Board:
    def __init__(self, machine, size):
        self.machine = machine
        self.card = FOLDER / f"{machine}.img"
        with open(self.card, "wb") as file:
            subprocess.run(["xz", "--decompress", "--stdout", IMAGE], stdout=file, check=True)
        # Restore holes.
        subprocess.run(["fallocate", "--dig-holes", self.card], check=True)
        os.truncate(self.card, size)
        self.process = None
        self.starts = 0
        self.read_system()

    def read_system(self):
        """Reads what the firmware would: the system that config.txt names by its prefix, with the kernel that its own settings name."""
        prefix, settings = re.match(r"os_prefix=(.*)\ninclude (.*)\n", self.read("config.txt")).groups()
        settings = self.read(settings)
        for name, file in [("kernel=", "vmlinuz"), ("initramfs ", "initrd.img")]:
            self.fetch(prefix + re.search(rf"^{name}(\S+)", settings, re.MULTILINE)[1], FOLDER / file)
        self.fetch(f"{prefix}bcm2837-rpi-3-b.dtb", FOLDER / "board.dtb")
        self.options = self.read(f"{prefix}cmdline.txt").strip()
        return prefix.rstrip("/")

    # The first partition, which every computer can write. The board is off.

    def on_card(self, tool, *words):
        return subprocess.run([tool, "-i", f"{self.card}@@{4 * MIB}", *words], check=True, capture_output=True).stdout

    def fetch(self, name, target):
        self.on_card("mcopy", "-n", "-o", f"::{name}", target)

    def read(self, name):
        return self.on_card("mtype", f"::{name}").decode()

    def put(self, name, text):
        (FOLDER / "file").write_text(text)
        self.on_card("mcopy", "-o", FOLDER / "file", f"::{name}")

    def files(self):
        return self.on_card("mdir", "-b", "::").decode().split()

    # Power

    def start(self, network=""):
        """Switches it on, with further options of its network, and waits for its shell."""
        self.switch_on(network)
        wait_for("the shell", self.knock)
        # On a Pi the kernel writes to the same line.
        self.run("dmesg --console-off")

    def switch_on(self, network=""):
        self.starts += 1
        self.read_system()
        about, console, line, wires = MACHINES[self.machine]
        self.log = FOLDER / f"{self.machine}-{self.starts}"
        pipes = [f"{self.log}.shell", f"{self.log}.qmp"]
        options = f"{self.options} console={console} systemd.debug_shell={line}"
        command = ["qemu-system-aarch64", *about, "-display", "none", "-monitor", "none", "-no-reboot",
                   "-kernel", FOLDER / "vmlinuz", "-initrd", FOLDER / "initrd.img", "-append", options,
                   "-chardev", f"socket,id=shell,path={pipes[0]},server=on,wait=off,logfile={self.log}.shell.log",
                   "-qmp", f"unix:{pipes[1]},server=on,wait=off",
                   *[wire.format(console=f"{self.log}.console.log") for wire in wires]]
        if self.machine != "raspi3b":
            command += ["-drive", f"if=none,id=card,format=raw,file={self.card}", "-device", "virtio-blk-pci,drive=card",
                        "-audiodev", "none,id=sound", "-device", "intel-hda", "-device", "hda-output,audiodev=sound",
                        "-device", "virtio-keyboard-pci", "-netdev", f"user,id=net{network}",
                        # Its ROM is another package, and the machine starts from the card.
                        "-device", "virtio-net-pci,netdev=net,romfile="]
        else:
            command += ["-drive", f"if=sd,format=raw,file={self.card}", "-dtb", FOLDER / "board.dtb"]
        with open(f"{self.log}.qemu.log", "w") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=errors)
        self.begin = time.monotonic()
        self.shell = self.connect(pipes[0])
        self.qmp = self.connect(pipes[1])
        self.ask_qemu("qmp_capabilities")
        self.received, self.count = "", 0
        # A character may arrive in two parts.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def cut(self):
        """Cuts its power."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.ended()

    def ended(self):
        self.process.wait()
        self.shell.close()
        self.qmp.close()
        self.process = None

    def wait_for_restart(self):
        """Waits until the machine starts again by itself; here that ends it."""
        wait_for("the restart", lambda: self.process.poll() is not None)
        self.ended()

    def alive(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the machine has ended by itself; see {self.log}.*")

    def connect(self, path):
        def attempt():
            self.alive()
            line = socket.socket(socket.AF_UNIX)
            try:
                line.connect(path)
            except OSError:
                line.close()
                return None
            return line
        return wait_for("QEMU", attempt, 30)

    # The shell

    def receive(self, seconds):
        self.alive()
        self.shell.settimeout(seconds)
        try:
            self.received += self.decoder.decode(self.shell.recv(65536)).replace("\r", "")
        except TimeoutError:
            pass

    def knock(self):
        # Nothing is read before the shell runs. It is replaced by one without echo. There are no quotes, as the shell may get only
        # a part of the line. What it echoes is not the answer.
        quiet = "env PS1= PS2= PATH=/usr/sbin:/usr/bin TERM=dumb LC_ALL=C.UTF-8 sh"
        self.shell.sendall(f"stty -echo; echo shell-\\u\\p; exec {quiet}\n".encode())
        self.receive(5)
        return "shell-up" in self.received

    def run(self, script, status=0, seconds=SECONDS_MAX):
        """The output of a script in the machine's shell; fails if the status is not `status`, which may be None."""
        self.count += 1
        self.shell.sendall(f"({script}\n) 2>&1; printf '\\n%s-%s %s\\n' end {self.count} $?\n".encode())
        ending = re.compile(rf"\nend-{self.count} (\d+)\n")
        end = time.monotonic() + seconds
        while not (found := ending.search(self.received)):
            if time.monotonic() > end:
                raise AssertionError(f"{script}: not within {seconds} s; see {self.log}.*")
            self.receive(1)
        printed, self.received = self.received[:found.start()], self.received[found.end():]
        if status is not None and int(found[1]) != status:
            raise AssertionError(f"{script} ended with {found[1]}: {printed}")
        return printed.strip()

    # The keyboard

    def ask_qemu(self, command, **words):
        self.qmp.sendall(json.dumps({"execute": command, "arguments": words}).encode())
        answer = b""
        while b'"return"' not in answer:
            part = self.qmp.recv(65536)
            if not part or b'"error"' in part:
                raise AssertionError(f"{command}: {part}")
            answer += part

    def press(self, *keys):
        self.ask_qemu("send-key", keys=[{"type": "qcode", "data": key} for key in keys])
