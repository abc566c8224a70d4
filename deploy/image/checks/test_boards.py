"""Boards that QEMU does not emulate, by their device trees: each device that the card needs has a driver on it.

The tree is the board's on the first partition, with the overlays that a.txt names, as the firmware merges them."""

import pathlib
import re
import subprocess
import unittest

import libfdt

from board import FOLDER, MIB, Board

# Tree, and the file names of the Wi-Fi chips' firmware (Raspberry Pi documentation, "Processors" and the boards' schematics).
BOARDS = {
    "bcm2837-rpi-3-b-plus": ["brcmfmac43455-sdio"],
    "bcm2711-rpi-4-b": ["brcmfmac43455-sdio"],
    # Some have a 43436, whose own firmware Debian lacks.
    "bcm2837-rpi-zero-2-w": ["brcmfmac43430-sdio"],
}
# The card slot of each tree: the first of these that it has.
SLOTS = ["/emmc2bus/mmc@7e340000", "/soc/mmc@7e202000"]
# Drivers in the kernel itself, which has no list of their devices: the symbol that builds each (Kconfig and Makefile of drivers/).
BUILT_IN = {
    "arm,armv7-timer": "ARM_ARCH_TIMER", "arm,armv8-timer": "ARM_ARCH_TIMER", "arm,cortex-a53-pmu": "ARM_PMUV3",
    "arm,cortex-a72-pmu": "ARM_PMUV3", "arm,gic-400": "ARM_GIC", "arm,pl011": "SERIAL_AMBA_PL011",
    "brcm,bcm2711-cprman": "CLK_BCM2835", "brcm,bcm2711-gpio": "PINCTRL_BCM2835", "brcm,bcm2711-l2-intc": "BRCMSTB_L2_IRQ",
    "brcm,bcm2711-pcie": "PCIE_BRCMSTB", "brcm,bcm2711-pm": "BCM2835_POWER", "brcm,bcm2835-aux": "CLK_BCM2835",
    "brcm,bcm2835-aux-uart": "SERIAL_8250_BCM2835AUX", "brcm,bcm2835-cprman": "CLK_BCM2835", "brcm,bcm2835-dma": "DMA_BCM2835",
    "brcm,bcm2835-gpio": "PINCTRL_BCM2835", "brcm,bcm2835-mbox": "BCM2835_MBOX", "brcm,bcm2835-pm": "BCM2835_POWER",
    "brcm,bcm2836-armctrl-ic": "ARCH_BCM2835", "brcm,bcm2836-l1-intc": "ARCH_BCM2835",
    "fixed-clock": "COMMON_CLK", "mmc-pwrseq-simple": "PWRSEQ_SIMPLE", "raspberrypi,bcm2835-firmware": "RASPBERRYPI_FIRMWARE",
    "raspberrypi,bcm2835-power": "RASPBERRYPI_POWER", "raspberrypi,firmware-clocks": "CLK_RASPBERRYPI",
    "raspberrypi,firmware-gpio": "GPIO_RASPBERRYPI_EXP", "rohm,dh2228fv": "SPI_SPIDEV", "simple-bus": "OF", "syscon": "MFD_SYSCON",
}
# No driver is needed: processors, memory, a timer beside the processors' own, and the display, which the box has not.
UNDRIVEN = re.compile(r"arm,cortex-a\d+$|cache$|shared-dma-pool$|brcm,bcm2835-(system-timer|hvs|txp|vec|hdmi|v3d|vc4|pixelvalve\d)$|"
                      r"brcm,bcm2711-(hvs|hdmi\d|hdmi-i2c|vc5|pixelvalve\d)$|brcm,brcm2711-dvp$|brcm,2711-v3d$")
# Devices that are found on another bus, and what the kernel asks for then.
OTHER_BUSES = {
    "usb424,7800": "usb:v0424p7800d*dc*dsc*dp*ic*isc*ip*in*",
    "brcm,bcm4329-fmac": "sdio:c*v02D0dA9BF*",
}
# Properties that refer to other devices, and the property of those with the number of cells that follow.
REFERENCES = {"clocks": "#clock-cells", "dmas": "#dma-cells", "mboxes": "#mbox-cells", "power-domains": "#power-domain-cells",
              "resets": "#reset-cells", "gpios": "#gpio-cells", "mmc-pwrseq": None, "firmware": None}


