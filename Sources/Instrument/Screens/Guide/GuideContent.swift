import Display

/// Content of a guide: channels, days, and the entries of each channel on each day. Copies share their storage; looking
/// up a cell allocates nothing.
public struct GuideContent: Hashable, Sendable {
    /// Origin of the content.
    public enum Source: Hashable, Sendable {
        /// Patterns of the library, by bank.
        case library
        /// TV programmes, by station.
        case listings
    }

    /// A channel: a bank, or a station.
    public struct Channel: Hashable, Sendable {
        /// Identifies the channel across content updates.
        public let id: String
        /// Its name, in characters of the font.
        public let name: String
        let nameLine: TextLine
        let shortLine: TextLine
        let letterLine: TextLine

        /// The channel `id`. The rail of the turned guide shows up to three letters of `name`, the header one.
        public init(id: String, name: String) {
            self.id = id
            self.name = name
            nameLine = TextLine(name)
            let letters = name.filter { $0.isLetter || $0.isNumber }
            let short = letters.isEmpty ? name : letters
            shortLine = TextLine(String(short.prefix(3)), room: GuideLayout.railColumns.count)
            letterLine = TextLine(String(short.prefix(1)), room: 3)
        }
    }

    /// A pattern or a programme.
    public struct Entry: Hashable, Sendable {
        /// Identifies the entry, here and in the content's source.
        public let id: Int64
        /// Its title, in characters of the font.
        public let title: String
        /// Episode such as `S1E1`, or empty.
        public let badge: String
        /// Time of day such as `20:30`, or empty.
        public let time: String
        /// Whether it is marked as watched.
        public internal(set) var isWatched: Bool
        /// Appearance of its cell.
        public let look: Look

        /// A pattern or programme with these properties.
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

    /// Appearance of a cell.
    public enum Look: Hashable, Sendable {
        /// The notes of a pattern.
        case thumbnail(GuideThumbnail)
        /// The first letters of a title.
        case initials(GuideInitials)
    }

    /// An entry and its cell.
    public struct Placed: Sendable {
        /// Channel index.
        public var channel: Int
        /// Day, in days since 1970-01-01.
        public var day: Int
        /// The entry.
        public var entry: Entry

        /// `entry` on `day` in the channel with index `channel`.
        public init(channel: Int, day: Int, entry: Entry) {
            self.channel = channel
            self.day = day
            self.entry = entry
        }
    }

    /// Origin of the content.
    public let source: Source
    /// The channels, in order of display.
    public let channels: [Channel]
    /// The days, in days since 1970-01-01.
    public let days: Range<Int>
    /// The current day, which need not be among `days`.
    public let today: Int

    /// Cell numbers of the non-empty cells, ascending; and the index in `entries` at which each begins, plus the end.
    private let cells: [Int]
    private let starts: [Int]
    private var entries: [Entry]
    /// Numbers of entries of each day and of each channel, at most `busyMax`.
    private let busyDays: [UInt8]
    private let busyChannels: [UInt8]

    /// Maximum of these counts: the rail has no room for more dots.
    static let busyMax = 10

    /// Content of `channels` and `days` with the entries `placed`. The entries of one cell keep their order, the most
    /// relevant first; entries outside the channels or days are dropped.
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
        keys = keys.inOrder { $0.cell < $1.cell }
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

    /// Empty content on the day `today`.
    public init(emptyFrom source: Source, today: Int) {
        self.init(source: source, channels: [], days: today..<today, today: today, placed: [])
    }

    /// The title of the entry `id`; nil if there is none.
    func title(of id: Int64) -> String? { entries.first { $0.id == id }?.title }

    /// The entries of the channel with index `channel` on `day`, the most relevant first.
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

    /// The cell of the entry `id`, and its index there.
    func place(of id: Int64) -> (channel: Int, day: Int, place: Int)? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        let cell = (starts.firstIndex { $0 > index } ?? 1) - 1
        let channel = cells[cell] / days.count
        return (channel, days.lowerBound + cells[cell] % days.count, index - starts[cell])
    }

    /// Marks the entry `id` as watched or unwatched.
    public mutating func setWatched(_ id: Int64, _ isWatched: Bool) {
        for index in entries.indices where entries[index].id == id { entries[index].isWatched = isWatched }
    }

    /// Number of entries on `day`, at most `busyMax`.
    func busyCount(day: Int) -> Int { Int(busyDays[day - days.lowerBound]) }

    /// Number of entries of the channel with index `channel`, at most `busyMax`.
    func busyCount(channel: Int) -> Int { Int(busyChannels[channel]) }
}
