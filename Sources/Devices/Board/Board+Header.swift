import Glibc

/// The system's uses of a Raspberry Pi's serial lines.
struct SerialUse: Hashable, Sendable {
    /// The lines that the header's pins, GPIO 14 and 15, can have, by board and kernel; `serial0` is a name for one of them.
    static let names = ["serial0", "ttyAMA0", "ttyS0", "ttyS1"]

    /// Names of those that exist.
    let existing: [String]
    /// Names of those that are the kernel's console.
    let consoles: [String]
    /// Names of those on which people can log in.
    let logins: [String]
    /// Whether the full line (PL011) of the boards before a Pi 5 is Bluetooth's.
    let hasBluetooth: Bool

    /// The node of that line in the device tree.
    private static let node = "/soc/serial@7e201000"

    /// The serial lines of the machine whose file system begins at `root`; `isDebian` of Debian's kernel.
    init(root: String, isDebian: Bool) {
        func text(_ path: String) -> String? { String(systemFile: root + path) }
        func words(_ path: String) -> [Substring] { text(path)?.split(whereSeparator: \.isWhitespace) ?? [] }
        existing = Self.names.filter { access("\(root)/dev/\($0)", F_OK) == 0 }
        // A console that could not be opened yet is only on the command line.
        let named = words("/proc/cmdline").filter { $0.hasPrefix("console=") }.map {
            $0.dropFirst(8).prefix { $0 != "," }
        }
        let open = (text("/proc/consoles") ?? "").split(separator: "\n").map { $0.prefix { $0 != " " } }
        consoles = Self.names.filter { named.contains($0[...]) || open.contains($0[...]) }
        let folders = ["/run/systemd/generator", "/etc/systemd/system"]
        logins = Self.names.filter { name in
            folders.contains { text("\($0)/getty.target.wants/serial-getty@\(name).service") != nil }
        }
        let tree = "/proc/device-tree"
        let hasChip = text("\(tree)\(Self.node)/bluetooth/compatible") != nil
        let status = text("\(tree)\(Self.node)/bluetooth/status")?.prefix { $0 != "\0" } ?? "okay"
        // Raspberry Pi's own trees call the line at the header serial0, whether or not the kernel drives Bluetooth
        // (Raspberry Pi documentation, "Configure UARTs"); in the kernel's trees the name says nothing.
        let header = text("\(tree)/aliases/serial0")?.prefix { $0 != "\0" }
        hasBluetooth = hasChip && status == "okay" || !isDebian && header.map { $0 != Self.node } ?? false
    }
}

extension Board {
    /// Whether the kernel is Debian's, with its own device trees, and not that of Raspberry Pi OS.
    static func isDebian(kernel: String) -> Bool { kernel.hasSuffix("-arm64") }

    private var isDebian: Bool { Self.isDebian(kernel: kernel) }

    private static let restart = "in \(FirmwareSettings.path) and restart"

    /// Findings about MIDI sockets at the serial line `path`: who else has the line, or its pins. Empty if it is none of
    /// the header's.
    public func remarks(onSockets path: String) -> [Remark] {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard isRaspberryPi, SerialUse.names.contains(name) else { return [] }
        func fault(_ what: String, _ fix: String) -> Remark { Remark(state: .fault, what: what, fix: fix) }
        var remarks: [Remark] = []
        if settings.isOfPi5 {
            if !serial.existing.contains(name) {
                let what = "\(path) is not there: the serial line at GPIO 14 and 15 is off"
                remarks.append(
                    isDebian
                        ? fault(
                            "Debian's kernel has no serial line at a Pi 5's header",
                            "use Raspberry Pi OS, or a USB-MIDI interface and midi.uart null")
                        : fault(what, "write dtparam=uart0=on \(Self.restart)"))
            }
        } else if name == "ttyAMA0", serial.hasBluetooth {
            let overlay = isDebian ? "pixelboop-midi" : "disable-bt"
            remarks.append(
                fault(
                    "\(path) is Bluetooth's, not that of GPIO 14 and 15", "write dtoverlay=\(overlay) \(Self.restart)"))
        }
        if !serial.consoles.isEmpty {
            let words = serial.consoles.map { "console=\($0)" }.joined(separator: " and ")
            remarks.append(
                fault(
                    "the kernel writes to the instruments (\(words))",
                    isDebian
                        ? "write CONSOLES=\"tty0\" in /etc/default/raspi-firmware, then sudo update-initramfs -u, and restart"
                        : "remove it from the one line of /boot/firmware/cmdline.txt and restart"))
        }
        for login in serial.logins {
            remarks.append(
                fault("a login waits at /dev/\(login)", "sudo systemctl disable --now serial-getty@\(login)"))
        }
        return remarks
    }

    /// Findings about GPIO 2 and 3, which I2C takes: `uses` are the keys of the configuration that need them, with the
    /// line's number.
    public func remarks(onLines uses: [(key: String, number: Int)]) -> [Remark] {
        guard isRaspberryPi, settings.isSet("dtparam=i2c_arm=on") || settings.isSet("dtparam=i2c=on") else { return [] }
        return uses.filter { [2, 3].contains($0.number) }.map { use in
            Remark(
                state: .fault, what: "\(use.key) is GPIO \(use.number), which I2C has",
                fix: "remove dtparam=i2c_arm=on \(Self.restart)")
        }
    }

    /// The fix for a thermometer that does not answer, by the kernel's `name` for it; nil for one that is not at the header.
    public func fix(forSensor name: String) -> String? {
        guard isRaspberryPi, name == "w1_slave_temp" else { return nil }
        let overlay = isDebian ? "pixelboop-plate" : "w1-gpio,gpiopin=2"
        let isSet = settings.lines.contains { $0.hasPrefix("dtoverlay=\(overlay)") }
        return isSet ? nil : "write dtoverlay=\(overlay) \(Self.restart)"
    }
}
