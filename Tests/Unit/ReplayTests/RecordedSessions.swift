import InputEvents
import Display
import Documents
import Foundation
import Instrument
import Replay
import TestSupport
import Testing

/// A touch session with a known result: `Tests/Fixtures/README.md`.
struct RecordedSession: Sendable, CustomTestStringConvertible {
    let number: Int
    let script: TouchScript
    let until: Instant
    let expected: Expected

    struct Expected: Decodable, Sendable {
        var bpm: Int?
        var scale: String
        var rootNote: Int
        var length: Int
        var muted: [String]?
        var soloed: String?
        var ghosts: Bool?
        var tracks: [String: [[Int]]]
        var octaves: [String: [String: [[Int]]]]?
        var events: [[Event]]
        var frame: [String]?
    }

    /// Step, track, note, velocity, length of the run: numbers and one word.
    enum Event: Decodable, Hashable, CustomStringConvertible {
        case number(Int)
        case word(String)

        var description: String {
            switch self {
            case .number(let number): "\(number)"
            case .word(let word): word
            }
        }

        init(from decoder: Decoder) throws {
            let value = try decoder.singleValueContainer()
            self = try (try? value.decode(Int.self)).map { .number($0) } ?? .word(value.decode(String.self))
        }
    }

    var testDescription: String { "session \(number)" }

    /// Sessions recorded from the prototype.
    static let phone = sessions("sessions.jsonl", .phone)
    /// Sessions under the rules of the box.
    static let box = sessions("box.jsonl", .box)

    private static func sessions(_ file: String, _ rules: Rules) -> [RecordedSession] {
        do {
            return try Fixtures.bytes(file).split(separator: 0x0a).enumerated().map { number, line in
                try RecordedSession(number: number + 1, line: Data(line), rules)
            }
        } catch {
            fatalError("Tests/Fixtures/\(file): \(error)")
        }
    }

    private struct Line: Decodable {
        var until: Double
        var expect: Expected
    }

    private init(number: Int, line: Data, _ rules: Rules) throws {
        self.number = number
        let decoded = try JSONDecoder().decode(Line.self, from: line)
        expected = decoded.expect
        until = Instant(microseconds: Int64(decoded.until * 1000))
        guard case .object(let parts) = try JSON(parsing: Array(line)), case .array(let lines)? = parts["script"] else {
            throw CocoaError(.coderReadCorrupt)
        }
        let touches = try TouchScript(parsing: Array(lines.map { $0.text(pretty: false) + "\n" }.joined().utf8))
        script = TouchScript([TouchScript.Line(at: .zero, act: .control(.rules(rules)))] + touches.lines)
    }
}

