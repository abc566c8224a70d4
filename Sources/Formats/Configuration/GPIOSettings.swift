import Documents

extension Configuration {
    /// Connections to a GPIO chip (docs/spec.md, section 10). All are optional; nil is not connected.
    public struct GPIOSettings: Hashable, Sendable {
        /// Label, name or path of the chip; nil for a Raspberry Pi's header.
        public var chip: String?
        /// Switches the LEDs' supply on.
        public var ledEnable: Line?
        /// Lets the level shifter drive the LEDs' data lines.
        public var outputEnable: Line?
        /// The status LED.
        public var statusLED: Line?
        /// The input that is active while the LEDs' supply has a fault.
        public var fault: Line?
        /// The play button.
        public var play: Line?
        /// The shift button.
        public var shift: Line?
        /// The power button.
        public var power: Line?
        /// The input of a clock's pulses.
        public var clockIn: Line?
        /// The input that makes the next pulse the first.
        public var resetIn: Line?
        /// The input that is active while the other instrument plays.
        public var runIn: Line?
        /// The output of the box's pulses.
        public var clockOut: Line?
        /// The tempo knob.
        public var tempo: Encoder?
        /// The volume knob.
        public var volume: Encoder?
        /// Roles whose line is active low. An active-low button closes to ground, an active-high button to the supply.
        public var activeLow: Set<Role> = [.fault, .play, .shift, .power]
        /// Maximum contact-bounce time of a button, in milliseconds, 0-100.
        public var debounceMilliseconds = 5
        /// Transitions of a knob's contacts per detent: 1, 2 or 4.
        public var detent = 4
        /// The command that runs after Power has stopped the box.
        public var shutdown = Shutdown.automatic

        /// No connections.
        public init() {}

        /// A line of the chip.
        public enum Line: Hashable, Sendable {
            /// By its offset on the chip, 0-511.
            case number(Int)
            /// By its name.
            case name(String)
        }

        /// The command that switches the machine off.
        public enum Shutdown: Hashable, Sendable {
            /// `systemctl poweroff` with an LED panel or a screen without a desktop; nothing with a simulated panel,
            /// because the machine is then someone's computer.
            case automatic
            /// This command, with any panel; empty for none.
            case command([String])

            /// The command to run after Power, on a machine that is a box or someone's computer; empty for none.
            public func words(isBox: Bool) -> [String] {
                switch self {
                case .automatic: isBox ? ["systemctl", "poweroff"] : []
                case .command(let words): words
                }
            }
        }

        /// A knob's two contacts.
        public struct Encoder: Hashable, Sendable {
            /// The contact that changes first in a clockwise turn.
            public var a: Line
            /// The other contact.
            public var b: Line

            /// An encoder on two lines.
            public init(a: Line, b: Line) {
                self.a = a
                self.b = b
            }
        }

        /// The role of a line.
        public enum Role: String, CaseIterable, Hashable, Sendable {
            /// Switches the LEDs' supply on.
            case ledEnable
            /// Lets the level shifter drive the LEDs' data lines.
            case outputEnable
            /// The status LED.
            case statusLED = "statusLed"
            /// The input that is active while the LEDs' supply has a fault.
            case fault
            /// The play button.
            case play
            /// The shift button.
            case shift
            /// The power button.
            case power
            /// The input of a clock's pulses.
            case clockIn
            /// The input that makes the next pulse the first.
            case resetIn
            /// The input that is active while the other instrument plays.
            case runIn
            /// The output of the box's pulses.
            case clockOut
        }

        /// The line of `role`.
        public subscript(role: Role) -> Line? {
            get { self[keyPath: Self.path(of: role)] }
            set { self[keyPath: Self.path(of: role)] = newValue }
        }

        private static func path(of role: Role) -> WritableKeyPath<GPIOSettings, Line?> {
            switch role {
            case .ledEnable: \.ledEnable
            case .outputEnable: \.outputEnable
            case .statusLED: \.statusLED
            case .fault: \.fault
            case .play: \.play
            case .shift: \.shift
            case .power: \.power
            case .clockIn: \.clockIn
            case .resetIn: \.resetIn
            case .runIn: \.runIn
            case .clockOut: \.clockOut
            }
        }
    }
}

