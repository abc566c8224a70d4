import Documents

/// TV listings from an XMLTV file: channels, and the programmes of each in order of time.
public struct TVListings: Hashable, Sendable {
    /// The channels in the order of the file, then those that only occur in programmes.
    public internal(set) var channels: [Channel] = []
    /// The programmes, by channel and start, including overlapping ones.
    public internal(set) var programmes: [Programme] = []
    /// Number of programmes left out because they have no channel or no readable start.
    public internal(set) var skipped = 0
    /// Characters of the file that were no XML and were repaired, and the line of the first; nil if there were none.
    var repaired: Repair?

    /// What was repaired of a file.
    struct Repair: Hashable {
        var count: Int
        var line: Int
    }

    /// A channel.
    public struct Channel: Hashable, Sendable {
        /// Id in the file.
        public var id: String
        /// Name; empty if the file has none.
        public var name: String
    }

    /// A programme.
    public struct Programme: Hashable, Sendable {
        /// Index of its channel.
        public var channel: Int
        /// Start, in seconds since 1970.
        public var start: Int64
        /// End: from the file, otherwise the next start on the channel; nil if there is none within a day.
        public var stop: Int64?
        /// Title in the reader's language, otherwise the first.
        public var title: String
        /// Season and episode, such as `S1E1`; empty if unknown.
        public var badge: String

        /// Identifies the programme across files: the same for the same title, start and channel.
        public func number(in listings: TVListings) -> Int64 {
            // FNV-1a (draft-eastlake-fnv), which is the same on every machine and in every run.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            func add(_ bytes: some Sequence<UInt8>) {
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            }
            add(listings.channels[channel].id.utf8)
            add([0])
            withUnsafeBytes(of: start.littleEndian) { add($0) }
            add(title.utf8)
            return Int64(bitPattern: hash)
        }
    }

    /// Messages about what was left out or repaired.
    public var remarks: [String] {
        var remarks: [String] = []
        if let repaired {
            remarks.append(
                "repaired \(String(repaired.count, of: "character")) that XML does not allow, from line \(repaired.line) on"
            )
        }
        if skipped > 0 {
            remarks.append(
                "left out \(String(skipped, of: "programme")) without a channel or a start that can be read")
        }
        return remarks
    }

    /// Maximum duration, in seconds, of a programme without an end in the file.
    private static let longest: Int64 = 86_400

    /// Sorts the programmes, removes duplicates, and sets missing ends.
    mutating func arrange() {
        let order = programmes.indices.sorted { one, other in
            let (a, b) = (programmes[one], programmes[other])
            return (a.channel, a.start, one) < (b.channel, b.start, other)
        }
        var arranged: [Programme] = []
        arranged.reserveCapacity(order.count)
        var titles: Set<String> = []
        for index in order {
            let programme = programmes[index]
            if arranged.last?.channel != programme.channel || arranged.last?.start != programme.start {
                titles.removeAll()
            }
            if titles.insert(programme.title).inserted { arranged.append(programme) }
        }
        // From the back: the next later start on the same channel.
        var next: (channel: Int, start: Int64, later: Int64?)?
        for index in arranged.indices.reversed() {
            let programme = arranged[index]
            if let known = next, known.channel == programme.channel {
                if programme.start < known.start { next = (programme.channel, programme.start, known.start) }
            } else {
                next = (programme.channel, programme.start, nil)
            }
            if arranged[index].stop.map({ $0 <= programme.start }) ?? true {
                // The end is unknown if there is a gap in the listings.
                arranged[index].stop = next?.later.flatMap { $0 - programme.start <= Self.longest ? $0 : nil }
            }
        }
        programmes = arranged
    }
}
