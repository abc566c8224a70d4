import Documents
import InputEvents
import Instrument
import Replay
import Runtime
import TestSupport
import Testing

@Suite("Takes of a session")
struct TakeReplayTests {
    /// A take that was kept.
    private struct Take {
        var span: TakeSpan
        var sound: [Int16]
        var input: TakeInput?
    }

    /// A session: its sound from the engine's first frame on, the starts of its notes, and its takes.
    private struct Session {
        var sound: [Float] = []
        var notes: [NoteEvent] = []
        var takes: [Take] = []
    }

    private func play(_ script: TouchScript, block: Int = 256) throws -> Session {
        var session = Session()
        var plan = Replay.Plan(script)
        plan.block = block
        plan.runEngineJob = { job, input, engine in
            guard case .keepTake(let span) = job else { return nil }
            var sound = [Int16](repeating: 0, count: 2 * span.count)
            let isKept = sound.withUnsafeMutableBufferPointer { engine.recall(from: span.begin, into: $0) }
            session.takes.append(Take(span: span, sound: isKept ? sound : [], input: input))
            return [.notice(.tookTake(session.takes.count))]
        }
        var observers = Replay.Observers()
        // The engine's first frames are silence, which a replay leaves out.
        session.sound = [Float](repeating: 0, count: 2 * 72)
        observers.sound = { session.sound += $0 }
        observers.note = { session.notes.append($0) }
        _ = try Replay.run(plan, observers)
        return session
    }

