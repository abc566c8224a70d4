import InputEvents
import Runtime
import TestSupport
import Testing

@testable import Instrument

/// A set of tunes, each chosen in the guide while the one before plays.
@Suite("A set of tunes")
struct TuneSetTests {
    /// Tempo, metre, length and note of a tune; each has another pan of the melody, and another swing.
    private struct Tune {
        let tempo: Tempo
        let metre: Metre
        let length: Int
        let note: Int

        func session(_ number: Int) -> Session {
            var session = Session()
            session.pattern = Int64(number)
            session.composition.pattern.tempo = tempo
            session.composition.pattern.metre = metre
            session.composition.pattern.length = length
            session.composition.pattern.tonality.root = number
            for step in stride(from: 0, to: length, by: 2) {
                session.composition.pattern[.melody, note: note, step: step] = .normal
            }
            session.sound[.track(.melody, .pan)] = -40 + 10 * number
            session.sound[.swing] = 50 + number
            if number % 2 == 1 { session.muted = TrackSet(.bass) }
            return session
        }
    }

    private static let set = [
        (12_000, 4, 4, 16), (17_450, 7, 2, 32), (6000, 3, 4, 8), (9333, 2, 6, 12), (30_000, 5, 4, 128),
        (13_125, 3, 3, 9),
        (7777, 4, 4, 31), (15_900, 11, 2, 77),
    ].enumerated().map { (note, tune) in
        Tune(
            tempo: Tempo(hundredths: tune.0), metre: Metre(beats: tune.1, steps: tune.2), length: tune.3, note: note)
    }

    private struct Box {
        let engine: Engine
        var instrument = Instrument()
        var frames = 0
        /// Frames of the switches, and of all notes with their numbers.
        var switches: [Int] = []
        var notes: [(frame: Int, note: Int)] = []
        /// The library's answer to a request for a tune.
        let library: (Int64) -> Session
        private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 480)

        init(_ library: @escaping (Int64) -> Session) throws {
            engine = try #require(Engine(rate: 48_000))
            self.library = library
            instrument.load(library(0))
            // The library's icon, on the menu.
            for (column, row) in [(1, 1), (1, 4)] as [(Float, Float)] { tap(column, row) }
            send(.key(.playStop))
        }

        func release() { buffer.deallocate() }

        var now: Instant { Instant(microseconds: Int64(frames) * 1_000_000 / 48_000) }

        mutating func send(_ event: Instrument.Event) {
            let effects = instrument.update(event, at: now)
            engine.synchronise(with: instrument.state, effects, at: UInt64(frames))
            for case .job(.open(let number, let tune)) in effects { send(.opened(library(number), tune: tune)) }
        }

        mutating func tap(_ column: Float, _ row: Float) {
            for phase in [Touch.Phase.down, .up] {
                send(.touch(Touch(contact: 0, phase: phase, column: column, row: row)))
            }
        }

        /// Taps the cell of tune `number` in the guide of the library `taps` times.
        mutating func choose(_ number: Int64, taps: Int) throws {
            let channels = "AB".map { GuideContent.Channel(id: String($0), name: String($0)) }
            let look = GuideContent.Look.thumbnail(GuideThumbnail(Pattern()))
            let entry = GuideContent.Entry(id: number, title: "TUNE \(number)", look: look)
            send(
                .guide(
                    GuideContent(
                        source: .library, channels: channels, days: 19_934..<20_001, today: 20_000,
                        placed: [GuideContent.Placed(channel: 1, day: 20_000, entry: entry)])))
            let guide = instrument.state.shelf.guide
            let spots = (0..<44).flatMap { column in
                (0..<24).map { Position(column: Float(column), row: Float($0)) }
            }
            let spot = spots.first {
                guard guide.target(at: $0) == .grid, let cell = guide.cell(at: $0, now) else { return false }
                return cell.channel == 1 && cell.day == 20_000
            }
            let place = try #require(spot)
            for _ in 0..<taps { tap(place.column, place.row) }
        }

