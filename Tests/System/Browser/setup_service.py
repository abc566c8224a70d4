"""The service of the setup page, for tests: it speaks the same lines as the card's. The card's check has the real one."""

import os
import socket
import threading

TOKEN = "open-sesame_1.0123456789~abcdefg"
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


DAC, CARD = "hw:CARD=sndrpihifiberry,DEV=0", "hw:CARD=Device,DEV=0"
DEVICES = [f"sound {DAC}\tDAC on the header: HiFi", f"sound {CARD}\tUSB: <b>Audio</b>, " + "x" * 60, "touch 222a:0001\tILITEK Multi-Touch",
           "touch Goodix Touch.1\tGoodix"]


def set_devices(service, *lines):
    """The lines of the state about devices."""
    service.state = [line for line in service.state if not line.startswith(("sound ", "touch "))] + list(lines)


def set_update(service, *lines):
    """The lines of the state about updates."""
    service.state = [line for line in service.state if not line.startswith(("update", "version"))] + list(lines)


STICK = "/media/pixelboop sda1/pixelboop_0.2.0~deb13_arm64.deb"
IMAGE = "https://example.com/boop/" + "pixelboop_0.3.0~deb13_arm64.img.xz"


def choose(tab, folder, **sizes):
    """Chooses files of these names and sizes."""
    for name, size in sizes.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.truncate(size)
    tab.choose_files("files", [os.path.join(folder, name) for name in sizes])


PACKAGE = "pixelboop_0.4.0~deb13+1_arm64.deb"
PARTS = [PACKAGE + ending for ending in ("", ".minisig", ".sha256")]


def command(program, service, folder):
    """The command that serves the page by `service`, to visitors with TOKEN."""
    token_file = os.path.join(folder, "token")
    with open(os.open(token_file, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(TOKEN + "\n")
    return ["/usr/bin/env", f"STATE_DIRECTORY={folder}", program, "setup", "--listen", "127.0.0.1:0", "--service", service.path, "--token-file", token_file]
