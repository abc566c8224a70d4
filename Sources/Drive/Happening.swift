import Documents
import InputEvents
import Instrument
import Runtime

/// Something that a box did, as the answer to `advance` tells it.
package struct Happening: Sendable {
    /// A kind of happening.
    package enum Kind: String, CaseIterable, Sendable {
        case note, step, midi, clock, pulse, word, picture, job, powerOff, log

        /// Its own keys.
        var keys: [String] {
            switch self {
            case .note: ["track", "note", "velocity", "midiVelocity", "step", "steps", "frame"]
            case .step: ["step"]
            case .midi: ["bytes", "frame"]
            case .clock: ["frame"]
            case .word: ["word", "title", "place"]
            case .job: ["job"]
            case .log: ["line"]
            case .pulse, .picture, .powerOff: []
            }
        }

        /// Those that are told unless a program asks for others: not the ones that are many.
        static let usual = Set(allCases).subtracting([.clock, .picture])
    }

    package let kind: Kind
    package let at: Instant
    /// Its own keys.
    let keys: [String: JSON]

    /// A happening at `time` with these keys.
    package init(_ kind: Kind, at time: Instant, _ keys: [String: JSON] = [:]) {
        (self.kind, at, self.keys) = (kind, time, keys)
    }

    /// The panel's words at `time`.
    package init(_ words: PanelWords, at time: Instant) {
        self.init(
            .word, at: time,
            ["word": .string(words.word), "title": .string(words.title), "place": .string(words.place)])
    }

    /// The step that is heard.
    package init(_ playhead: Instrument.Transport.Playhead) {
        self.init(.step, at: playhead.since, ["step": .integer(playhead.step)])
    }

    /// A note that begins, at `rate` frames per second.
    package init(_ note: NoteEvent, at time: Instant, rate: Int) {
        var keys = note.keys
        keys["at"] = nil
        keys["frame"] = .integer(Int((note.milliseconds * Double(rate) / 1000).rounded()))
        self.init(.note, at: time, keys)
    }

    /// A MIDI message that leaves at `time`.
    package init(_ message: MIDISender.Message, at time: Instant) {
        let frame = JSON.integer(Int(message.frame))
        if message.bytes == MIDIMessage.clock.bytes {
            self.init(.clock, at: time, ["frame": frame])
        } else {
            self.init(.midi, at: time, ["bytes": .string(String(midi: message.bytes)), "frame": frame])
        }
    }

    /// A request that takes time: its name is the case.
    init(_ job: Instrument.Job, at time: Instant) {
        self.init(.job, at: time, ["job": .string(String("\(job)".prefix { $0.isLetter }))])
    }

    /// The kinds that `request` asks for with `only`.
    static func kinds(_ request: JSONField) throws(FormatError) -> Set<Kind> {
        guard let part = try request.part("only") else { return Kind.usual }
        var kinds: Set<Kind> = []
        for kind in try part.list() { kinds.insert(try kind.choice()) }
        return kinds
    }

    /// What the answer says of it, of the box called `box`.
    func json(of box: String) -> JSON {
        .object(
            keys.merging(
                ["at": .number(at), "box": .string(box), "event": .string(kind.rawValue)], uniquingKeysWith: { $1 }))
    }
}

/// What a program waits for: a kind of happening, and the values that its keys should have.
struct Awaited {
    let kind: Happening.Kind
    private let box: JSON?
    private let keys: [String: JSON]

    init(_ field: JSONField) throws(FormatError) {
        let kind: Happening.Kind = try field.needed("event").choice()
        self.kind = kind
        try field.only(["event", "box", "at"] + kind.keys)
        box = try field.part("box")?.value
        keys = try field.object().filter { kind.keys.contains($0.key) }
    }

    /// Whether it is `happening` of the box called `name`.
    func isMet(by happening: Happening, of name: String) -> Bool {
        (box == nil || box == .string(name)) && isMet(by: happening)
    }

    /// Whether it is `happening`, of any box.
    func isMet(by happening: Happening) -> Bool {
        guard happening.kind == kind else { return false }
        return keys.allSatisfy { key, value in
            guard let own = happening.keys[key] else { return false }
            return own == value || (own.double != nil && own.double == value.double)
        }
    }
}

extension JSON {
    /// A time in milliseconds.
    static func number(_ time: Instant) -> JSON { .number(milliseconds: Double(time.microseconds) / 1000) }
}
