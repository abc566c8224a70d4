"""The overlays compile without a warning, apply to a device tree, and set the pins of pins.csv. Every device of box.json5 has its path
in each shipped configuration of firmware, on each board."""

import csv
import os
import pathlib
import re
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
        uart0: serial@7e201000 {
            compatible = "arm,pl011";
            reg = <0x7e201000 0x200>;
            status = "okay";
            bluetooth { compatible = "brcm,bcm43438-bt"; };
        };
        uart1: serial@7e215040 { compatible = "brcm,bcm2835-aux-uart"; reg = <0x7e215040 0x40>; status = "okay"; };
        i2c1: i2c@7e804000 { compatible = "brcm,bcm2835-i2c"; reg = <0x7e804000 0x1000>; status = "okay"; };
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
        self.assertEqual(names, [f"pixelboop-{name}" for name in ("dac", "debian", "fan", "midi", "plate", "rest")])
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

    def check_midi(self, tree):
        """The pins are the full line's, as a terminal of its own, and nobody else's."""
        uart = self.get(tree, "/aliases", "serial0", "s")
        self.assertEqual(uart, "/soc/serial@7e201000", "ttyAMA0")
        self.assertEqual(self.get(tree, uart, "status", "s"), "okay")
        # Alternate function 0 (4): TXD0 without pull, RXD0 pulled up (2).
        self.assertEqual(set(self.pins(tree, uart)), {14, 15})
        self.assertEqual({function for function, _ in self.pins(tree, uart).values()}, {4})
        self.assertEqual(self.get(tree, uart + "/bluetooth", "status", "s"), "disabled")
        self.assertEqual(self.get(tree, "/soc/serial@7e215040", "status", "s"), "disabled", "the console's line")

    def check_plate(self, tree):
        """The thermometer's line is open drain, and I2C is off."""
        gpio = self.get(tree, GPIO, "phandle")[0]
        self.assertEqual(self.get(tree, "/pixelboop-plate", "compatible", "s"), "w1-gpio")
        self.assertEqual(self.get(tree, "/pixelboop-plate", "gpios"), [gpio, "2", "6"])
        self.assertEqual(self.pins(tree, "/pixelboop-plate"), {2: (0, 0)})
        self.assertEqual(self.get(tree, "/soc/i2c@7e804000", "status", "s"), "disabled")

    def test_debian_gets_midi_and_the_plates_thermometer(self):
        tree = self.merged("pixelboop-debian", "pixelboop-midi", "pixelboop-plate")
        self.check_midi(tree)
        self.check_plate(tree)
        pins = [set(self.pins(tree, node)) for node in (GPIO, SPI, "/soc/serial@7e201000", "/pixelboop-plate")]
        self.assertEqual(len(set.union(*pins)), sum(map(len, pins)), "two devices want one pin")

    @unittest.skipUnless(TREES, "needs a kernel's trees: TREES=FOLDER")
    def test_debian_trees_of_every_board_accept_them(self):
        for board in BOARDS:
            with self.subTest(board):
                self.base = str(pathlib.Path(TREES, board + ".dtb"))
                tree = self.merged(*[f"pixelboop-{name}" for name in ("debian", "dac", "fan", "midi", "plate")])
                self.check_spi(tree)
                self.check_fan(tree)
                self.check_midi(tree)
                self.check_plate(tree)

    def test_debian_gets_the_card_that_the_configuration_names(self):
        tree = self.merged("pixelboop-debian", "pixelboop-dac")
        self.assertEqual(set(self.pins(tree, "/soc/i2s@7e203000")), {18, 19, 20, 21})
        name = self.get(tree, "/pixelboop-dac", "simple-audio-card,name", "s")
        self.assertIn(f'"hw:CARD={name},', (OVERLAYS.parent / "box.json5").read_text(encoding="utf-8"))
        codec = self.get(tree, "/pixelboop-dac/simple-audio-card,codec", "sound-dai")
        self.assertEqual(codec, self.get(tree, "/pixelboop-codec", "phandle"))


