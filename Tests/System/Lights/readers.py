"""Readers of the light that the box sends. They share no code with it: DDP and Art-Net are read after their specifications, Art-Net also
by the daemon of the Open Lighting Architecture, Debian's ola, and sACN by sacn, a package of PyPI with a fixed hash that is kept in
.build/sacn. A reader is joined once the sender has ended: what it sent is then in the system's buffers."""

import os
import pathlib
import select
import signal
import socket
import subprocess
import threading
import time

from harness import pypi
from harness.osc import free_port
from harness.results import Failure
from harness.waiting import wait

# The option SO_RCVBUFFORCE, which Python does not name, and the bytes of a second of light.
SO_RCVBUFFORCE, BUFFER_BYTES = 33, 1 << 20


def fetch():
    """Whether the package is there."""
    return pypi.fetch("sacn", "sacn==1.11.0 --hash=sha256:4c0c294746c6b8e9290bcc3db7b15483b28a716247d9d762de18597fb703a4fc")


def dropped(port):
    """The number of packets for this port of UDP that the system has dropped, because the reader was late."""
    count = 0
    for line in pathlib.Path("/proc/net/udp").read_text(encoding="ascii").splitlines()[1:]:
        fields = line.split()
        if int(fields[1].rpartition(":")[2], 16) == port:
            count += int(fields[-1])
    return count


class Pictures:
    """The pictures that arrived, and when, and the number of packets that the system has dropped."""

    def __init__(self, size):
        self.size, self.whole, self.times, self.dropped = size, [], [], 0

    def add(self, light):
        self.whole.append(bytes(light))
        self.times.append(time.monotonic())


class Reader(threading.Thread):
    """Reads packets until it is joined and has read all. The wall's universes begin with `first`."""

    def __init__(self, pictures, first):
        super().__init__(daemon=True)
        self.pictures = pictures
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES)
        except PermissionError:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.first = first
        self.light, self.there = bytearray(pictures.size), 0
        self.problem = None
        self.has_ended = threading.Event()

    def run(self):
        try:
            # The last look is after the end.
            is_last = False
            while not is_last:
                is_last = self.has_ended.is_set()
                while select.select([self.socket], [], [], 0.1)[0]:
                    self.take(self.socket.recv(2000))
        except AssertionError as error:
            self.problem = str(error)

    def join(self):
        self.has_ended.set()
        super().join()
        self.pictures.dropped = dropped(self.port)
        self.socket.close()

    def put(self, offset, data):
        assert offset + len(data) <= self.pictures.size + 1, f"light from {offset} on, beyond the wall"
        part = data[:self.pictures.size - offset]
        self.light[offset:offset + len(part)] = part
        self.there += len(part)

    def show(self):
        if self.there == self.pictures.size:
            self.pictures.add(self.light)
        self.there = 0


class DDPReader(Reader):
    """http://www.3waylabs.com/ddp/"""

    sequence = None

    def take(self, packet):
        flags, sequence, kind, target = packet[:4]
        offset, size = int.from_bytes(packet[4:8], "big"), int.from_bytes(packet[8:10], "big")
        assert flags & 0xfe == 0x40, f"flags {flags:x}"
        assert (kind, target) == (0x0b, 1), f"type {kind:x}, target {target}"
        assert 1 <= sequence <= 15 and size == len(packet) - 10 <= 1440, f"sequence {sequence}, size {size}"
        if self.sequence is not None and sequence != self.sequence % 15 + 1:
            self.there = 0
        self.sequence = sequence
        self.put(offset, packet[10:])
        if flags & 1:
            self.show()


class ArtNetReader(Reader):
    """Art-Net 4, ArtDmx and ArtSync."""

    def take(self, packet):
        assert packet[:8] == b"Art-Net\0" and packet[10:12] == b"\0\x0e", packet[:12]
        code = int.from_bytes(packet[8:10], "little")
        if code == 0x5200:
            assert len(packet) == 14, len(packet)
            return self.show()
        assert code == 0x5000, f"code {code:x}"
        universe, size = packet[14] | packet[15] << 8, int.from_bytes(packet[16:18], "big")
        assert packet[12] != 0 and size % 2 == 0 and size == len(packet) - 18 <= 512, f"size {size}"
        self.put((universe - self.first) * 510, packet[18:])


