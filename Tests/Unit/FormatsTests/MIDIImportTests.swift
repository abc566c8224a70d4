import Documents
import Instrument
import TestSupport
import Testing

/// A MIDI file of type 1 with these events in one track, each with its delta time in ticks.
private func file(_ events: [[UInt8]], type: UInt8 = 1, division: UInt16 = 96) -> [UInt8] {
    file(tracks: [events], type: type, division: division)
}

/// A MIDI file with the events of several tracks.
private func file(tracks: [[[UInt8]]], type: UInt8 = 1, division: UInt16 = 96) -> [UInt8] {
    let header = [0, 0, 0, 6, 0, type, 0, UInt8(tracks.count), UInt8(division >> 8), UInt8(division & 0xff)]
    return tracks.reduce(Array("MThd".utf8) + header) { bytes, events in
        let track = events.flatMap(\.self) + [0, 0xff, 0x2f, 0]
        let length = [UInt8(0), 0, UInt8(track.count >> 8), UInt8(track.count & 0xff)]
        return bytes + Array("MTrk".utf8) + length + track
    }
}

/// A text event at once: kind 3 is a track's name.
private func text(_ kind: UInt8, _ text: String) -> [UInt8] { [0, 0xff, kind, UInt8(text.utf8.count)] + text.utf8 }

private func read(_ bytes: [UInt8]) -> Result<MIDIImport, FormatError> {
    do throws(FormatError) { return .success(try MIDIImport(parsing: bytes)) } catch { return .failure(error) }
}

