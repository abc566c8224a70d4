"""MIDI ports of the kernel: virtual ones (snd-virmidi), and a USB device of the bench's own (usb_f_midi on dummy_hcd), which comes
back to this machine through snd-usb-audio."""

import collections
import ctypes
import fcntl
import os
import pathlib
import random
import re
import select
import shutil
import struct
import subprocess
import threading

from waiting import check, nanoseconds, until

# Requests and modes of include/uapi/sound/asound.h.
USER_VERSION = 0x40045702
INPUT, FRAMED, MONOTONIC = 1, 1, 2 << 3
FRAME = struct.Struct("<BB2xIQ16s")
CONFIGFS = pathlib.Path("/sys/kernel/config")
GADGET = CONFIGFS / "usb_gadget" / "bench"
PRODUCT = "Bench piano"
DEPLOY = pathlib.Path(__file__).resolve().parents[4] / "deploy"
SHARE = pathlib.Path("/usr/share/pixelboop")

# A message, and the time in nanoseconds at which its last byte arrived.
Message = collections.namedtuple("Message", "time bytes")
LENGTHS = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2}


class Port:
    """A raw MIDI device: writes bytes, and records the messages that arrive with the kernel's times until closed."""

    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(self.file, USER_VERSION, struct.pack("<i", 0x020002))
        self._set_up()
        self.messages = []
        self.status, self.data = 0, []
        self.is_ending = False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _set_up(self):
        size = struct.calcsize("@iNNII16s")
        request = 3 << 30 | size << 16 | ord("W") << 8 | 0x10
        parameters = struct.pack("@iNNII16s", INPUT, 65536, 32, 0, FRAMED | MONOTONIC, b"")
        fcntl.ioctl(self.file, request, parameters)

    def _read(self):
        while not self.is_ending:
            if not select.select([self.file], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self.file, 64 * FRAME.size)
            except BlockingIOError:
                continue
            except OSError:
                return
            for at in range(0, len(data) - FRAME.size + 1, FRAME.size):
                _, length, fraction, seconds, content = FRAME.unpack_from(data, at)
                for byte in content[:length]:
                    self._take(byte, seconds * 10**9 + fraction)

    def _take(self, byte, now):
        if byte >= 0xF8:
            self.messages.append(Message(now, (byte,)))
        elif byte >= 0x80:
            self.status, self.data = byte, []
        elif self.status:
            self.data.append(byte)
            if len(self.data) == (2 if self.status == 0xF2 else LENGTHS.get(self.status & 0xF0, 1 << 30)):
                self.messages.append(Message(now, (self.status, *self.data)))
                self.data = []

    def write(self, *content):
        """Writes all bytes, however slowly the port takes them; returns the time before."""
        content, now = bytes(content), nanoseconds()
        while content:
            select.select([], [self.file], [], 1)
            try:
                content = content[os.write(self.file, content):]
            except BlockingIOError:
                pass
        return now

    def close(self):
        self.is_ending = True
        self.thread.join()
        os.close(self.file)

    def clear(self):
        self.messages = []

    def notes(self):
        """The note-ons so far."""
        return [message for message in list(self.messages) if message.bytes[0] & 0xF0 == 0x90 and message.bytes[2]]

    def ticks(self):
        return [message for message in list(self.messages) if message.bytes == (0xF8,)]

    def wait(self, content, what):
        """Waits for a message of these bytes."""
        until(lambda: any(message.bytes == content for message in list(self.messages)), what,
              detail=lambda: f"; the port got {[message.bytes for message in self.messages if message.bytes != (0xf8,)][-20:]}")


