import Documents
import InputEvents
import Instrument
import TestSupport
import Testing

@testable import Browser

@Suite("The library in a browser")
struct BrowserLibraryTests {
    /// The documents that a browser keeps, by their names.
    private final class Kept {
        var documents: [String: String] = [:]
        var writes = 0

        func keep(_ name: String, _ bytes: [UInt8]) {
            writes += 1
            documents[name] = bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    private static let demo = Array(#"{"at": 0, "touch": 0, "phase": "down", "col": 10, "row": 4}"#.utf8)
    private static let day = 20_717
    private static let begin = Int64(day) * 86_400 + 3600

    private func open(
        _ kept: Kept, demos: [[UInt8]] = [], offset: Int64 = 0, problems: inout [String]
    ) -> BrowserLibrary {
        BrowserLibrary(
            documents: kept.documents.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }, demos: demos,
            begin: Self.begin, offset: offset, seed: 41, problems: &problems)
    }

    private func open(_ kept: Kept, demos: [[UInt8]] = []) -> BrowserLibrary {
        var problems: [String] = []
        defer { #expect(problems == []) }
        return open(kept, demos: demos, problems: &problems)
    }

    /// Plays `change` on an instrument with the session of `library`, and keeps it.
    private func play(_ library: BrowserLibrary, at now: Instant, _ change: (inout Session) -> Void) {
        var session = library.session
        change(&session)
        var instrument = Instrument()
        instrument.load(session)
        library.keep(instrument.state, at: now)
    }

    private func titles(_ events: [Instrument.Event], bank: Int = 0, day: Int = day) -> [String] {
        guard case .guide(let content)? = events.first else { return ["no guide"] }
        return content[channel: bank, day: day].map { $0.title }
    }

    @Test("begins with the demos as scenes, and with nothing to write")
    func first() {
        let kept = Kept()
        let library = open(kept, demos: [Self.demo + Array("\n".utf8), Array("broken".utf8)])
        #expect(library.session.scene == 0 && library.session.sound == .factory && library.session.hintsDue == .all)
        library.write(at: .zero, kept.keep)
        #expect(kept.writes == 0)
    }

    @Test("writes half a second after the last change, and two seconds after the first")
    func schedule() {
        let kept = Kept()
        let library = open(kept)
        play(library, at: Instant(milliseconds: 0)) { $0.composition.pattern[.bass, note: 1, step: 2] = .normal }
        library.write(at: Instant(milliseconds: 499), kept.keep)
        #expect(kept.writes == 0)
        library.write(at: Instant(milliseconds: 500), kept.keep)
        #expect(kept.documents.keys.contains { $0.hasPrefix("tune/") } && kept.documents["session"] != nil)
        #expect(kept.writes == 2)
        for time in stride(from: 1000, through: 2900, by: 100) {
            play(library, at: Instant(milliseconds: Int64(time))) {
                $0.composition.pattern.tempo = Tempo(100 + time / 100)
            }
            library.write(at: Instant(milliseconds: Int64(time)), kept.keep)
        }
        #expect(kept.writes == 2)
        library.write(at: Instant(milliseconds: 3000), kept.keep)
        #expect(kept.writes == 3)
    }

    @Test("plays the newest tune if no settings were kept")
    func withoutSettings() {
        let kept = Kept()
        let library = open(kept)
        for (second, note) in [(0, 1), (10, 2)] {
            let now = Instant(milliseconds: Int64(1000 * second))
            play(library, at: now) {
                $0.pattern = Int64(50 - second)
                $0.composition.pattern[.bass, note: note, step: 2] = .normal
            }
            library.write(at: now + .milliseconds(2000), kept.keep)
        }
        kept.documents["session"] = nil
        let again = open(kept, demos: [Self.demo]).session
        #expect(again.pattern == 40 && again.composition.pattern[.bass, note: 2, step: 2] == .normal)
    }

    @Test("opens with the music and the settings that were kept")
    func roundTrip() throws {
        for seed in 0..<100 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let kept = Kept()
            let library = open(kept)
            var played = library.session
            played.composition.pattern[.melody, note: 3, step: 40] = .accent
            played.composition.pattern.length = .random(in: 41...128, using: &random)
            played.composition.pattern.tempo = Tempo(hundredths: .random(in: 2000...30_000, using: &random))
            played.colourMode = ColourMode.allCases.randomElement(using: &random) ?? .chromatic
            played.rules = Rules.allCases.randomElement(using: &random)
            played.syncSource = SyncSource.allCases.randomElement(using: &random)
            played.soundsTaps = [nil, true, false].randomElement(using: &random) ?? nil
            played.volume = Bool.random(using: &random) ? nil : .random(in: 0...100, using: &random)
            played.brightness = Bool.random(using: &random) ? nil : .random(in: 5...100, using: &random)
            played.countIn = .random(in: 0...2, using: &random)
            played.quantise = .random(in: 0...100, using: &random)
            (played.metronome, played.auditions) = (.random(using: &random), .random(using: &random))
            (played.isLocked, played.isMenuOpen) = (.random(using: &random), .random(using: &random))
            played.hintsDue = HintSet(rawValue: .random(in: 0...HintSet.all.rawValue, using: &random))
            played.wordCounts = WordCounts(bits: .random(in: 0...Int64.max, using: &random))
            played.muted = TrackSet([.bass])
            play(library, at: .zero) { $0 = played }
            library.flush(kept.keep)
            let again = open(kept).session
            #expect(again.composition == played.composition && again.sound == played.sound, "seed \(seed)")
            #expect(StoredSettings.text(again) == StoredSettings.text(played), "seed \(seed)")
            #expect(again == played, "seed \(seed)")
        }
    }

    @Test("the panel's requests: begin, duplicate, rename, delete, restore, open")
    func requests() throws {
        let kept = Kept()
        let library = open(kept)
        play(library, at: .zero) { $0.composition.pattern[.bass, note: 1, step: 2] = .normal }
        #expect(titles(library.run(.showLibrary, at: .zero)) == ["TUNE 1"])
        let number = try #require(library.session.pattern)
        #expect(titles(library.run(.duplicate(number), at: .zero)).sorted() == ["TUNE 1", "TUNE 2"])
        #expect(titles(library.run(.rename(number, "NIGHT"), at: .zero)).sorted() == ["NIGHT", "TUNE 2"])
        guard case .opened(let begun, let asked)? = library.run(.begin(bank: 2, tune: 7), at: .zero).first else {
            Issue.record("nothing begins")
            return
        }
        #expect(asked == 7 && begun.sound == .factory && begun.pattern != number)
        #expect(titles(library.run(.showLibrary, at: .zero), bank: 2) == ["TUNE 3"])
        #expect(titles(library.run(.delete(number), at: .zero)) == ["TUNE 2"])
        #expect(library.run(.open(number), at: .zero) == [.notice(.libraryFailed)])
        #expect(titles(library.run(.restore(number), at: .zero)).sorted() == ["NIGHT", "TUNE 2"])
        guard case .opened(let session, _)? = library.run(.open(number), at: .zero).first else {
            Issue.record("nothing opens")
            return
        }
        #expect(session.composition.pattern[.bass, note: 1, step: 2] == .normal && session.pattern == number)
        library.flush(kept.keep)
        #expect(titles(open(kept).run(.showLibrary, at: .zero)).sorted() == ["NIGHT", "TUNE 2"])
        // The local day, seven hours west.
        var problems: [String] = []
        let western = open(kept, offset: -7 * 3600, problems: &problems)
        #expect(titles(western.run(.showLibrary, at: .zero), day: Self.day - 1).count == 2)
    }

    @Test("keeps a tune that another replaces before it was written")
    func replaced() throws {
        let kept = Kept()
        let library = open(kept)
        play(library, at: .zero) { $0.composition.pattern[.bass, note: 1, step: 2] = .normal }
        play(library, at: Instant(milliseconds: 10)) {
            $0.pattern = 5
            $0.composition.pattern[.rhythm, note: 0, step: 0] = .accent
        }
        library.write(at: Instant(milliseconds: 600), kept.keep)
        #expect(kept.documents.keys.count { $0.hasPrefix("tune/") } == 2)
    }

    @Test("own sounds, and files")
    func soundsAndFiles() throws {
        let kept = Kept()
        let library = open(kept)
        let name = try #require(SoundName("MINE"))
        let preset = SoundPreset(.factory, of: .melody, named: name)
        #expect(library.run(.keepSound(preset), at: .zero) == [.sounds([preset])])
        var pattern = Pattern()
        pattern[.melody, note: 0, step: 0] = .normal
        let document = PatternDocument(pattern: pattern, name: "WALTZ")
        let file = Array(document.text().utf8)
        func isImported(_ bytes: [UInt8], _ name: String, _ line: String, _ events: [Instrument.Event]) throws -> Bool {
            try library.importFile(bytes, name: name, at: .zero) == (line, events)
        }
        #expect(try isImported(file, "x.json", "WALTZ is a pattern of bank A", [.notice(.imported(1))]))
        #expect(try isImported(file, "x.json", "x.json: is in the library already", []))
        let midi = MIDIFile.bytes(PatternDocument(pattern: pattern), loops: 1)
        #expect(try isImported(midi, "my.song.mid", "my.song is a pattern of bank A", [.notice(.imported(1))]))
        #expect(throws: FormatError.self) { try library.importFile([0x7b], name: "bad.json", at: .zero) }

        let scale = Array(("just\n12\n" + (1...12).map { "\(100 * $0).0\n" }.joined()).utf8)
        let tuning = OwnTuning(name: try #require(SoundName("JUST")), cents: Tuning().cents)
        let line = "JUST is a tuning of the SCALE sheet"
        #expect(try isImported(scale, "just.SCL", line, [.tunings([tuning])]))
        #expect(try isImported(scale, "again.scl", line, [.tunings([tuning])]))
        #expect(throws: FormatError.self) { try library.importFile([0x7b], name: "bad.scl", at: .zero) }
        library.flush(kept.keep)
        #expect(open(kept).run(.showSounds, at: .zero) == [.sounds([preset])])
        #expect(open(kept).run(.showTunings, at: .zero) == [.tunings([tuning])])
        _ = library.run(.removeSound(preset.kind, name), at: .zero)
        library.flush(kept.keep)
        #expect(open(kept).run(.showSounds, at: .zero) == [.sounds([])])
    }

    @Test("leaves out documents that are damaged, and says which")
    func damaged() {
        let kept = Kept()
        let library = open(kept)
        play(library, at: .zero) { $0.composition.pattern[.bass, note: 1, step: 2] = .normal }
        library.flush(kept.keep)
        kept.documents["tune/9"] = "{"
        kept.documents["session"] = #"{"volume": 900}"#
        kept.documents["sound/kit/X"] = "[]"
        kept.documents["tuning/X"] = "{}"
        kept.documents["sample/X"] = "of the samples"
        var problems: [String] = []
        let again = open(kept, problems: &problems)
        #expect(problems.map { String($0.prefix { $0 != ":" }) } == ["sound/kit/X", "tune/9", "tuning/X", "session"])
        #expect(titles(again.run(.showLibrary, at: .zero)) == ["TUNE 1"])
    }
}
