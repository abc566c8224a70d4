"""A headless Chromium, controlled by the DevTools protocol, and the box's page in it.

Touches and keys go through the protocol, so that the browser treats them as a visitor's: events of a script are handled
differently.
"""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.request

import websocket

from harness import panel
from harness.results import Failure, Unanswered
from harness.waiting import LIMIT_SECONDS, wait

# Key, code and number of the keys that are not letters.
KEYS = {" ": ("Space", 32), "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Backspace": ("Backspace", 8),
        "Delete": ("Delete", 46), "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38),
        "ArrowRight": ("ArrowRight", 39), "ArrowDown": ("ArrowDown", 40), "?": ("Slash", 191), "Tab": ("Tab", 9)}
# How Chromium begins its answer to a question that another page of the tab has overtaken.
NAVIGATED = ("Inspected target navigated", "Cannot find context", "Cannot find default execution context")
# Colours of Play's light.
PLAYING = (0xff, 0x44, 0x44)
STOPPED = (0x44, 0xff, 0x44)


def end_group(process):
    """Ends a process that leads a group, and its children."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.wait(5)
            break
        except subprocess.TimeoutExpired:
            continue


class Tab:
    """A tab of a headless Chromium with further options, in a profile of its own. Leaving its context ends the browser."""

    # Deadline of the browser's answer to a command; a navigation ends with the server's answer.
    answer_seconds = LIMIT_SECONDS

    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [shutil.which("chromium") or "chromium-browser", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--mute-audio", "--autoplay-policy=no-user-gesture-required",
             "--no-first-run", "--window-size=1280,760", "--remote-debugging-port=0",
             f"--user-data-dir={self.folder.name}", *options, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.last_id = 0
        self.socket = None
        self.errors = []
        # Numbers of the requests that `hold` holds.
        self.held = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def open(self, address):
        port_file = os.path.join(self.folder.name, "DevToolsActivePort")
        wait("the browser's port", lambda: os.path.exists(port_file) and self.read(port_file).count("\n") >= 1)
        port = int(self.read(port_file).split()[0])
        request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request, timeout=LIMIT_SECONDS))
        self.socket = websocket.create_connection(
            target["webSocketDebuggerUrl"], timeout=self.answer_seconds, suppress_origin=True)
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=10)
        self.show(address)

    def show(self, address):
        self.call("Page.navigate", url=address)

    def hold(self, pattern):
        """Holds requests for addresses like `pattern` until `release`, also those that the page's service worker would answer."""
        self.call("Network.enable")
        self.call("Network.setBypassServiceWorker", bypass=True)
        self.call("Fetch.enable", patterns=[{"urlPattern": pattern}])

    def release(self):
        for request in self.held:
            self.call("Fetch.continueRequest", requestId=request)
        self.held.clear()
        self.call("Fetch.disable")

    @staticmethod
    def read(path):
        with open(path, encoding="ascii") as file:
            return file.read()

    def call(self, method, **parameters):
        return self.answer(method, self.send(method, **parameters))

    def send(self, method, **parameters):
        """Sends a command; returns its number, to which `answer` gives the result."""
        self.last_id += 1
        self.socket.send(json.dumps({"id": self.last_id, "method": method, "params": parameters}))
        return self.last_id

    def answer(self, method, number):
        while True:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketException as error:
                raise Failure(f"{method}: the browser does not answer: {error}") from None
            if message.get("method") == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if message.get("method") == "Fetch.requestPaused":
                self.held.append(message["params"]["requestId"])
            if message.get("id") != number:
                continue
            if "error" in message:
                problem = message["error"]["message"]
                raise (Unanswered if problem.startswith(NAVIGATED) else Failure)(f"{method}: {problem}")
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
        self.touches((kind, *leds))

    def touches(self, *events):
        """Events of `touch` that follow at once: none waits until the browser has answered the one before, which on a busy machine
        would make a hold of a tap."""
        method, points = "Input.dispatchTouchEvent", []
        for _, *leds in events:
            centres = [self.evaluate(f"pixelboop.centre({column}, {row})") for column, row in leds]
            points.append([{"x": centre["x"], "y": centre["y"], "id": finger} for finger, centre in enumerate(centres)])
        numbers = [self.send(method, type=kind, touchPoints=fingers) for (kind, *_), fingers in zip(events, points)]
        for number in numbers:
            self.answer(method, number)

    def tap(self, place):
        self.touches(("touchStart", place), ("touchEnd",))

    def choose_files(self, name, paths):
        """Chooses files in the page's file input `name`."""
        chooser = self.call("Runtime.evaluate", expression=f"document.getElementById('{name}')")["result"]["objectId"]
        self.call("DOM.setFileInputFiles", objectId=chooser, files=paths)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def stop(self):
        """Ends the browser, and its children."""
        if self.socket:
            self.socket.close()
        end_group(self.process)
        self.folder.cleanup()


class Board:
    """The page's keyboard, with the place of the cursor."""

    def __init__(self, tab):
        self.tab = tab
        self.place = None

    def send(self, kind, key, modifiers=0):
        code, number = KEYS[key] if key in KEYS else (f"Key{key.upper()}", ord(key.upper()))
        text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
        self.tab.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number,
                      modifiers=modifiers, **text)

    def press(self, key, modifiers=0):
        self.send("keyDown", key, modifiers)
        self.send("keyUp", key, modifiers)

    def type(self, text):
        for letter in text:
            self.press(letter)

    def show_cursor(self, place=panel.CURSOR):
        """Shows the cursor, where it was last."""
        self.press("ArrowRight")
        self.place = place

    def move(self, column, row):
        for here, there, back, forth in ((self.place[0], column, "ArrowLeft", "ArrowRight"),
                                         (self.place[1], row, "ArrowUp", "ArrowDown")):
            for _ in range(abs(there - here)):
                self.press(forth if there > here else back)
        self.place = (column, row)

    def tap(self, place):
        self.move(*place)
        self.press("Enter")


def near(colour, wanted, tolerance=12):
    """Gamma and power limit on the wire change a colour a little."""
    return all(abs(a - b) <= tolerance for a, b in zip(colour, wanted))


def wait_led(tab, column, row, wanted, what):
    try:
        wait(what, lambda: near(tab.led(column, row), wanted))
    except Failure as failure:
        raise Failure(f"{failure}; LED ({column}, {row}) is {tab.led(column, row)}, not {wanted}") from None


def shows_panel(tab):
    wait("the page's connection", lambda: tab.evaluate("window.pixelboop?.connected === true"))
    wait_led(tab, *panel.PLAY_LIGHT, STOPPED, "Play is green")


def no_errors(tab):
    if tab.errors:
        raise Failure("the page threw: " + "; ".join(tab.errors))
