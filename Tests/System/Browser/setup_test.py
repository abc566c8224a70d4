#!/usr/bin/python3
"""Sets up a box by its setup page, in a headless Chromium of a phone's size, and checks what reaches the box's setup service.

    python3 Tests/System/Browser/setup_test.py [--screenshot FILE.png] PROGRAM

The service is this file's own: it speaks the same lines as the card's. The card's check has the real one. Needs chromium and
Debian's python3-websocket. One line for each check; exit status 1 if one fails.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import websocket

from panel_test import Failure, Served, Tab, no_errors, wait

TOKEN = "open-sesame_1.0123456789~abcdefg"
# Longer than the pause between two questions of the page.
PAUSE_SECONDS = 3.5
NAMES = {"HOME": ("HOME", 81, "password"), "café ☕": ("café ☕", 60, "password"), "GUEST": ("GUEST", 33, "open")}

FINDINGS = ["configuration  ok       the file", "sound devices  warning  no sound card: plug one in", "panel          fault    gone",
            "Runs: panel; sound, touch absent"]


class Service:
    """The box's setup service: answers `state`, and keeps the other requests."""

    def __init__(self, folder):
        self.folder = folder
        self.path = os.path.join(folder, "service")
        # Whether it does not answer.
        self.is_away = False
        self.state = ["access-point open", "zone UTC", "leds default", "example apa102", "example sk9822", "example ws2812b",
                      "version 0.1.0"]
        self.state += [f"seen {name.encode().hex()} {strength} {security}" for name, strength, security in NAMES.values()]
        self.requests = []
        self.refusal = None
        self.updates = []
        self.devices = []
        self.touches = 0
        self.walk = []
        self.states = 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rw", encoding="utf-8") as file:
                lines = []
                while line := file.readline().rstrip("\n"):
                    lines.append(line)
                if self.is_away:
                    continue
                if lines == ["state"]:
                    self.states += 1
                    file.write("\n".join(["ok", *self.state]) + "\n")
                    continue
                self.requests.append(lines)
                found = "".join(f"{line}\n" for line in {
                    "doctor": FINDINGS, "updates": self.updates, "devices": self.devices, "touches": [f"touches {self.touches}"],
                    "walk": self.walk, "lit": self.walk,
                }.get(lines[0], []))
                file.write(f"error {self.refusal}\n" if self.refusal else f"ok\n{found}")


def text(tab, name):
    return tab.evaluate(f"document.getElementById('{name}').innerText")


def click(tab, selector):
    # While a request is on its way no button acts.
    wait(f"{selector} can be tapped", lambda: not tab.evaluate(f"document.querySelector({json.dumps(selector)}).disabled"))
    tab.evaluate(f"document.querySelector({json.dumps(selector)}).click()")


def enter(tab, name, value):
    tab.evaluate(f"document.getElementById('{name}').value = {json.dumps(value)};"
                 f"document.getElementById('{name}').dispatchEvent(new Event('input', {{bubbles: true}}))")


def shown(tab, part, words):
    wait(f"{part} says {words!r}, but it says {text(tab, part)!r}", lambda: words in text(tab, part))


def expect(found, wanted):
    if found != wanted:
        raise Failure(f"is {found}, should be {wanted}")


def lists_networks(tab, service):
    wait("the networks", lambda: tab.evaluate("document.querySelectorAll('#networks input').length") == len(NAMES))
    for name in NAMES:
        shown(tab, "networks", name)
    shown(tab, "networks", "GUEST (open)")
    shown(tab, "network-state", "The box has no Wi-Fi yet.")


def knows_the_phone(tab, service):
    """The country of the phone's language, and its time zone."""
    expect(tab.evaluate("document.getElementById('country').value"), "US")
    expect(tab.evaluate("document.getElementById('zone').value"), "America/New_York")
    countries = tab.evaluate("[...document.getElementById('country').options].map((option) => option.value)")
    with open("/usr/share/zoneinfo/iso3166.tab", encoding="utf-8") as file:
        codes = {line.split("\t")[0] for line in file if not line.startswith("#")}
    expect([set(countries) == codes, len(countries), "DE" in countries], [True, len(codes), True])


def needs_a_network(tab, service):
    click(tab, "#join")
    expect([service.requests, tab.evaluate("document.querySelector('#network-form').checkValidity()")], [[], False])


