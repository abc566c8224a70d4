import InputEvents
import Display
import Formats
import Foundation
import Instrument
import Replay
import TestSupport
import Testing

/// Touch sessions with results recorded from the prototype: `Tests/Fixtures/README.md`.
struct RecordedSession: Sendable, CustomTestStringConvertible {
    let number: Int
    let script: TouchScript
    let until: Instant
    let expected: Expected

    struct Expected: Decodable, Sendable {
        var bpm: Int
        var scale: String
        var rootNote: Int
        var length: Int
        var muted: [String]
        var soloed: String?
        var ghosts: Bool
        var tracks: [String: [[Int]]]
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

    static let all: [RecordedSession] = {
        do {
            return try Fixtures.bytes("sessions.jsonl").split(separator: 0x0a).enumerated().map { number, line in
                try RecordedSession(number: number + 1, line: Data(line))
            }
        } catch {
            fatalError("Tests/Fixtures/sessions.jsonl: \(error)")
        }
    }()

    private struct Line: Decodable {
        var until: Double
        var expect: Expected
    }

    private init(number: Int, line: Data) throws {
        self.number = number
        let decoded = try JSONDecoder().decode(Line.self, from: line)
        expected = decoded.expect
        until = Instant(microseconds: Int64(decoded.until * 1000))
        script = try Self.script(of: Array(line))
    }

    /// The touch script of a session's line.
    static func script(of line: [UInt8]) throws -> TouchScript {
        guard case .object(let parts) = try JSON(parsing: line), case .array(let lines)? = parts["script"] else {
            throw CocoaError(.coderReadCorrupt)
        }
        return try TouchScript(parsing: Array(lines.map { $0.text(pretty: false) + "\n" }.joined().utf8))
    }
}

@Suite("Sessions recorded from the prototype")
struct RecordedSessions {
    @Test("there are 120 sessions")
    func count() { #expect(RecordedSession.all.count == 120) }

    @Test("the 160 sessions with the rules for many fingers are touch scripts")
    func manyFingers() throws {
        let lines = try Fixtures.bytes("box.jsonl").split(separator: 0x0a)
        #expect(lines.count == 160)
        for (number, line) in lines.enumerated() {
            let script = try RecordedSession.script(of: Array(line))
            #expect(!script.lines.isEmpty, "line \(number + 1)")
        }
    }

    @Test("a replay ends with the same pattern, events and frame", arguments: RecordedSession.all)
    func replaysExactly(_ session: RecordedSession) throws {
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
                .number(note.velocity), .number(note.steps),
            ])
        }
        let outcome = try Replay.run(plan, observers)
        let pattern = outcome.document.pattern
        #expect(pattern.bpm == expected.bpm)
        #expect(pattern.length == expected.length)
        let scale = try scale(expected.scale)
        #expect(pattern.tonality == Tonality(root: expected.rootNote, scale: scale))
        #expect(outcome.document.muted.tracks.map(\.name) == expected.muted.sorted(by: inTrackOrder))
        #expect(outcome.document.soloed?.name == expected.soloed)
        #expect(outcome.state.session.composition.showsGhosts == expected.ghosts)
        for track in Track.allCases { #expect(cells(pattern, track) == Set(expected.tracks[track.name] ?? [])) }
        #expect(byStep(events) == byStep(expected.events))
    }

    private func scale(_ name: String) throws -> Scale {
        try #require(Scale.allCases.first { name.hasPrefix($0.name) })
    }

    private func inTrackOrder(_ a: String, _ b: String) -> Bool {
        let names = Track.allCases.map(\.name)
        return names.firstIndex(of: a) ?? 4 < names.firstIndex(of: b) ?? 4
    }

    private func cells(_ pattern: Pattern, _ track: Track) -> Set<[Int]> {
        var cells: Set<[Int]> = []
        for note in 0..<Pattern.octave {
            for step in 0..<Pattern.steps {
                let cell = pattern[track, note: note, step: step]
                if cell != .empty { cells.insert([note, step, Int(cell.rawValue)]) }
            }
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
