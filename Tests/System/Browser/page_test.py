#!/usr/bin/python3
"""Checks what surrounds the simulated panel, in a headless Chromium: keyboard, help, loss of the box, sizes, several pages.

    python3 Tests/System/Browser/page_test.py [--screenshots FOLDER] [--remake] COMMAND [ARGUMENT ...]

COMMAND serves the page as for panel_test.py. --remake replaces the pictures kept beside this file. Needs chromium and Debian's python3-websocket. One line for each check; exit
status 1 if one fails.
"""

import argparse
import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import wave

import websocket

from panel_test import PLAYING, STOPPED, Failure, Served, Tab, near, no_errors, shows_panel, wait, wait_led

# Key, code and number of the keys used here.
KEYS = {" ": ("Space", 32), "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Backspace": ("Backspace", 8),
        "Delete": ("Delete", 46), "ArrowLeft": ("ArrowLeft", 37), "ArrowUp": ("ArrowUp", 38),
        "ArrowRight": ("ArrowRight", 39), "ArrowDown": ("ArrowDown", 40), "?": ("Slash", 191), "Tab": ("Tab", 9)}
HOLD_SECONDS = 0.4
PICTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Pictures")
# Maximum time from the arrival of a frame to the canvas.
FRAME_MILLISECONDS = 20
# A phone, a tablet and a desk, in CSS pixels, and the smallest LED that each may have.
SIZES = [("phone-portrait", 390, 844, 3, True, 8), ("phone-landscape", 844, 390, 3, True, 13),
         ("tablet", 1024, 768, 2, True, 20), ("desktop", 1440, 900, 1, False, 28)]


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

    def show_cursor(self):
        self.press("ArrowRight")
        # Where the cursor first stands.
        self.place = (4, 7)

    def move(self, column, row):
        for here, there, back, forth in ((self.place[0], column, "ArrowLeft", "ArrowRight"),
                                         (self.place[1], row, "ArrowUp", "ArrowDown")):
            for _ in range(abs(there - here)):
                self.press(forth if there > here else back)
        self.place = (column, row)

    def tap(self, column, row):
        self.move(column, row)
        self.press("Enter")


def text(tab, name):
    return tab.evaluate(f"document.getElementById('{name}').textContent.trim().replace(/\\s+/g, ' ')")


def is_lit(tab, column, row):
    return max(tab.led(column, row)) > 0x60


def wait_lit(tab, column, row, what):
    wait(what, lambda: is_lit(tab, column, row))


def plays_a_loop_by_keys(tab):
    shows_panel(tab)
    board = Board(tab)
    board.press(" ")
    wait_led(tab, 2, 0, PLAYING, "Space plays without a cursor")
    board.press(" ")
    wait_led(tab, 2, 0, STOPPED, "Space stops without a cursor")
    board.show_cursor()
    wait("the cursor's ring", lambda: min(tab.led(3, 6)) > 0x40 and min(tab.led(5, 8)) > 0x40)
    for step in range(4):
        board.move(4 + 8 * step + step, 21)
        wait("the place under the cursor", lambda step=step: text(tab, "place") == f"KICK STEP {8 * step + 1}")
        board.press("Enter")
        wait("the step is on", lambda step=step: text(tab, "place") == f"KICK STEP {8 * step + 1} ON")
    # A drag: Shift and arrows while Enter is down.
    board.move(4, 7)
    board.send("keyDown", "Enter")
    for _ in range(5):
        board.press("ArrowRight", modifiers=8)
    board.send("keyUp", "Enter")
    board.place = (9, 7)
    board.press("Escape")
    for step in range(4):
        wait_lit(tab, 4 + 8 * step + step, 21, f"the kick at step {8 * step}")
    wait("a run of notes", lambda: sum(is_lit(tab, column, row) for row in range(2, 8) for column in range(4, 10)) >= 4)
    board.press(" ")
    wait_led(tab, 2, 0, PLAYING, "Space plays the loop")
    wait("the words tell PLAY", lambda: text(tab, "words") == "PLAY")
    board.press(" ")
    wait_led(tab, 2, 0, STOPPED, "Space stops")
    for key, modifiers, lit in (("z", 2, False), ("y", 2, True), ("z", 2, False), ("z", 10, True)):
        board.press(key, modifiers)
        wait("Ctrl-Z and Ctrl-Y move the run", lambda lit=lit: is_lit(tab, 5, 7) == lit or any(
            is_lit(tab, 5, row) for row in range(2, 8)) == lit)


