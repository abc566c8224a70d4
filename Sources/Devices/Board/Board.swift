import Panel

/// The machine's properties that light, sound and touch depend on, from the kernel's files and a Raspberry Pi's
/// config.txt.
public struct Board: Hashable, Sendable {
    /// Model name from the device tree, such as `Raspberry Pi 4 Model B Rev 1.4`; nil without a device tree.
    public var model: String?
    /// Kernel release.
    public var kernel: String
    /// Memory in MiB.
    public var megabytes: Int
    /// Maximum bytes of an SPI message (spidev's `bufsiz`); nil while the module is not loaded.
    public var spiBufferSize: Int?
    /// Settings of config.txt.
    public var settings: FirmwareSettings
    /// Whether the firmware of a Pi 5 lets its USB devices draw 1.6 A together, instead of 0.6 A.
    public var hasFullUSBCurrent: Bool
    /// The system's uses of the serial lines.
    var serial: SerialUse

    /// The machine whose file system begins at `root`.
    public init(root: String = "") {
        func text(_ path: String) -> String? { String(systemFile: root + path) }
        model = text("/proc/device-tree/model").map { String($0.prefix { $0 != "\0" }) }
        kernel = text("/proc/sys/kernel/osrelease")?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "?"
        let total = text("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        let words = total?.split(separator: " ") ?? []
        megabytes = words.count > 1 ? (Int(words[1]) ?? 0) / 1024 : 0
        spiBufferSize = Board.spiBufferSize(root: root)
        let folder = ["/boot/firmware/", "/boot/"].first { text($0 + "config.txt") != nil }
        settings = FirmwareSettings(board: model ?? "") { name in folder.flatMap { text($0 + name) } }
        // A number of four bytes (Raspberry Pi documentation, "Device tree: chosen/power").
        let current = text("/proc/device-tree/chosen/power/usb_max_current_enable") ?? ""
        hasFullUSBCurrent = current.unicodeScalars.contains { $0.value != 0 }
        serial = SerialUse(root: root, isDebian: Board.isDebian(kernel: kernel))
    }

    /// Whether the machine is a Raspberry Pi, with its header and config.txt.
    var isRaspberryPi: Bool { model?.hasPrefix("Raspberry Pi") ?? false }

    /// A finding about the machine, and the fix if it is a problem.
    public struct Remark: Hashable, Sendable {
        /// Severity of a finding.
        public enum State: Sendable {
            /// No problem; a limitation; the panel or the sound cannot work.
            case good, warning, fault
        }

        /// Severity.
        public var state: State
        /// The finding.
        public var what: String
        /// The remedy; nil if there is no problem.
        public var fix: String?

        static func good(_ what: String) -> Remark { Remark(state: .good, what: what) }
    }

    /// Minimum memory: below it a box beside a desktop would swap.
    private static let megabytesMin = 300
    /// Minimum frame rate for playing.
    private static let framesWanted = 60

    /// Findings about the machine with a panel of `configuration`.
    public func remarks(on configuration: PanelConfiguration) -> [Remark] {
        var remarks = [Remark.good("\(model ?? "no Raspberry Pi"), Linux \(kernel), \(megabytes) MB")]
        if megabytes < Self.megabytesMin {
            remarks.append(
                Remark(
                    state: .warning, what: "only \(megabytes) MB of memory",
                    fix: "use a system without a desktop (Raspberry Pi OS Lite)"))
        }
        for chain in configuration.chains { remarks += self.remarks(on: chain, of: configuration.chip) }
        remarks +=
            steadyClock(configuration) + sharedBuses(configuration) + sharedPins(configuration)
            + problemsOfPi5(configuration)
        if isRaspberryPi, settings.isSet("dtparam=audio=on") {
            remarks.append(
                Remark(
                    state: .warning, what: "the board's own sound output is on",
                    fix: "write dtparam=audio=off in \(FirmwareSettings.path), so that the DAC is the first card"))
        }
        return remarks
    }

    /// Findings about a chain: its frame rate, and whether its messages fit into spidev's buffer.
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
            let fix =
                wire.isClocked
                ? "raise panel.chains[].hertz as far as pixelboop panel clock finds it right, or divide the chain"
                : "divide the chain between two SPI devices"
            remarks.append(Remark(state: .warning, what: speed, fix: fix))
        }
        if let spiBufferSize, size > spiBufferSize {
            let parts = (size + spiBufferSize - 1) / spiBufferSize
            remarks.append(
                wire.isClocked
                    ? .good("spidev takes \(spiBufferSize) bytes at once: a frame goes out in \(parts) messages")
                    : Remark(
                        state: .fault,
                        what:
                            "spidev takes \(spiBufferSize) bytes at once, and these LEDs need the whole frame at once",
                        fix: Board.fix(forMessagesOf: size)))
        }
        return remarks
    }

    /// Findings about the core clock: on a Pi 3 and 4 the SPI clock is derived from it, and it varies with load unless
    /// config.txt fixes it.
    private func steadyClock(_ configuration: PanelConfiguration) -> [Remark] {
        guard let model = settings.model, !model.clock.isEmpty else { return [] }
        let missing = model.clock.filter { !settings.isSet($0) }
        if missing.isEmpty { return [.good("the core clock is fixed: \(model.clock.joined(separator: ", "))")] }
        let isClocked = configuration.chains.allSatisfy {
            configuration.chip.wire(hertz: $0.hertz)?.isClocked ?? true
        }
        return [
            Remark(
                state: isClocked ? .warning : .fault, what: "the SPI clock varies with the core clock",
                fix: "write \(missing.joined(separator: " and ")) under [\(model.filters[0])] or [all] in "
                    + "\(FirmwareSettings.path) and restart")
        ]
    }

    /// Findings about buses with several chains: all devices of a bus share data and clock.
    private func sharedBuses(_ configuration: PanelConfiguration) -> [Remark] {
        let devices = configuration.chains.map(\.device)
        return SPIBus.groups(devices).filter { $0.count > 1 }.map { group in
            let names = group.map { devices[$0] }.joined(separator: " and ")
            return .good(
                "\(names) share data and clock: each chain's level shifter has to be gated by its device's chip enable, "
                    + "or every chain shows every frame")
        }
    }

    /// The setting for an I2S card; nil for none.
    private var soundCard: String? {
        settings.lines.first {
            $0.hasPrefix("dtoverlay=") && ($0.contains("dac") || $0.contains("hifiberry") || $0.contains("i2s"))
        }
    }

    /// Findings about a Pi 5: its current for USB, and its known problems with SPI beside I2S.
    private func problemsOfPi5(_ configuration: PanelConfiguration) -> [Remark] {
        guard settings.isOfPi5 else { return [] }
        var remarks: [Remark] = []
        if !hasFullUSBCurrent, !settings.isSet("usb_max_current_enable=1") {
            remarks.append(
                Remark(
                    state: .warning, what: "all USB devices together get 0.6 A",
                    fix: "if the board is fed by its header with 5 A, write usb_max_current_enable=1 in "
                        + "\(FirmwareSettings.path) and restart"))
        }
        let hasLEDs = configuration.chains.contains { $0.device.hasPrefix("/dev/spidev") }
        if let soundCard, hasLEDs {
            remarks.append(
                Remark(
                    state: .warning,
                    what: "an I2S card (\(soundCard)) beside LEDs on SPI can stop both on this board "
                        + "(github.com/raspberrypi/linux, issues 5865 and 7320)",
                    fix: "use a USB sound card, or a Raspberry Pi 4"))
        }
        return remarks
    }

    /// Findings about shared pins: SPI1 and an I2S DAC both use GPIO 18, 19 and 21.
    private func sharedPins(_ configuration: PanelConfiguration) -> [Remark] {
        guard isRaspberryPi else { return [] }
        let second = configuration.chains.first { $0.device.hasPrefix("/dev/spidev1.") }
        guard let dac = soundCard, let second else { return [] }
        return [
            Remark(
                state: .fault, what: "\(second.device) and the DAC (\(dac)) share GPIO 18, 19 and 21",
                fix: "use SPI0 (/dev/spidev0.0, 0.1) or a USB sound card")
        ]
    }

    /// Maximum bytes of an SPI message on the machine whose file system begins at `root`.
    static func spiBufferSize(root: String) -> Int? {
        String(systemFile: root + "/sys/module/spidev/parameters/bufsiz").flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// The fix that lets spidev take messages of `size` bytes.
    static func fix(forMessagesOf size: Int) -> String {
        "add spidev.bufsiz=\(max(32_768, size)) to the one line of /boot/firmware/cmdline.txt"
    }
}
