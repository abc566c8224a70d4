import Display
import Documents
import Formats
import Instrument

func checkListings(_ bytes: [UInt8]) throws(Violation) {
    let listings: TVListings
    do throws(FormatError) {
        listings = try TVListings(parsing: bytes, languages: ["en"])
    } catch {
        try require(error.place.hasPrefix("line "), "refused without a line: \(error)")
        return try checkRefusal(error)
    }
    try require(!listings.programmes.isEmpty, "there is no programme")
    var last: TVListings.Programme?
    for programme in listings.programmes {
        try require(listings.channels.indices.contains(programme.channel), "a programme has no channel")
        try require(programme.stop.map { $0 > programme.start } ?? true, "a programme ends before it begins")
        if let last {
            try require(
                (last.channel, last.start) <= (programme.channel, programme.start), "the programmes are not in order")
        }
        last = programme
    }
    let day = LocalTime { _ in 5400 }.day(of: listings.programmes[0].start)
    let content = GuideContent(listings, today: day, zone: LocalTime { _ in 5400 })
    for placed in listings.programmes.prefix(100) {
        let title = Font.spelling(placed.title)
        try require(title.allSatisfy(Font.draws), "the font cannot draw \(title)")
    }
    var frame = Frame(columns: 44, rows: Instrument.rows)
    for isTurned in [false, true] {
        let guide = Guide(content, isTurned: isTurned)
        guide.draw(into: &frame, at: .zero, isPlaying: false)
        let shown = LocalTime.date(ofDay: day)
        try require(frame.pixels.contains { $0 != .black }, "the guide of \(shown) is dark")
    }
}
