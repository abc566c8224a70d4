/// The controllers of the 16 MIDI channels that move single notes: pitch wheel, pressure, and in MPE zones controller
/// 74; with the registered parameters that set the range of the wheel and the zones (MIDI 1.0 Detailed Specification;
/// MIDI Polyphonic Expression, version 1.0).
struct MIDIChannels: Hashable, Sendable {
    /// A zone of MPE: a channel for all its notes, and one for each note.
    struct Zone: Hashable, Sendable {
        let manager: Int
        let members: Range<Int>

        /// Whether `channel` is the manager or a member.
        func contains(_ channel: Int) -> Bool { channel == manager || members.contains(channel) }
    }

    static let count = 16

    private var channels = [Channel](repeating: Channel(), count: count)
    private var lowerMembers = 0
    private var upperMembers = 0

    /// The zone that `channel` is in.
    func zone(of channel: Int) -> Zone? { zones.first { $0.contains(channel) } }

    /// The manager of the zone in which `channel` is a member.
    func manager(of channel: Int) -> Int? {
        zones.first { $0.members.contains(channel) }?.manager
    }

    private var zones: [Zone] {
        let lower = Zone(manager: 0, members: 1..<1 + lowerMembers)
        let upper = Zone(manager: Self.count - 1, members: Self.count - 1 - upperMembers..<Self.count - 1)
        return [lower, upper].filter { !$0.members.isEmpty }
    }

    /// The expression of a note of `channel` whose key has `keyPressure`. The pitch wheels of a member and of its
    /// manager add up, as do their brightnesses; of their pressures the greater counts.
    func expression(of channel: Int, keyPressure: Int) -> Expression {
        let own = channels[channel]
        guard let manager = manager(of: channel).map({ channels[$0] }) else {
            return Expression(
                bend: own.bend, pressure: Self.thousandths(max(own.pressure, keyPressure)),
                brightness: own.brightnessThousandths)
        }
        return Expression(
            bend: own.bend + manager.bend,
            pressure: Self.thousandths(max(own.pressure, manager.pressure, keyPressure)),
            brightness: own.brightnessThousandths + manager.brightnessThousandths)
    }

    private static func thousandths(_ value: Int) -> Int { (value * 1000 + 63) / 127 }

    /// Moves the pitch wheel of `channel`: -8192 to 8191.
    mutating func bend(_ channel: Int, to value: Int) { channels[channel].wheel = value }

    /// Sets the pressure on `channel`, 0-127.
    mutating func press(_ channel: Int, to value: Int) { channels[channel].pressure = value }

    /// Moves a controller of `channel`. Returns false if it moves no single notes. If it changes the zones, the notes
    /// of all channels that change their function are passed to `end`.
    mutating func turn(_ number: Int, of channel: Int, to value: Int, end: (Int) -> Void) -> Bool {
        switch number {
        case 101: channels[channel].parameterHigh = value
        case 100: channels[channel].parameterLow = value
        case 98, 99: channels[channel].forgetParameter()
        case 6: enter(value, of: channel, end: end)
        case 38: enterFine(value, of: channel)
        case 74 where zone(of: channel) != nil: channels[channel].brightness = value
        case 121:
            // "Reset All Controllers": RP-015 leaves the range and the sound controllers as they are.
            channels[channel].wheel = 0
            channels[channel].pressure = 0
            channels[channel].forgetParameter()
        default: return false
        }
        return true
    }

    // MARK: Registered parameters

    private mutating func enter(_ value: Int, of channel: Int, end: (Int) -> Void) {
        switch channels[channel].parameter {
        case Channel.range where value <= Channel.semitonesMax: setRange(of: channel) { $0.rangeCents = 100 * value }
        case Channel.zone where value < Self.count: setZone(of: channel, members: value, end: end)
        default: break
        }
    }

    private mutating func enterFine(_ value: Int, of channel: Int) {
        guard channels[channel].parameter == Channel.range, value < 100 else { return }
        setRange(of: channel) {
            guard $0.rangeCents < 100 * Channel.semitonesMax else { return }
            $0.rangeCents = $0.rangeCents / 100 * 100 + value
        }
    }

    /// The members of a zone share their range.
    private mutating func setRange(of channel: Int, _ change: (inout Channel) -> Void) {
        let members = zones.first { $0.members.contains(channel) }?.members
        for index in members ?? channel..<channel + 1 { change(&channels[index]) }
    }

    /// Makes a zone of `members` channels, or ends it; the other zone gives way.
    private mutating func setZone(of manager: Int, members: Int, end: (Int) -> Void) {
        let before = self
        let isLower = manager == 0
        guard isLower || manager == Self.count - 1 else { return }
        // Beside a zone the other needs its own manager and a member.
        let left = Self.count - 2 - members
        if isLower {
            lowerMembers = members
            upperMembers = min(upperMembers, max(0, left))
        } else {
            upperMembers = members
            lowerMembers = min(lowerMembers, max(0, left))
        }
        for channel in 0..<Self.count {
            let (last, next) = (before.zone(of: channel)?.manager, zone(of: channel)?.manager)
            guard last != next || next == manager else { continue }
            if last != next { end(channel) }
            channels[channel].reset(isMember: self.manager(of: channel) != nil)
        }
    }

    /// One channel.
    private struct Channel: Hashable, Sendable {
        var wheel = 0
        var pressure = 0
        var brightness = middle
        var rangeCents = 200
        /// The registered parameter, high and low; data entries change nothing unless both are known.
        var parameterHigh: Int?
        var parameterLow: Int?

        static let range = 0
        static let zone = 6
        static let semitonesMax = 96
        private static let middle = 64

        /// Everything but the chosen parameter.
        mutating func reset(isMember: Bool) {
            (wheel, pressure, brightness) = (0, 0, Self.middle)
            rangeCents = isMember ? 4800 : 200
        }

        mutating func forgetParameter() { (parameterHigh, parameterLow) = (nil, nil) }

        /// The number of the registered parameter: nil for none, and for the null parameter.
        var parameter: Int? {
            guard let high = parameterHigh, let low = parameterLow, (high, low) != (127, 127) else { return nil }
            return high << 7 | low
        }

        /// The bend in hundredths of a cent; both ends of the wheel reach the range.
        var bend: Int {
            let whole = Double(wheel * rangeCents * 100)
            return Int((whole / (wheel < 0 ? 8192 : 8191)).rounded())
        }

        /// The distance of the brightness from the middle, in thousandths; both ends reach the range.
        var brightnessThousandths: Int {
            let distance = brightness - Self.middle
            return distance * 1000 / (distance < 0 ? 64 : 63)
        }
    }
}