def report(title, text):
    print(f"\n-- {title}\n{text}", flush=True)


class Tree:
    """A device tree: the properties of its nodes by path."""

    def __init__(self, path):
        tree = libfdt.Fdt(path.read_bytes())
        self.nodes, self.handles = {}, {}

        def read(offset, path, is_on):
            properties = {}
            place = tree.first_property_offset(offset, [libfdt.NOTFOUND])
            while place >= 0:
                found = tree.get_property_by_offset(place)
                properties[found.name] = bytes(found)
                place = tree.next_property_offset(place, [libfdt.NOTFOUND])
            is_on = is_on and properties.get("status", b"okay\0") in (b"okay\0", b"ok\0")
            self.nodes[path] = (properties, is_on)
            if "phandle" in properties:
                self.handles[properties["phandle"]] = path
            child = tree.first_subnode(offset, [libfdt.NOTFOUND])
            while child >= 0:
                read(child, f"{path}/{tree.get_name(child)}", is_on)
                child = tree.next_subnode(child, [libfdt.NOTFOUND])

        read(0, "", True)

    def words(self, path, name):
        """The texts of a property."""
        return self.nodes[path][0].get(name, b"").decode().split("\0")[:-1]

    def devices(self):
        """The paths of the devices that are on, below the board itself."""
        return [path for path, (properties, is_on) in self.nodes.items() if path and is_on and "compatible" in properties]

    def needed(self, path):
        """The device at `path`, and all that it needs: its parents, and the devices that it refers to, and theirs."""
        found, waiting = set(), [path]
        while waiting:
            place = waiting.pop()
            if place in found or not place:
                continue
            found.add(place)
            waiting.append(place.rpartition("/")[0])
            waiting += self.referred(place)
        return found

    def referred(self, path):
        for name, value in self.nodes[path][0].items():
            cells = [value[at:at + 4] for at in range(0, len(value), 4)]
            if name.endswith("-supply") or name.startswith("pinctrl-") and name != "pinctrl-names":
                yield from (self.handles[cell] for cell in cells)
            key = "gpios" if name.endswith("-gpios") else name
            while key in REFERENCES and cells:
                target = self.handles.get(cells[0])
                if target is None:
                    break
                yield target
                count = self.nodes[target][0].get(REFERENCES[key], b"\0\0\0\0") if REFERENCES[key] else b"\0\0\0\0"
                cells = cells[1 + int.from_bytes(count, "big"):]


class BoardTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Not started: its files are read.
        board = Board("files", 4096 * MIB)
        cls.root = FOLDER / "root"
        cls.root.mkdir()
        cls.boot = FOLDER / "boot"
        cls.boot.mkdir()
        board.fetch("a/*.dtb", cls.boot)
        board.fetch("a.txt", cls.boot)
        board.fetch("a/overlays/*.dtbo", cls.boot)
        # Without it the firmware looks for the overlays elsewhere.
        board.fetch("a/overlays/README", cls.boot)
        begin = subprocess.run(["sfdisk", "--json", board.card], capture_output=True, check=True, text=True).stdout
        begin = int(re.findall(r'"start": (\d+)', begin)[1]) * 512
        release = re.search(r"^kernel=vmlinuz-(.*)$", (cls.boot / "a.txt").read_text(), re.MULTILINE)[1]
        modules = f"/usr/lib/modules/{release}"

        def read(path):
            done = subprocess.run(["debugfs", "-R", f"cat {path}", f"{board.card}?offset={begin}"], capture_output=True, check=True)
            return done.stdout.decode()

        def names(path):
            done = subprocess.run(["debugfs", "-R", f"ls -p {path}", f"{board.card}?offset={begin}"], capture_output=True, check=True)
            return {line.split("/")[5] for line in done.stdout.decode().splitlines() if line}

        cls.aliases = dict(line.split()[1:3] for line in read(f"{modules}/modules.alias").splitlines() if line.startswith("alias "))
        files = (line.split(":") for line in read(f"{modules}/modules.dep").splitlines())
        cls.modules = {cls.module_name(file): [cls.module_name(need) for need in needs.split()] for file, needs in files}
        cls.built_in = {cls.module_name(line) for line in read(f"{modules}/modules.builtin").splitlines()}
        cls.symbols = set(re.findall(r"^CONFIG_(\w+)=y$", read(f"/boot/config-{release}"), re.MULTILINE))
        cls.firmware = names("/usr/lib/firmware/brcm")
        listed = subprocess.run(["lsinitramfs", FOLDER / "initrd.img"], capture_output=True, check=True, text=True).stdout
        cls.initramfs = {cls.module_name(line) for line in listed.splitlines() if ".ko" in line}
        board.card.unlink()

    @staticmethod
    def module_name(path):
        return path.rpartition("/")[2].split(".ko")[0].replace("-", "_")

    def driver(self, compatible):
        """The module that drives a device; an empty text if the kernel itself does; None if nothing does."""
        symbol = BUILT_IN.get(compatible)
        if symbol in self.symbols:
            return ""
        wanted = [OTHER_BUSES.get(compatible, ""), f"of:N*T*C{compatible}", f"of:N*T*C{compatible}C*"]
        found = next((self.aliases[alias] for alias in wanted if alias in self.aliases), None)
        return "" if found in self.built_in else found

    def test_every_board(self):
        """All devices but the display have a driver; those of the card's slot are in the initramfs; Wi-Fi has its firmware."""
        overlays = re.findall(r"^dtoverlay=(\S+)$", (self.boot / "a.txt").read_text(), re.MULTILINE)
        self.assertEqual(overlays, ["pixelboop-debian", "pixelboop-dac", "pixelboop-fan", "pixelboop-midi", "pixelboop-plate"])
        for name, chips in BOARDS.items():
            with self.subTest(name):
                merged = self.boot / f"{name}.merged.dtb"
                subprocess.run(["fdtoverlay", "-i", self.boot / f"{name}.dtb", "-o", merged,
                                *[self.boot / f"{overlay}.dtbo" for overlay in overlays]], check=True)
                self.check_tree(name, Tree(merged))
                board = Tree(merged).words("", "compatible")[0]
                for chip in chips:
                    self.assertLessEqual({f"{chip}.bin", f"{chip}.clm_blob", f"{chip}.{board}.txt"}, self.firmware)

    def check_tree(self, name, tree):
        drivers, undriven = {}, []
        for path in tree.devices():
            compatibles = tree.words(path, "compatible")
            found = next((found for found in map(self.driver, compatibles) if found is not None), None)
            if found is not None:
                drivers[path] = found
            elif not any(UNDRIVEN.match(compatible) for compatible in compatibles):
                undriven.append(f"{path}: {', '.join(compatibles)}")
        self.assertEqual(undriven, [], "have no driver on the card")
        for module in set(drivers.values()) - {""}:
            self.assertIn(module.replace("-", "_"), self.modules)
        # What the box itself uses.
        for device in ("/soc/spi@7e204000", "/soc/spi@7e204000/leds@0", "/soc/i2s@7e203000", "/pixelboop-dac", "/pixelboop-codec",
                       "/pixelboop-fan", "/pixelboop-plate", "/soc/serial@7e201000"):
            self.assertIn(device, drivers)

        slot = next(slot for slot in SLOTS if slot in drivers)
        early = {drivers[path] for path in tree.needed(slot) if path in drivers} - {""}
        early |= {need for module in early for need in self.modules[module.replace("-", "_")]}
        self.assertLessEqual({module.replace("-", "_") for module in early}, self.initramfs, f"{slot} needs them in the initramfs")
        report(name, f"{len(drivers)} devices have a driver, {sum(1 for found in drivers.values() if found)} of them a module; "
                     f"for the card's slot, {slot}: {', '.join(sorted(early))}")