class Clock:
    """A program that is a clock: a client of the sequencer, of this name. The kernel sends its ticks, as the bench's own threads
    would be late by whole ticks."""

    DUPLEX, READ, SUBSCRIBE, SOFTWARE = 3, 1 << 0, 1 << 5, 1 << 20 | 1 << 1
    START, STOP, TICK = 30, 32, 36
    # A time in seconds and nanoseconds; to all connected ports.
    REAL, DIRECT, SUBSCRIBERS, UNKNOWN = 1, 253, 254, 253
    # Ticks that fit in the kernel's pool: 29 s at 126 BPM.
    TICKS = 1500

    def __init__(self, name):
        self.alsa = ctypes.CDLL("libasound.so.2")
        self.client = ctypes.c_void_p()
        check(self.alsa.snd_seq_open(ctypes.byref(self.client), b"default", self.DUPLEX, 0) == 0, "the sequencer opens")
        self.alsa.snd_seq_set_client_name(self.client, name.encode())
        self.alsa.snd_seq_set_client_pool_output(self.client, 2000)
        self.port = self.alsa.snd_seq_create_simple_port(
            self.client, name.encode(), self.READ | self.SUBSCRIBE, self.SOFTWARE)
        self.queue = self.alsa.snd_seq_alloc_queue(self.client)

    def _send(self, kind, seconds=None):
        time = divmod(round((seconds or 0) * 1e9), 10**9)
        queue = self.DIRECT if seconds is None else self.queue
        event = struct.pack("<BBBBIIBBBB12x", kind, self.REAL, 0, queue, *time, 0, self.port, self.SUBSCRIBERS, self.UNKNOWN)
        failure = self.alsa.snd_seq_event_output_direct(self.client, event)
        check(failure >= 0, f"the sequencer takes no event: error {failure}")

    def start(self, tempo, jitter=0.0, seed=1):
        """Begins a song; each tick is late by up to `jitter` seconds at random. Returns the times of the ticks without that, in
        nanoseconds."""
        chance, period = random.Random(seed), 60 / tempo / 24
        begin = nanoseconds()
        self.alsa.snd_seq_control_queue(self.client, self.queue, self.START, 0, None)
        self.alsa.snd_seq_drain_output(self.client)
        due = [0.3 + index * period for index in range(self.TICKS)]
        self._send(self.START, 0.29)
        for seconds in due:
            self._send(self.TICK, seconds + chance.uniform(0, jitter))
        return [begin + seconds * 1e9 for seconds in due]

    def stop(self):
        self.alsa.snd_seq_drop_output(self.client)
        self._send(self.STOP)

    def close(self):
        self.alsa.snd_seq_close(self.client)


def load_sequencer(modules):
    """What udev and the kernel load by themselves on a machine with its own modules."""
    for name in ("snd-hrtimer", "snd-seq", "snd-seq-midi"):
        modules.load(name)


def load_virtual(modules):
    """Virtual ports: the files and the names of four of them."""
    load_sequencer(modules)
    modules.load("snd-virmidi")
    card = int(until(lambda: _card(lambda path: path.joinpath("id").read_text().strip() == "VirMIDI"), "VirMIDI exists"))
    return [(f"/dev/snd/midiC{card}D{device}", f"VirMIDI {card}-{device}") for device in range(4)]


def _card(is_it):
    for path in pathlib.Path("/proc/asound").glob("card[0-9]*"):
        try:
            if is_it(path):
                return path.name[4:]
        except OSError:
            continue
    return None


class Piano:
    """The USB device. Its own side is a raw MIDI device; the box sees the other, called Bench piano."""

    def __init__(self, modules):
        load_sequencer(modules)
        for name in ("dummy_hcd", "libcomposite", "usb_f_midi", "snd-usb-audio"):
            modules.load(name)
        if not GADGET.parent.exists():
            subprocess.run(["mount", "-t", "configfs", "none", str(CONFIGFS)], check=True)
        self.port = None
        function, config = GADGET / "functions" / "midi.bench", GADGET / "configs" / "c.1"
        if not GADGET.exists():
            for folder in (GADGET, GADGET / "strings" / "0x409", config, function):
                folder.mkdir()
            for name, value in (("idVendor", "0x1209"), ("idProduct", "0x0001"), ("strings/0x409/product", PRODUCT),
                                ("strings/0x409/manufacturer", "Bench"), ("strings/0x409/serialnumber", "1")):
                (GADGET / name).write_text(value)
            (config / function.name).symlink_to(function)
        self.plug()

    def plug(self):
        udc = until(lambda: next(iter(os.listdir("/sys/class/udc")), None), "dummy_hcd has a device side")
        (GADGET / "UDC").write_text(udc)
        card = until(lambda: _card(lambda path: re.search("midi", path.joinpath("id").read_text())
                                   and "VirMIDI" not in path.joinpath("id").read_text()), "the piano's own side exists")
        # It drops what arrives before it is open.
        self.port = Port(f"/dev/snd/midiC{card}D0")
        until(lambda: _card(lambda path: path.joinpath("usbid").exists()), "snd-usb-audio finds the piano")

    def unplug(self):
        self.port.is_ending = True
        self.port.thread.join()
        (GADGET / "UDC").write_text("\n")
        os.close(self.port.file)
        self.port = None


class BoxAsDevice:
    """The box as a USB device of a computer, made by the script of its package. The computer is this machine."""

    def __init__(self, modules):
        load_sequencer(modules)
        for name in ("dummy_hcd", "libcomposite", "usb_f_midi", "usb_f_uac2", "snd-usb-audio"):
            modules.load(name)
        SHARE.mkdir(parents=True, exist_ok=True)
        shutil.copy(DEPLOY / "update" / "service.sh", SHARE)

    def run(self, word):
        """Runs the script; returns what it says."""
        done = subprocess.run([DEPLOY / "usb" / "pixelboop-usb", word], capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"pixelboop-usb {word} says: {done.stderr}")
        return done.stderr

    def card(self):
        """The computer's sound card for it; None if there is none."""
        return _card(lambda path: path.joinpath("usbid").read_text().strip() == "1209:0001")
