#!/usr/bin/python3
"""Sets up a box by its setup page, in a headless Chromium of a phone's size, and checks what reaches the box's setup service.

    python3 Tests/Browser/setup_test.py [--screenshot FILE.png] PROGRAM

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
import urllib.error
import urllib.request

import websocket

from panel_test import Failure, Served, Tab, no_errors, wait

TOKEN = "open-sesame_1.0123456789~abcdefg"
NAMES = {"HOME": ("HOME", 81, "password"), "café ☕": ("café ☕", 60, "password"), "GUEST": ("GUEST", 33, "open")}

FINDINGS = ["configuration  ok       the file", "sound devices  warning  no sound card: plug one in", "panel          fault    gone",
            "Runs: panel; sound, touch absent"]


class Service:
    """The box's setup service: answers `state`, and keeps the other requests."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "service")
        self.state = ["access-point open", "zone UTC", "leds default", "example apa102", "example sk9822", "example ws2812b"]
        self.state += [f"seen {name.encode().hex()} {strength} {security}" for name, strength, security in NAMES.values()]
        self.requests = []
        self.refusal = None
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
                if lines == ["state"]:
                    file.write("\n".join(["ok", *self.state]) + "\n")
                    continue
                self.requests.append(lines)
                found = "\n".join(FINDINGS) + "\n" if lines == ["doctor"] else ""
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
    service.state = ["network " + b"HOME".hex(), "address 192.168.1.5", "country DE", "zone Europe/Berlin", "leds own"]
    shown(tab, "network-state", "The box is set to HOME, at 192.168.1.5.")
    expect([tab.evaluate(f"document.getElementById('{part}').hidden") for part in ("close", "lights")], [True, True])
    service.state.append("origin card")
    shown(tab, "network-state", "wpa_supplicant.conf")
    expect(tab.evaluate("document.getElementById('network-form').hidden"), True)


def no_errors_there(tab, service):
    no_errors(tab)


CHECKS = [lists_networks, knows_the_phone, needs_a_network, joins, shows_the_reason, sets_the_time_alone, chooses_lights, turns_the_picture, closes,
          checks_the_box, shows_the_network, no_errors_there]


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
    return [program, "setup", "--listen", "127.0.0.1:0", "--service", service.path, "--token-file", token_file]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshot", metavar="FILE.png", help="save a picture of the page")
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
