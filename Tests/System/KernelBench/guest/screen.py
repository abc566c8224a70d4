"""The panel on a screen: graphics cards of QEMU (virtio-gpu), whose pictures it gives back, and a touchscreen by uinput. Real
time, so tearing and latency, cannot be seen here."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import zlib

import light
import spec
from scenarios import Part
from waiting import Failure, check, until

DRM = pathlib.Path("/sys/class/drm")
OUT = pathlib.Path("/out")
# The cards: QEMU's name, and the mode that the screen prefers. `run` makes them.
CARDS = {"small": (800, 480), "middle": (1280, 720), "large": (3840, 2160)}
# The mode that the box chooses on a screen of 4K.
REDUCED = (1920, 1080)
# Levels by which an LED's middle may differ from the frame: the light of the dimmest colours has few steps, and the middle of an
# LED has 254/256 of its colour.
TOLERANCE = 7


class Screen:
    """A screen: its connector, and the panel on it, turned clockwise."""

    def __init__(self, bench, card, mode=None, rotation=0):
        if not list(DRM.glob("card*-Virtual-*")):
            bench.modules.load("virtio-gpu")
        self.card, self.rotation = card, rotation
        self.width, self.height = mode or CARDS[card]
        self.folder = until(self._find, f"the kernel has the screen {card}")
        self.connector = self.folder.name.split("-", 1)[1]
        self._lay_out()

    def _lay_out(self):
        across, down = (light.ROWS, light.COLUMNS) if self.rotation % 180 else (light.COLUMNS, light.ROWS)
        self.pitch = min(self.width // across, self.height // down)
        self.left, self.top = (self.width - across * self.pitch) // 2, (self.height - down * self.pitch) // 2

    def _find(self):
        size = "x".join(map(str, CARDS[self.card]))
        found = [folder for folder in DRM.glob("card*-Virtual-*") if size in (folder / "modes").read_text().splitlines()[:1]]
        return found and found[0]

    def middle(self, column, row):
        """The middle of an LED, in pixels."""
        last_column, last_row = light.COLUMNS - 1, light.ROWS - 1
        x, y = {0: (column, row), 90: (last_row - row, column), 180: (last_column - column, last_row - row),
                270: (row, last_column - column)}[self.rotation]
        return self.left + (x + 0.5) * self.pitch, self.top + (y + 0.5) * self.pitch

    def tap(self, bench, column, row):
        """A tap on the glass above an LED. The overlay counts in parts of its own width and height."""
        x, y = self.middle(column, row)
        bench.overlay.tap(x / self.width * light.COLUMNS - 0.5, y / self.height * light.ROWS - 0.5)

    def resize(self, width, height):
        """The screen reports this size from now on, as the window of a virtual machine does."""
        self._ask(f"{self.card}.size", f"{width} {height}")
        self.width, self.height = width, height
        self._lay_out()

    @staticmethod
    def _ask(name, text=""):
        """Asks `run` by a file, and waits until it has removed it."""
        new = OUT / f"{name}.new"
        new.write_text(text)
        new.rename(OUT / name)
        until(lambda: not (OUT / name).exists(), f"QEMU answers to {name}")

    def scanned_out(self):
        """What QEMU shows: width, height and the pixels."""
        self._ask(f"{self.card}.wanted")
        return ppm(OUT / f"{self.card}.ppm")

    def leds(self):
        """The colour in the middle of each LED; None if the picture has another size."""
        width, height, pixels = self.scanned_out()
        if (width, height) != (self.width, self.height):
            return None
        at = [3 * (int(y) * width + int(x)) for row in range(light.ROWS) for column in range(light.COLUMNS)
              for x, y in [self.middle(column, row)]]
        return [tuple(pixels[place:place + 3]) for place in at]

    def differences(self, frame):
        """The LEDs whose colour is not that in `frame`, each with both; all LEDs, without a colour, if the picture has another
        size."""
        leds = self.leds() or [None] * light.LEDS
        return [(number % light.COLUMNS, number // light.COLUMNS, led, wanted)
                for number, (led, wanted) in enumerate(zip(leds, frame))
                if led is None or any(abs(one - other) > TOLERANCE for one, other in zip(led, wanted))]

    def wait_for(self, frame, what):
        """Waits until each LED has its colour in `frame`."""
        seen = []

        def is_shown():
            seen[:] = self.differences(frame)
            return not seen

        until(is_shown, what, detail=lambda: f"; {len(seen)} LEDs differ (column, row, seen, wanted): {seen[:4]}")

    def plug(self, word):
        """Plugs the screen in, `on`, or out, `off`."""
        (self.folder / "status").write_text(word)


def ppm(path):
    """Width, height and pixels of a picture by QEMU: three bytes each, behind a head of four words."""
    data = path.read_bytes()
    kind, width, height, most = data[:40].split(maxsplit=4)[:4]
    check((kind, most) == (b"P6", b"255"), f"{path} is no picture of 8 bits")
    return int(width), int(height), data[-3 * int(width) * int(height):]


def png(path):
    """The pixels of a PNG of 8 bits a channel, without interlacing (ISO/IEC 15948): three bytes each."""
    data, place, packed = path.read_bytes(), 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
            check(depth == 8 and colours in (2, 6), f"{path} has {depth} bits of colour type {colours}")
        packed += body if kind == b"IDAT" else b""
        place += 12 + size
    step = 3 if colours == 2 else 4
    lines, above = zlib.decompress(packed), bytes(width * step)
    pixels = []
    for row in range(height):
        filter_, line = lines[row * (width * step + 1)], bytearray(lines[row * (width * step + 1) + 1:(row + 1) * (width * step + 1)])
        for index in range(len(line)):
            left = line[index - step] if index >= step else 0
            corner = above[index - step] if index >= step else 0
            estimate = left + above[index] - corner
            paeth = min((left, above[index], corner), key=lambda value: abs(estimate - value))
            line[index] = line[index] + (0, left, above[index], (left + above[index]) // 2, paeth)[filter_] & 255
        above = bytes(line)
        pixels += [tuple(line[at:at + 3]) for at in range(0, len(line), step)]
    return pixels


def replayed(bench, taps):
    """The frame that `replay` ends with after taps on these LEDs."""
    script, frame = bench.folder / "script.jsonl", bench.folder / "frame.png"
    script.write_text("".join(
        json.dumps({"at": 1000 * number + 60 * index, "touch": 0, "phase": phase, "col": column, "row": row}) + "\n"
        for number, (column, row) in enumerate(taps) for index, phase in enumerate(("down", "up"))))
    done = subprocess.run(
        [bench.settings["binary"], "replay", str(script), "--library", str(bench.library("replayed")), "--until",
         str(1000 * len(taps) + 5000), "--config", bench.configure(), "--frame", str(frame)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"replay: {done.stderr}")
    return png(frame)


def configure(bench, screen, more=""):
    """The bench's configuration with this screen, and `more` of its settings."""
    path = pathlib.Path(bench.configure())
    path.write_text(path.read_text().replace(
        "panel: {", f'panel: {{ screen: {{ connector: "{screen.connector}", rotation: {screen.rotation}{more} }},', 1))
    return str(path)