def joins(tab, service):
    click(tab, f"input[value='{'café ☕'.encode().hex()}']")
    enter(tab, "password", 'a "quoted" \\ secret')
    tab.evaluate("document.getElementById('country').value = 'DE'")
    tab.evaluate("document.getElementById('zone').value = 'Europe/Berlin'")
    click(tab, "#join")
    wait("the request", lambda: service.requests)
    expect(service.requests.pop(), ["join", "ssid " + "café ☕".encode().hex(), 'password a "quoted" \\ secret', "country DE",
                                    "zone Europe/Berlin", "page open"])
    shown(tab, "next-network", "café ☕")
    shown(tab, "next-address", f".local:{port_of(tab)}/?token={TOKEN}")


def port_of(tab):
    return tab.evaluate("location.port")


def shows_the_reason(tab, service):
    """A network that refused the password, after the access point is back; and what the service refuses at once."""
    service.state.append("problem café ☕ does not accept this password")
    shown(tab, "problem", "Café ☕ does not accept this password.")
    service.refusal = "the password has 3 characters, should have 8 to 63"
    click(tab, "input[name=network][value='']")
    enter(tab, "other", "Hidden")
    enter(tab, "password", "12345678")
    click(tab, "#page")
    click(tab, "#join")
    wait("the request", lambda: service.requests)
    expect(service.requests.pop()[:2] , ["join", "ssid " + b"Hidden".hex()])
    shown(tab, "status", "the password has 3 characters, should have 8 to 63.")
    service.refusal = None
    service.state.pop()
    wait("the problem goes", lambda: tab.evaluate("document.getElementById('problem').hidden"))


def sets_the_time_alone(tab, service):
    click(tab, "#time")
    wait("the request", lambda: service.requests)
    expect(service.requests.pop(), ["time", "country DE", "zone Europe/Berlin", "page closed"])
    shown(tab, "status", "Country and time zone are set.")


def chooses_lights(tab, service):
    shown(tab, "lights-state", "the panel stays dark")
    click(tab, "input[value=sk9822]")
    click(tab, "#light")
    wait("the request", lambda: service.requests)
    expect(service.requests.pop(), ["leds", "name sk9822", "corner topLeft"])
    service.state = [line.replace("leds default", "leds sk9822") for line in service.state]
    shown(tab, "lights-state", "The box is set to SK9822.")


def turns_the_picture(tab, service):
    """Play appears in a corner; the next one that is tapped counts from there."""
    click(tab, "button[data-corner=topLeft]")
    shown(tab, "status", "The panel is right.")
    expect(service.requests, [])
    for seen, now, wanted in (("bottomRight", None, "bottomRight"), ("topRight", "topRight", "topLeft"),
                              ("bottomLeft", "topRight", "bottomRight"), ("topRight", "bottomRight", "bottomLeft")):
        service.state = [line for line in service.state if not line.startswith("corner ")] + ([f"corner {now}"] if now else [])
        wait("the corner", lambda now=now: tab.evaluate("state.corner") == (now or "topLeft"))
        click(tab, f"button[data-corner={seen}]")
        wait("the request", lambda: service.requests)
        expect(service.requests.pop(), ["leds", "name sk9822", f"corner {wanted}"])


QUESTION = ["panel 44 24", "leds 1", "tile 0", "tiles 2", "place 0 0", "place 43 23", "place 20 11"]