@Suite("Sessions with known results")
struct RecordedSessions {
    @Test("there are 120 sessions of the phone and 160 of the box")
    func count() { #expect(RecordedSession.phone.count == 120 && RecordedSession.box.count == 160) }

    @Test(
        "under the phone's rules a replay ends with the same pattern, events and frame",
        arguments: RecordedSession.phone)
    func phone(_ session: RecordedSession) throws { try replaysExactly(session) }

    @Test("under the box's rules a replay ends with the same pattern and events", arguments: RecordedSession.box)
    func box(_ session: RecordedSession) throws { try replaysExactly(session) }

    private func replaysExactly(_ session: RecordedSession) throws {
        let expected = session.expected
        var plan = Replay.Plan(session.script)
        plan.until = session.until
        if let frame = expected.frame { compare(try Replay.run(plan).frame, with: frame) }

        plan.loops = 2
        var events: [[RecordedSession.Event]] = []
        var observers = Replay.Observers()
        observers.note = { note in
            events.append([
                .number(note.step), .word(note.track.name), .number((note.track.firstMIDINote ?? 0) + note.note),
                .number(Track.velocity(ofMIDI: note.velocity)), .number(Int(note.steps)),
            ])
        }
        let outcome = try Replay.run(plan, observers)
        let pattern = outcome.document.pattern
        #expect(pattern.length == expected.length)
        let scale = try scale(expected.scale)
        #expect(pattern.tonality == Tonality(root: expected.rootNote, scale: scale))
        if let bpm = expected.bpm { #expect(pattern.tempo == Tempo(bpm)) }
        if let muted = expected.muted {
            #expect(outcome.document.muted.tracks.map(\.name) == muted.sorted(by: inTrackOrder))
            #expect(outcome.document.soloed?.name == expected.soloed)
        }
        if let ghosts = expected.ghosts { #expect(outcome.state.session.composition.showsGhosts == ghosts) }
        for track in Track.allCases {
            #expect(foldedCells(pattern, track) == Set(expected.tracks[track.name] ?? []))
            #expect(cells(pattern, track) == outerCells(expected, track))
        }
        #expect(byStep(events) == byStep(expected.events))
    }

    private func scale(_ name: String) throws -> Scale {
        try #require(Scale.shared.first { name.hasPrefix($0.name) })
    }

    private func inTrackOrder(_ a: String, _ b: String) -> Bool {
        let names = Track.allCases.map(\.name)
        return names.firstIndex(of: a) ?? 4 < names.firstIndex(of: b) ?? 4
    }

    /// The cells of `track`, every note in the octave in which it lies.
    private func cells(_ pattern: Pattern, _ track: Track) -> Set<[Int]> {
        cells(track.notes) { note, step in pattern[track, note: note, step: step] }
    }

    /// The cells of `track`, every note by its pitch class.
    private func foldedCells(_ pattern: Pattern, _ track: Track) -> Set<[Int]> {
        cells(Pattern.middleOctave) { note, step in
            pattern.foldedCells(track, pitchClass: note)[step]
        }
    }

    private func cells(_ notes: some Sequence<Int>, _ cell: (Int, Int) -> Cell) -> Set<[Int]> {
        var cells: Set<[Int]> = []
        for note in notes {
            for step in 0..<Pattern.steps where cell(note, step) != .empty {
                cells.insert([note, step, Int(cell(note, step).rawValue)])
            }
        }
        return cells
    }

    /// The expected cells of `track` in their octaves; without `octaves` all lie in the middle one.
    private func outerCells(_ expected: RecordedSession.Expected, _ track: Track) -> Set<[Int]> {
        guard let octaves = expected.octaves, track != .rhythm else { return Set(expected.tracks[track.name] ?? []) }
        var cells: Set<[Int]> = []
        for (octave, first) in [("low", -Pattern.octave), ("middle", 0), ("high", Pattern.octave)] {
            for cell in octaves[octave]?[track.name] ?? [] { cells.insert([cell[0] + first, cell[1], cell[2]]) }
        }
        return cells
    }

    /// The order within a step is free: the notes of a step are sorted.
    private func byStep(_ events: [[RecordedSession.Event]]) -> [[String]] {
        var groups: [(step: RecordedSession.Event, notes: [String])] = []
        for event in events {
            if groups.last?.step != event[0] { groups.append((event[0], [])) }
            groups[groups.count - 1].notes.append("\(event)")
        }
        return groups.map { $0.notes.sorted() }
    }

    /// A difference of 1 per channel is rounding; `------` matches anything.
    private func compare(_ frame: Frame, with rows: [String]) {
        for (y, row) in rows.enumerated() {
            for (x, hex) in row.split(separator: " ").enumerated() {
                guard let value = UInt32(hex, radix: 16) else { continue }
                let (shown, should) = (frame[x, y], RGB(value))
                let difference = max(
                    abs(Int(shown.red) - Int(should.red)), abs(Int(shown.green) - Int(should.green)),
                    abs(Int(shown.blue) - Int(should.blue)))
                #expect(difference <= 1, "column \(x), row \(y): \(shown), should be #\(hex)")
            }
        }
    }
}
