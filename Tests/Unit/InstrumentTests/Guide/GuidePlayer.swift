import InputEvents
import Display
import Testing

@testable import Instrument

/// Touches a guide in a test.
struct GuidePlayer {
    var guide: Guide
    var now = Instant(milliseconds: 1000)
    var acts: [ScreenAct] = []
    /// Last position of each finger.
    private var positions: [Int: (column: Float, row: Float)] = [:]

    init(_ content: GuideContent, isTurned: Bool = false) { guide = Guide(content, isTurned: isTurned) }

    mutating func wait(_ milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
        guide.advance(to: now, into: &acts)
    }

    mutating func finger(_ phase: Touch.Phase, _ column: Float, _ row: Float, contact: Int = 0) {
        positions[contact] = (column, row)
        guide.handle(Touch(contact: contact, phase: phase, column: column, row: row), at: now, into: &acts)
    }

    /// A finger at `place`.
    mutating func finger(
        _ phase: Touch.Phase, _ place: GuidePlace, contact: Int = 0, at location: SourceLocation = #_sourceLocation
    ) {
        let middle = Position.middle(columns: 0..<Grid.columns) { guide.has(place, at: $0, now) }
        guard let middle else {
            Issue.record("no \(place) on the guide", sourceLocation: location)
            return
        }
        finger(phase, middle.column, middle.row, contact: contact)
    }

    /// A finger that lifts, or is cancelled, where it is.
    mutating func finger(_ phase: Touch.Phase, contact: Int = 0) {
        // Otherwise it has not landed, which is an issue already.
        guard let position = positions[contact] else { return }
        finger(phase, position.column, position.row, contact: contact)
    }

    /// A tap of 80 ms on `place`, and a pause of a second.
    mutating func tap(_ place: GuidePlace, held: Int64 = 80, at location: SourceLocation = #_sourceLocation) {
        finger(.down, place, at: location)
        wait(held)
        finger(.up)
        wait(1000)
    }

    /// The same at a position.
    mutating func tap(_ column: Float, _ row: Float, held: Int64 = 80) {
        finger(.down, column, row)
        wait(held)
        finger(.up, column, row)
        wait(1000)
    }

    /// A drag at constant speed with a report every `interval` milliseconds, and no rest at its end.
    mutating func drag(
        _ from: (Float, Float), _ to: (Float, Float), milliseconds: Int64, interval: Int64 = 10, contact: Int = 0
    ) {
        let start = now
        finger(.down, from.0, from.1, contact: contact)
        for time in stride(from: interval, through: milliseconds + interval - 1, by: Int(interval)) {
            let elapsed = min(time, milliseconds)
            now = start + .milliseconds(elapsed)
            let part = Float(elapsed) / Float(milliseconds)
            let place = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
            finger(elapsed == milliseconds ? .up : .move, place.0, place.1, contact: contact)
        }
    }

    func frame(isPlaying: Bool = false) -> Frame {
        var frame = Frame(columns: 44, rows: 24)
        guide.draw(into: &frame, at: now, isPlaying: isPlaying)
        return frame
    }

    var offset: (across: Double, down: Double) { (guide.across.offset(at: now), guide.down.offset(at: now)) }
}

/// Content for tests.
enum Contents {
    /// A Monday in September of 2026.
    static let today = CalendarDate(year: 2026, month: 9, day: 21).dayNumber

    /// Channels A, B, … by `days`, each cell with one entry whose colours encode its place: the first track the
    /// channel, the second the day modulo 12, the third the day / 12 modulo 12.
    static func coded(channels: Int, days: Range<Int>, source: GuideContent.Source = .library) -> GuideContent {
        var placed: [GuideContent.Placed] = []
        for channel in 0..<channels {
            for day in days {
                let index = day - days.lowerBound
                let notes = [channel % 12, index % 12, index / 12 % 12]
                let cells = { (track: Track, note: Int, _: Int) -> UInt64 in
                    track != .rhythm && notes[track.rawValue] == note ? 0x5555_5555_5555_5555 : 0
                }
                let entry = GuideContent.Entry(
                    id: Int64(channel * 10_000 + index), title: "\(names[channel])\(index)",
                    look: .thumbnail(GuideThumbnail(length: 32, cells: cells)))
                placed.append(GuideContent.Placed(channel: channel, day: day, entry: entry))
            }
        }
        return GuideContent(
            source: source, channels: self.channels(channels), days: days, today: today, placed: placed)
    }

    static func channels(_ count: Int) -> [GuideContent.Channel] {
        names.prefix(count).map { GuideContent.Channel(id: $0, name: $0) }
    }

    /// Letters with distinct glyphs.
    static let names = "ABCDEFGHIJKL".map { String($0) }

    /// Programmes: `count` in the first channel today, one in the second yesterday, none elsewhere.
    static func listings(count: Int) -> GuideContent {
        func entry(_ id: Int64, _ title: String) -> GuideContent.Entry {
            GuideContent.Entry(
                id: id, title: title, badge: "S1E\(id)", time: "20:30", look: .initials(GuideInitials(title: title)))
        }
        var placed = (0..<count).map { number in
            GuideContent.Placed(channel: 0, day: today, entry: entry(Int64(number + 1), "SHOW \(number + 1)"))
        }
        placed.append(GuideContent.Placed(channel: 1, day: today - 1, entry: entry(100, "THE OTHER")))
        return GuideContent(
            source: .listings, channels: channels(3), days: today - 10..<today + 11, today: today, placed: placed)
    }
}