def clears_when_held(tab):
    board = Board(tab)
    board.press("Delete")
    board.press("Backspace")
    board.send("keyDown", "Delete")
    wait("the light of Clear fills", lambda: near(tab.led(40, 0), (0xff, 0x28, 0x28), 30))
    board.send("keyUp", "Delete")
    if not is_lit(tab, 4, 21):
        raise Failure("a short press of Delete cleared")
    board.send("keyDown", "Backspace")
    wait("a held Backspace clears", lambda: text(tab, "words") == "CLEAR!" and not is_lit(tab, 13, 21))
    board.send("keyUp", "Backspace")
    board.press("z", 2)
    wait_lit(tab, 13, 21, "undo brings the kick back")


def types_a_name(tab):
    """Menu, sound, its name, +: then the letters of a sound's name."""
    board = Board(tab)
    board.show_cursor()
    board.place = (9, 7)
    board.press("ArrowRight")
    board.place = (10, 7)
    board.tap(1, 1)
    board.tap(2, 7)
    wait("the sound sheet", lambda: text(tab, "words") == "SOUND")
    board.tap(20, 2)
    wait("the list of sounds", lambda: text(tab, "words") == "PRESETS")
    board.tap(41, 8)
    wait("the letters", lambda: tab.evaluate("pixelboop.words.isNaming"))
    for _ in range(10):
        board.press("Backspace")
    board.type("qa7?b")
    board.press("Backspace")
    board.press(" ")
    board.type("z")
    wait("the typed name", lambda: tab.evaluate("pixelboop.words.title") == "NAME QA7? Z")
    if tab.evaluate("document.getElementById('help').open"):
        raise Failure("the question mark of a name opened the help")
    board.press("Enter")
    wait("Enter confirms", lambda: not tab.evaluate("pixelboop.words.isNaming"))
    for _ in range(4):
        board.press("Escape")
    wait("Escape leads back to the grid", lambda: tab.evaluate("pixelboop.words.title") == "")
    wait_lit(tab, 13, 21, "Backspace in a name clears nothing")


def opens_help(tab, folder):
    board = Board(tab)
    focus = "document.activeElement.id"
    tab.evaluate("document.getElementById('panel').focus()")
    board.press("?")
    wait("? opens the help", lambda: tab.evaluate("document.getElementById('help').open"))
    if not tab.evaluate("document.getElementById('help').contains(document.activeElement)"):
        raise Failure(f"the focus is on {tab.evaluate(focus)}, outside the help")
    if folder:
        tab.screenshot(os.path.join(folder, "help.png"))
    for words in ("RUN", "Clear, columns 40 to 43", "Ctrl-Shift-Z", "GPL-3.0-or-later"):
        if words not in text(tab, "help-text"):
            raise Failure(f"the help lacks {words}")
    board.press(" ")
    board.press("Escape")
    wait("Escape closes the help", lambda: not tab.evaluate("document.getElementById('help').open"))
    if tab.evaluate(focus) != "panel":
        raise Failure(f"the focus went to {tab.evaluate(focus)}, not back to the panel")
    shows_films(tab, board, folder)
    tab.evaluate("document.getElementById('help-button').click()")
    wait("the button opens the help", lambda: tab.evaluate("document.getElementById('help').open"))
    board.press("?")
    wait("? closes the help", lambda: not tab.evaluate("document.getElementById('help').open"))


