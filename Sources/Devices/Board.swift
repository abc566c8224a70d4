import Glibc
import Panel

/// The machine that the box runs on, as far as light, sound and touch depend on it: read from the kernel's files and, on a
/// Raspberry Pi, from the firmware's settings.
public struct Board: Hashable, Sendable {
    /// What the device tree calls it (`Raspberry Pi 4 Model B Rev 1.4`); nil on a machine without one.
    public var model: String?
    /// The kernel's release.
    public var kernel: String
    /// Memory, in MB of 2²⁰ bytes.
    public var megabytes: Int
    /// The most bytes of an SPI message (spidev's `bufsiz`); nil while the module is not loaded.
    public var spiBufferSize: Int?
    /// The settings of the firmware's `config.txt` that count for this model, in order, without blanks.
    public var settings: [String]

    /// The machine whose files stand below `root`.
    public init(root: String = "") {
        func text(_ path: String) -> String? { Board.text(root + path) }
        model = text("/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }
        kernel = text("/proc/sys/kernel/osrelease")?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "?"
        let total = text("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        megabytes =
            total.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }.map { $0 / 1024 } ?? 0
        spiBufferSize = Board.spiBufferSize(root: root)
        let firmware = text("/boot/firmware/config.txt") ?? text("/boot/config.txt") ?? ""
        settings = Board.settings(firmware, model: model ?? "")
    }

    /// Something about the machine, and what to do if it is not as it should be.
    public struct Remark: Hashable, Sendable {
        /// How it stands.
        public enum State: Sendable {
            /// As it should be; the box runs with less; the panel or the sound cannot work.
            case good, warning, fault
        }

        /// How it stands.
        public var state: State
        /// What was found.
        public var what: String
        /// What to do about it.
        public var fix: String?

        static func good(_ what: String) -> Remark { Remark(state: .good, what: what) }
    }

    /// Memory below which a box with a desktop beside it would swap.
    private static let megabytesMin = 300
    /// Frames a second that fingers want.
    private static let framesWanted = 60

    /// What is to be said about the machine and a panel of `configuration` on it.
    public func remarks(on configuration: PanelConfiguration) -> [Remark] {
        var remarks = [Remark.good("\(model ?? "no Raspberry Pi"), Linux \(kernel), \(megabytes) MB")]
        if megabytes < Self.megabytesMin {
            remarks.append(
                Remark(
                    state: .warning, what: "\(megabytes) MB of memory are little",
                    fix: "use a system without a desktop (Raspberry Pi OS Lite)"))
        }
        for chain in configuration.chains { remarks += self.remarks(on: chain, of: configuration.chip) }
        remarks += steadyClock(configuration) + sharedPins(configuration)
        if settings.contains("dtparam=audio=on") {
            remarks.append(
                Remark(
                    state: .warning, what: "the board's own sound output is on",
                    fix: "write dtparam=audio=off in /boot/firmware/config.txt, so that the DAC is the first card"))
        }
        return remarks
    }

    /// How fast the chain is, and whether its messages fit.
    private func remarks(on chain: PanelConfiguration.Chain, of chip: LEDChip) -> [Remark] {
        guard let wire = chip.wire(hertz: chain.hertz),
            let size = chip.messageSize(leds: chain.length, hertz: chain.hertz)
        else { return [] }
        let frames = chain.hertz / (8 * size)
        let tenths = size * 80_000 / chain.hertz
        let speed =
            "\(chain.device): \(chain.length) \(chip.rawValue) at \(chain.hertz) Hz take \(size) bytes, "
            + "\(tenths / 10).\(tenths % 10) ms: at most \(frames) frames a second"
        var remarks: [Remark] = []
        if frames >= Self.framesWanted {
            remarks.append(.good(speed))
        } else {
            let fix = wire.isClocked ? "raise panel.chains[].hertz" : "divide the chain between two SPI devices"
            remarks.append(Remark(state: .warning, what: speed, fix: fix))
        }
        if let spiBufferSize, size > spiBufferSize {
            let parts = (size + spiBufferSize - 1) / spiBufferSize
            remarks.append(
                wire.isClocked
                    ? .good("spidev takes \(spiBufferSize) bytes at once: a frame goes out in \(parts) messages")
                    : Remark(
                        state: .fault,
                        what: "spidev takes \(spiBufferSize) bytes at once, and these LEDs want them all",
                        fix: Board.fix(forMessagesOf: size)))
        }
        return remarks
    }

    /// The SPI clock of a Pi 3 and 4 is made from the core's, which changes with load unless it is held.
    private func steadyClock(_ configuration: PanelConfiguration) -> [Remark] {
        let wanted: [String]
        switch model {
        case let model? where model.hasPrefix("Raspberry Pi 3") || model.hasPrefix("Raspberry Pi Zero 2"):
            wanted = ["core_freq=250"]
        case let model? where model.hasPrefix("Raspberry Pi 4"): wanted = ["core_freq=500", "core_freq_min=500"]
        default: return []
        }
        let missing = wanted.filter { !settings.contains($0) }
        if missing.isEmpty { return [.good("the core's clock is held: \(wanted.joined(separator: ", "))")] }
        let isClocked = configuration.chains.allSatisfy {
            configuration.chip.wire(hertz: $0.hertz)?.isClocked ?? true
        }
        return [
            Remark(
                state: isClocked ? .warning : .fault, what: "the SPI clock changes with the core's",
                fix: "write \(missing.joined(separator: " and ")) in /boot/firmware/config.txt and restart")
        ]
    }

    /// SPI1 and an I2S DAC are on the same pins (GPIO 18, 19 and 21).
    private func sharedPins(_ configuration: PanelConfiguration) -> [Remark] {
        let dac = settings.first {
            $0.hasPrefix("dtoverlay=") && ($0.contains("dac") || $0.contains("hifiberry") || $0.contains("i2s"))
        }
        let second = configuration.chains.first { $0.device.hasPrefix("/dev/spidev1.") }
        guard let dac, let second else { return [] }
        return [
            Remark(
                state: .fault, what: "\(second.device) and the DAC (\(dac)) share GPIO 18, 19 and 21",
                fix: "use SPI0 (/dev/spidev0.0, 0.1) or a USB sound card")
        ]
    }

    /// The lines of a `config.txt` that count for `model`: those under no filter, under `[all]` and under its own.
    static func settings(_ text: String, model: String) -> [String] {
        let own: [(prefix: String, filters: [String])] = [
            ("Raspberry Pi 3 Model B Plus", ["pi3", "pi3+"]), ("Raspberry Pi 3", ["pi3"]), ("Raspberry Pi 4", ["pi4"]),
            ("Raspberry Pi 5", ["pi5"]), ("Raspberry Pi Zero 2", ["pi0", "pi02"]),
        ]
        let filters = ["all"] + (own.first { model.hasPrefix($0.prefix) }?.filters ?? [])
        var counts = true
        var settings: [String] = []
        for line in text.split(separator: "\n") {
            let setting = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            if setting.hasPrefix("[") {
                counts = filters.contains(String(setting.dropFirst().prefix { $0 != "]" }))
            } else if counts, !setting.isEmpty {
                settings.append(String(setting))
            }
        }
        return settings
    }

    /// spidev's limit on the machine whose files stand below `root`.
    static func spiBufferSize(root: String) -> Int? {
        text(root + "/sys/module/spidev/parameters/bufsiz").flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// What lets spidev take messages of `size` bytes.
    static func fix(forMessagesOf size: Int) -> String {
        "add spidev.bufsiz=\(max(32_768, size)) to the one line of /boot/firmware/cmdline.txt"
    }

    private static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