        /// Renders a block. What switches is heard `latency` blocks later.
        mutating func render(_ waiting: inout [(block: Int, event: Instrument.Event)], block: Int, latency: Int) {
            engine.render(into: buffer)
            frames += 480
            engine.takeReports { frame, report in
                switch report {
                case .switched(let switched, let tag):
                    switches.append(Int(frame))
                    guard engine.follow(switched, tag: tag), case .tune(let tag) = switched else { return }
                    waiting.append((block + latency, .tuneBegan(tag: tag)))
                case .note(let note, _): notes.append((Int(frame), note.note))
                default: break
                }
            }
            while let first = waiting.first, first.block <= block {
                waiting.removeFirst()
                guard engine.hearSwitch() else { continue }
                send(.tuneEnds)
                send(first.event)
            }
            send(.tick)
        }
    }

    /// Units of the clock from the first step of a pattern to its end: swing has no effect on whole pairs, and the last
    /// step of an odd length is the first of a pair.
    private func units(_ tune: Tune, swing: Int) -> Int {
        let step = 48_000 * 1500
        return tune.length / 2 * 2 * step + (tune.length % 2) * step / 50 * swing
    }

    private static func library(_ number: Int64) -> Session { set[Int(number)].session(Int(number)) }

    @Test(
        "eight tunes of different tempo, metre, key, length and sound: each begins on its sample", arguments: [0, 3, 9])
    func set(latency: Int) throws {
        var box = try Box(Self.library)
        defer { box.release() }
        var waiting: [(block: Int, event: Instrument.Event)] = []
        var block = 0
        var expected: [Int] = []
        // When the tune begins, and the units of its tempo by which that is before its frame.
        var (begin, late) = (0, 0)
        for number in 1..<Self.set.count {
            let playing = Self.set[number - 1]
            try box.choose(Int64(number), taps: 2)
            let left = units(playing, swing: 50 + number - 1) - late
            let length = (left + playing.tempo.hundredths - 1) / playing.tempo.hundredths
            begin += length
            late = length * playing.tempo.hundredths - left
            late = late * Self.set[number].tempo.hundredths / playing.tempo.hundredths
            expected.append(begin)
            let end = block + 1200
            while box.instrument.state.session.pattern != Int64(number), block < end {
                box.render(&waiting, block: block, latency: latency)
                block += 1
            }
            let session = box.instrument.state.session
            #expect(session.composition.pattern.tempo == Self.set[number].tempo && session.sound[.swing] == 50 + number)
            #expect(session.muted == (number % 2 == 1 ? TrackSet(.bass) : TrackSet()))
        }
        #expect(box.switches == expected)
        // No note of a tune is outside it.
        for (index, frames) in zip(expected, expected.dropFirst()).enumerated() {
            let heard = Set(box.notes.filter { (frames.0..<frames.1).contains($0.frame) }.map(\.note))
            #expect(heard == [index + 1])
        }
    }

    @Test("forced, a tune begins with the next beat; cancelled, it does not begin")
    func forced() throws {
        for isForced in [true, false] {
            var box = try Box(Self.library)
            defer { box.release() }
            var waiting: [(block: Int, event: Instrument.Event)] = []
            // Into step 1: 6000 frames a step.
            for block in 0..<20 { box.render(&waiting, block: block, latency: 2) }
            try box.choose(1, taps: 2)
            for block in 20..<70 { box.render(&waiting, block: block, latency: 2) }
            try box.choose(isForced ? 1 : 0, taps: isForced ? 1 : 2)
            for block in 70..<250 { box.render(&waiting, block: block, latency: 2) }
            #expect(box.switches == (isForced ? [8 * 6000] : []))
            #expect(box.instrument.state.session.pattern == (isForced ? 1 : 0))
        }
    }
}