@Suite("Import of MIDI files")
struct MIDIImportTests {
    /// A pattern that a file can represent completely: every run of sustained cells belongs to a note.
    private func pattern(_ random: inout SplitMix) -> PatternDocument {
        var pattern = Pattern()
        pattern.tempo = Tempo(hundredths: .random(in: 2000...30000, using: &random))
        pattern.length = .random(in: 1...(Bool.random(using: &random) ? 32 : 128), using: &random)
        pattern.metre = Metre(
            beats: .random(in: Metre.beatsOfBar, using: &random),
            steps: Metre.stepsOfBeat.randomElement(using: &random) ?? 4)
        let scale: Scale = Bool.random(using: &random) ? .major : .minor
        pattern.tonality = Tonality(root: .random(in: 0..<12, using: &random), scale: scale)
        for track in Track.allCases {
            for note in track.notes {
                var step = 0
                while step < pattern.length {
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        pattern[track, note: note, step: step] = Bool.random(using: &random) ? .normal : .accent
                        let run = Int.random(in: 0...4, using: &random)
                        while step + 1 < pattern.length, step < run {
                            step += 1
                            pattern[track, note: note, step: step] = .sustain
                        }
                    }
                    step += 1
                }
            }
        }
        // Notes at the start and at the end, so that no shorter pattern repeats.
        pattern[.melody, note: 0, step: 0] = .accent
        pattern[.melody, note: 1, step: pattern.length - 1] = .normal
        var document = PatternDocument(pattern: pattern, name: "Round \(Int.random(in: 0...9, using: &random))")
        // The first step is never late.
        let swings = pattern.length > 1 ? [50, 50, 58, 62, 67] : [50]
        document.sound[.swing] = swings.randomElement(using: &random) ?? 50
        return document
    }

    @Test("a written pattern reads back equal, for any swing and number of loops")
    func roundTrip() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            let document = pattern(&random)
            // A piece of up to 32 steps is unchanged, even if it repeats.
            for loops in [1, document.pattern.length > 6 ? 5 : 33] {
                let found = try MIDIImport(parsing: MIDIFile.bytes(document, loops: loops))
                let isSame = found.document == document
                #expect(isSame, "seed \(seed), \(loops) loops")
                #expect(found.remarks.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test("a foreign file: running status, type 0, unended notes, notes beside the grid")
    func foreign() throws {
        let bytes = file(
            [
                [0, 0x90, 60, 100], [3, 64, 127], [20, 60, 0], [1, 0x80, 64, 0], [25, 0x99, 38, 90], [0, 0xc0, 5],
                [0, 0xf0, 2, 1, 0xf7], [24, 0x92, 36, 70], [0, 0xb0, 7, 100], [0x81, 0x48, 0xe0, 0, 64],
            ], type: 0)
        let found = try MIDIImport(parsing: bytes)
        let pattern = found.document.pattern
        #expect(pattern[.melody, note: 0, step: 0] == .normal && pattern[.melody, note: 4, step: 0] == .accent)
        #expect(pattern[.rhythm, note: 3, step: 2] == .normal)
        #expect(pattern[.bass, note: 0, step: 3] == .normal && pattern[.bass, note: 0, step: 4] == .sustain)
        #expect(pattern.tempo == 120 && pattern.length == 12 && found.document.sound[.swing] == 50)
    }

    @Test("of many channels the lowest is the bass, the fullest the chords, the others the melody")
    func channels() throws {
        let bytes = file([
            [0, 0x95, 72, 80], [0, 0x96, 60, 80], [0, 0x96, 64, 80], [0, 0x96, 67, 80], [0, 0x94, 40, 80],
            [0, 0x97, 77, 80], [96, 0xb0, 0, 0],
        ])
        let pattern = try MIDIImport(parsing: bytes).document.pattern
        func notes(_ track: Track) -> [Int] { track.notes.filter { pattern[track, note: $0, step: 0] != .empty } }
        #expect(notes(.melody) == [12, 17])
        #expect(notes(.chords) == [12, 16, 19])
        #expect(notes(.bass) == [4])
        #expect(notes(.rhythm) == [])
    }

    @Test("a longer piece is cut, a tempo out of range is limited, and both are reported")
    func remarks() throws {
        let bytes = file([
            [0, 0xff, 0x51, 3, 0x01, 0xe8, 0x48], [0, 0x90, 60, 80], [0x98, 0x00, 62, 80], [24, 0x80, 62, 0],
        ])
        let found = try MIDIImport(parsing: bytes)
        #expect(found.remarks == ["the first 128 of 129 steps were taken", "the tempo is 480 BPM, and was set to 300"])
        #expect(found.document.pattern.length == 128 && found.document.pattern.tempo == 300)
    }

    @Test("the pattern begins with the bar of the first note, by the time signature and the tempo there")
    func rests() throws {
        // Two bars of three quarters rest; the tempo changes in the first.
        let bytes = file([
            [0, 0xff, 0x58, 4, 3, 2, 24, 8], [96, 0xff, 0x51, 3, 0x06, 0x8a, 0x1b], [0x84, 0x10, 0x90, 60, 80],
            [24, 0x80, 60, 0], [0x81, 0x40, 0x90, 64, 80], [24, 0x80, 64, 0],
        ])
        let pattern = try MIDIImport(parsing: bytes).document.pattern
        // 96 and 528 ticks are 624: two bars are 576, and half a quarter more.
        #expect(pattern[.melody, note: 0, step: 2] == .normal && pattern[.melody, note: 4, step: 11] == .normal)
        #expect(pattern.length == 12 && pattern.tempo == 140)
    }

    @Test(
        "a pattern has whole bars of the time signature, of 4/4 whole beats",
        arguments: [
            (7, 3, 12, 14), (7, 3, 15, 28), (3, 2, 8, 12), (5, 2, 18, 20), (6, 3, 13, 24), (13, 4, 9, 13),
            (4, 2, 9, 12), (2, 1, 9, 12), (3, 3, 5, 6), (4, 2, 2, 4), (4, 2, 5, 8), (33, 4, 9, 33), (1, 5, 9, 12),
        ])
    func bars(count: UInt8, power: UInt8, steps: Int, length: Int) throws {
        let ticks = 24 * steps
        let bytes = file([
            [0, 0xff, 0x58, 4, count, power, 24, 8], [0, 0x90, 60, 80],
            [UInt8(0x80 | ticks >> 7), UInt8(ticks & 0x7f), 60, 0],
        ])
        #expect(try MIDIImport(parsing: bytes).document.pattern.length == length)
    }

    @Test("an exported pattern with an empty first bar comes back as it was", arguments: [20, 32])
    func emptyFirstBar(length: Int) throws {
        var pattern = Pattern()
        pattern.length = length
        pattern[.rhythm, note: 1, step: 17] = .accent
        let document = PatternDocument(pattern: pattern)
        let again = try MIDIImport(parsing: MIDIFile.bytes(document, loops: 1)).document
        #expect(again.pattern == pattern)
    }

    @Test("a piece of bars that repeat is one bar, also if the file ends with its last note", arguments: [0, 20])
    func repeatsToTheLastNote(missing: Int) throws {
        // Three bars of 384 ticks: notes on the first and the third beat.
        let bar: [[UInt8]] = [[0, 0x90, 60, 80], [96, 0x80, 60, 0], [96, 0x90, 64, 80], [76, 0x80, 64, 0]]
        let next: [[UInt8]] = [[116, 0x90, 60, 80]] + bar.dropFirst()
        let end: [[UInt8]] = missing > 0 ? [] : [[116, 0xb0, 1, 0]]
        let pattern = try MIDIImport(parsing: file(bar + next + next + end)).document.pattern
        #expect(pattern.length == 16)
        #expect(pattern[.melody, note: 0, step: 0] == .normal && pattern[.melody, note: 4, step: 8] == .normal)
    }

    @Test("a piece ends with a whole bar")
    func partialBar() throws {
        let ticks = 24 * 29
        let bytes = file([
            [0, 0xff, 0x58, 4, 3, 2, 24, 8], [0, 0x90, 60, 80], [UInt8(0x80 | ticks >> 7), UInt8(ticks & 0x7f), 60, 0],
        ])
        let found = try MIDIImport(parsing: bytes)
        #expect(found.document.pattern.length == 36 && found.remarks.isEmpty)
    }

    @Test("a note a little before the end is the first of the next turn")
    func early() throws {
        let bytes = file([
            [0, 0x90, 60, 80], [24, 0x80, 60, 0], [0x82, 0x62, 0x90, 62, 80], [6, 0x80, 62, 0],
        ])
        let pattern = try MIDIImport(parsing: bytes).document.pattern
        #expect(pattern.length == 16)
        #expect(pattern[.melody, note: 0, step: 0] == .normal && pattern[.melody, note: 2, step: 0] == .normal)
    }

    @Test("a message after a text goes on without a status")
    func runningStatus() throws {
        let bytes = file([
            [0, 0x90, 60, 80], [24, 60, 0], text(1, "ab"), [24, 64, 80], [0, 0xf0, 1, 0xf7], [24, 64, 0],
        ])
        let pattern = try MIDIImport(parsing: bytes).document.pattern
        #expect(pattern[.melody, note: 0, step: 0] == .normal && pattern[.melody, note: 4, step: 2] == .normal)
    }

    @Test("of two tempos at once the last one counts; blanks and zeros are no name")
    func tempoAndName() throws {
        let tracks: [[[UInt8]]] = [
            [
                text(3, "  \0 "), [0, 0xff, 0x51, 3, 0x07, 0xa1, 0x20], [0, 0xff, 0x51, 3, 0x06, 0x8a, 0x1b],
                [0, 0x90, 60, 80], [24, 0x80, 60, 0],
            ], [text(3, " Second\0"), [0, 0x99, 36, 80], [24, 0x89, 36, 0]],
        ]
        let document = try MIDIImport(parsing: file(tracks: tracks)).document
        #expect(document.name == "Second" && document.pattern.tempo == 140)
        #expect(try MIDIImport(parsing: file(tracks: [tracks[0]])).document.name == nil)
    }

    @Test("tracks on one channel are spread by name, by program, and by what they play")
    func shared() throws {
        func part(_ name: String?, _ program: UInt8?, _ keys: UInt8...) -> [[UInt8]] {
            [name.map { text(3, $0) }, program.map { [0, 0xc0, $0] }].compactMap(\.self)
                + keys.map { [0, 0x90, $0, 80] } + [[24, 0x80, keys[0], 0]]
        }
        func notes(_ tracks: [[UInt8]]...) throws -> [Track: [Int]] {
            let pattern = try MIDIImport(parsing: file(tracks: tracks)).document.pattern
            return Dictionary(
                uniqueKeysWithValues: Track.allCases.map { track in
                    (track, track.notes.filter { pattern[track, note: $0, step: 0] != .empty })
                })
        }
        let named = try notes(
            part("Bassline", nil, 60), part("Soft Pad", nil, 48), part("Drums", nil, 36), part("Lead", nil, 64))
        #expect(named == [.bass: [12], .chords: [0], .rhythm: [0], .melody: [4]])
        let programmed = try notes(part(nil, 38, 60), part(nil, 89, 48), part(nil, 81, 64))
        #expect(programmed == [.bass: [12], .chords: [0], .rhythm: [], .melody: [4]])
        let plain = try notes(part("A", nil, 72), part("B", nil, 36), part("C", nil, 60, 64, 67))
        #expect(plain == [.bass: [0], .chords: [12, 16, 19], .rhythm: [], .melody: [12]])
    }

    @Test("a file in a RIFF form is read; one that is cut is not")
    func riff() throws {
        let inner = file([[0, 0x90, 60, 100], [24, 0x80, 60, 0]])
        func chunk(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
            let size = withUnsafeBytes(of: UInt32(bytes.count).littleEndian, Array.init)
            let padding: [UInt8] = bytes.count % 2 == 1 ? [0] : []
            return Array(kind.utf8) + size + bytes + padding
        }
        let form = chunk("RIFF", Array("RMID".utf8) + chunk("DISP", [1, 2, 3]) + chunk("data", inner))
        #expect(MIDIImport.recognises(form))
        #expect(try MIDIImport(parsing: form).document == MIDIImport(parsing: inner).document)
        for count in 12..<form.count - 1 {
            guard case .failure = read(Array(form.prefix(count))) else {
                Issue.record("\(count) bytes were read")
                continue
            }
        }
    }

    @Test("an invalid or broken MIDI file is rejected with its place")
    func refused() {
        let good = file([[0, 0x90, 60, 100], [24, 0x80, 60, 0]])
        let cases: [(bytes: [UInt8], says: String)] = [
            (Array("{}".utf8), "is not the start of a MIDI file"), (file([], type: 2), "should be of type 0 or 1"),
            (file([], division: 0xe728), "counts frames of film"), (file([]), "has no notes"),
            (file([[0, 0x3c, 60]]), "is no event of a MIDI file"), (file([[0, 0x90, 60, 200]]), "should be data"),
            (file([[0x81, 0x81, 0x81, 0x81, 0]]), "longer than four bytes"),
        ]
        for (bytes, says) in cases {
            guard case .failure(let error) = read(bytes) else {
                Issue.record("\(says): was read")
                continue
            }
            #expect("\(error)".contains(says), "\(error)")
        }
        for count in good.indices {
            guard case .failure = read(Array(good.prefix(count))) else {
                Issue.record("\(count) bytes were read")
                continue
            }
        }
    }
}
