import Documents
import Instrument

extension Configuration {
    /// MIDI ports.
    public struct MIDISettings: Hashable, Sendable {
        /// Whether MIDI is used at all.
        public var isEnabled = true
        /// Whether inputs of devices are read raw, with the kernel's time stamps, which keeps other programs from them.
        public var isRaw = true
        /// Names of the ports that the box connects to, 1-64; nil for the ports of all devices.
        public var ports: [String]?
        /// Name of the only port whose clock is followed; nil for the one that ticks first.
        public var clock: String?
        /// Whether Launchpads are windows of the panel; else they are keyboards.
        public var hasLaunchpads = true
        /// Path of the serial line with MIDI sockets; nil for none.
        public var uart: String?
        /// The channels of the tracks.
        public var channels = TrackChannels()
        /// The controllers of the tracks.
        public var controllers = TrackControllers()
        /// Delay of all that is sent, in milliseconds, −50 to 50; negative is earlier than the sound.
        public var outputDelay = 0.0

        /// All devices.
        public init() {}
    }
}

extension Configuration.MIDISettings {
    mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only([
            "enabled", "raw", "ports", "clock", "launchpads", "uart", "channels", "controllers", "outputDelay",
        ])
        try field.read("enabled", into: &isEnabled)
        try field.read("raw", into: &isRaw)
        try field.read("launchpads", into: &hasLaunchpads)
        if let part = try field.part("ports"), part.value != .null {
            var names: [String] = []
            for name in try part.list(counts: 1...Self.portsMax) { names.append(try Self.name(name)) }
            ports = names
        }
        if let part = try field.part("clock"), part.value != .null { clock = try Self.name(part) }
        if let part = try field.part("uart"), part.value != .null {
            uart = try part.string()
            if uart?.hasPrefix("/") != true {
                throw part.refused("is \(part.shown), should be the path of a serial line, such as /dev/ttyAMA0")
            }
        }
        if let part = try field.part("channels") { try channels.read(part) }
        if let part = try field.part("controllers") { try controllers.read(part) }
        try field.read("outputDelay", in: -50...50, into: &outputDelay)
    }

    private static let portsMax = 64

    private static func name(_ field: JSONField) throws(FormatError) -> String {
        let name = try field.string()
        if name.isEmpty { throw field.refused("is empty, should be the name of a port that pixelboop doctor lists") }
        return name
    }

    /// All settings as a document.
    var json: JSON {
        .object([
            "enabled": .bool(isEnabled), "raw": .bool(isRaw),
            "ports": ports.map { .array($0.map(JSON.string)) } ?? .null, "clock": .orNull(clock),
            "launchpads": .bool(hasLaunchpads), "uart": .orNull(uart), "channels": channels.json,
            "controllers": controllers.json,
            "outputDelay": .double(outputDelay),
        ])
    }
}
