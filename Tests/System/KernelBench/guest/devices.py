"""Devices for the box: removable kernel modules, or the Pi's own devices."""

import pathlib
import subprocess

import light
import lines
from waiting import Failure

GAMMA, BRIGHTNESS = 2.4, 0.6
# The box's sound device, and its buffer in frames: the loopback advances by the kernel's ticks of 4 ms.
LOOPBACK = "hw:Loopback,0,0"
PERIOD, PERIODS = 256, 3
ALOOP = pathlib.Path("/sys/bus/platform/drivers/snd_aloop")


def command(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)}: {done.stderr.strip()}")


class Modules:
    """Loads kernel modules: Debian's from `tree`, the bench's own from `folder`, if given."""

    def __init__(self, tree, folder):
        self.tree, self.folder = tree, folder

    def load(self, name):
        if self.folder and pathlib.Path(self.folder, f"{name}.ko").exists():
            command("insmod", f"{self.folder}/{name}.ko")
        else:
            command("modprobe", "-d", self.tree, name)

    def unload(self, name):
        command("rmmod", name)


def configuration(path, chip="SK9822", hertz=light.HERTZ, dithers=False, rules="box", more="", has_jacks=False, chains=1):
    """Writes a configuration: the reference panel on a supply that never has to dim it, so that each colour is known,
    in `chains` of equal length, the virtual lines, with clock jacks or without, the rules of the gestures, `more`, and the loopback's
    buffer."""
    path = pathlib.Path(path)
    rows = light.ROWS // chains
    panel = ", ".join(
        f'{{ device: "/dev/spidev0.{chain}", hertz: {hertz}, '
        f"tiles: [{{ x: 0, y: {rows * chain}, columns: {light.COLUMNS}, rows: {rows} }}] }}" for chain in range(chains))
    path.write_text(f"""{{
  panel: {{
    chip: "{chip}", brightness: {BRIGHTNESS}, gamma: {GAMMA}, dither: {str(dithers).lower()},
    zones: [{{ amps: 80, from: 0, count: 1056 }}],
    chains: [{panel}],
  }},
  rules: "{rules}", {more}
  audio: {{ device: "{LOOPBACK}", period: {PERIOD}, periods: {PERIODS} }},
  {lines.wiring(has_jacks)},
}}
""")
    return str(path)