def finds_the_wiring(tab, service):
    """One LED after another is tapped on a picture of the panel."""
    shown(tab, "wiring-state", "four tiles, two cables.")
    click(tab, "#layouts input[value='1x1']")
    expect(is_hidden(tab, "cables"), True)
    click(tab, "#layouts input[value='2x1']")
    click(tab, "input[name=cables][value='2']")
    service.refusal = "the panel does not answer"
    click(tab, "#wiring-form button")
    shown(tab, "wiring-news", "the panel does not answer.")
    service.refusal = None
    service.walk = QUESTION
    click(tab, "#wiring-form button")
    shown(tab, "walk-state", "Tile 1 of 2: one LED lights.")
    expect([service.requests.pop() for _ in range(2)], [["walk", "tiles 2x1", "cables 2"]] * 2)
    # Where the dots are, in LEDs from the top left.
    middles = tab.evaluate("""(() => {
        const map = document.getElementById("places");
        const [width, height] = [map.clientWidth / 44, map.clientHeight / 24];
        const from = map.getBoundingClientRect();
        return [...map.querySelectorAll("button")].map((dot) => {
            const at = dot.getBoundingClientRect();
            return [dot.ariaLabel, Math.floor((at.x + at.width / 2 - from.x - map.clientLeft) / width),
                    Math.floor((at.y + at.height / 2 - from.y - map.clientTop) / height), Math.min(at.width, at.height) >= 22];
        });
    })()""")
    expect(middles, [["column 1, row 1", 0, 0, True], ["column 44, row 24", 43, 23, True], ["column 21, row 12", 20, 11, True]])
    service.walk = [line.replace("tile 0", "tile 1") for line in QUESTION]
    service.walk[1] = "leds 528"
    click(tab, "#places button:nth-of-type(2)")
    shown(tab, "walk-state", "Tile 2 of 2: all of it lights.")
    expect(service.requests.pop(), ["lit", "place 43 23"])
    service.walk = QUESTION
    click(tab, "#walk-back")
    shown(tab, "walk-state", "Tile 1 of 2")
    expect(service.requests.pop(), ["lit", "place back"])
    click(tab, "#walk-leave")
    shown(tab, "wiring-news", "The box plays again, with the wiring that it had.")
    expect([service.requests.pop(), is_hidden(tab, "walk")], [["leave"], True])
    click(tab, "#layouts input[value='1x1']")
    click(tab, "#wiring-form button")
    shown(tab, "walk-state", "Tile 1 of 2")
    expect(service.requests.pop(), ["walk", "tiles 1x1", "cables 1"])
    service.walk = ["known"]
    service.state.append("wiring walked")
    click(tab, "#places button")
    shown(tab, "wiring-news", "The wiring is known")
    shown(tab, "wiring-state", "the wiring that was found here.")
    expect([service.requests.pop(), is_hidden(tab, "walk"), is_hidden(tab, "wiring-form")], [["lit", "place 0 0"], True, False])


DAC, CARD = "hw:CARD=sndrpihifiberry,DEV=0", "hw:CARD=Device,DEV=0"
DEVICES = [f"sound {DAC}\tDAC on the header: HiFi", f"sound {CARD}\tUSB: <b>Audio</b>, " + "x" * 60, "touch 222a:0001\tILITEK Multi-Touch",
           "touch Goodix Touch.1\tGoodix"]


def set_devices(service, *lines):
    """The lines of the state about devices."""
    service.state = [line for line in service.state if not line.startswith(("sound ", "touch "))] + list(lines)


def labels(tab, part):
    return tab.evaluate(f"[...document.querySelectorAll('#{part} label')].map((label) => label.innerText.trim())")


def chooses_sound(tab, service):
    """Devices by their titles; one is heard before it is set."""
    expect([is_hidden(tab, "sound"), is_hidden(tab, "touch")], [True, True])
    set_devices(service, f"sound {DAC}", "touch any")
    shown(tab, "sound-state", f"The box plays through {DAC}.")
    click(tab, "#sound-set")
    expect(service.requests, [])
    click(tab, "#sound-look")
    shown(tab, "sound-news", "0 devices are plugged in.")
    shown(tab, "sound-none", "There is no sound device")
    shown(tab, "sound-state", f"The box plays through {DAC}, which is not plugged in.")
    service.devices = DEVICES
    click(tab, "#sound-look")
    shown(tab, "sound-news", "2 devices are plugged in.")
    expect([service.requests.pop(0) for _ in range(2)], [["devices"], ["devices"]])
    expect(labels(tab, "sound-devices"), ["DAC on the header: HiFi", "USB: <b>Audio</b>, " + "x" * 60])
    shown(tab, "sound-state", "The box plays through DAC on the header: HiFi.")
    expect([is_hidden(tab, "sound-none"), tab.evaluate("chosen('sound')")], [True, DAC])
    click(tab, f"input[value='{CARD}']")
    click(tab, "#sound-tone")
    shown(tab, "sound-news", "The box has played a tone.")
    expect(service.requests.pop(), ["tone", f"name {CARD}"])
    service.refusal = f"{CARD} does not open: there is no such device"
    click(tab, "#sound-set")
    shown(tab, "sound-news", f"{CARD} does not open: there is no such device.")
    service.refusal = None
    set_devices(service, f"sound {CARD}", "touch any")
    click(tab, "#sound-set")
    shown(tab, "sound-news", "The box plays through this device.")
    expect([service.requests.pop(0) for _ in range(2)], [["sound", f"name {CARD}"]] * 2)
    shown(tab, "sound-state", "The box plays through USB: <b>Audio</b>")


