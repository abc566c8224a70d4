import Display
import Instrument

extension GuideContent {
    /// The guide of `listings`: a programme is shown on the day of its start in `zone`. The first in its cell is the
    /// one on the air at `now` (seconds since 1970) or the next one, if `now` is known and the day is `today`;
    /// otherwise the first of the evening, from 18:00; otherwise the first of the day. The others follow by start.
    /// Programmes whose numbers are in `watched` are marked.
    public init(
        _ listings: TVListings, today: Int, now: Int64? = nil, zone: LocalTime = .system, watched: Set<Int64> = []
    ) {
        let days = listings.programmes.map { zone.day(of: $0.start) }
        var placed: [Placed] = []
        placed.reserveCapacity(days.count)
        var start = 0
        while start < days.count {
            let end =
                days[start...].indices.first {
                    days[$0] != days[start] || listings.programmes[$0].channel != listings.programmes[start].channel
                } ?? days.count
            let cell = listings.programmes[start..<end]
            let first = Self.first(of: cell, at: days[start] == today ? now : nil, zone)
            for index in [first] + cell.indices.filter({ $0 != first }) {
                let programme = cell[index]
                let title = Font.spelling(programme.title)
                let number = programme.number(in: listings)
                let entry = Entry(
                    id: number, title: title, badge: programme.badge, time: zone.clock(at: programme.start),
                    isWatched: watched.contains(number), look: .initials(GuideInitials(title: title)))
                placed.append(Placed(channel: programme.channel, day: days[start], entry: entry))
            }
            start = end
        }
        let channels = listings.channels.map { channel in
            Channel(id: channel.id, name: Font.spelling(channel.name.isEmpty ? channel.id : channel.name))
        }
        let range = (days.min() ?? today)..<(days.max() ?? today - 1) + 1
        self.init(source: .listings, channels: channels, days: range, today: today, placed: placed)
    }

    /// Start of the evening, in seconds since local midnight.
    private static let evening = 18 * 3600

    /// Index of the programme that is shown first in the cell.
    private static func first(
        of cell: ArraySlice<TVListings.Programme>, at now: Int64?, _ zone: LocalTime
    ) -> Int {
        if let now, let index = cell.firstIndex(where: { $0.stop.map { $0 > now } ?? true }) { return index }
        return cell.firstIndex { zone.secondOfDay(at: $0.start) >= evening } ?? cell.startIndex
    }
}