extension Configuration.GPIOSettings {
    mutating func read(_ field: JSONField) throws(FormatError) {
        let roles = Role.allCases
        var names = ["chip"] + roles.map(\.rawValue)
        names += ["tempo", "volume", "activeLow", "debounceMilliseconds", "detent", "shutdownCommand"]
        try field.only(names)
        chip = try field.part("chip")?.stringOrNull()
        if chip == "" { throw try field.needed("chip").refused("is empty, should be a chip's label or null") }
        // Path of the setting of each line, to reject a line that is used twice.
        var owners: [Line: String] = [:]
        for role in roles { self[role] = try Line.orNil(field.part(role.rawValue), &owners) }
        tempo = try Encoder.orNil(field.part("tempo"), &owners)
        volume = try Encoder.orNil(field.part("volume"), &owners)
        if let part = try field.part("activeLow") {
            activeLow = []
            for word in try part.list(counts: 0...roles.count) { activeLow.insert(try word.choice()) }
        }
        try field.read("debounceMilliseconds", in: 0...100, into: &debounceMilliseconds)
        try field.read("detent", oneOf: [1, 2, 4], into: &detent)
        if let part = try field.part("shutdownCommand") { shutdown = try Shutdown(reading: part) }
    }

    /// All settings as a document.
    var json: JSON {
        var parts: [String: JSON] = [
            "chip": .orNull(chip), "tempo": tempo?.json ?? .null, "volume": volume?.json ?? .null,
            "activeLow": .array(Role.allCases.filter(activeLow.contains).map { .string($0.rawValue) }),
            "debounceMilliseconds": .integer(debounceMilliseconds), "detent": .integer(detent),
            "shutdownCommand": shutdown.json,
        ]
        for role in Role.allCases { parts[role.rawValue] = self[role]?.json ?? .null }
        return .object(parts)
    }
}

extension Configuration.GPIOSettings.Shutdown {
    private static let automaticWord = "automatic"
    private static let wordsMax = 64

    fileprivate init(reading field: JSONField) throws(FormatError) {
        switch field.value {
        case .null: self = .command([])
        case .string(Self.automaticWord): self = .automatic
        case .array:
            var words: [String] = []
            for word in try field.list(counts: 0...Self.wordsMax) { words.append(try word.string()) }
            guard words.first?.isEmpty != true else { throw field.refused("names no command; null is none") }
            self = .command(words)
        default:
            throw field.refused("is \(field.shown), should be \"\(Self.automaticWord)\", a list of words or null")
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .automatic: .string(Self.automaticWord)
        case .command(let words): .array(words.map(JSON.string))
        }
    }
}

extension Configuration.GPIOSettings.Line {
    fileprivate init(reading field: JSONField, _ owners: inout [Self: String]) throws(FormatError) {
        if case .number = field.value {
            self = .number(try field.integer(in: 0...511))
        } else {
            self = .name(try field.string())
        }
        if self == .name("") { throw field.refused("is empty, should be the number or name of a line, or null") }
        if let owner = owners[self] { throw field.refused("is \(field.shown), which \(owner) is too") }
        owners[self] = field.path
    }

    fileprivate static func orNil(_ field: JSONField?, _ owners: inout [Self: String]) throws(FormatError) -> Self? {
        guard let field, field.value != .null else { return nil }
        return try Self(reading: field, &owners)
    }

    fileprivate var json: JSON {
        switch self {
        case .number(let number): .integer(number)
        case .name(let name): .string(name)
        }
    }
}

extension Configuration.GPIOSettings.Encoder {
    fileprivate static func orNil(
        _ field: JSONField?, _ owners: inout [Configuration.GPIOSettings.Line: String]
    ) throws(FormatError) -> Self? {
        guard let field, field.value != .null else { return nil }
        let pair = try field.list(counts: 2...2)
        return Self(a: try .init(reading: pair[0], &owners), b: try .init(reading: pair[1], &owners))
    }

    fileprivate var json: JSON { .array([a.json, b.json]) }
}