def chooses_touch(tab, service):
    shown(tab, "touch-state", "The box takes every touch overlay that is plugged in.")
    expect(labels(tab, "touch-devices"), ["Every touch overlay that is plugged in", "ILITEK Multi-Touch", "Goodix"])
    expect(tab.evaluate("chosen('touch')"), "any")
    click(tab, "input[value='Goodix Touch.1']")
    set_devices(service, f"sound {CARD}", "touch Goodix Touch.1")
    click(tab, "#touch-set")
    shown(tab, "touch-state", "The box takes touches of Goodix.")
    expect(service.requests.pop(), ["touch", "name Goodix Touch.1"])
    for service.touches, words in ((0, "No touch arrived"), (1, "One touch arrived."), (7, "7 touches arrived.")):
        click(tab, "#touch-test")
        shown(tab, "touch-news", words)
        expect(service.requests.pop(), ["touches"])
    service.devices = DEVICES[:2]
    click(tab, "#touch-look")
    shown(tab, "touch-state", "The box takes touches of Goodix Touch.1, which is not plugged in.")
    expect(service.requests.pop(), ["devices"])


def devices_fit(tab, service):
    """On the smallest phone, with long titles."""
    tab.call("Emulation.setDeviceMetricsOverride", width=320, height=1400, deviceScaleFactor=2, mobile=True)
    is_narrow(tab)
    tab.call("Emulation.setDeviceMetricsOverride", width=390, height=1400, deviceScaleFactor=2, mobile=True)


def names_the_key(tab, service):
    """A configuration of one's own is not changed, but its devices can be tried."""
    kept = service.state
    service.state = [line for line in kept if not line.startswith(("leds", "sound ", "touch "))] + ["leds own"]
    shown(tab, "sound-state", "set audio.device in it.")
    shown(tab, "touch-state", "set touch.device in it.")
    expect([is_hidden(tab, f"{kind}-{button}") for kind, button in (("sound", "set"), ("touch", "set"), ("sound", "tone"), ("touch", "test"))],
           [True, True, False, False])
    service.state = kept
    shown(tab, "sound-state", "The box plays through")


def closes(tab, service):
    click(tab, "#close")
    wait("the request", lambda: service.requests)
    expect(service.requests.pop(), ["close"])


def checks_the_box(tab, service):
    click(tab, "#check")
    shown(tab, "verdict", "Runs: panel; sound, touch absent")
    expect(service.requests.pop(), ["doctor"])
    expect(tab.evaluate("[...document.querySelectorAll('#findings > *')].map((part) => `${part.className} ${part.textContent}`)"),
           ["fault panel", " gone", "warning sound devices", " no sound card: plug one in", "ok configuration", " the file"])


def shows_the_network(tab, service):
    kept = service.state
    service.state = ["network " + b"HOME".hex(), "address 192.168.1.5", "country DE", "zone Europe/Berlin", "leds own"]
    shown(tab, "network-state", "The box is set to HOME, at 192.168.1.5.")
    # Without a version the service is an older one, and knows no updates.
    expect([tab.evaluate(f"document.getElementById('{part}').hidden") for part in ("close", "lights", "update")], [True] * 3)
    service.state.append("origin card")
    shown(tab, "network-state", "wpa_supplicant.conf")
    expect(tab.evaluate("document.getElementById('network-form').hidden"), True)
    service.state = kept


def is_hidden(tab, name):
    return tab.evaluate(f"!document.getElementById('{name}').checkVisibility()")


def is_narrow(tab):
    """Nothing is wider than the smallest phone."""
    expect(tab.evaluate("[document.documentElement.scrollWidth <= innerWidth, innerWidth]"), [True, 320])


def set_update(service, *lines):
    """The lines of the state about updates."""
    service.state = [line for line in service.state if not line.startswith(("update", "version"))] + list(lines)


STICK = "/media/pixelboop sda1/pixelboop_0.2.0~deb13_arm64.deb"
IMAGE = "https://example.com/boop/" + "pixelboop_0.3.0~deb13_arm64.img.xz"


