import Devices
import Foundation
import Panel
import Testing

/// Doctor's findings about MIDI sockets, buttons and thermometers at a Raspberry Pi's header, on the systems that boxes
/// have.
@Suite("The header's pins, as doctor sees them")
struct HeaderTests {
    /// A system: its files, and what doctor says of sockets at /dev/ttyAMA0.
    struct System: Sendable, CustomTestStringConvertible {
        var name: String
        var files: [String: String]
        /// The beginnings of findings and fixes, in their order.
        var findings: [(what: String, fix: String)] = []

        var testDescription: String { name }
    }

    static let pi4 = "Raspberry Pi 4 Model B Rev 1.4"
    static let pi5 = "Raspberry Pi 5 Model B Rev 1.0"
    private static let node = "proc/device-tree/soc/serial@7e201000"

    private static func files(_ model: String, _ kernel: String, _ others: [String: String] = [:]) -> [String: String] {
        let always = [
            "proc/device-tree/model": model + "\0", "proc/sys/kernel/osrelease": kernel + "\n",
            "proc/consoles": "tty0                 -WU (EC  p  )    4:2\n",
            "proc/cmdline": "root=/dev/mmcblk0p2 console=tty1 rootwait\n",
        ]
        return always.merging(others) { $1 }
    }

    private static let debian = "6.12.117+deb13-arm64"
    private static let raspberry = "6.12.25+rpt-rpi-v8"
    private static let chip = ["\(node)/bluetooth/compatible": "brcm,bcm43438-bt\0"]
    private static let bluetooth = (what: "/dev/ttyAMA0 is Bluetooth's", fix: "write dtoverlay=")
    private static let kernel = "the kernel writes to the instruments "

    static let systems: [System] = [
        System(
            name: "Debian's tree as it is", files: files(pi4, debian, chip),
            findings: [
                (bluetooth.what, "write dtoverlay=pixelboop-midi in /boot/firmware/config.txt")
            ]),
        System(
            name: "Debian's with the overlay",
            files: files(pi4, debian, chip.merging(["\(node)/bluetooth/status": "disabled\0"]) { $1 })),
        System(
            name: "Debian's, whose first name is always the full line",
            files: files(pi4, debian, ["proc/device-tree/aliases/serial0": "/soc/serial@7e215040\0"])),
        System(
            name: "Raspberry Pi OS as it is", files: files(pi4, raspberry, chip),
            findings: [
                (bluetooth.what, "write dtoverlay=disable-bt in /boot/firmware/config.txt")
            ]),
        System(
            name: "Raspberry Pi OS whose kernel leaves Bluetooth to a program",
            files: files(
                "Raspberry Pi 3 Model B Plus Rev 1.3", "6.1.21-v8+",
                ["proc/device-tree/aliases/serial0": "/soc/serial@7e215040\0"]),
            findings: [(bluetooth.what, "write dtoverlay=disable-bt in")]),
        System(
            name: "Raspberry Pi OS with disable-bt",
            files: files(
                pi4, raspberry,
                chip.merging([
                    "\(node)/bluetooth/status": "disabled\0",
                    "proc/device-tree/aliases/serial0": "/soc/serial@7e201000\0",
                ]) { $1 })),
        System(
            name: "a console on the line",
            files: files(
                pi4, raspberry,
                [
                    "proc/cmdline": "console=ttyAMA0,115200 console=tty1 root=x\n",
                    "proc/consoles": "ttyAMA0  -W- (EC )  204:64\n",
                ]),
            findings: [("\(kernel)(console=ttyAMA0)", "remove it from the one line of /boot/firmware/cmdline.txt")]),
        System(
            name: "a console that the kernel could not open yet",
            files: files(pi4, debian, ["proc/cmdline": "console=ttyS1,115200\n"]),
            findings: [("\(kernel)(console=ttyS1)", "write CONSOLES=\"tty0\" in /etc/default/raspi-firmware")]),
        System(
            name: "a login on the line",
            files: files(
                pi4, raspberry,
                [
                    "run/systemd/generator/getty.target.wants/serial-getty@ttyAMA0.service": "[Unit]\n"
                ]),
            findings: [("a login waits at /dev/ttyAMA0", "sudo systemctl disable --now serial-getty@ttyAMA0")]),
        System(
            name: "a Pi 5 whose line is off", files: files(pi5, "6.12.25+rpt-rpi-2712"),
            findings: [
                ("/dev/ttyAMA0 is not there", "write dtparam=uart0=on in")
            ]),
        System(name: "a Pi 5 with its line", files: files(pi5, "6.12.25+rpt-rpi-2712", ["dev/ttyAMA0": ""])),
        System(
            name: "a Pi 5 with Debian's kernel", files: files(pi5, debian),
            findings: [
                (
                    "Debian's kernel has no serial line at a Pi 5's header",
                    "use Raspberry Pi OS, or a USB-MIDI interface"
                )
            ]),
        System(name: "a computer", files: ["proc/cmdline": "console=ttyS0\n", "proc/consoles": "ttyS0 -W-\n"]),
    ]