def shows_films(tab, board, folder):
    """A film of a gesture, loaded when asked for; a still picture for those who want no motion."""
    picture = "document.querySelector('#film img')"
    if tab.evaluate(f"{picture}.hasAttribute('src')"):
        raise Failure("a film was loaded before anybody asked for it")
    board.press("?")
    for motion, kind in (("no-preference", "film"), ("reduce", "still")):
        tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])
        tab.evaluate("document.querySelector('[data-film=\"3\"]').click()")
        wait(f"the {kind}", lambda kind=kind: tab.evaluate(
            f"{picture}.complete && {picture}.naturalWidth > 300 && {picture}.src.includes('/{kind}/3.png')"))
        if folder:
            tab.screenshot(os.path.join(folder, f"help-{kind}.png"))
        tab.evaluate("document.querySelector('[data-film=\"3\"]').click()")
        wait("no film", lambda: tab.evaluate("document.getElementById('film').hidden"))
    tab.call("Emulation.setEmulatedMedia", features=[])
    board.press("Escape")


def notices_loss(tab, served, folder):
    """A stopped process keeps its connections: only its silence shows that it is gone."""
    group = served.process.pid
    column, row = 30, 7
    if is_lit(tab, column, row):
        raise Failure("the LED of the test is lit already")
    os.killpg(group, signal.SIGSTOP)
    start = time.monotonic()
    try:
        wait("LOST", lambda: not tab.evaluate("document.getElementById('lost').hidden"), 6)
        seconds = time.monotonic() - start
        if not 2 <= seconds <= 4.2:
            raise Failure(f"LOST came after {seconds:.1f} s")
        if "LOST" not in text(tab, "lost"):
            raise Failure(f"the page shows {text(tab, 'lost')}")
        tab.touch("touchStart", (column, row))
        tab.touch("touchEnd")
        wait("the refusal", lambda: tab.evaluate("pixelboop.refusals") == 1 and "nothing was played" in text(tab, "lost"))
        if folder:
            tab.screenshot(os.path.join(folder, "lost.png"))
        Board(tab).press(" ")
        wait("a refused key", lambda: tab.evaluate("pixelboop.refusals") >= 2)
    finally:
        os.killpg(group, signal.SIGCONT)
    wait("the page connects again", lambda: tab.evaluate("pixelboop.connected"), 15)
    wait_led(tab, 2, 0, STOPPED, "the refused key did nothing")
    if is_lit(tab, column, row):
        raise Failure("the refused touch made a note")
    return f"LOST after {seconds:.1f} s"


def draws_in_time(tab):
    """Time from a frame's arrival to the canvas while the music plays; the box and the browser are on one machine."""
    board = Board(tab)
    board.press(" ")
    wait_led(tab, 2, 0, PLAYING, "Space plays")
    try:
        for attempt in range(6):
            time.sleep(3)
            frames = [(at, delay) for at, delay in tab.evaluate("pixelboop.drawnFrames()")]
            frames = [frame for frame in frames if frame[0] > frames[-1][0] - 2500]
            delays = sorted(delay for _, delay in frames)
            # The shortest times between frames: without a change there is none.
            gaps = sorted(after[0] - before[0] for before, after in zip(frames, frames[1:]))
            rate = 1000 / gaps[len(gaps) // 2]
            median, late = delays[len(delays) // 2], delays[len(delays) * 9 // 10]
            note = f"{median:.1f} ms, nine of ten within {late:.1f} ms, at {rate:.0f} frames a second"
            # A quiet machine draws 50 to 59 a second. One that compiles meanwhile gives the box and the browser every second turn.
            if median < FRAME_MILLISECONDS and rate > 25:
                return note
        raise Failure(note)
    finally:
        board.press(" ")


# Compares two pictures: the mean difference of a channel, and the share of pixels that differ clearly.
COMPARE = """(async (files) => {
    const [one, two] = await Promise.all(files.map(async (file) => {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
        canvas.drawImage(picture, 0, 0);
        return { width: picture.width, data: canvas.getImageData(0, 0, picture.width, picture.height).data };
    }));
    if (one.width !== two.width || one.data.length !== two.data.length) return [255, 1];
    let sum = 0, clear = 0;
    for (let place = 0; place < one.data.length; place += 4) {
        const parts = [0, 1, 2].map((channel) => Math.abs(one.data[place + channel] - two.data[place + channel]));
        sum += parts[0] + parts[1] + parts[2];
        if (Math.max(...parts) > 48) clear += 1;
    }
    return [sum * 4 / 3 / one.data.length, clear * 4 / one.data.length];
})"""


def looks_as_kept(tab, remakes):
    """Compares a new page on each size of screen with the picture kept of it, without the words and figures that change."""
    shows_panel(tab)
    tab.evaluate("for (const name of ['figures', 'words', 'place', 'others']) "
                 "{ const e = document.getElementById(name); if (e) e.style.visibility = 'hidden'; }")
    notes = []
    try:
        for name, width, height, _, is_mobile, _ in SIZES:
            tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_mobile)
            wait(f"the layout of {name}", lambda: tab.evaluate(f"innerWidth === {width}"))
            # The worker has drawn the new size, and the box has no word on the panel.
            time.sleep(2)
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 0.5}
            seen = tab.call("Page.captureScreenshot", format="png", clip=clip)["data"]
            path = os.path.join(PICTURES, f"{name}.png")
            if remakes:
                os.makedirs(PICTURES, exist_ok=True)
                with open(path, "wb") as file:
                    file.write(base64.b64decode(seen))
            with open(path, "rb") as file:
                kept = base64.b64encode(file.read()).decode()
            mean, share = tab.evaluate(f"{COMPARE}({json.dumps([seen, kept])})")
            notes.append(f"{name} {mean:.2f}")
            if mean > 3 or share > 0.02:
                raise Failure(f"{name} differs by {mean:.1f}, and {100 * share:.1f} % of its pixels clearly; if that is right: --remake")
    finally:
        tab.call("Emulation.clearDeviceMetricsOverride")
        tab.evaluate("for (const name of ['figures', 'words', 'place', 'others']) "
                     "{ const e = document.getElementById(name); if (e) e.style.visibility = ''; }")
    return "mean differences: " + ", ".join(notes)


