import InputEvents
import Instrument

extension SyncSettings {
    private static let keys = [
        "source", "clockPerQuarter", "pulse", "pulsesPerQuarter", "pulseMilliseconds", "pulseLevel",
    ]

    /// Reads the settings; `others` are keys beside them.
    package mutating func read(_ field: JSONField, others: [String] = []) throws(FormatError) {
        try field.only(Self.keys + others)
        try field.read("source", into: &source)
        try field.read("clockPerQuarter", oneOf: Self.pulsesPerQuarter, into: &clockPerQuarter)
        if let part = try field.part("pulse") { pulse = try PulseOutput(part) }
        try field.read("pulsesPerQuarter", oneOf: Self.pulsesPerQuarter, into: &pulsesPerQuarter)
        try field.read("pulseMilliseconds", in: Self.pulseLengths, into: &pulseMilliseconds)
        try field.read("pulseLevel", in: Self.pulseLevels, into: &pulseLevel)
    }

    /// All settings as a document.
    var json: JSON { .object(parts) }

    /// The settings by their keys.
    package var parts: [String: JSON] {
        [
            "source": .string(source.rawValue), "clockPerQuarter": .integer(clockPerQuarter), "pulse": pulse.json,
            "pulsesPerQuarter": .integer(pulsesPerQuarter), "pulseMilliseconds": .integer(pulseMilliseconds),
            "pulseLevel": .integer(pulseLevel),
        ]
    }
}

extension PulseOutput {
    /// The output in `field`: "off", "left" or a number of a channel.
    init(_ field: JSONField) throws(FormatError) {
        switch field.value {
        case .string("off"): self = .off
        case .string("left"): self = .left
        case .string:
            throw field.refused(
                "is \(field.shown), should be 'off', 'left' or a channel from \(Self.channels.lowerBound)")
        default: self = .channel(try field.integer(in: Self.channels))
        }
    }
    /// The output as `init` reads it.
    var json: JSON {
        switch self {
        case .off: .string("off")
        case .left: .string("left")
        case .channel(let number): .integer(number)
        }
    }
}