def lists_updates(tab, service):
    tab.call("Emulation.setDeviceMetricsOverride", width=320, height=1400, deviceScaleFactor=2, mobile=True)
    wait("the section", lambda: not is_hidden(tab, "update"))
    click(tab, "#look")
    shown(tab, "listed", "There is no update on a stick.")
    expect(service.requests.pop(), ["updates"])
    service.updates = [f"update 0.3.0~deb13 image {IMAGE}", f"update 0.2.0~deb13 package {STICK}", f"update 0.1.0 package {STICK}"]
    click(tab, "#look")
    shown(tab, "updates", "Install 0.3.0~deb13")
    expect(service.requests.pop(), ["updates"])
    expect(tab.evaluate("[...document.querySelectorAll('#updates li')].map((entry) => entry.innerText)"),
           [f"image of the system: {IMAGE}\nInstall 0.3.0~deb13", f"package: {STICK}\nInstall 0.2.0~deb13", f"package: {STICK}\nInstall 0.1.0 again"])
    is_narrow(tab)


def keeps_the_folder(tab, service):
    """An address is kept, and its files are listed; an empty one is no folder."""
    enter(tab, "folder", "not an address")
    click(tab, "#set-folder")
    expect(service.requests, [])
    service.updates = ["problem the folder does not answer"]
    enter(tab, "folder", "https://example.com/boop")
    click(tab, "#set-folder")
    shown(tab, "listed", "the folder does not answer. There is no update on a stick or in the folder.")
    expect([service.requests.pop(0) for _ in range(2)], [["folder", "url https://example.com/boop"], ["updates"]])
    expect(tab.evaluate("document.querySelectorAll('#updates li').length"), 0)
    set_update(service, "version 0.1.0", "updates-folder https://example.com/other")
    wait("the other folder", lambda: tab.evaluate("document.getElementById('folder').value") == "https://example.com/other")
    service.refusal = "the address of the folder has a space"
    enter(tab, "folder", "")
    click(tab, "#set-folder")
    shown(tab, "listed", "the address of the folder has a space.")
    service.refusal = None
    click(tab, "#set-folder")
    shown(tab, "listed", "The box uses no folder.")
    expect([service.requests.pop(0) for _ in range(2)], [["folder"], ["folder"]])
    set_update(service, "version 0.1.0")


def installs_from_the_list(tab, service):
    """An image is written while the box plays; the page comes back with its version."""
    service.updates = [f"update 0.3.0~deb13 image {IMAGE}"]
    click(tab, "#look")
    wait("the list", lambda: tab.evaluate("document.querySelectorAll('#updates button').length") == 1)
    service.requests.clear()
    service.refusal = "an update is under way"
    click(tab, "#updates button")
    shown(tab, "listed", "an update is under way.")
    service.refusal = None
    set_update(service, "version 0.1.0", "update running image")
    click(tab, "#updates button")
    shown(tab, "update-state", "The box plays on while the new system is written.")
    expect(service.requests, [["update", f"place {IMAGE}"]] * 2)
    service.requests.clear()
    expect([is_hidden(tab, "update-choices"), tab.evaluate("document.activeElement.id")], [True, "update-title"])
    set_update(service, "version 0.1.0", "update done pixelboop 0.1.0 → 0.3.0 is in slot b; the machine restarts")
    shown(tab, "update-state", "Installed: pixelboop 0.1.0 → 0.3.0 is in slot b; the machine restarts.")
    service.is_away = True
    shown(tab, "update-state", "The box restarts. This page comes back by itself.")
    set_update(service, "version 0.3.0", "update trial")
    service.is_away = False
    shown(tab, "update-state", "The new system is on trial: it is kept once the box is ready.")
    expect(is_hidden(tab, "update-choices"), True)
    set_update(service, "version 0.3.0")
    shown(tab, "update-state", "Installed: version 0.3.0.")
    expect([text(tab, "version"), is_hidden(tab, "update-choices")], ["0.3.0", False])


def falls_back(tab, service):
    """The new system was not ready, and the old one is back."""
    set_update(service, "version 0.3.0", "update running image")
    shown(tab, "update-state", "The box plays on")
    set_update(service, "version 0.3.0", "update-problem The new system did not get the box ready. This is the old one.")
    shown(tab, "update-problem", "The new system did not get the box ready. This is the old one.")
    expect(text(tab, "update-state"), "")
    set_update(service, "version 0.3.0")
    shown(tab, "update-state", "The machine has restarted, and version 0.3.0 is still installed.")
    expect(is_hidden(tab, "update-problem"), True)