def fits_screens(tab, folder):
    sizes = []
    for name, width, height, scale, is_mobile, smallest in SIZES:
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=is_mobile)
        tab.call("Emulation.setTouchEmulationEnabled", enabled=is_mobile, maxTouchPoints=10 if is_mobile else 1)
        wait(f"the layout of {name}", lambda: tab.evaluate(
            f"innerWidth === {width} && document.getElementById('panel').getBoundingClientRect().width <= {width}"))
        led = "document.getElementById('panel').getBoundingClientRect().width / pixelboop.columns"
        wait(f"{name}: an LED of at least {smallest} px", lambda: tab.evaluate(led) >= smallest)
        sizes.append(f"{name} {tab.evaluate(led):.1f}")
        if tab.evaluate("document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"):
            raise Failure(f"{name}: the page is larger than the window")
        below = tab.evaluate("Math.max(...[...document.querySelectorAll('footer > *')].map((e) => e.getBoundingClientRect().bottom))")
        if below > height + 0.5:
            raise Failure(f"{name}: the status line ends at {below}")
        if folder:
            tab.screenshot(os.path.join(folder, f"{name}.png"))
        is_offered = not tab.evaluate("document.getElementById('halves').hidden")
        if is_offered != (name == "phone-portrait"):
            raise Failure(f"{name}: halves are {'' if is_offered else 'not '}offered")
        if is_offered:
            whole = tab.evaluate(led)
            for half, column in (("left", 6), ("right", 36)):
                tab.evaluate(f"document.querySelector('[data-half={half}]').click()")
                wait("twice the size", lambda: tab.evaluate(led) >= 1.95 * whole)
                before = is_lit(tab, column, 6)
                tab.touch("touchStart", (column, 6))
                tab.touch("touchEnd")
                wait(f"a touch on the {half} half", lambda: is_lit(tab, column, 6) != before)
                if folder:
                    tab.screenshot(os.path.join(folder, f"{name}-{half}.png"))
            sizes.append(f"half {tab.evaluate(led):.1f}")
            tab.evaluate("document.querySelector('[data-half=\"\"]').click()")
    tab.call("Emulation.clearDeviceMetricsOverride")
    tab.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=10)
    return "LEDs in px: " + ", ".join(sizes)


