import InputEvents
import Instrument

/// A touch script (docs/spec.md, section 7): touches, keys, settings, MIDI and clocks, line by line.
public struct TouchScript: Hashable, Sendable {
    /// The lines, in order of time.
    public var lines: [Line]
    /// The box at the start of a recorded session; nil in a script by hand.
    public var start: RecordedStart?
    /// The box at the start of a take's touches; nil in other scripts.
    public var take: TakeStart?

    /// One line.
    public struct Line: Hashable, Sendable {
        /// Time of the action.
        public var at: Instant
        /// The action.
        public var act: Act
        /// The engine's frame at which the action took effect, in a recording of a session; nil in a script by hand.
        public var frame: UInt64?
        /// The engine's place that was audible then, if it mattered.
        public var place: Double?

        /// A line with `act` at `at`.
        public init(at: Instant, act: Act, frame: UInt64? = nil, place: Double? = nil) {
            self.at = at
            self.act = act
            self.frame = frame
            self.place = place
        }
    }

    /// An action of a script.
    public enum Act: Hashable, Sendable {
        /// A touch of a finger with any number; the position is in LEDs and may be fractional. `delay` is
        /// `Touch.delay`.
        case touch(
            contact: Int, Touch.Phase, column: Double, row: Double, delay: Instant.Span = .milliseconds(0))
        /// A key or a setting.
        case control(Instrument.Event)
        /// Bytes that arrive on a MIDI port; nil is the first.
        case midi([UInt8], port: String?)
        /// Something happens to a device.
        case device(DeviceAct)
        /// The result of the oldest request to the library arrives.
        case result
        /// The engine's report that a scene has begun was read.
        case sceneTaken
    }

    /// Sample rates of a box, and so of its recordings, in frames per second.
    public static let rates = [44_100, 48_000, 96_000]

    /// Maximum time in a script: a day, in milliseconds.
    fileprivate static let millisecondsMax = 86_400_000.0

    /// A script of `lines` in order of time.
    public init(_ lines: [Line]) { self.lines = lines }

    /// Reads JSON Lines. Throws `FormatError` with the number of the first line that is invalid or steps back in time.
    /// Ignores blank lines.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        lines = []
        for (number, text) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
            do throws(FormatError) {
                let field = JSONField(try JSON(parsing: Array(text)))
                if lines.isEmpty, start == nil, let part = try field.part("start") {
                    try field.only(["start"])
                    start = try RecordedStart(part)
                    continue
                }
                if lines.isEmpty, start == nil, take == nil, let part = try field.part("take") {
                    try field.only(["take"])
                    take = try TakeStart(part)
                    continue
                }
                let line = try Line(field, recordedAt: start?.rate)
                if let last = lines.last, line.at < last.at {
                    throw FormatError("at", "is earlier than the line before")
                }
                lines.append(line)
            } catch {
                // Each line is parsed separately, so its positions are always in line 1.
                let place = error.place.hasPrefix("line 1, ") ? String(error.place.dropFirst(8)) : error.place
                let separator = place.isEmpty ? "" : ", "
                throw FormatError("line \(number + 1)\(separator)\(place)", error.problem)
            }
        }
    }

    /// Its sample rate, if it has one.
    public var rate: Int? { start?.rate ?? take?.rate }

    /// Time of the last line.
    public var end: Instant { lines.last?.at ?? .zero }
}

extension TouchScript.Line {
    /// A line of a recording at `rate`, or of a script.
    fileprivate init(_ field: JSONField, recordedAt rate: Int?) throws(FormatError) {
        let milliseconds = try field.needed("at").number(in: 0...TouchScript.millisecondsMax)
        at = .zero + Instant.Span(milliseconds: milliseconds)
        if let rate {
            let framesMax = Self.framesMax(at: milliseconds, rate: rate)
            act = try Self.recordedAct(field, ["at", "frame", "place"], framesMax: framesMax)
            frame = try field.needed("frame").integer(in: 0...framesMax)
            place = try field.part("place")?.number(in: -Double(framesMax)...Double(framesMax))
        } else {
            act = try Self.scriptedAct(field, ["at"])
        }
    }

    /// The line at `time` of the object `field`, which has the keys in `common` beside those of its act.
    package init(_ field: JSONField, at time: Instant, _ common: [String]) throws(FormatError) {
        self.init(at: time, act: try Self.scriptedAct(field, common))
    }