def choose(tab, folder, **sizes):
    """Chooses files of these names and sizes."""
    for name, size in sizes.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.truncate(size)
    choose_files(tab, [os.path.join(folder, name) for name in sizes])


def choose_files(tab, paths):
    """Chooses files in the page's file input."""
    node = tab.call("DOM.querySelector", nodeId=tab.call("DOM.getDocument")["root"]["nodeId"], selector="#files")["nodeId"]
    tab.call("DOM.setFileInputFiles", files=paths, nodeId=node)


PACKAGE = "pixelboop_0.4.0~deb13+1_arm64.deb"
PARTS = [PACKAGE + ending for ending in ("", ".minisig", ".sha256")]


def uploaded(service):
    folder = os.path.join(service.folder, "upload")
    return {name: os.path.getsize(os.path.join(folder, name)) for name in sorted(os.listdir(folder))} if os.path.isdir(folder) else {}


def uploads(tab, service):
    """Files may be chosen one by one. They are kept, and installed."""
    choose(tab, service.folder, **{"readme.txt": 1})
    shown(tab, "chosen", "readme.txt is no file of an update.")
    choose(tab, service.folder, **{"pixelboop_0.3.9_arm64.deb": 10})
    choose(tab, service.folder, **{PACKAGE: 3_000_000, PARTS[1]: 200})
    shown(tab, "chosen", f"Missing: {PACKAGE}.sha256.")
    expect(is_hidden(tab, "upload"), True)
    choose(tab, service.folder, **{PARTS[2]: 100})
    shown(tab, "chosen", f"{PACKAGE} is complete.")
    set_update(service, "version 0.3.0", "update running package")
    click(tab, "#upload")
    shown(tab, "update-state", "The new version is being installed. The box restarts.")
    expect(service.requests.pop(), ["update", "place upload"])
    expect(uploaded(service), {PARTS[0]: 3_000_000, PARTS[1]: 200, PARTS[2]: 100})
    set_update(service, "version 0.4.0", "update done pixelboop 0.3.0 → 0.4.0, 12 s")
    shown(tab, "update-state", "Installed: pixelboop 0.3.0 → 0.4.0, 12 s.")
    is_narrow(tab)


def cancels_an_upload(tab, service):
    """With progress; a slow network leaves the time for it. Nothing is left on the box."""
    tab.call("Network.enable")
    tab.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=2_000_000)
    choose(tab, service.folder, **{PARTS[1]: 200, PARTS[2]: 100, PACKAGE: 30_000_000})
    click(tab, "#upload")
    wait("progress", lambda: tab.evaluate("document.getElementById('progress').value") > 0.05)
    shown(tab, "sent", "of 28.6 MiB")
    expect([is_hidden(tab, "offers"), tab.evaluate("document.activeElement.id")], [True, "cancel"])
    is_narrow(tab)
    click(tab, "#cancel")
    shown(tab, "chosen", "Cancelled.")
    wait("an empty folder", lambda: uploaded(service) == {})
    expect([service.requests, is_hidden(tab, "sending"), is_hidden(tab, "offers")], [[], True, False])
    tab.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def refuses_an_upload(tab, service):
    """Before it is sent; and after that, if the service does not begin."""
    choose(tab, service.folder, **{PARTS[1]: 200, PARTS[2]: 100, PACKAGE: 65 << 20})
    click(tab, "#upload")
    shown(tab, "chosen", "has 65 MiB, and the page takes up to 64 MiB.")
    choose(tab, service.folder, **{PARTS[1]: 5000, PACKAGE: 100})
    click(tab, "#upload")
    shown(tab, "chosen", f"{PARTS[1]}: has 5 KiB, and the page takes up to 4 KiB.")
    choose(tab, service.folder, **{PARTS[1]: 200})
    service.refusal = "an attempt to join a network is under way"
    click(tab, "#upload")
    shown(tab, "chosen", "an attempt to join a network is under way.")
    service.refusal = None
    service.requests.clear()


def takes_dropped_files(tab, service):
    tab.evaluate("""{
        const data = new DataTransfer();
        for (const name of ["pixelboop_9_arm64.deb", "pixelboop_9_arm64.deb.sha256"]) data.items.add(new File(["x"], name));
        for (const kind of ["dragover", "drop"]) {
            document.getElementById("chosen").dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
    }""")
    shown(tab, "chosen", "Missing: pixelboop_9_arm64.deb.minisig.")