class Paths(unittest.TestCase):
    """The devices of box.json5, in the configurations that the package and the card ship."""

    BOOT = OVERLAYS.parent.parent / "deploy" / "boot"
    SECTIONS = {"3B+": "pi3", "4": "pi4", "5": "pi5", "Zero 2 W": "pi02"}
    # For each device: the line of Raspberry Pi OS, and of Debian's kernel. None: that board has no path, for a reason in the page.
    PATHS = {
        "/dev/spidev0.0": ("dtparam=spi=on", "dtoverlay=pixelboop-debian"),
        "/dev/spidev0.1": ("dtparam=spi=on", "dtoverlay=pixelboop-debian"),
        "sndrpihifiberry": ("dtoverlay=hifiberry-dac", "dtoverlay=pixelboop-dac"),
        "/dev/ttyAMA0": ("dtoverlay=disable-bt", "dtoverlay=pixelboop-midi"),
        "w1_slave_temp": ("dtoverlay=w1-gpio,gpiopin=2", "dtoverlay=pixelboop-plate"),
        "fan": ("dtoverlay=gpio-fan,gpiopin=26,temp=60000", "dtoverlay=pixelboop-fan"),
    }
    # A Pi 5 has a line for MIDI of its own, by the same name, and sound by USB.
    OF_A_PI_5 = {"/dev/ttyAMA0": "dtparam=uart0=on", "sndrpihifiberry": None}

    def lines(self, name, board):
        """The lines of a configuration that count on a board."""
        found, counts = [], True
        for line in (self.BOOT / name).read_text(encoding="utf-8").splitlines():
            section = re.fullmatch(r"\[(\w+)\]", line)
            if section:
                counts = section.group(1) in ("all", self.SECTIONS[board])
            elif counts and line and not line.startswith("#"):
                found.append(line)
        return found

    def devices(self):
        """The devices that box.json5 names, and the fan."""
        text = re.sub(r"(?m)//.*$", "", (OVERLAYS.parent / "box.json5").read_text(encoding="utf-8"))
        found = set(re.findall(r'"(/dev/[^"]+)"', text)) | set(re.findall(r'"hw:CARD=(\w+),', text))
        return found | set(re.findall(r'sensor: "(\w+)"', text)) | {"fan"}

    def test_every_device_has_its_path_in_each_configuration_on_each_board(self):
        self.assertEqual(self.devices(), set(self.PATHS))
        for device, (ours, debian) in self.PATHS.items():
            for board in self.SECTIONS:
                line = self.OF_A_PI_5.get(device, ours) if board == "5" else ours
                lines = self.lines("config-raspberry-pi-os.txt", board)
                if line is None:
                    self.assertNotIn(ours, lines, (board, device))
                else:
                    self.assertIn(line, lines, (board, device))
                if board != "5":
                    self.assertIn(debian, self.lines("config-debian.txt", board), (board, device))

    def test_the_card_has_the_overlays_that_its_configuration_names(self):
        named = re.findall(r"(?m)^dtoverlay=pixelboop-(\w+)$", (self.BOOT / "config-debian.txt").read_text(encoding="utf-8"))
        made = (self.BOOT.parent / "image" / "make").read_text(encoding="utf-8")
        copied = re.search(r"for overlay in ([\w ]+); do", made).group(1).split()
        self.assertEqual(set(named), set(copied))

    def test_no_console_is_on_the_sockets(self):
        consoles = (self.BOOT.parent / "image/debian/etc/default/raspi-firmware").read_text(encoding="utf-8")
        self.assertEqual(re.search(r'(?m)^CONSOLES="(.*)"$', consoles).group(1), "tty0")
        self.assertNotIn("console=", (self.BOOT / "cmdline.txt").read_text(encoding="utf-8"))
        page = (OVERLAYS / "README.md").read_text(encoding="utf-8")
        command = re.search(r"sed -i -E '(s/console=[^']*)' /boot/firmware/cmdline.txt", page).group(1)
        for name in ("serial0", "ttyAMA0", "ttyS0"):
            left = subprocess.run(["sed", "-E", command], input=f"console={name},115200 console=tty1 root=x\n", capture_output=True,
                                  text=True, check=True).stdout
            self.assertEqual(left, "console=tty1 root=x\n")

    def test_the_pins_are_those_of_the_table(self):
        with open(OVERLAYS.parent / "pins.csv", encoding="utf-8", newline="") as file:
            pins = {row["function"]: int(row["gpio"]) for row in csv.DictReader(file)}
        self.assertEqual((pins["uart.tx"], pins["uart.rx"], pins["plate.sensor"], pins["fan"]), (14, 15, 2, 26))


if __name__ == "__main__":
    unittest.main()
