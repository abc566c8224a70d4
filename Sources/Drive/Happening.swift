import Documents
import InputEvents

/// Something that a box did, as the answer to `advance` tells it.
struct Happening {
    /// A kind of happening.
    enum Kind: String, CaseIterable {
        case note, step, midi, clock, pulse, word, picture, job, powerOff, log

        /// Those that are told unless a program asks for others: not the ones that are many.
        static let usual = Set(allCases).subtracting([.clock, .picture])
    }

    let kind: Kind
    let at: Instant
    /// Its own keys.
    var keys: [String: JSON] = [:]

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
        kind = try field.needed("event").choice()
        box = try field.part("box")?.value
        keys = try field.object().filter { !["event", "box"].contains($0.key) }
    }

    /// Whether it is `happening` of the box called `name`.
    func isMet(by happening: Happening, of name: String) -> Bool {
        guard happening.kind == kind, box == nil || box == .string(name) else { return false }
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
