"""Browsers of other engines than Chromium's, a tab each: Firefox by WebDriver BiDi, WebKit by WebDriver.

Clicks and keys go through the protocol, so that the browser treats them as a visitor's. Firefox needs Debian's firefox-esr and
pulseaudio: without a device for its sound it starts none. WebKit needs webkit2gtk-driver and xvfb.
"""

import json
import os
import re
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

import websocket

from harness.browser import end_group
from harness.results import Failure
from harness.waiting import LIMIT_SECONDS, wait

MINI_BROWSERS = [f"/usr/lib/{os.uname().machine}-linux-gnu/webkit2gtk-{version}/MiniBrowser" for version in ("4.1", "4.0")]

# Suspends the sound of the box, if it plays, and waits until nothing is rendered any more.
END_SOUND = """
(async () => {
    if (typeof audio !== "object" || audio?.state !== "running") return;
    await audio.suspend();
    for (let last = null; last !== audio.currentTime;) {
        last = audio.currentTime;
        await new Promise((done) => setTimeout(done, 100));
    }
})()"""


class OtherBrowser:
    """What both have. Leaving its context ends the browser."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        self.processes = []
        self.errors = []
        # Of root, and of a visitor without a session of the desktop.
        self.environment = {**os.environ, "HOME": self.folder.name, "XDG_RUNTIME_DIR": self.folder.name}

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self, *command):
        """Starts a program; its errors go to a file, whose path this returns."""
        path = os.path.join(self.folder.name, f"{os.path.basename(command[0])}.log")
        with open(path, "wb") as log:
            self.processes.append(subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))
        return path

    def find(self, path, pattern):
        """The first match of `pattern` in a log, once it is there."""
        def match():
            with open(path, encoding="utf-8", errors="replace") as log:
                return re.search(pattern, log.read())
        return wait(f"{pattern} in {os.path.basename(path)}", match)

    def evaluate(self, expression):
        """The value of an expression of JavaScript; of a promise, what it gives."""
        return json.loads(self.run(f"Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))"))

    def led(self, column, row):
        return tuple(self.evaluate(f"pixelboop.led({column}, {row})"))

    def click(self, x, y):
        self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}]})

    def tap(self, place):
        centre = self.evaluate(f"pixelboop.centre({place[0]}, {place[1]})")
        self.click(centre["x"], centre["y"])

    def press(self, key):
        self.act({"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]})

    def stop(self):
        for process in reversed(self.processes):
            end_group(process)
        self.folder.cleanup()


class Firefox(OtherBrowser):
    """Firefox without a window, by https://w3c.github.io/webdriver-bidi/."""

    name = "Firefox"

    def begin(self):
        sound = os.path.join(self.folder.name, "sound.socket")
        self.start("pulseaudio", "-n", "--exit-idle-time=-1", "--use-pid-file=no", "--load=module-null-sink",
                   f"--load=module-native-protocol-unix auth-anonymous=1 socket={sound}")
        wait("the sound server", lambda: os.path.exists(sound))
        self.environment["PULSE_SERVER"] = f"unix:{sound}"
        profile = os.path.join(self.folder.name, "profile")
        os.mkdir(profile)
        log = self.start("firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0", "about:blank")
        address = self.find(log, r"WebDriver BiDi listening on (ws://\S+)")[1]
        self.last_id = 0
        self.socket = websocket.create_connection(f"{address}/session", timeout=LIMIT_SECONDS, suppress_origin=True)
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **parameters):
        self.last_id += 1
        self.socket.send(json.dumps({"id": self.last_id, "method": method, "params": parameters}))
        while True:
            try:
                message = json.loads(self.socket.recv())
            except websocket.WebSocketException as error:
                raise Failure(f"{method}: the browser does not answer: {error}") from None
            if message.get("method") == "log.entryAdded" and message["params"]["type"] == "javascript" \
                    and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") != self.last_id:
                continue
            if message["type"] == "error":
                raise Failure(f"{method}: {message['message']}")
            return message["result"]

    def show(self, address):
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, expression):
        result = self.call("script.evaluate", expression=expression, target={"context": self.context}, awaitPromise=True)
        if result["type"] == "exception":
            raise Failure(f"{expression}: {result['exceptionDetails']['text']}")
        return result["result"]["value"]

    def act(self, source):
        self.call("input.performActions", context=self.context, actions=[source])


class WebKit(OtherBrowser):
    """WebKitGTK's browser on a virtual screen, by https://www.w3.org/TR/webdriver2/."""

    name = "WebKit"

    def begin(self):
        ready, number = os.pipe()
        self.processes.append(subprocess.Popen(
            ["Xvfb", "-displayfd", str(number), "-screen", "0", "1280x800x24", "-nolisten", "tcp"], pass_fds=[number],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))
        os.close(number)
        # The screen that Xvfb has found free.
        with os.fdopen(ready, encoding="ascii") as numbers:
            self.environment["DISPLAY"] = f":{numbers.readline().strip()}"
        browser = next((path for path in MINI_BROWSERS if os.path.exists(path)), None)
        if not browser:
            raise Failure("there is no MiniBrowser of WebKitGTK")
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
        self.start("WebKitWebDriver", f"--port={port}")
        self.address = f"http://127.0.0.1:{port}"
        wait("the driver", self.is_ready)
        options = {"binary": browser, "args": ["--automation"]}
        session = self.call("POST", "/session", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        self.address += f"/session/{session['sessionId']}"

    def is_ready(self):
        try:
            with urllib.request.urlopen(f"{self.address}/status", timeout=LIMIT_SECONDS) as answer:
                return json.load(answer)["value"]["ready"]
        except OSError:
            return False

    def call(self, method, path, **parameters):
        request = urllib.request.Request(self.address + path, json.dumps(parameters).encode(), {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(f"{path}: {json.load(error)['value']['message']}") from None

    def show(self, address):
        # A page that sounds must not be left: WebKitGTK 2.50 then crashes in one of ten, as a render that waits for the worklet's
        # thread outlives the output (https://github.com/WebKit/WebKit/pull/55375).
        self.evaluate(END_SOUND)
        self.call("POST", "/url", url=address)

    def run(self, expression):
        script = (f"const done = arguments[arguments.length - 1];"
                  f"({expression}).then((text) => done([text]), (error) => done([null, String(error)]));")
        text, *problem = self.call("POST", "/execute/async", script=script, args=[])
        if problem:
            raise Failure(f"{expression}: {problem[0]}")
        return text

    def act(self, source):
        self.call("POST", "/actions", actions=[source])
