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
    /// What the firmware is told.
    public var settings: FirmwareSettings

    /// The machine whose files stand below `root`.
    public init(root: String = "") {
        func text(_ path: String) -> String? { String(systemFile: root + path) }
        model = text("/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }
        kernel = text("/proc/sys/kernel/osrelease")?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "?"
        let total = text("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        megabytes =
            total.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }.map { $0 / 1024 } ?? 0
        spiBufferSize = Board.spiBufferSize(root: root)
        let firmware = text(FirmwareSettings.path) ?? text("/boot/config.txt") ?? ""
        settings = FirmwareSettings(firmware, board: model ?? "")
    }

    /// Whether the machine has a Raspberry Pi's header and firmware, which reads config.txt.
    var isRaspberryPi: Bool { model?.hasPrefix("Raspberry Pi") ?? false }

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
        if isRaspberryPi, settings.isSet("dtparam=audio=on") {
            remarks.append(
                Remark(
                    state: .warning, what: "the board's own sound output is on",
                    fix: "write dtparam=audio=off in \(FirmwareSettings.path), so that the DAC is the first card"))
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
        guard let model = settings.model, !model.clock.isEmpty else { return [] }
        let missing = model.clock.filter { !settings.isSet($0) }
        if missing.isEmpty { return [.good("the core's clock is held: \(model.clock.joined(separator: ", "))")] }
        let isClocked = configuration.chains.allSatisfy {
            configuration.chip.wire(hertz: $0.hertz)?.isClocked ?? true
        }
        return [
            Remark(
                state: isClocked ? .warning : .fault, what: "the SPI clock changes with the core's",
                fix: "write \(missing.joined(separator: " and ")) under [\(model.filters[0])] or [all] in "
                    + "\(FirmwareSettings.path) and restart")
        ]
    }

    /// SPI1 and an I2S DAC are on the same pins (GPIO 18, 19 and 21).
    private func sharedPins(_ configuration: PanelConfiguration) -> [Remark] {
        guard isRaspberryPi else { return [] }
        let dac = settings.lines.first {
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

    /// spidev's limit on the machine whose files stand below `root`.
    static func spiBufferSize(root: String) -> Int? {
        String(systemFile: root + "/sys/module/spidev/parameters/bufsiz").flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// What lets spidev take messages of `size` bytes.
    static func fix(forMessagesOf size: Int) -> String {
        "add spidev.bufsiz=\(max(32_768, size)) to the one line of /boot/firmware/cmdline.txt"
    }
}