def start(bench, screen, options=("--panel", "screen"), more=""):
    """Starts a box, and waits until it shows on `screen`."""
    begun = bench.begin(bench.library(), configure(bench, screen, more), options)
    bench.wait_started(begun)
    begun.wait_line(shows(screen))
    return begun


def shows(screen):
    return rf"^pixelboop: screen: {screen.connector}, {screen.width} × {screen.height} at \d+ Hz, LEDs of {screen.pitch} pixels"


def taps(bench, screen):
    """Taps on the glass light their LEDs, as in `replay`; returns the pattern."""
    screen.wait_for(replayed(bench, []), "the screen shows the frame of replay")
    pattern, places = {}, []
    for track, step, note in ((spec.MELODY, 9, 4), (spec.BASS, 31, 5), (spec.RHYTHM, 0, spec.DRUMS[0])):
        place = spec.column(step), spec.row(track, note)
        screen.tap(bench, *place)
        places.append(place)
        pattern = spec.tapped(pattern, track, step, note)
        bench.wait_kept([pattern], f"a tap above {place} makes its note")
    screen.wait_for(replayed(bench, places), "the screen shows the notes as replay does")
    return pattern


def play_on(card, mode=None, rotation=0):
    def scenario(bench):
        screen = Screen(bench, card, mode, rotation)
        start(bench, screen)
        taps(bench, screen)
        # To be looked at.
        shutil.copy(OUT / f"{card}.ppm", OUT / f"{bench.name}.ppm")
        bench.stop()
        frame = replayed(bench, [])
        lit = sum(max(colour) > TOLERANCE for colour in frame)
        until(lambda: len(screen.differences(frame)) > lit // 2, "the screen shows the console that was there before")
    return scenario


def hear_tap(bench, screen, pattern):
    """A tap is heard; returns the pattern after it."""
    begin = bench.recorder.wait_silence(0.5, "silence before the note")
    screen.tap(bench, spec.column(20), spec.row(spec.MELODY, 4))
    bench.recorder.wait_sound(begin, "a tap sounds")
    return spec.tapped(pattern, spec.MELODY, 20, 4)


def unplugged(bench):
    """A screen is unplugged: told in one line, the music goes on; and it shows again."""
    screen = Screen(bench, "small")
    begun = start(bench, screen)
    pattern = taps(bench, screen)
    screen.plug("off")
    try:
        begun.wait_line(rf"^pixelboop: screen: no screen is connected to {screen.connector}: connect one")
        pattern = hear_tap(bench, screen, pattern)
        check(begun.count("^pixelboop: screen:") == 2, f"it says more than one line: {begun.text()}")
    finally:
        screen.plug("detect")
    begun.wait_line(shows(screen), times=2)
    bench.wait_kept([pattern], "the library has the note of that time")
    until(lambda: screen.leds() is not None, "the screen has its mode")
    bench.stop()


def other_master(bench):
    """Another program shows on the screen: told in one line, and taken over when it ends; never taken by itself."""
    screen = Screen(bench, "small")
    card = open_master(screen)
    begun = bench.begin(bench.library(), configure(bench, screen), ("--panel", "screen"))
    bench.wait_started(begun)
    begun.wait_line(rf"^pixelboop: screen: {screen.connector} is used by another program")
    os.close(card)
    begun.wait_line(shows(screen))
    hear_tap(bench, screen, {})
    check(begun.count("^pixelboop: screen:") == 2, f"it says more than two lines: {begun.text()}")
    bench.stop()


def open_master(screen):
    """A descriptor of the screen's card, and the right to show on it: the first to open it is its master."""
    return os.open(f"/dev/dri/{screen.folder.name.split('-')[0]}", os.O_RDWR | os.O_CLOEXEC)


def by_itself(bench):
    """Without LEDs a box that may shows on the screen, and serves the page while another program does."""
    screen = Screen(bench, "small")
    bench.unplug_panel()
    config = configure(bench, screen, ", automatic: true")
    card = open_master(screen)
    begun = bench.begin(bench.library(), config)
    begun.wait_line("^pixelboop: the panel is at http://127.0.0.1")
    begun.wait_ready()
    bench.stop()
    os.close(card)
    begun = bench.begin(bench.library(), config)
    bench.wait_started(begun)
    begun.wait_line(shows(screen))
    check("the panel is at" not in begun.text(), "it serves a page too")
    screen.wait_for(replayed(bench, []), "the screen shows the frame of replay")
    bench.stop()
    # LEDs come first.
    bench.plug_panel()
    begun = bench.begin(bench.library(), config)
    bench.wait_started(begun)
    begun.wait_line(r"^pixelboop: the panel is SK9822 on /dev/spidev0\.0")
    check("screen:" not in begun.text(), "it shows on the screen too")
    bench.stop()


def idle(bench):
    """A screen on which nothing changes for a minute is switched off, and on by a touch."""
    screen = Screen(bench, "small")
    start(bench, screen, more=", blankMinutes: 1")
    power = screen.folder / "dpms"
    check(power.read_text() == "On\n", f"the screen is {power.read_text()}")
    until(lambda: power.read_text() == "Off\n", "the screen goes off", seconds=300)
    place = spec.column(9), spec.row(spec.MELODY, 4)
    screen.tap(bench, *place)
    until(lambda: power.read_text() == "On\n", "a touch switches the screen on")
    screen.wait_for(replayed(bench, [place]), "the screen shows the note as replay does")
    bench.stop()


def other_mode(bench):
    """A screen that reports another size is shown on in that, and touches follow it."""
    screen = Screen(bench, "middle")
    begun = start(bench, screen)
    screen.wait_for(replayed(bench, []), "the screen shows the frame of replay")
    screen.resize(1024, 600)
    begun.wait_line(shows(screen))
    place = spec.column(9), spec.row(spec.MELODY, 4)
    screen.tap(bench, *place)
    screen.wait_for(replayed(bench, [place]), "the screen shows the note as replay does")
    bench.stop()


TABLE = {
    "screen": Part("the panel on a screen of 800 × 480: touches, and the frame of replay", play_on("small"), True, "screen"),
    "screen-turned": Part("a quarter turned", play_on("small", rotation=90), True, "screen"),
    "screen-half": Part("upside down, on 720p", play_on("middle", rotation=180), True, "screen"),
    "screen-4k": Part("on 4K, in a smaller mode", play_on("large", REDUCED), True, "screen"),
    "screen-unplugged": Part("the screen is unplugged, and plugged in again", unplugged, True, "screen"),
    "screen-taken": Part("another program shows on the screen first", other_master, True, "screen"),
    "screen-by-itself": Part("no LEDs: the screen by itself, but not that of another program", by_itself, True, "screen"),
    "screen-idle": Part("an idle screen goes off, and on by a touch", idle, True, "screen"),
    "screen-resized": Part("a screen that reports another size", other_mode, True, "screen"),
}
# Those of every submission; the others play with everything, and by `make kernel-bench PARTS=screens`.
SHORT = ("screen", "screen-turned", "screen-taken")
