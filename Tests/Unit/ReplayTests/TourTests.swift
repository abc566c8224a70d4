import InputEvents
import Display
import Documents
import Formats
import Foundation
import Instrument
import Library
import Panel
import Replay
import TestSupport
import Testing

/// Every screen, opened and closed by touch: `docs/tour.jsonl` through the whole box, with its own library.
///
/// The pictures beside this file are the screens at the last inspection. `make pictures` regenerates them, and those in
/// `docs/`.
@Suite("A tour of the screens")
struct TourTests {
    /// The pictures and their times in the tour, in milliseconds.
    private static let pictures: [(name: String, at: Int)] = [
        ("sequencer", 6800), ("menu", 7400), ("menu-touched", 7800), ("sound-touched", 10_000),
        ("sound-modulation", 11_600), ("sound-more", 12_600), ("sound-rhythm", 13_200), ("sound-name", 13_900),
        ("kits", 14_300), ("song", 18_300), ("song-order", 20_900), ("scenes-beside-menu", 21_900),
        ("scenes", 22_450), ("scenes-copy", 22_950), ("settings", 24_950), ("settings-rules", 26_000),
        ("light", 26_370),
        ("about", 27_800), ("power", 29_500), ("sync", 32_500),
        ("guide", 34_300), ("guide-thrown", 34_800), ("guide-selected", 37_800), ("guide-turned", 38_800),
        ("card", 40_300),
        ("letters", 43_100), ("guide-renamed", 44_900), ("hint-tap", 51_700), ("hint-drag", 59_500),
    ]
    private static let end = 62_000

    private static let folder = Checkout.url("Tests/Unit/ReplayTests")
    private static let docs = Checkout.url("docs")
    /// The tour's day: 2026-09-21.
    private static let today = 20_717

    /// The result of the tour.
    private struct Tour {
        var outcome: Replay.Outcome
        /// The frames and their start times.
        var frames: [(at: Int, frame: Frame)] = []
        var names: [String]

        func frame(at milliseconds: Int) -> Frame? { frames.last { $0.at <= milliseconds }?.frame }
    }

