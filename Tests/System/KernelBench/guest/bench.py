"""The bench in the virtual machine: bench.py SETTINGS.json. Runs the scenarios and figures in the settings, and writes a line of
JSON for each to the file in the settings."""

import json
import pathlib
import shutil
import sys
import time
import traceback

import box
import devices
import figures
import fingers
import jack
import light
import lines
import midi
import scenarios
import screen
import sound
from waiting import Failure, Skipped, check, until


class Bench:
    """State of a scenario."""

    def __init__(self, settings):
        self.settings = settings
        self.folder = pathlib.Path("/run/kernel-bench")
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.results = pathlib.Path(settings["results"])
        self.modules = devices.Modules(settings.get("tree"), settings.get("modules"))
        self.has_modules = "modules" in settings
        self.panel = self.lines = self.keyboard = self.overlay = self.recorder = self.box = None
        self.used = self.folder / "used.sqlite"
        self.boxes = 0
        self.name = ""

    # Devices

    def plug_panel(self):
        self.modules.load("vspi")
        self.panel = light.Panel(self.folder / "panel.vspi", devices.GAMMA, devices.BRIGHTNESS)

    def unplug_panel(self):
        panel, self.panel = self.panel, None
        panel.stop()
        self.modules.unload("vspi")

    def plug_lines(self):
        self.modules.load("vgpio")
        self.lines = lines.Lines(self.folder / "lines.txt")

    def unplug_lines(self):
        ended, self.lines = self.lines, None
        ended.stop()
        self.modules.unload("vgpio")

    def plug_overlay(self):
        self.overlay = fingers.Overlay()

    def unplug_overlay(self):
        self.overlay.unplug()
        self.overlay = None

    def plug_sound(self):
        self.modules.load("snd-aloop")
        self.recorder = sound.Recorder()

    def unplug_sound(self):
        self.recorder.stop()
        self.modules.unload("snd-aloop")
        self.recorder = None

    def plug_all(self):
        """Anything still missing."""
        if self.has_modules:
            if not self.panel:
                self.plug_panel()
            if not self.lines:
                self.plug_lines()
        if not self.keyboard:
            self.keyboard = fingers.Keyboard()
        if not self.overlay:
            self.plug_overlay()
        if not self.recorder:
            self.plug_sound()

    # Observing and recording

    def see(self, wanted, what):
        """Waits until the LEDs show `wanted`, a colour for each place; real LEDs are not checked."""
        if self.panel:
            self.panel.wait_for(wanted, what)

    def wait_kept(self, patterns, what):
        """Waits until the library has one of `patterns`."""
        until(lambda: box.session(self.kept) in patterns, what,
              detail=lambda: f"; it has {sorted(box.session(self.kept).items())}")

    # The box

    def configure(self, **options):
        if "config" in self.settings:
            config = json.loads(pathlib.Path(self.settings["config"]).read_text())
            path = self.folder / "config.json5"
            path.write_text(json.dumps({**config, "rules": options.get("rules", "box")}))
            return str(path)
        return devices.configuration(self.folder / "config.json5", **options)

    def library(self, name="library"):
        """A library as after some playing: empty, and with all hints seen."""
        check(self.used.exists(), "the first touch left no library to begin with")
        path = self.folder / f"{name}.sqlite"
        for file in self.folder.glob(f"{name}.sqlite*"):
            file.unlink()
        shutil.copy(self.used, path)
        return path

    def begin(self, library, config=None, options=()):
        """Starts a box without waiting."""
        self.kept = library
        self.boxes += 1
        self.log = self.folder / f"box-{self.boxes}-{self.name}.log"
        self.box = box.Box(self.settings["binary"], config or self.configure(), str(library), self.log, options)
        return self.box

    def start(self, library=None, config=None):
        """Starts a box and waits until it has found its overlay and its keyboard."""
        begun = self.begin(library or self.library(), config, ("--panel", "spi"))
        self.wait_started(begun)
        return begun

    @staticmethod
    def wait_started(begun):
        """Waits until a box is ready and has found its overlay and its keyboard."""
        begun.wait_ready()
        begun.wait_line("^pixelboop: touch: Bench overlay .*contacts")
        begun.wait_line("^pixelboop: keyboard: Bench keyboard")

    def stop(self):
        """Ends the box as the service manager does."""
        status = self.box.stop()
        check(status == 0, f"the box ended with {status}")

    def clean_up(self):
        """Stops the box, lifts fingers left by a scenario, and discards the recordings."""
        if self.box:
            self.box.kill()
            self.box = None
        if self.overlay and self.overlay.slots:
            self.overlay.up(*list(self.overlay.slots))
        if self.recorder:
            self.recorder.clear()
        if self.panel:
            self.panel.forget()
        if self.lines:
            self.lines.settle()
        for file in self.folder.glob("box-*"):
            file.unlink()

    def keep_recordings(self):
        """Saves the running scenario's recordings; returns their folder."""
        kept = self.results.parent / self.name
        kept.mkdir(exist_ok=True)
        if self.panel:
            self.panel.flush()
        if self.recorder:
            self.recorder.write(kept / "sound.wav")
        for file in self.folder.iterdir():
            if file.is_file():
                shutil.copy(file, kept)
        return self.name


def run(bench, part):
    """Runs a part; returns its result."""
    result, began = {"name": bench.name}, time.monotonic()
    if part.needs_modules and not bench.has_modules:
        return {**result, "skipped": "needs the virtual panel and lines", "seconds": 0}
    try:
        bench.plug_all()
        result["figures"] = part.run(bench) or {}
        problems = bench.panel.problems if bench.panel else []
        check(not problems, "on the wire: " + "; ".join(problems[:3]))
    except Skipped as reason:
        result["skipped"] = str(reason)
    except Exception as problem:  # run the other parts
        result["failure"] = str(problem) if isinstance(problem, Failure) else traceback.format_exc()
        result["recordings"] = bench.keep_recordings()
    bench.clean_up()
    return {**result, "seconds": round(time.monotonic() - began, 1)}


def main():
    settings = json.loads(pathlib.Path(sys.argv[1]).read_text())
    bench = Bench(settings)
    parts = {**scenarios.TABLE, **midi.TABLE, **jack.TABLE, **screen.TABLE, **figures.TABLE}
    with open(settings["results"], "w", buffering=1) as output:
        for bench.name in settings["parts"]:
            output.write(json.dumps(run(bench, parts[bench.name])) + "\n")


if __name__ == "__main__":
    main()
