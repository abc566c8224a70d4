import Display

/// What a guide shows: channels by days, and what each channel has on each day. Copies share their storage; looking a cell
/// up allocates nothing.
public struct GuideContent: Hashable, Sendable {
    /// Where it comes from.
    public enum Source: Hashable, Sendable {
        /// Patterns of the library, by bank.
        case library
        /// Programmes of television, by station.
        case listings
    }

    /// A channel: a bank, or a station.
    public struct Channel: Hashable, Sendable {
        /// By which it is known again in other content.
        public let id: String
        /// Its name, in characters of the font.
        public let name: String
        let nameLine: TextLine
        let shortLine: TextLine
        let letterLine: TextLine

        /// The channel `id`; up to three letters of `name` stand in the rail of the turned guide, one in the header.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
            nameLine = TextLine(name)
            let letters = name.filter { $0.isLetter || $0.isNumber }
            shortLine = TextLine(String((letters.isEmpty ? name : letters).prefix(3)))
            letterLine = TextLine(String((letters.isEmpty ? name : letters).prefix(1)))
        }
    }

    /// A pattern or a programme.
    public struct Entry: Hashable, Sendable {
        /// By which it is known, here and to whoever made the content.
        public let id: Int64
        /// Its title, in characters of the font.
        public let title: String
        /// `S1E1`, or empty.
        public let badge: String
        /// Its time of day, `20:30`, or empty.
        public let time: String
        /// It is marked as watched.
        public internal(set) var isWatched: Bool
        /// How its cell looks.
        public let look: Look

        /// A pattern or programme with these marks.
        public init(
            id: Int64, title: String, badge: String = "", time: String = "", isWatched: Bool = false, look: Look
        ) {
            self.id = id
            self.title = title
            self.badge = badge
            self.time = time
            self.isWatched = isWatched
            self.look = look
        }
    }

    /// How a cell looks.
    public enum Look: Hashable, Sendable {
        /// As the notes of a pattern.
        case thumbnail(GuideThumbnail)
        /// As the first letters of a title.
        case initials(GuideInitials)
    }

    /// An entry and its place.
    public struct Placed: Sendable {
        /// The index of its channel.
        public var channel: Int
        /// Its day, in days since 1970-01-01.
        public var day: Int
        /// What is there.
        public var entry: Entry

        /// `entry` on `day` in the channel of index `channel`.
        public init(channel: Int, day: Int, entry: Entry) {
            self.channel = channel
            self.day = day
            self.entry = entry
        }
    }

    /// Where it comes from.
    public let source: Source
    /// The channels, in their order.
    public let channels: [Channel]
    /// The days, counted from 1970-01-01.
    public let days: Range<Int>
    /// The present day, which need not be among `days`.
    public let today: Int

    /// Cells that are not empty, by their numbers, in order; and where in `entries` each begins, and the last ends.
    private let cells: [Int]
    private let starts: [Int]
    private var entries: [Entry]
    /// Entries of each day and of each channel, as far as they are counted.
    private let busyDays: [UInt8]
    private let busyChannels: [UInt8]

    /// More than so many entries of a day are not counted: the rail has no room for more dots.
    static let busyMax = 10

    /// Content of `channels` and `days` with the entries `placed`; those of one cell stay in their order, the most
    /// relevant first, and those that lie outside are left out.
    public init(source: Source, channels: [Channel], days: Range<Int>, today: Int, placed: [Placed]) {
        self.source = source
        self.channels = channels
        self.days = days
        self.today = today
        var keys: [(cell: Int, index: Int)] = []
        keys.reserveCapacity(placed.count)
        for (index, place) in placed.enumerated()
        where channels.indices.contains(place.channel) && days.contains(place.day) {
            keys.append((place.channel * days.count + place.day - days.lowerBound, index))
        }
        keys.sort { ($0.cell, $0.index) < ($1.cell, $1.index) }
        var cells: [Int] = []
        var starts: [Int] = []
        var entries: [Entry] = []
        entries.reserveCapacity(keys.count)
        var busyDays = [UInt8](repeating: 0, count: days.count)
        var busyChannels = [UInt8](repeating: 0, count: channels.count)
        for key in keys {
            if cells.last != key.cell {
                cells.append(key.cell)
                starts.append(entries.count)
            }
            let place = placed[key.index]
            entries.append(place.entry)
            let day = place.day - days.lowerBound
            busyDays[day] = min(busyDays[day] + 1, UInt8(Self.busyMax))
            busyChannels[place.channel] = min(busyChannels[place.channel] + 1, UInt8(Self.busyMax))
        }
        self.cells = cells
        self.starts = starts + [entries.count]
        self.entries = entries
        self.busyDays = busyDays
        self.busyChannels = busyChannels
    }

    /// Content with nothing in it, on the day `today`.
    public init(emptyFrom source: Source, today: Int) {
        self.init(source: source, channels: [], days: today..<today, today: today, placed: [])
    }

    /// The title of the entry `id`; nil where there is none.
    func title(of id: Int64) -> String? { entries.first { $0.id == id }?.title }

    /// What the channel of index `channel` has on `day`, the most relevant first.
    public subscript(channel channel: Int, day day: Int) -> ArraySlice<Entry> {
        guard channels.indices.contains(channel), days.contains(day) else { return [] }
        let cell = channel * days.count + day - days.lowerBound
        var range = 0..<cells.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if cells[middle] < cell { range = middle + 1..<range.upperBound } else { range = range.lowerBound..<middle }
        }
        guard range.lowerBound < cells.count, cells[range.lowerBound] == cell else { return [] }
        return entries[starts[range.lowerBound]..<starts[range.lowerBound + 1]]
    }

    /// The cell that the entry `id` is in, and its place there.
    func place(of id: Int64) -> (channel: Int, day: Int, place: Int)? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        let cell = (starts.firstIndex { $0 > index } ?? 1) - 1
        let channel = cells[cell] / days.count
        return (channel, days.lowerBound + cells[cell] % days.count, index - starts[cell])
    }

    /// Marks the entry `id` as watched, or not.
    public mutating func setWatched(_ id: Int64, _ isWatched: Bool) {
        for index in entries.indices where entries[index].id == id { entries[index].isWatched = isWatched }
    }

    /// Entries on `day`, at most `busyMax`.
    func busyCount(day: Int) -> Int { Int(busyDays[day - days.lowerBound]) }

    /// Entries of the channel of index `channel`, at most `busyMax`.
    func busyCount(channel: Int) -> Int { Int(busyChannels[channel]) }
}
