import Instrument

extension Configuration {
    mutating func readSync(_ field: JSONField) throws(FormatError) {
        try field.only([
            "source", "clockPerQuarter", "linkTransport", "pulse", "pulsesPerQuarter", "pulseMilliseconds",
            "pulseLevel",
        ])
        try field.take("source", into: &sync.source)
        try field.take("clockPerQuarter", oneOf: SyncSettings.pulsesPerQuarter, into: &sync.clockPerQuarter)
        try field.take("linkTransport", into: &linkTransport)
        if let part = try field.part("pulse") {
            sync.pulse = try PulseOutput(part)
            // The sound device is opened with two channels.
            if case .channel = sync.pulse { throw part.refused("is \(part.shown), should be off or left") }
        }
        try field.take("pulsesPerQuarter", oneOf: SyncSettings.pulsesPerQuarter, into: &sync.pulsesPerQuarter)
        try field.take("pulseMilliseconds", in: SyncSettings.pulseLengths, into: &sync.pulseMilliseconds)
        try field.take("pulseLevel", in: SyncSettings.pulseLevels, into: &sync.pulseLevel)
    }

    /// The clocks' settings as a document.
    var syncJSON: JSON {
        .object([
            "source": .string(sync.source.rawValue), "clockPerQuarter": .integer(sync.clockPerQuarter),
            "linkTransport": .bool(linkTransport), "pulse": sync.pulse.json,
            "pulsesPerQuarter": .integer(sync.pulsesPerQuarter), "pulseMilliseconds": .integer(sync.pulseMilliseconds),
            "pulseLevel": .integer(sync.pulseLevel),
        ])
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