    /// The act of a line that has the keys in `common` too.
    static func scriptedAct(_ field: JSONField, _ common: [String]) throws(FormatError) -> TouchScript.Act {
        if let key = try field.part("key") {
            try field.only(common + ["key", "phase"])
            return .control(Instrument.Event(try stroke(key.choice(), field.part("phase"))))
        } else if let text = try field.part("type") {
            try field.only(common + ["type"])
            let characters = try text.string()
            guard characters.count == 1, let character = characters.first else {
                throw text.refused("is \(text.shown), should be one character")
            }
            return .control(.type(character))
        } else if let midi = try field.part("midi") {
            try field.only(common + ["midi", "port"])
            return .midi(try bytes(midi), port: try field.part("port")?.string())
        } else if let turn = try field.part("turn") {
            try field.only(common + ["turn", "by"])
            let knob = try turn.choice(knobs)
            return .control(.turn(knob, by: try field.needed("by").integer(in: -1000...1000)))
        } else if let part = try field.part("remote") {
            return .control(.remote(try command(part, field, common)))
        } else if let edge = try field.part("edge") {
            try field.only(common + ["edge"])
            return .control(.edge(try edge.choice()))
        } else if let heat = try field.part("heat") {
            try field.only(common + ["heat"])
            return .control(.heat(heat.value == .null ? nil : try heat.integer(in: -100...300)))
        } else if let fault = try field.part("fault") {
            try field.only(common + ["fault"])
            return .control(.fault(try fault.bool()))
        } else if let link = try field.part("link") {
            try field.only(common + ["link"])
            return .control(.link(try linkState(link)))
        } else if let button = try field.part("button") {
            try field.only(common + ["button"])
            return .control(try button.choice([("power", .power)]))
        } else if let stick = try field.part("stick") {
            try field.only(common + ["stick"])
            return .control(.stick(isThere: try stick.bool()))
        } else if let act = try DeviceAct(field, common) {
            return .device(act)
        } else if let name = try field.part("set") {
            try field.only(common + ["set", "value"])
            return .control(try setting(name, to: field.needed("value")))
        }
        try field.only(common + ["touch", "phase", "col", "row", "delay"])
        return .touch(
            contact: try field.needed("touch").integer(in: 0...Int(Int32.max)),
            try field.needed("phase").choice(phases),
            column: try field.needed("col").number(in: -1000...1000),
            row: try field.needed("row").number(in: -1000...1000), delay: try delay(field))
    }

    /// `Touch.delay` of a line: milliseconds, 0 without the key.
    static func delay(_ field: JSONField) throws(FormatError) -> Instant.Span {
        let range = 0...Double(Touch.delayMax.microseconds) / 1000
        let milliseconds = try field.part("delay")?.number(in: range) ?? 0
        return Instant.Span(milliseconds: milliseconds)
    }

    static let phases = [Touch.Phase.down, .move, .up, .cancel].map { (word: $0.rawValue, choice: $0) }

    /// The stroke of `key`: a press, unless `phase` says otherwise.
    private static func stroke(_ key: Key, _ phase: JSONField?) throws(FormatError) -> KeyStroke {
        let phases: [(word: String, choice: KeyStroke)] = [
            ("down", .press(key)), ("up", .release(key)), ("cancel", .cancel(key)),
        ]
        return try phase?.choice(phases) ?? .press(key)
    }

    /// The bytes of MIDI messages, in hexadecimal, with or without spaces.
    private static func bytes(_ field: JSONField) throws(FormatError) -> [UInt8] {
        let digits = try field.string().filter { $0 != " " }
        guard let bytes = [UInt8](hexDigits: digits), !bytes.isEmpty else {
            throw field.refused("is \(field.shown), should be bytes in hexadecimal such as '90 3C 50'")
        }
        return bytes
    }

    private static func linkState(_ field: JSONField) throws(FormatError) -> LinkState {
        try field.only(["tempo", "beat", "peers", "playing", "quantum"])
        var state = LinkState(
            tempo: try field.needed("tempo").number(in: LinkState.tempos),
            beat: try field.needed("beat").number(in: LinkState.beats), peers: 0)
        try field.read("peers", in: 0...1000, into: &state.peers)
        state.isPlaying = try field.part("playing")?.bool()
        try field.read("quantum", in: LinkState.quantums, into: &state.quantum)
        return state
    }

    /// The event that sets `name` to `value`.
    private static func setting(_ name: JSONField, to value: JSONField) throws(FormatError) -> Instrument.Event {
        let word = try name.string()
        switch word {
        case "rules": return .rules(try value.choice())
        case "tap": return .tapSound(try value.bool())
        case "audition": return .audition(try value.bool())
        case "lock": return .lock(try value.bool())
        case "metronome": return .metronome(try value.bool())
        case "brightness": return .brightness(try value.integer(in: Session.brightnesses))
        case "countIn": return .countIn(try value.integer(in: Session.countIns))
        case "quantise": return .quantise(try value.integer(in: Session.quantises))
        case "record": return .record(try value.bool())
        case "sync.source": return .sync(.source(try value.choice()))
        case "sync.pulse": return .sync(.pulse(try PulseOutput(value)))
        case "sync.pulsesPerQuarter":
            return .sync(.pulsesPerQuarter(try value.integer(oneOf: SyncSettings.pulsesPerQuarter)))
        case "sync.clockPerQuarter":
            return .sync(.clockPerQuarter(try value.integer(oneOf: SyncSettings.pulsesPerQuarter)))
        case "sync.pulseMilliseconds":
            return .sync(.pulseMilliseconds(try value.integer(in: SyncSettings.pulseLengths)))
        case "sync.pulseLevel": return .sync(.pulseLevel(try value.integer(in: SyncSettings.pulseLevels)))
        default:
            guard let control = SoundControl(word: word) else {
                throw name.refused("is \(name.shown), which is no setting; docs/formats.md lists them")
            }
            return .sound(control, try value.integer(in: control.range))
        }
    }
}
