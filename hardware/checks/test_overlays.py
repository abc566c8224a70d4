"""The overlays compile without a warning, apply to a device tree, and set the pins of pins.csv."""

import os
import pathlib
import subprocess
import tempfile
import unittest

OVERLAYS = pathlib.Path(__file__).resolve().parent.parent / "overlays"
# The parts of a Raspberry Pi's tree that the overlays change, from the kernel: labels, and on a Zero 2 W a state of its own.
TREE = """
/dts-v1/;
/ {
    compatible = "raspberrypi,model-zero-2-w", "brcm,bcm2837";
    #address-cells = <1>;
    #size-cells = <1>;
    aliases { serial0 = "/soc/serial@7e201000"; };
    thermal-zones {
        cpu_thermal: cpu-thermal {
            polling-delay = <1000>;
            trips { cpu-crit { temperature = <90000>; hysteresis = <0>; type = "critical"; }; };
            cooling-maps { };
        };
    };
    soc {
        compatible = "simple-bus";
        #address-cells = <1>;
        #size-cells = <1>;
        ranges;
        gpio: gpio@7e200000 {
            compatible = "brcm,bcm2835-gpio";
            reg = <0x7e200000 0xb4>;
            gpio-controller;
            #gpio-cells = <2>;
            pinctrl-names = "default";
            pinctrl-0 = <&alt0>;
            alt0: alt0 { brcm,pins = <4 5 7 8 9 10 11>; brcm,function = <4>; };
        };
        i2s: i2s@7e203000 { compatible = "brcm,bcm2835-i2s"; reg = <0x7e203000 0x24>; status = "disabled"; };
        spi: spi@7e204000 {
            compatible = "brcm,bcm2835-spi";
            reg = <0x7e204000 0x200>;
            #address-cells = <1>;
            #size-cells = <0>;
            status = "disabled";
        };
        serial@7e201000 { compatible = "arm,pl011"; reg = <0x7e201000 0x200>; };
    };
};
"""
GPIO = "/soc/gpio@7e200000"
SPI = "/soc/spi@7e204000"
ZONE = "/thermal-zones/cpu-thermal"
# Folder of a kernel's own trees, such as /usr/lib/linux-image-*-arm64/broadcom of Debian's package; the test skips without one.
TREES = os.environ.get("TREES")
BOARDS = ("bcm2837-rpi-3-b-plus", "bcm2711-rpi-4-b", "bcm2837-rpi-zero-2-w")


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