def tells_of_others(tab, address):
    with tempfile.TemporaryDirectory(prefix="page-test-", ignore_cleanup_errors=True) as profile:
        other = Tab(profile)
        try:
            other.open(address)
            shows_panel(other)
            wait("each page knows of the other", lambda: text(tab, "others") == "1 other page")
            other.touch("touchStart", (4, 23))
            wait("the other page plays", lambda: text(tab, "others") == "1 other page, 1 playing")
            other.touch("touchEnd")
            wait("it plays no more", lambda: text(tab, "others") == "1 other page")
        finally:
            other.stop()
    wait("the other page is gone", lambda: text(tab, "others") == "", 15)


def respects_reduced_motion(tab):
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    try:
        name = tab.evaluate("(() => { const b = document.getElementById('bezel'); b.classList.add('refuses');"
                            "const n = getComputedStyle(b).animationName; b.classList.remove('refuses'); return n; })()")
        if name != "none":
            raise Failure(f"the animation {name} runs")
    finally:
        tab.call("Emulation.setEmulatedMedia", features=[])


def place_of(tab, name):
    """The centre of the element `name`, as soon as it has not moved for ten frames."""
    return tab.evaluate(f"""new Promise((resolve) => {{
        let last = '', still = 0;
        const look = () => {{
            const r = document.getElementById('{name}').getBoundingClientRect();
            const place = [r.x + r.width / 2, r.y + r.height / 2];
            still = place.join() === last ? still + 1 : 0;
            last = place.join();
            if (still >= 10) resolve(place); else requestAnimationFrame(look);
        }};
        look();
    }})""")


def fills_the_screen(tab):
    for wanted in (True, False):
        x, y = place_of(tab, "fullscreen")
        for kind in ("mousePressed", "mouseReleased"):
            tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        wait("full screen" if wanted else "the window", lambda wanted=wanted: tab.evaluate(
            "Boolean(document.fullscreenElement)") == wanted)
    if tab.evaluate("document.activeElement.id") != "panel":
        raise Failure("a button that the mouse pressed keeps the keyboard")


def is_installable(tab):
    wait("the service worker", lambda: tab.evaluate("navigator.serviceWorker.ready.then((r) => Boolean(r.active))"))
    manifest = tab.call("Page.getAppManifest")
    if not manifest["url"].endswith("/manifest.webmanifest") or manifest["errors"]:
        raise Failure(f"the manifest: {manifest['errors']}")
    errors = [error["errorId"] for error in tab.call("Page.getInstallabilityErrors")["installabilityErrors"]]
    if [error for error in errors if error not in ("in-incognito",)]:
        raise Failure(f"not installable: {errors}")
    kept = tab.evaluate("caches.open('pixelboop-shell').then((c) => c.keys()).then((k) => k.map((r) => new URL(r.url).pathname))")
    if "/" not in kept or "/panel.js" not in kept:
        raise Failure(f"the service keeps only {kept}")


def write_clicks(path):
    """A WAV file of two clicks."""
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"".join(
            (20000 * (-1) ** frame if frame % 4000 < 100 else 0).to_bytes(2, "little", signed=True) for frame in range(8000)))


def drop(tab, column, row, *paths):
    place = tab.evaluate(f"pixelboop.centre({column}, {row})")
    for kind in ("dragEnter", "dragOver", "drop"):
        tab.call("Input.dispatchDragEvent", type=kind, x=place["x"], y=place["y"],
                 data={"items": [], "files": list(paths), "dragOperationsMask": 1})


def takes_files(tab, command):
    """Dropped on the panel, and chosen in the help."""
    library = command[command.index("--library") + 1]
    with tempfile.TemporaryDirectory(prefix="page-test-") as folder:
        clicks, notes = os.path.join(folder, "2 clicks é.wav"), os.path.join(folder, "notes.txt")
        write_clicks(clicks)
        with open(notes, "w", encoding="utf-8") as file:
            file.write("no sound")
        drop(tab, 9, 15, clicks)
        wait("the line about the sound", lambda: text(tab, "news").endswith("is a sample of 1.00 s"))
        name = text(tab, "news").removesuffix(" is a sample of 1.00 s")
        listed = subprocess.run([command[0], "library", "samples", "--library", library], capture_output=True, text=True,
                                check=True).stdout
        if name not in listed:
            raise Failure(f"{name} is not in the library: {listed}")
        wait("the panel's word", lambda: tab.evaluate("pixelboop.words.word") == name)
        chooser = tab.call("Runtime.evaluate", expression="document.getElementById('file')")["result"]["objectId"]
        tab.call("DOM.setFileInputFiles", objectId=chooser, files=[notes])
        wait("a refusal", lambda: text(tab, "news").startswith("notes.txt: is no sound"))
    tab.touch("touchStart", (20, 21))
    tab.touch("touchEnd")
    wait("the next touch", lambda: text(tab, "news") == "")
    return name


