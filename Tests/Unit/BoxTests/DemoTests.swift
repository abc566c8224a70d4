import Documents
import Foundation
import InputEvents
import Instrument
import Library
import Replay
import SignalAnalysis
import Testing

@testable import Box

@Suite("The patterns of a new box")
struct DemoTests {
    private static let rate = 48_000
    private static let loops = 2

    /// The pattern that the whole box makes of the script of demo `place`, with the sounds of a new pattern.
    private func replayed(_ place: Int) throws -> PatternDocument {
        var document = try Replay.run(Replay.Plan(try TouchScript(parsing: Demos.all[place].script))).document
        document.sound = .factory
        return document
    }

    private var patterns: [Pattern?] {
        let composition = Demos.first(.first).composition
        return composition.scenes.patterns(playing: composition.pattern)
    }

    @Test("are what the whole box makes of their touch scripts: scenes 1, 2 and 3", arguments: 0..<3)
    func scripts(place: Int) throws {
        let document = try replayed(place)
        #expect(patterns[place] == document.pattern)
        let session = Demos.first(.first)
        #expect(session.composition.scenes.current == 0 && patterns[3...].allSatisfy { $0 == nil })
        #expect(session.sound == .factory && session.hintsDue == Session.first.hintsDue && session.history.past.isEmpty)
    }

    @Test("have all four tracks, four chords of eight steps, and a bass that follows them", arguments: 0..<3)
    func music(place: Int) throws {
        let pattern = try #require(patterns[place])
        func classes(_ track: Track, _ steps: Range<Int>) -> Set<Int> {
            var classes: Set<Int> = []
            for step in steps {
                for note in track.notes where pattern[track, note: note, step: step] != .empty {
                    classes.insert(((note % 12) + 12) % 12)
                }
            }
            return classes
        }
        let chords = stride(from: 0, to: 32, by: 8).map { classes(.chords, $0..<$0 + 5) }
        #expect(Set(chords).count == 4 && chords.allSatisfy { $0.count >= 3 })
        let basses = stride(from: 0, to: 32, by: 8).map { classes(.bass, $0..<$0 + 4) }
        #expect(Set(basses).count == 4)
        for track in Track.allCases { #expect(classes(track, 0..<32).count >= 3, "\(track.name)") }
        // The drums of the second bar are a variation of the first.
        let bars = [0, 16].map { start in
            (0..<16).map { step in
                Track.rhythm.notes.filter { pattern[.rhythm, note: $0, step: start + step] != .empty }
            }
        }
        #expect(bars[0] != bars[1])
    }

    @Test("are as loud as −16 LUFS within 1 LU", arguments: 0..<3)
    func loudness(place: Int) throws {
        let document = try replayed(place)
        var samples: [Float] = []
        Bounce.render(document, loops: Self.loops, rate: Self.rate) { block, _ in samples += block }
        let length = document.pattern.duration(ofSteps: Self.loops * document.pattern.length)
        let sound = channels(samples, frames: Int(length.microseconds) * Self.rate / 1_000_000)
        let loudness = integratedLoudness(left: sound.left, right: sound.right, rate: Self.rate)
        #expect(abs(loudness + 16) < 1, "\(Demos.all[place].name): \(loudness) LUFS")
        if ProcessInfo.processInfo.environment["PIXELBOOP_LEVELS"] != nil {
            print("\(Demos.all[place].name): \(loudness) LUFS")
        }
    }

    @Test("are given only to a library that was never used")
    func libraries() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pixelboop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: path) }
        let file = path.appendingPathComponent("library.sqlite").path
        do {
            let library = try Library(path: file, as: .player)
            let session = Demos.session(of: library)
            #expect(!session.composition.pattern.isEmpty && session.composition.scenes.current == 0)
            // The player clears the scene.
            var instrument = Instrument()
            instrument.load(session)
            let clear = Touch(contact: 0, phase: .down, column: 41, row: 0)
            _ = instrument.update(.touch(clear), at: Instant(milliseconds: 0))
            _ = instrument.update(.tick, at: Instant(milliseconds: 500))
            #expect(instrument.state.session.composition.pattern.isEmpty)
            library.keep(instrument.state, at: Instant(milliseconds: 500))
            library.flush()
        }
        let library = try Library(path: file, as: .player)
        #expect(Demos.session(of: library).composition.pattern.isEmpty)
        // The other two are still there.
        #expect(
            (0..<8).map { Demos.session(of: library).composition.scenes.isFilled($0) }.prefix(4) == [
                true, true, true, false,
            ])

        let other = path.appendingPathComponent("imported.sqlite").path
        let imported = try Library(path: other)
        try imported.add([Library.Addition(PatternDocument(pattern: Pattern()), to: .a)])
        #expect(Demos.session(of: imported).composition.pattern.isEmpty)
    }
}