class Overlays(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.base = self.path("base.dtb")
        made = run("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", self.base, input=TREE)
        self.assertEqual((made.returncode, made.stderr), (0, ""))

    def path(self, name):
        return str(pathlib.Path(self.folder.name, name))

    def merged(self, *names):
        """The tree with the overlays of `names` applied."""
        overlays = []
        for name in names:
            overlays.append(self.path(name + ".dtbo"))
            made = run("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", overlays[-1], str(OVERLAYS / (name + ".dts")))
            self.assertEqual((made.returncode, made.stderr), (0, ""), name)
        tree = self.path("merged.dtb")
        made = run("fdtoverlay", "-i", self.base, "-o", tree, *overlays)
        self.assertEqual((made.returncode, made.stderr), (0, ""), names)
        return tree

    def get(self, tree, node, key, kind="u"):
        found = run("fdtget", "-t", kind, tree, node, key)
        self.assertEqual(found.returncode, 0, (node, key, found.stderr))
        return found.stdout.split() if kind == "u" else found.stdout.strip()

    def pins(self, tree, node):
        """The pins, with function and pull, of each state of the device `node`."""
        states = {}
        handles = self.get(tree, node, "pinctrl-0")
        for name in run("fdtget", "-l", tree, GPIO).stdout.split():
            path = f"{GPIO}/{name}"
            handle = run("fdtget", tree, path, "phandle").stdout.strip()
            if handle in handles:
                pull = run("fdtget", tree, path, "brcm,pull").stdout.split()
                for pin in self.get(tree, path, "brcm,pins"):
                    states[int(pin)] = (int(self.get(tree, path, "brcm,function")[0]), int(pull[0]) if pull else None)
        return states

    def test_every_source_compiles(self):
        names = [path.stem for path in sorted(OVERLAYS.glob("*.dts"))]
        self.assertEqual(names, ["pixelboop-dac", "pixelboop-debian", "pixelboop-fan", "pixelboop-rest"])
        for name in names:
            self.merged(name)

    def test_the_supply_rests_off_and_the_shifter_too(self):
        for name in ("pixelboop-rest", "pixelboop-debian"):
            # Inputs (0), pulled down (1) and up (2).
            self.assertEqual(self.pins(self.merged(name), GPIO), {17: (0, 1), 27: (0, 2)})

    def check_spi(self, tree):
        """Two devices on data and clock, each with the chip enable that gates its chain."""
        self.assertEqual(self.get(tree, SPI, "status", "s"), "okay")
        # Data and clock as alternate function 0 (4), the chip enables as outputs (1): the driver drives them as GPIO lines.
        self.assertEqual(self.pins(tree, SPI), {10: (4, None), 11: (4, None), 8: (1, None), 7: (1, None)})
        gpio = self.get(tree, GPIO, "phandle")[0]
        # CE0 is GPIO 8, CE1 is GPIO 7; 1 is GPIO_ACTIVE_LOW.
        self.assertEqual(self.get(tree, SPI, "cs-gpios"), [gpio, "8", "1", gpio, "7", "1"])
        for device in ("0", "1"):
            self.assertEqual(self.get(tree, f"{SPI}/leds@{device}", "reg"), [device])
            self.assertEqual(self.get(tree, f"{SPI}/leds@{device}", "spi-max-frequency"), ["20000000"])
        self.assertEqual(self.get(tree, "/aliases", "spi0", "s"), SPI)
        self.assertFalse(set(self.pins(tree, GPIO)) & set(self.pins(tree, SPI)), "two devices want one pin")

    def test_debian_gets_two_devices_for_the_leds_with_chip_enables(self):
        self.check_spi(self.merged("pixelboop-debian"))

    def test_the_limit_of_the_clock_is_that_of_both_devices(self):
        overlay = self.path("overlay.dtbo")
        run("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", overlay, str(OVERLAYS / "pixelboop-debian.dts"))
        # The firmware's syntax: two targets, each with the same name and offset.
        value = run("fdtget", "-t", "bx", overlay, "/__overrides__", "hertz").stdout
        self.assertEqual(bytes.fromhex("".join(part.zfill(2) for part in value.split())).count(b"spi-max-frequency:0"), 2)

    def check_fan(self, tree):
        """The fan's line is active high; it runs from 60 °C, and the processor's other limits stay."""
        gpio = self.get(tree, GPIO, "phandle")[0]
        self.assertEqual(self.get(tree, "/pixelboop-fan", "gpios"), [gpio, "26", "0"])
        warm = ZONE + "/trips/pixelboop-warm"
        self.assertEqual(self.get(tree, warm, "temperature"), ["60000"])
        self.assertEqual(self.get(tree, warm, "type", "s"), "active")
        self.assertEqual(self.get(tree, ZONE + "/cooling-maps/pixelboop-fan", "trip"), self.get(tree, warm, "phandle"))
        fan = self.get(tree, "/pixelboop-fan", "phandle")[0]
        self.assertEqual(self.get(tree, ZONE + "/cooling-maps/pixelboop-fan", "cooling-device"), [fan, "1", "1"])
        self.assertEqual(self.get(tree, ZONE + "/trips/cpu-crit", "type", "s"), "critical")

    def test_debian_gets_the_fan(self):
        self.check_fan(self.merged("pixelboop-debian", "pixelboop-fan"))

    @unittest.skipUnless(TREES, "needs a kernel's trees: TREES=FOLDER")
    def test_debian_trees_of_every_board_accept_them(self):
        for board in BOARDS:
            with self.subTest(board):
                self.base = str(pathlib.Path(TREES, board + ".dtb"))
                tree = self.merged("pixelboop-debian", "pixelboop-dac", "pixelboop-fan")
                self.check_spi(tree)
                self.check_fan(tree)

    def test_debian_gets_the_card_that_the_configuration_names(self):
        tree = self.merged("pixelboop-debian", "pixelboop-dac")
        self.assertEqual(set(self.pins(tree, "/soc/i2s@7e203000")), {18, 19, 20, 21})
        name = self.get(tree, "/pixelboop-dac", "simple-audio-card,name", "s")
        self.assertIn(f'"hw:CARD={name},', (OVERLAYS.parent / "box.json5").read_text(encoding="utf-8"))
        codec = self.get(tree, "/pixelboop-dac/simple-audio-card,codec", "sound-dai")
        self.assertEqual(codec, self.get(tree, "/pixelboop-codec", "phandle"))


if __name__ == "__main__":
    unittest.main()