def sounds(command):
    """Sound through the page, which has it if the configured device is missing: with the AudioWorklet, and where the browser
    bars that, as on a page that another machine serves over plain http."""
    place = command.index("--audio")
    delays = []
    with tempfile.TemporaryDirectory(prefix="page-test-", ignore_cleanup_errors=True) as folder:
        configuration = os.path.join(folder, "config.json5")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write('{ audio: { device: "hw:31" } }')
        library = os.path.join(folder, "library.sqlite")
        words = command[:place] + command[place + 2:]
        words[words.index("--library") + 1] = library
        served = Served([*words, "--config", configuration])
        tab = None
        try:
            address = served.address()
            tab = Tab(os.path.join(folder, "profile"))
            tab.open("about:blank")
            for is_barred in (False, True):
                if is_barred:
                    tab.call("Page.addScriptToEvaluateOnNewDocument", source="delete window.AudioWorkletNode;")
                tab.call("Page.navigate", url=address)
                shows_panel(tab)
                board = Board(tab)
                wait("the sound button", lambda: text(tab, "sound") == "touch for sound")
                if not is_barred:
                    for column in (4, 8, 13, 17):
                        tab.touch("touchStart", (column, 21))
                        tab.touch("touchEnd")
                board.press(" ")
                wait("sound", lambda: text(tab, "sound").startswith("sound on, "))
                delays.append(text(tab, "sound").removeprefix("sound on, "))
                if is_barred:
                    wait("the script plays", lambda: tab.evaluate("pixelboop.peak") > 0.01)
                board.press(" ")
                wait_led(tab, 2, 0, STOPPED, "Space stops")
            no_errors(tab)
        finally:
            if tab:
                tab.stop()
            served.stop()
    return f"the worklet {delays[0]}, the script {delays[1]} after the box"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshots", metavar="FOLDER", help="save pictures of the page at each size")
    parser.add_argument("--remake", action="store_true")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("give the command that serves the page")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="page-test-", ignore_cleanup_errors=True) as profile:
        served = Served(arguments.command)
        tab = None
        try:
            address = served.address()
            tab = Tab(profile)
            tab.open(address)
            checks = [
                ("new pages look as kept", lambda: looks_as_kept(tab, arguments.remake)),
                ("a loop is played by keys alone", lambda: plays_a_loop_by_keys(tab)),
                ("Delete clears only when it is held", lambda: clears_when_held(tab)),
                ("a name is typed", lambda: types_a_name(tab)),
                ("the help opens and closes, and the focus returns", lambda: opens_help(tab, arguments.screenshots)),
                ("full screen, and back", lambda: fills_the_screen(tab)),
                ("the page is installable", lambda: is_installable(tab)),
                ("a stopped box is lost, and touches are refused", lambda: notices_loss(tab, served, arguments.screenshots)),
                ("frames are on the canvas in time", lambda: draws_in_time(tab)),
                ("the page fits phones, tablets and desks", lambda: fits_screens(tab, arguments.screenshots)),
                ("each page knows how many others play", lambda: tells_of_others(tab, address)),
                ("sound, also where the AudioWorklet is barred", lambda: sounds(arguments.command)),
                ("files are dropped on the panel, or chosen", lambda: takes_files(tab, arguments.command)),
                ("without motion where the visitor wants none", lambda: respects_reduced_motion(tab)),
                ("the page threw no error", lambda: no_errors(tab)),
            ]
            for name, check in checks:
                try:
                    note = check()
                    print(f"ok    {name}" + (f" ({note})" if note else ""), flush=True)
                except Failure as failure:
                    failures += 1
                    print(f"FAIL  {name}: {failure}", flush=True)
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