    @Test(
        "sockets at the header: Bluetooth, consoles, logins and lines that are off are named with the fix",
        arguments: systems)
    func sockets(system: System) throws {
        let found = try withFiles(system.files) { Board(root: $0).remarks(onSockets: "/dev/ttyAMA0") }
        #expect(found.map(\.state) == system.findings.map { _ in .fault })
        for (found, wanted) in zip(found, system.findings) {
            #expect(found.what.hasPrefix(wanted.what), "\(found)")
            #expect(found.fix?.hasPrefix(wanted.fix) == .some(true), "\(found)")
        }
        // A USB adapter's line is not at the header.
        #expect(try withFiles(system.files) { Board(root: $0).remarks(onSockets: "/dev/ttyUSB0") }.isEmpty)
    }

    /// Settings of config.txt, and the keys that I2C takes their line from.
    static let i2c: [(settings: String, keys: [String])] = [
        ("", []), ("dtparam=i2c_arm=on\n", ["gpio.power", "panel.heat.sensor"]),
        ("dtparam=i2c=on\n", ["gpio.power", "panel.heat.sensor"]), ("dtparam=i2c_arm=on\ndtparam=i2c_arm=off\n", []),
    ]

    @Test("what needs GPIO 2 or 3 is told that I2C has them", arguments: i2c)
    func lines(settings: String, keys: [String]) throws {
        let files = Self.files(Self.pi4, Self.debian, ["boot/firmware/config.txt": settings])
        let found = try withFiles(files) {
            Board(root: $0).remarks(onLines: [("gpio.power", 3), ("gpio.play", 5), ("panel.heat.sensor", 2)])
        }
        #expect(found.map { String($0.what.prefix { $0 != " " }) } == keys)
        #expect(found.allSatisfy { $0.state == .fault && $0.fix?.contains("i2c_arm=on") == .some(true) })
    }

    /// Kernels, settings, and the line that the plate's thermometer needs.
    static let thermometers: [(kernel: String, settings: String, line: String?)] = [
        (debian, "", "dtoverlay=pixelboop-plate"), (debian, "dtoverlay=pixelboop-plate\n", nil),
        (raspberry, "", "dtoverlay=w1-gpio,gpiopin=2"), (raspberry, "dtoverlay=w1-gpio,gpiopin=2,pullup=1\n", nil),
        (raspberry, "dtoverlay=w1-gpio\n", "dtoverlay=w1-gpio,gpiopin=2"),
    ]

    @Test("a thermometer of the plate that does not answer needs its line in config.txt", arguments: thermometers)
    func thermometer(kernel: String, settings: String, line: String?) throws {
        let files = Self.files(Self.pi4, kernel, ["boot/firmware/config.txt": settings])
        let fix = try withFiles(files) { Board(root: $0).fix(forSensor: "w1_slave_temp") }
        #expect(fix == line.map { "write \($0) in /boot/firmware/config.txt and restart" })
        #expect(try withFiles(files) { Board(root: $0).fix(forSensor: "cpu_thermal") } == nil)
    }
}