def shows_a_failure(tab, service):
    set_update(service, "version 0.4.0", "update failed pixelboop_9_arm64.deb: is damaged")
    shown(tab, "update-state", "The update failed: pixelboop_9_arm64.deb: is damaged.")
    expect(is_hidden(tab, "update-choices"), False)


def comes_back_as_the_new_page(tab, service):
    """After a package the server is of another version, and the page is loaded again."""
    tab.evaluate("window.isOld = true; pageVersion = 'older'")
    wait("the new page", lambda: tab.evaluate("window.isOld === undefined && document.getElementById('version')?.innerText === '0.4.0'"))
    shown(tab, "update-state", "The update failed: pixelboop_9_arm64.deb: is damaged.")


def rests_while_hidden(tab, service):
    """A page that nobody sees does not ask."""
    tab.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.isAway, configurable: true }); window.isAway = true;"
                 "document.dispatchEvent(new Event('visibilitychange'))")
    wait("the last answer", lambda: tab.evaluate("!isLooking"))
    before = service.states
    time.sleep(PAUSE_SECONDS)
    expect(service.states, before)
    tab.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    wait("the next question", lambda: service.states > before)


def no_errors_there(tab, service):
    no_errors(tab)


CHECKS = [lists_networks, knows_the_phone, needs_a_network, joins, shows_the_reason, sets_the_time_alone, chooses_lights, turns_the_picture, finds_the_wiring, chooses_sound,
          chooses_touch, devices_fit, names_the_key, closes,
          checks_the_box, shows_the_network, lists_updates, keeps_the_folder, installs_from_the_list, falls_back, uploads, cancels_an_upload,
          refuses_an_upload, takes_dropped_files, shows_a_failure, comes_back_as_the_new_page, rests_while_hidden, no_errors_there]


def needs_the_token(address):
    """Without a trusted network every visitor needs the token."""
    def status(place):
        try:
            return urllib.request.urlopen(address + place, timeout=5).status
        except urllib.error.HTTPError as error:
            return error.code
    expect([status(""), status("state"), status(f"?token={TOKEN}"), status(f"state?token={TOKEN}"), status("setup.js")],
           [403, 403, 200, 200, 200])


def command(program, service, folder):
    """The command that serves the page by `service`, to visitors with TOKEN."""
    token_file = os.path.join(folder, "token")
    with open(os.open(token_file, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(TOKEN + "\n")
    return ["/usr/bin/env", f"STATE_DIRECTORY={folder}", program, "setup", "--listen", "127.0.0.1:0", "--service", service.path, "--token-file", token_file]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshot", metavar="FILE.png", help="save a picture of the page")
    parser.add_argument("--update-screenshot", metavar="FILE.png", help="save a picture of the section of updates")
    parser.add_argument("program")
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="setup-test-", ignore_cleanup_errors=True) as folder:
        service = Service(folder)
        words = command(arguments.program, service, folder)
        served, guarded = Served([*words, "--trusted", "127.0.0.0/8"]), Served(words)
        tab = None
        try:
            needs_the_token(guarded.address())
            print("ok    needs the token", flush=True)
            tab = Tab(os.path.join(folder, "profile"))
            tab.open("about:blank")
            tab.call("Emulation.setDeviceMetricsOverride", width=390, height=1400, deviceScaleFactor=2, mobile=True)
            tab.call("Emulation.setTimezoneOverride", timezoneId="America/New_York")
            tab.call("Emulation.setUserAgentOverride", userAgent="test", acceptLanguage="en-US")
            tab.call("Page.navigate", url=served.address())
            for check in CHECKS:
                try:
                    check(tab, service)
                    print(f"ok    {check.__name__.replace('_', ' ')}", flush=True)
                except Failure as failure:
                    failures += 1
                    print(f"FAIL  {check.__name__.replace('_', ' ')}: {failure}", flush=True)
                if check is lists_updates and arguments.update_screenshot:
                    tab.evaluate("document.getElementById('update').scrollIntoView()")
                    tab.screenshot(arguments.update_screenshot)
                if check is knows_the_phone and arguments.screenshot:
                    tab.screenshot(arguments.screenshot)
        except (Failure, OSError, websocket.WebSocketException) as error:
            failures += 1
            print(f"FAIL  {error}", flush=True)
        finally:
            if tab:
                tab.stop()
            served.stop()
            guarded.stop()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
