import Documents
import InputEvents
import Instrument
import Replay
import TestSupport
import Testing

@Suite("The song through the whole box")
struct SongReplayTests {
    /// A drum of its own on step 0 of each scene, and one on the last step of all.
    private static func scene(_ number: Int, bpm: Int, length: Int) -> Pattern {
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm)
        pattern.length = length
        pattern[.rhythm, note: number, step: 0] = .normal
        pattern[.rhythm, note: 11, step: length - 1] = .normal
        return pattern
    }

    /// The notes as milliseconds and drum from Play on, which comes at once, and the sound.
    private func play(_ document: PatternDocument, milliseconds: Int64, block: Int = 256, rate: Int = 48_000) throws
        -> (
            notes: [(at: Double, drum: Int)], sound: [Float]
        )
    {
        var plan = Replay.Plan(try TouchScript(parsing: Array(#"{"at": 0, "key": "space"}"#.utf8)))
        plan.start = document
        plan.until = Instant(milliseconds: milliseconds)
        plan.block = block
        plan.rate = rate
        var notes: [(at: Double, drum: Int)] = []
        var sound: [Float] = []
        var observers = Replay.Observers()
        observers.note = { notes.append(($0.milliseconds, $0.note)) }
        observers.sound = { sound += $0 }
        _ = try Replay.run(plan, observers)
        return (notes, sound)
    }

    private func document(_ scenes: [Pattern], _ order: [(scene: Int, repeats: Int)]) -> PatternDocument {
        PatternDocument(
            pattern: scenes[0], scenes: Scenes(scenes, current: 0),
            song: Song(order.map { Song.Entry(scene: $0.scene, repeats: $0.repeats) }), sceneMode: .song)
    }

    @Test("each entry begins on the sample at which the repeats before it end, as the event log shows")
    func times() throws {
        // 16 steps at 120 BPM are 2 s, 8 at 125 BPM 0.96 s, 32 at 200 BPM 2.4 s.
        let scenes = [(0, 120, 16), (1, 125, 8), (2, 200, 32)].map { Self.scene($0.0, bpm: $0.1, length: $0.2) }
        let document = document(scenes, [(1, 3), (0, 2), (1, 1), (2, 1), (2, 2)])
        let (notes, _) = try play(document, milliseconds: 24_000)
        let begins = notes.filter { $0.drum < 3 }.map { [$0.at, Double($0.drum)] }
        let expected: [[Double]] = [
            [0, 1], [960, 1], [1920, 1], [2880, 0], [4880, 0], [6880, 1], [7840, 2], [10_240, 2], [12_640, 2],
            [15_040, 1], [16_000, 1], [16_960, 1], [17_920, 0], [19_920, 0], [21_920, 1], [22_880, 2],
        ]
        #expect(begins == expected)
    }

    /// The event offset from the exact place, in frames, of each pass of a random song.
    @Test(
        "at any tempo, length and rate each pass begins on its exact sample, whatever the blocks",
        arguments: 1...8 as ClosedRange<UInt64>)
    func exact(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let rate = [44_100, 48_000, 96_000][Int(seed) % 3]
        let scenes = (0..<3).map { number in
            Self.scene(
                number, bpm: .random(in: 60...200, using: &random), length: 4 * .random(in: 2...5, using: &random))
        }
        let order = (0..<5).map { _ in
            (scene: Int.random(in: 0..<3, using: &random), repeats: Int.random(in: 1...4, using: &random))
        }
        let document = document(scenes, order)
        let (notes, sound) = try play(document, milliseconds: 20_000, rate: rate)
        let (again, other) = try play(document, milliseconds: 20_000, block: 97, rate: rate)
        #expect(notes.map { $0.at } == again.map { $0.at })
        let isSame = sound == other
        #expect(isSame, "seed \(seed)")
        // A sample advances the hundredths of a BPM of the rate · 1500 units of a step; the part of a sample by which a scene is late keeps
        // its duration.
        var (frame, late, last) = (0, 0, 0)
        var expected: [[Int]] = []
        for entry in (0..<100).map({ order[$0 % order.count] }) where frame < 20 * rate {
            let pattern = scenes[entry.scene]
            let tempo = pattern.tempo.hundredths
            if last > 0 { late = late * tempo / last }
            last = tempo
            for _ in 0..<entry.repeats {
                expected.append([frame, entry.scene])
                let units = pattern.length * rate * 1500 - late
                let frames = (units + tempo - 1) / tempo
                late = frames * tempo - units
                frame += frames
            }
        }
        let found = notes.filter { $0.drum < 3 }.map { [Int(($0.at * Double(rate) / 1000).rounded()), $0.drum] }
        #expect(found == expected.filter { $0[0] < 20 * rate }, "seed \(seed)")
        #expect(found.count > 5)
    }

    /// A pattern with lanes and shapes.
    private static func tune(_ random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        pattern.tempo = Tempo(hundredths: .random(in: 6000...20000, using: &random))
        pattern.length = 4 * .random(in: 2...6, using: &random)
        for track in Track.allCases {
            let notes = track == .rhythm ? 0...11 : -3...14
            for _ in 0..<8 {
                let step = Int.random(in: 0..<pattern.length, using: &random)
                let note = Int.random(in: notes, using: &random)
                pattern[track, note: note, step: step] = Bool.random(using: &random) ? .normal : .accent
                if track != .rhythm { pattern[track, note: note, step: (step + 1) % pattern.length] = .sustain }
            }
            guard Bool.random(using: &random) else { continue }
            for _ in 0..<4 {
                for lane in [Lane.shift, .ratchet, .gate, .velocity, .chance, .when] where lane.exists(on: track) {
                    let step = Int.random(in: 0..<pattern.length, using: &random)
                    pattern.lanes[track, lane, step: step] = .random(in: lane.values, using: &random)
                }
            }
            pattern[shape: track].length = .random(in: 1...32, using: &random)
            pattern[shape: track].division = TrackShape.Division.allCases.randomElement(using: &random) ?? .double
            pattern[shape: track].direction = TrackShape.Direction.allCases.randomElement(using: &random) ?? .back
        }
        return pattern
    }

    @Test(
        "the MIDI file of a song has the notes of the event log, in its places",
        arguments: 1...12 as ClosedRange<UInt64>)
    func midi(number: UInt64) throws {
        let seed = number &* 0x5eed
        var random = SplitMix(seed: seed)
        let scenes = (0..<3).map { _ in Self.tune(&random) }
        let order = (0..<4).map { _ in
            (scene: Int.random(in: 0..<3, using: &random), repeats: Int.random(in: 1...3, using: &random))
        }
        var document = document(scenes, order)
        document.sound[.swing] = Bool.random(using: &random) ? 50 : 62
        // Milliseconds from tick to tick, by the tempo of the entry.
        var begins: [(tick: Int, time: Double, perTick: Double)] = []
        var (tick, time) = (0, 0.0)
        for entry in order {
            let pattern = scenes[entry.scene]
            begins.append((tick, time, 60_000 / pattern.tempo.bpm / 480))
            tick += entry.repeats * pattern.length * 120
            time += Double(entry.repeats * pattern.length) * 15_000 / pattern.tempo.bpm
        }
        let (end, length) = (tick, time)
        var plan = Replay.Plan(try TouchScript(parsing: Array(#"{"at": 0, "key": "space"}"#.utf8)))
        plan.start = document
        plan.until = Instant(milliseconds: Int64(length))
        var events: [NoteEvent] = []
        var observers = Replay.Observers()
        observers.note = { events.append($0) }
        _ = try Replay.run(plan, observers)
        let file = try #require(ReadMIDIFile(MIDIFile.songBytes(document)))
        #expect(file.tracks.allSatisfy { $0.last?.tick == end }, "seed \(seed)")
        for track in Track.allCases {
            let messages = file.tracks[track.rawValue + 1].filter { $0.isOfChannel && $0.bytes[0] & 0x10 != 0 }
            // Two notes of one key may begin within a tick: both are kept.
            var filed = messages.map { message in
                let part = begins.last { $0.tick <= message.tick } ?? begins[0]
                return (
                    time: part.time + Double(message.tick - part.tick) * part.perTick, key: Int(message.bytes[1]),
                    velocity: Int(message.bytes[2])
                )
            }
            let logged = events.filter { $0.track == track && $0.milliseconds < length - 0.05 }
            // A tick is 1.04 ms at 120 BPM; a note before a tempo change is rounded in the tempo after it.
            var missing: [NoteEvent] = []
            for event in logged {
                let key = track.midiKey(of: event.note)
                let place = filed.firstIndex {
                    $0.key == key && $0.velocity == event.velocity && abs($0.time - event.milliseconds) < 3
                }
                if let place { filed.remove(at: place) } else { missing.append(event) }
            }
            // A note of the last tick is beyond the file's end.
            missing.removeAll { $0.milliseconds > length - 3 }
            #expect(missing.isEmpty, "seed \(seed), \(track)")
            #expect(filed.isEmpty, "seed \(seed), \(track)")
        }
        #expect(events.count > 20, "seed \(seed)")
    }
}
