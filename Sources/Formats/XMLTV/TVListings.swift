/// Listings of television, as an XMLTV file holds them: channels, and the programmes of each in order of time.
public struct TVListings: Hashable, Sendable {
    /// The channels, in the order of the file; those that only programmes name follow.
    public internal(set) var channels: [Channel] = []
    /// The programmes, channel by channel, in order of start; those that overlap are all there.
    public internal(set) var programmes: [Programme] = []
    /// Programmes that were left out, because they have no channel or no start that can be read.
    public internal(set) var skipped = 0

    /// A channel.
    public struct Channel: Hashable, Sendable {
        /// Its id in the file.
        public var id: String
        /// Its name, else its id.
        public var name: String
    }

    /// A programme.
    public struct Programme: Hashable, Sendable {
        /// The index of its channel.
        public var channel: Int
        /// When it begins, in seconds since 1970.
        public var start: Int64
        /// When it ends: as the file says, else when the next of its channel begins; nil if there is none within a day.
        public var stop: Int64?
        /// Its title in the reader's language, else the first.
        public var title: String
        /// Season and episode, `S1E1`; empty if they are not known.
        public var badge: String

        /// By which it is known again in the next file: the same for the same title at the same time on the same channel.
        public func number(in listings: TVListings) -> Int64 {
            // FNV-1a (draft-eastlake-fnv): the same on every machine and in every run.
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

    /// What was left out, in one line; nil if nothing was.
    public var remark: String? {
        guard skipped > 0 else { return nil }
        return "left out \(String(skipped, of: "programme")) without a channel or a start that can be read"
    }

    /// Seconds that a programme may last whose end is not said.
    private static let longest: Int64 = 86_400

    /// Puts the programmes in order, drops those that stand there twice, and ends those that do not say when.
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
        // From the back: the next start of the same channel that is later.
        var next: (channel: Int, start: Int64, later: Int64?)?
        for index in arranged.indices.reversed() {
            let programme = arranged[index]
            if let known = next, known.channel == programme.channel {
                if programme.start < known.start { next = (programme.channel, programme.start, known.start) }
            } else {
                next = (programme.channel, programme.start, nil)
            }
            if arranged[index].stop.map({ $0 <= programme.start }) ?? true {
                // Where the listings have a hole, nobody knows.
                arranged[index].stop = next?.later.flatMap { $0 - programme.start <= Self.longest ? $0 : nil }
            }
        }
        programmes = arranged
    }
}