    /// Touches of a player who draws, plays, stops, changes length and tempo, and holds TAKE, for a minute.
    private func script(_ random: inout SplitMix) -> TouchScript {
        var script = TouchScript([])
        var time = Instant(milliseconds: 100)
        func add(_ act: TouchScript.Act) { script.lines.append(TouchScript.Line(at: time, act: act)) }
        func pause(_ range: ClosedRange<Int64>) {
            time = time + Instant.Span(microseconds: .random(in: range, using: &random) * 1000)
        }
        func touch(_ column: Double, _ row: Double, _ held: Int64) {
            let delay = Instant.Span.milliseconds([0, 0, 60, 200].randomElement(using: &random) ?? 0)
            add(.touch(contact: 0, .down, column: column, row: row, delay: delay))
            time = time + .milliseconds(held)
            add(.touch(contact: 0, .up, column: column, row: row))
        }
        for _ in 0..<12 {
            touch(Double(Int.random(in: 4...38, using: &random)), Double(Int.random(in: 2...20, using: &random)), 60)
            pause(350...400)
        }
        add(.control(.key(.playStop)))
        // A bar is heard before the player may stop: there is always a take.
        pause(4500...5500)
        touch(42.5, 22.5, 700)
        while time < Instant(milliseconds: 60_000) {
            pause(300...2500)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: add(.control(.key(.playStop)))
            case 1: add(.control(.turn(.tempo, by: Int.random(in: -9...9, using: &random))))
            case 2: add(.control(.turn(.length, by: Int.random(in: -2...2, using: &random))))
            case 3..<9: touch(42.5, 22.5, 700)
            default:
                let column = Double(Int.random(in: 4...38, using: &random))
                touch(column, Double(Int.random(in: 2...20, using: &random)), Bool.random(using: &random) ? 60 : 450)
            }
        }
        return script
    }

    @Test("a take is the rendered sound, bit for bit, from the first frame of a bar to the last of another")
    func bits() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let session = try play(script(&random), block: Int.random(in: 16...900, using: &random))
        try #require(!session.takes.isEmpty, "PIXELBOOP_SEED=\(seed)")
        for take in session.takes {
            let span = take.span
            let sound = session.sound[(2 * Int(span.begin))..<(2 * Int(span.end))]
            let isSame = take.sound.elementsEqual(
                sound.lazy.map { Int16(($0 * 32_767).rounded(.toNearestOrAwayFromZero)) })
            #expect(isSame, "PIXELBOOP_SEED=\(seed), \(span)")
        }
    }

    /// Plays the touches of the takes of `session` again, and compares the notes; returns their number.
    private func repeatTouches(of session: Session, _ comment: String = "") throws -> Int {
        var count = 0
        for take in session.takes {
            guard let input = take.input else { continue }
            var document = PatternDocument(pattern: input.session.composition.pattern)
            document.replaceMusic(by: input.session)
            var settings = TakeStart.Settings()
            settings.pages = input.session.pages
            (settings.window, settings.follows) = (input.window, input.follows)
            let start = TakeStart(
                document: document, rate: 48_000, begin: input.begin, frames: take.span.count, settings: settings)
            let text = TouchScript.text(start, input.events)
            let script = try TouchScript(parsing: Array(text.utf8))
            #expect(script.take == start)
            let again = try play(script)
            // The limiter delays the sound.
            let first = Int(take.span.begin) - 72
            func notes(_ notes: [NoteEvent], from frame: Int) -> [String] {
                notes.compactMap { note in
                    let place = Int((note.milliseconds * 48).rounded()) - frame
                    guard (0..<take.span.count).contains(place) else { return nil }
                    return "\(place) \(note.track) \(note.note) \(note.velocity) \(note.steps)"
                }
            }
            let expected = notes(session.notes, from: first)
            #expect(notes(again.notes, from: input.begin) == expected, "\(comment), \(take.span)")
            count += expected.count
        }
        return count
    }

    @Test("the touches of a take play its notes again, on the same frames")
    func touches() throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let count = try repeatTouches(of: play(script(&random)), "PIXELBOOP_SEED=\(seed)")
        #expect(count > 0, "PIXELBOOP_SEED=\(seed)")
    }

    @Test("a finger that drew in the second window of a long pattern draws there again")
    func window() throws {
        var script = TouchScript([])
        func add(_ milliseconds: Int64, _ act: TouchScript.Act) {
            script.lines.append(TouchScript.Line(at: Instant(milliseconds: milliseconds), act: act))
        }
        func touch(_ milliseconds: Int64, _ column: Double, _ row: Double, held: Int64 = 60) {
            add(milliseconds, .touch(contact: 0, .down, column: column, row: row))
            add(milliseconds + held, .touch(contact: 0, .up, column: column, row: row))
        }
        // 64 steps of 50 ms.
        add(100, .control(.turn(.length, by: 2)))
        add(200, .control(.turn(.tempo, by: 180)))
        touch(300, 30, 22)
        add(1000, .control(.key(.playStop)))
        touch(1300, 9, 6)
        touch(6000, 42.5, 22.5, held: 700)
        let session = try play(script)
        #expect(session.takes.first?.input?.window == 1 && session.takes.first?.input?.follows == false)
        #expect(try repeatTouches(of: session) > 0)
    }

    @Test("a take of an older box begins in the first window, which follows")
    func oldTake() throws {
        let start = TakeStart(
            document: PatternDocument(pattern: Pattern()), rate: 48_000, begin: 0, frames: 100,
            settings: TakeStart.Settings())
        let text = start.text.replacing(#""follows":true, "#, with: "").replacing(#", "window":0"#, with: "")
        #expect(!text.contains("window") && !text.contains("follows"))
        #expect(try TouchScript(parsing: Array(text.utf8)).take == start)
    }

    @Test("a beat of a recorded session is read back")
    func line() throws {
        let beat = HeardBeat(begin: 72, end: 24_072, peak: 9000, endsBar: true, oldest: 5)
        let line = TouchScript.Line(at: Instant(milliseconds: 500), act: .control(.beat(beat)), frame: 24_000)
        let start = RecordedStart(rate: 48_000, volume: 100, rules: .box, sync: SyncSettings())
        let text = try "\(start.text)\n\(#require(line.text))\n"
        #expect(try TouchScript(parsing: Array(text.utf8)).lines == [line])
    }

    static let mistakes = [
        (#"{"take": {"rate": 1}}"#, "line 1, take.rate: is 1, should be 44100, 48000 or 96000"),
        (#"{"take": {}}"#, "line 1, take.rate: is missing"),
        (#"{"take": 3}"#, "line 1, take: is a number, should be an object"),
        (
            #"{"take": {"rate": 48000, "begin": 0, "frames": 1, "window": 4}}"#,
            "line 1, take.window: is 4, should be a whole number from 0 to 3"
        ),
        (
            #"{"take": {"rate": 48000, "begin": -1}}"#,
            "line 1, take.begin: is -1, should be a whole number from 0 to 172800000"
        ),
    ]

    @Test("a wrong first line is named", arguments: mistakes)
    func mistake(text: String, message: String) {
        #expect(throws: FormatError.self) { try TouchScript(parsing: Array(text.utf8)) }
        do { _ = try TouchScript(parsing: Array(text.utf8)) } catch { #expect("\(error)" == message) }
    }
}
