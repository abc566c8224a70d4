#!/usr/bin/python3
"""Plays the simulated panel in a headless Chromium, by touch, and checks the LEDs.

    python3 Tests/System/Browser/panel_test.py [--screenshot FILE.png] COMMAND [ARGUMENT ...]

COMMAND serves the page and prints a line with its address, http://127.0.0.1:PORT/, for example

    .build/release/pixelboop run --panel web --audio none --listen 127.0.0.1:0 --library NEW-FILE

Needs chromium and Debian's python3-websocket. One line for each check; exit status 1 if one fails.
Touches go through the DevTools protocol, so that the browser treats them as a visitor's: events of a script
are handled differently.
"""

import argparse
import base64
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import websocket

START_SECONDS = 20
WAIT_SECONDS = 8
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")


class Failure(Exception):
    """A failed expectation, with the actual state."""


def begin_empty(program, library):
    """Adds an empty pattern to a new library: a box that was never used begins with its demos, and the checks with nothing."""
    if os.path.exists(library):
        return
    tracks = {track: [[0] * 32 for _ in range(12)] for track in ("melody", "chords", "bass", "rhythm")}
    document = {"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "name": "EMPTY", "tracks": tracks}
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        subprocess.run([program, "library", "import", file.name, "--library", library], check=True,
                       stdout=subprocess.DEVNULL)


class Served:
    """The command under test."""

    def __init__(self, command):
        if "--library" in command:
            begin_empty(command[0], command[command.index("--library") + 1])
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        self.output = b""

    def address(self):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                chunk = os.read(self.process.stdout.fileno(), 4096)
                self.output += chunk
                found = ADDRESS.search(self.output.decode(errors="replace"))
                if found and self.output[-1:] == b"\n":
                    return found.group()
                if not chunk:
                    break
        raise Failure(f"no address within {START_SECONDS} s, only: {self.output.decode(errors='replace').strip()}")

    def stop(self):
        stop(self.process)


class Tab:
    """A tab of a headless Chromium with further options, controlled by the DevTools protocol."""

    # Maximum time for the browser's answer to a command; a navigation ends with the server's answer.
    answer_seconds = WAIT_SECONDS

    def __init__(self, profile, *options):
        self.process = subprocess.Popen(
            [shutil.which("chromium") or "chromium-browser", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--mute-audio", "--autoplay-policy=no-user-gesture-required",
             "--no-first-run", "--window-size=1280,760", "--remote-debugging-port=0",
             f"--user-data-dir={profile}", *options, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.last_id = 0
        self.socket = None
        self.errors = []
        self.profile = profile

    def open(self, address):
        port_file = os.path.join(self.profile, "DevToolsActivePort")
        wait("the browser's port", lambda: os.path.exists(port_file) and self.read(port_file).count("\n") >= 1,
             START_SECONDS)
        port = int(self.read(port_file).split()[0])
        request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request, timeout=WAIT_SECONDS))
        self.socket = websocket.create_connection(
            target["webSocketDebuggerUrl"], timeout=self.answer_seconds, suppress_origin=True)
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=10)
        self.call("Page.navigate", url=address)

    @staticmethod
    def read(path):
        with open(path, encoding="ascii") as file:
            return file.read()

    def call(self, method, **parameters):
        self.last_id += 1
        self.socket.send(json.dumps({"id": self.last_id, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if message.get("id") != self.last_id:
                continue
            if "error" in message:
                raise Failure(f"{method}: {message['error']['message']}")
            return message["result"]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def led(self, column, row):
        return tuple(self.evaluate(f"pixelboop.led({column}, {row})"))

    def row(self, row):
        values = self.evaluate(
            "pixelboop.pixels().then((all) => "
            f"Array.from(all.slice({row} * pixelboop.columns * 3, ({row} + 1) * pixelboop.columns * 3)))")
        return [tuple(values[start:start + 3]) for start in range(0, len(values), 3)]

    def touch(self, kind, *leds):
        """kind touchStart or touchMove with every finger that is down, or touchEnd with those that stay."""
        points = []
        for finger, (column, row) in enumerate(leds):
            centre = self.evaluate(f"pixelboop.centre({column}, {row})")
            points.append({"x": centre["x"], "y": centre["y"], "id": finger})
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def key(self, key, code, number):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def stop(self):
        if self.socket:
            self.socket.close()
        stop(self.process)


def stop(process):
    """Ends a process and its children; each has its own session."""
    for number, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.wait(patience)
            return
        except subprocess.TimeoutExpired:
            continue


def wait(what, condition, seconds=WAIT_SECONDS):
    """Waits until `condition` returns a true value, and returns it."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def near(colour, wanted, tolerance=12):
    """Gamma and power limit on the wire change a colour a little."""
    return all(abs(a - b) <= tolerance for a, b in zip(colour, wanted))


def wait_led(tab, column, row, wanted, what):
    try:
        wait(what, lambda: near(tab.led(column, row), wanted))
    except Failure as failure:
        raise Failure(f"{failure}; LED ({column}, {row}) is {tab.led(column, row)}, not {wanted}") from None


def at_opacity(colour, opacity, background=0x0a):
    return tuple(round(background + (part - background) * opacity) for part in colour)


RED = (0xff, 0x00, 0x00)
PLAYING = (0xff, 0x44, 0x44)
STOPPED = (0x44, 0xff, 0x44)
NORMAL = 0xbb / 255


def shows_panel(tab):
    wait("the page's connection", lambda: tab.evaluate("window.pixelboop?.connected === true"))
    wait_led(tab, 2, 0, STOPPED, "Play is green")


def tap_makes_a_note(tab):
    tab.touch("touchStart", (4, 7))
    tab.touch("touchEnd")
    # Melody's lowest row is C.
    wait_led(tab, 4, 7, at_opacity(RED, NORMAL), "a tap on the melody's C is a red note")


def two_fingers_make_two_notes(tab):
    before = [tab.led(8, 13), tab.led(10, 17)]
    tab.touch("touchStart", (8, 13))
    tab.touch("touchStart", (8, 13), (10, 17))
    tab.touch("touchEnd")
    # Chords' and bass's lowest rows are C, too.
    for (column, row), dark in zip([(8, 13), (10, 17)], before):
        if near(dark, at_opacity(RED, NORMAL)):
            raise Failure(f"LED ({column}, {row}) was lit before")
        wait_led(tab, column, row, at_opacity(RED, NORMAL), "each of two fingers makes its note")


def a_drag_follows_the_finger(tab):
    tab.touch("touchStart", (22, 5))
    for column in range(23, 28):
        tab.touch("touchMove", (column, 5))
    tab.touch("touchEnd")
    wait("a drag makes a run of notes",
         lambda: sum(max(tab.led(column, row)) > 0x60 for row in range(2, 8) for column in range(22, 28)) >= 4)


def play_runs(tab):
    tab.touch("touchStart", (1, 0))
    tab.touch("touchEnd")
    wait_led(tab, 2, 0, PLAYING, "Play is red")

    def playhead():
        lit = [column for column, colour in enumerate(tab.row(1)) if column >= 4 and min(colour) >= 0x90]
        return lit[0] if lit else None

    places = set()

    def moved():
        places.add(playhead())
        return len(places - {None}) >= 3

    wait("the playhead moves in row 1", moved)


def space_stops(tab):
    tab.key(" ", "Space", 32)
    wait_led(tab, 2, 0, STOPPED, "Space stops")


def no_errors(tab):
    if tab.errors:
        raise Failure("the page threw: " + "; ".join(tab.errors))


CHECKS = [
    ("the page connects and shows the panel", shows_panel),
    ("a tap makes a note", tap_makes_a_note),
    ("two fingers at once make two notes", two_fingers_make_two_notes),
    ("a drag follows the finger", a_drag_follows_the_finger),
    ("Play runs the playhead", play_runs),
    ("the keyboard's Space stops", space_stops),
    ("the page threw no error", no_errors),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshot", metavar="FILE.png", help="save a picture of the page while playing")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("give the command that serves the page")

    failures = 0
    with tempfile.TemporaryDirectory(prefix="panel-test-", ignore_cleanup_errors=True) as profile:
        served = Served(arguments.command)
        tab = None
        try:
            address = served.address()
            print(f"ok    the command serves {address}", flush=True)
            tab = Tab(profile)
            tab.open(address)
            for name, check in CHECKS:
                try:
                    check(tab)
                    print(f"ok    {name}", flush=True)
                except Failure as failure:
                    failures += 1
                    print(f"FAIL  {name}: {failure}", flush=True)
                if check is play_runs and arguments.screenshot:
                    tab.screenshot(arguments.screenshot)
            served.stop()
            served = Served(arguments.command)
            tab.call("Page.navigate", url=served.address())
            shows_panel(tab)
            wait_led(tab, 4, 7, at_opacity(RED, NORMAL), "the tap's note is still there")
            print("ok    the music is kept after a restart", flush=True)
        except (Failure, OSError, websocket.WebSocketException) as error:
            failures += 1
            print(f"FAIL  {error}", flush=True)
        finally:
            if tab:
                tab.stop()
            served.stop()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
