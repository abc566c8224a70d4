import Display
import InputEvents
import Instrument
import Panel
import TestSupport
import Testing

/// The flash guard and the music: the densest patterns at the highest tempo.
@Suite("Flashes of the playing box")
struct FlashTests {
    /// A pattern for the whole panel.
    struct Music: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let length: Int
        /// Steps from one full column to the next.
        let stride: Int
        /// The root: C's notes are red.
        let root: Int
    }

    static let music: [Music] = [
        Music(testDescription: "every sixteenth, 32 steps", length: 32, stride: 1, root: 0),
        Music(testDescription: "every sixteenth, 8 steps", length: 8, stride: 1, root: 0),
        Music(testDescription: "every eighth, 8 steps", length: 8, stride: 2, root: 6),
        Music(testDescription: "one beat of 8 steps", length: 8, stride: 8, root: 9),
    ]

    @Test("200 BPM with every note on is shown as it is, and is within the thresholds", arguments: music)
    func play(music: Music) {
        var pattern = Pattern()
        pattern.tempo = 200
        pattern.length = music.length
        pattern.tonality = Tonality(root: music.root, scale: .major)
        for track in Track.allCases {
            for note in track.notes {
                for step in Swift.stride(from: 0, to: music.length, by: music.stride) {
                    pattern[track, note: note, step: step] = note % 2 == 0 ? .accent : .normal
                }
            }
        }
        for mode in ColourMode.allCases {
            var session = Session(Composition(pattern: pattern))
            session.colourMode = mode
            var instrument = Instrument()
            instrument.load(session)
            _ = instrument.update(.key(.playStop), at: .zero)
            var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
            var flashGuard = FlashGuard(columns: frame.columns, rows: frame.rows)
            var shots: [FlashAnalyser.Shot] = []
            var step = -1
            // Four seconds; a step has 75 ms.
            for place in 0..<240 {
                let now = Instant(microseconds: Int64(place) * Instrument.frameInterval.microseconds)
                let next = Int(now.microseconds / 75_000)
                if next != step {
                    step = next
                    let start = Instant(microseconds: Int64(step) * 75_000)
                    _ = instrument.update(.step(step % music.length, number: step % music.length), at: start)
                }
                instrument.draw(into: &frame, at: now)
                flashGuard.limit(frame.pixels, at: now.microseconds)
                #expect(flashGuard.shown == frame.pixels, "\(mode), frame \(place)")
                shots.append(
                    FlashAnalyser.Shot(
                        at: Int(now.microseconds), rgb: frame.pixels.flatMap { [$0.red, $0.green, $0.blue] }))
            }
            let report = FlashAnalyser(columns: frame.columns, rows: frame.rows).analyse(shots)
            #expect(report.isSafe && report.ledFlashes > 0, "\(mode): \(report)")
        }
    }

    @Test("a lost source and the sign of recording breathe, and are shown as they are")
    func sync() {
        var instrument = Instrument()
        var status = SyncStatus()
        (status.lock, status.tempo) = (.lost, 120)
        var events: [Instrument.Event] = [.record(true), .sync(.source(.midi)), .syncStatus(status)]
        // The menu and its pulse.
        for (column, row) in [(1, 1), (2, 15)] as [(Float, Float)] {
            for phase in [Touch.Phase.down, .up] {
                events.append(.touch(Touch(contact: 0, phase: phase, column: column, row: row)))
            }
        }
        for event in events { _ = instrument.update(event, at: .zero) }
        #expect(instrument.state.view.screen == .sync)
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        var flashGuard = FlashGuard(columns: frame.columns, rows: frame.rows)
        for place in 0..<360 {
            let now = Instant(microseconds: Int64(place) * Instrument.frameInterval.microseconds)
            _ = instrument.update(.tick, at: now)
            instrument.draw(into: &frame, at: now)
            flashGuard.limit(frame.pixels, at: now.microseconds)
            #expect(flashGuard.shown == frame.pixels, "frame \(place)")
        }
    }
}