class OLAReader:
    """Art-Net, by olad and its recorder: four universes, its device's most, whose first is a multiple of 16."""

    port = 6454
    RPC = ("127.0.0.1", 9010)
    PICTURE = 4
    UNIVERSES = range(16, 16 + PICTURE)
    # Every value of the light that is sent before the pictures, and after them.
    BEFORE, AFTER = 0, 1
    # Plugins are on unless a file says otherwise.
    PLUGINS = ("dummy e131 espnet ftdidmx gpio karate kinet milinst opendmx openpixelcontrol osc pathport renard sandnet shownet spi "
               "stageprofi uartdmx usbdmx usbserial").split()

    def __init__(self, pictures, first, folder):
        self.pictures, self.first, self.folder, self.problem = pictures, first, pathlib.Path(folder, "ola"), None

    def start(self):
        if self.listens():
            raise Failure("another olad runs here: stop it (sudo systemctl stop olad)")
        self.folder.mkdir()
        for plugin in self.PLUGINS:
            pathlib.Path(self.folder, f"ola-{plugin}.conf").write_text("enabled = false\n")
        pathlib.Path(self.folder, "ola-artnet.conf").write_text(
            f"enabled = true\nip = 127.0.0.1\nuse_loopback = true\nnet = {self.first >> 8}\nsubnet = {self.first >> 4 & 15}\n")
        # It does not run as root.
        user = []
        if os.geteuid() == 0:
            user = ["setpriv", "--reuid=olad", "--regid=nogroup", "--clear-groups"]
            for path in self.folder.parent, self.folder, *self.folder.iterdir():
                path.chmod(0o777)
        with (self.folder / "log").open("wb") as log:
            self.daemon = subprocess.Popen(
                [*user, "olad", f"--config-dir={self.folder}", "--no-http", "--no-register-with-dns-sd", "--log-level=3"], stderr=log)
        # Where none listens, ola_patch starts an olad of its own, which keeps the port.
        self.wait_for("listens", self.listens)
        for port, universe in enumerate(self.UNIVERSES):
            self.wait_for(f"takes universe {universe}", lambda: self.patches(port, universe))
        self.recorder = subprocess.Popen(
            ["ola_recorder", "-r", self.folder / "show", "-u", ",".join(map(str, self.UNIVERSES))], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.wait_for("records light", lambda: self.records(self.BEFORE))

    def listens(self):
        with socket.socket() as client:
            return client.connect_ex(self.RPC) == 0

    def patches(self, port, universe):
        """Whether a port of the only device takes `universe`. The status of ola_patch is 0 also if there is no such port."""
        command = ["ola_patch", "-d", "1", "-p", str(port), "-i", "-u", str(universe)]
        patch = subprocess.run(command, capture_output=True)
        return patch.returncode == 0 and b"doesn't exist" not in patch.stderr

    def wait_for(self, what, is_done):
        try:
            wait(f"olad {what}", lambda: self.daemon.poll() is not None or is_done())
            ended = self.daemon.poll()
            if ended is not None:
                raise Failure(f"olad ended with {ended}")
        except Failure as failure:
            self.daemon.kill()
            self.daemon.wait()
            raise Failure(f"{failure}; its log:\n{(self.folder / 'log').read_text(errors='replace')}") from None

    def records(self, value):
        """Sends light of this value, and says whether it is in the recorder's file for every universe. The recorder writes blocks."""
        for universe in range(self.first, self.first + self.PICTURE):
            head = b"Art-Net\0\0\x50\0\x0e\0\0" + universe.to_bytes(2, "little") + (512).to_bytes(2, "big")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.sendto(head + bytes([value] * 512), ("127.0.0.1", self.port))
        show = self.folder / "show"
        lines = show.read_text().splitlines() if show.exists() else []
        start = ",".join([str(value)] * 100)
        return all(any(line.startswith(f"{universe} {start}") for line in lines) for universe in self.UNIVERSES)

    def join(self):
        # Light that comes after the last picture.
        self.wait_for("records the last light", lambda: self.records(self.AFTER))
        self.pictures.dropped = dropped(self.port)
        self.recorder.send_signal(signal.SIGINT)
        self.recorder.wait()
        self.daemon.terminate()
        if self.daemon.wait() != 0:
            self.problem = f"olad ended with {self.daemon.returncode}; its log:\n{(self.folder / 'log').read_text(errors='replace')}"
        light, places, seconds = b"", [], 0
        for line in (self.folder / "show").read_text().splitlines()[1:]:
            universe, _, values = line.partition(" ")
            if not values:
                seconds += int(universe) / 1000
                continue
            if int(universe) == self.UNIVERSES[0]:
                light, places = b"", []
            light += bytes(map(int, values.split(",")))[:510]
            places.append(int(universe))
            if places == list(self.UNIVERSES):
                if set(light) != {self.AFTER}:
                    self.pictures.whole.append(light[:self.pictures.size])
                    self.pictures.times.append(seconds)


class SACNReader:
    """By the package sacn. It reports the end of a stream, and also a silence of 2.5 s."""

    SILENCE_SECONDS = 2.5

    def __init__(self, pictures, first):
        import sacn

        self.pictures, self.problem, self.ended, self.heard = pictures, None, set(), {}
        self.port = free_port()
        self.receiver = sacn.sACNreceiver(bind_address="127.0.0.1", bind_port=self.port)
        self.first = first
        self.count = -(-pictures.size // 510)
        self.light, self.number, self.there = bytearray(pictures.size), None, 0
        for universe in range(self.first, self.first + self.count):
            self.receiver.register_listener("universe", self.take, universe=universe)
        self.receiver.register_listener("availability", self.hear)

    def hear(self, universe, changed):
        if changed == "timeout" and time.monotonic() - self.heard[universe] < self.SILENCE_SECONDS:
            self.ended.add(universe)

    def take(self, packet):
        self.heard[packet.universe] = time.monotonic()
        if packet.sourceName != "LightProbe" or packet.priority != 100:
            self.problem = f"from {packet.sourceName}, priority {packet.priority}"
        if packet.sequence != self.number:
            self.number, self.there = packet.sequence, 0
        offset = (packet.universe - self.first) * 510
        part = bytes(packet.dmxData)[:min(510, self.pictures.size - offset)]
        self.light[offset:offset + len(part)] = part
        self.there += 1
        if self.there == self.count:
            self.pictures.add(self.light)

    def start(self):
        self.receiver.start()

    def join(self):
        try:
            wait("the ends of the streams", lambda: len(self.ended) == self.count)
        except Failure as failure:
            self.problem = self.problem or f"{failure}: {len(self.ended)} of {self.count}"
        self.pictures.dropped = dropped(self.port)
        self.receiver.stop()