    private func tour() throws -> Tour {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pixelboop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: path) }
        let library = try Library(path: path.appendingPathComponent("library.sqlite").path)
        try Self.fill(library)
        let librarian = Librarian(library, today: Self.today)
        let script = try Data(contentsOf: Self.docs.appendingPathComponent("tour.jsonl"))
        var plan = Replay.Plan(try TouchScript(parsing: Array(script)))
        plan.until = Instant(milliseconds: Int64(Self.end))
        plan.session = Session()
        plan.store = library
        plan.runJob = { job in (try? librarian.run(job)) ?? [.notice(.libraryFailed)] }
        var facts = Facts()
        facts.version = "1.0"
        facts.address = "192.168.1.47"
        let sources = ["DDP 60", "ACN U1"].enumerated().map { LightSource(number: $0, name: $1) }
        plan.initialEvents = [.facts(facts), .lights(sources)]
        var frames: [(at: Int, frame: Frame)] = []
        var observers = Replay.Observers()
        observers.frame = { frames.append((Int($1.microseconds / 1000), $0)) }
        let outcome = try Replay.run(plan, observers)
        library.flush()
        return Tour(outcome: outcome, frames: frames, names: try library.patterns().map(\.name))
    }

    /// Patterns of two weeks in five banks.
    private static func fill(_ library: Library) throws {
        var random = SplitMix(seed: 5)
        for bank in [Bank.a, .b, .c, .d, .f] {
            for day in 8...21 where Int.random(in: 0..<5, using: &random) < 3 {
                let date = "2026-09-\(day < 10 ? "0" : "")\(day)T12:00:00Z"
                let document = PatternDocument(
                    pattern: pattern(using: &random), name: "TUNE \(bank.letter)\(day)", createdAt: date,
                    modifiedAt: date)
                try library.add([Library.Addition(document, to: bank)])
            }
        }
    }

    private static func pattern(using random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        let root = Int.random(in: 0..<12, using: &random)
        pattern.tonality = Tonality(root: root, scale: .penta)
        let scale = [0, 2, 4, 7, 9].map { (root + $0) % 12 }
        for step in stride(from: 0, to: 32, by: 4) {
            let note = scale[Int.random(in: 0..<5, using: &random)]
            pattern[.melody, note: note, step: step + 2] = .normal
            if step % 8 == 0 {
                for tone in [0, 4, 7] { pattern[.chords, note: (note + tone) % 12, step: step] = .accent }
            }
            pattern[.bass, note: scale[step / 16], step: step] = .normal
            pattern[.rhythm, note: step % 8 == 0 ? 0 : 3, step: step] = .accent
        }
        if Bool.random(using: &random) { for note in 0..<12 { pattern[.rhythm, note: note, step: 0] = .empty } }
        return pattern
    }

    @Test("each screen matches its picture, and the tour ends where it began")
    func everyScreen() throws {
        let tour = try tour()
        if ProcessInfo.processInfo.environment["PIXELBOOP_PICTURES"] != nil { try make(tour) }
        for (name, time) in Self.pictures {
            let file = Self.folder.appendingPathComponent("Screens/\(name).png")
            let golden = try #require(PNGImage(Array(try Data(contentsOf: file))), "\(name)")
            let frame = try #require(tour.frame(at: time))
            let rgb = frame.pixels.flatMap { [$0.red, $0.green, $0.blue] }
            let different = (0..<1056).filter { golden.rgb[3 * $0..<3 * $0 + 3] != rgb[3 * $0..<3 * $0 + 3] }
            #expect(different.isEmpty, "\(name): \(different.count) LEDs differ; if that is right: make pictures")
        }
        let state = tour.outcome.state
        #expect(state.view.screen == .grid && !state.isPlaying && state.session.hintsDue == .all)
        // The changes made on the way: a song of two scenes, a sound, a tempo, a name.
        #expect(
            state.session.composition.scenes.isFilled(0) && state.session.composition.scenes.isFilled(1)
                && state.session.sceneMode == .song && state.session.composition.song.entries.map(\.repeats) == [4, 1])
        #expect(state.session.sound[.track(.chords, .cutoff)] < 1500 && state.session.soundsTaps == false)
        #expect((0..<Scenes.count).contains { state.session.composition[scene: $0]?.tempo == 122 })
        #expect(tour.names.contains("NIGHT B"))
    }

    @Test(
        "on the golden pictures of the grid the handle, the pages and the scenes are visible: a contrast of 3 and more")
    func contrast() throws {
        for name in ["sequencer", "scenes"] {
            let file = Self.folder.appendingPathComponent("Screens/\(name).png")
            let golden = try #require(PNGImage(Array(try Data(contentsOf: file))), "\(name)")
            func led(_ column: Int, _ row: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
                let place = 3 * (44 * row + column)
                return (golden.rgb[place], golden.rgb[place + 1], golden.rgb[place + 2])
            }
            func check(_ column: Int, _ row: Int, beside: (Int, Int)...) {
                for (x, y) in beside {
                    let ratio = TestSupport.contrast(led(column, row), led(x, y))
                    #expect(ratio >= 3, "\(name): \(column), \(row) beside \(x), \(y): \(ratio)")
                }
            }
            for column in 0...3 { check(column, 1, beside: (3, 0), (1, 2)) }
            for row in 19...21 { check(3, row, beside: (2, row)) }
            for rows in [2...7, 8...13, 14...17] {
                let ratios = rows.map { TestSupport.contrast(led(3, $0), led(2, 19)) }
                #expect((ratios.max() ?? 0) >= 3, "\(name): \(rows)")
            }
            for row in [2, 4, 7, 9, 12, 14, 17, 19] { check(40, row, beside: (39, row)) }
            check(40, 22, beside: (39, 22), (39, 23))
        }
    }

    @Test("the flash guard leaves every picture of the tour as it is, and limits only fast scrolling")
    func flashes() throws {
        var flashGuard = FlashGuard(columns: 44, rows: 24)
        var held: Set<Int> = []
        for (time, frame) in try tour().frames {
            flashGuard.limit(frame.pixels, at: Int64(time) * 1000)
            if flashGuard.isHolding { held.insert(time) }
            let name = Self.pictures.first { time <= $0.at && $0.at < time + 17 }?.name
            if let name { #expect(flashGuard.shown == frame.pixels, "\(name)") }
        }
        // The tour changes screens faster than a player does, and throws the guide. Music and hints are before and
        // after.
        #expect(held.allSatisfy { (10_000..<45_000).contains($0) })
    }

    @Test("the documentation's film and picture of all screens match the box")
    func documentation() throws {
        let tour = try tour()
        let kept = (film: try Self.picture("tour.png"), screens: try Self.picture("screens.png"))
        let film = try #require(FilmImage(film(of: tour)))
        // Their pixels are no message.
        let isSameFilm = FilmImage(kept.film) == film
        #expect(isSameFilm, "if that is right: make pictures")
        let areSameScreens = PNGImage(kept.screens) == PNGImage(screens(of: tour))
        #expect(areSameScreens, "if that is right: make pictures")
    }

    @Test("the film of drawing a loop matches the box")
    func loop() throws {
        let made = try loopFilm()
        if ProcessInfo.processInfo.environment["PIXELBOOP_PICTURES"] != nil {
            try Data(made).write(to: Self.docs.appendingPathComponent("loop.png"))
        }
        let film = try #require(FilmImage(made))
        let kept = try Self.picture("loop.png")
        let isSame = FilmImage(kept) == film
        #expect(isSame, "if that is right: make pictures")
        #expect(film.pictures.first?.image.columns == 704)
    }

    /// Time that the finished loop plays before the film shows its drawing, in milliseconds.
    private static let encore = 2500

    /// `docs/loop.jsonl`: drums, bass, chords and melody are drawn while the loop plays. The film begins with the
    /// finished loop.
    private func loopFilm() throws -> [UInt8] {
        let script = try Data(contentsOf: Self.docs.appendingPathComponent("loop.jsonl"))
        var plan = Replay.Plan(try TouchScript(parsing: Array(script)))
        // The last gesture's tooltip is gone.
        let turn = Int(plan.script.end.microseconds / 1000) + 1400
        let end = turn + Self.encore
        plan.until = Instant(milliseconds: Int64(end))
        var frames: [(at: Int, frame: Frame)] = []
        var observers = Replay.Observers()
        observers.frame = { frames.append((Int($1.microseconds / 1000), $0)) }
        _ = try Replay.run(plan, observers)
        var film = Film(pitch: 16, interval: 125)
        for (time, frame) in frames where time >= turn { film.show(frame, at: time - turn) }
        for (time, frame) in frames where time < turn { film.show(frame, at: time + Self.encore) }
        return film.png(until: end) ?? []
    }

    private static func picture(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: docs.appendingPathComponent(name)))
    }

    private func film(of tour: Tour) -> [UInt8] {
        var film = Film(pitch: 8, interval: 100)
        for (time, frame) in tour.frames where time < Self.filmEnd { film.show(frame, at: time) }
        return film.png(until: Self.filmEnd) ?? []
    }

    private func screens(of tour: Tour) -> [UInt8] {
        Picture.portraits(Self.pictures.compactMap { tour.frame(at: $0.at) }, across: 5, pitch: 6)
    }

    /// Writes the pictures: with one pixel per LED here, as the panel looks and as a film in `docs/`.
    private func make(_ tour: Tour) throws {
        for (name, time) in Self.pictures {
            let frame = try #require(tour.frame(at: time))
            try Data(Picture.png(frame)).write(to: Self.folder.appendingPathComponent("Screens/\(name).png"))
        }
        try Data(film(of: tour)).write(to: Self.docs.appendingPathComponent("tour.png"))
        try Data(screens(of: tour)).write(to: Self.docs.appendingPathComponent("screens.png"))
    }

    /// The film ends with the guide.
    private static let filmEnd = 45_000
}
