import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

/// A box whose sound is rendered in pieces and heard later, played by fingers on the parts of its scenes, and what each of
/// its tracks should play.
private struct PartBox {
    var instrument = Instrument()
    let engine: Engine
    var random: SplitMix
    private(set) var launches = 0
    private(set) var notes = 0
    var problem: String?

    private let patterns: [Pattern]
    private let latency: Int
    private var now = Instant.zero
    private var rendered = 0
    private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 4096)

    /// The requests to the engine, each from a frame on.
    private struct Asked {
        var frame: Int
        var isPlaying: Bool
        var composition: Composition
        var parts: Parts
        var returning: TrackSet
    }
    private var asked: [Asked] = []
    /// How many of them the engine has performed.
    private var followed = 0
    /// The requests and the begins, for a test that fails.
    private var log: [String] = []
    /// The music that the engine plays; nil while stopped.
    private var playing: Playing?
    /// The reports that are not audible yet.
    private var waiting: [(frame: Int, event: Instrument.Event)] = []

    private struct Playing {
        var begin: Int
        var scene: Int
        /// The scene of each track, and the frame with which it began.
        var tracks: [(scene: Int, begin: Int, from: Int)]
    }

    private static let (step, bar) = (3600, 8)

    init?(seed: UInt64) {
        guard let engine = Engine(rate: 48_000) else { return nil }
        self.engine = engine
        random = SplitMix(seed: seed)
        latency = [0, 480, 9600].randomElement(using: &random) ?? 0
        var patterns: [Pattern] = []
        for length in [16, 8, 24, 13] { patterns.append(Self.tune(length, using: &random)) }
        self.patterns = patterns
        instrument.load(Session(Composition(pattern: patterns[0], scenes: Scenes(patterns, current: 0))))
        synchronise()
    }

    func free() { buffer.deallocate() }

    private static func tune(_ length: Int, using random: inout SplitMix) -> Pattern {
        var pattern = Pattern()
        (pattern.tempo, pattern.length, pattern.metre) = (200, length, Metre(beats: 2, steps: 4))
        for track in Track.allCases {
            if Bool.random(using: &random) {
                pattern[shape: track].length = .random(in: 1...40, using: &random)
                pattern[shape: track].division = TrackShape.Division.allCases.randomElement(using: &random) ?? .whole
            }
            for step in 0..<40 where Bool.random(using: &random) {
                let note = Int.random(in: 0..<12, using: &random)
                pattern[track, note: note, step: step] = .accent
                if Bool.random(using: &random) {
                    pattern.setValue(.random(in: 1...127, using: &random), track, .velocity, note: note, step: step)
                }
            }
        }
        return pattern
    }

    mutating func send(_ event: Instrument.Event) {
        now = now + .milliseconds(30)
        _ = instrument.update(event, at: now)
        // As the loop does.
        if !instrument.state.isPlaying { waiting.removeAll() }
        synchronise()
    }

    /// Fingers that tap these places together.
    mutating func tap(_ places: [(column: Float, row: Float)]) {
        for phase in [Touch.Phase.down, .up] {
            for (contact, place) in places.enumerated() {
                send(.touch(Touch(contact: contact, phase: phase, column: place.column, row: place.row)))
            }
        }
    }

    private mutating func synchronise() {
        let state = instrument.state
        let frame = max(
            asked.last?.frame ?? 0,
            rendered + Int.random(in: 0...(Bool.random(using: &random) ? 100 : 4000), using: &random))
        engine.synchronise(with: state, [], at: UInt64(frame))
        let upcoming = state.upcomingParts
        log.append(
            "\(frame): plays \(state.isPlaying), parts \(state.session.composition.parts.bits), "
                + "asks for \(upcoming.parts.bits) and \(state.songPlay.queuedScene ?? -1)")
        asked.append(
            Asked(
                frame: frame, isPlaying: state.isPlaying, composition: state.session.composition, parts: upcoming.parts,
                returning: upcoming.returning))
    }

    /// Lets `frames` pass, and checks all their notes.
    mutating func render(_ frames: Int) {
        let from = rendered
        engine.render(into: UnsafeMutableBufferPointer(rebasing: buffer[..<(2 * frames)]))
        rendered += frames
        var reports: [(frame: Int, report: Engine.Report)] = []
        engine.takeReports { reports.append((Int($0), $1)) }
        var place = 0
        for frame in from..<rendered {
            follow(frame)
            var found: Set<[Int]> = []
            while place < reports.count, reports[place].frame == frame {
                switch reports[place].report {
                case .note(let note, _):
                    found.insert([note.track.rawValue, note.note, note.velocity])
                    notes += 1
                case .switched(.scene(let slot), let tag): begin(scene: slot, tag: tag, at: frame)
                case .partsBegan(let parts, let tag, let number): begin(parts, tag: tag, number: number, at: frame)
                default: break
                }
                place += 1
            }
            // Whatever begins lies on a twelfth of a step since Play.
            let isPlace = playing.map { (frame - $0.begin) % (Self.step / 12) == 0 } ?? false
            if isPlace || !found.isEmpty, found != expected(at: frame) {
                problem =
                    problem ?? "frame \(frame): \(found), not \(expected(at: frame)): "
                    + "\(String(describing: playing)) \(log.suffix(12))"
            }
        }
        while let next = waiting.first, next.frame <= rendered {
            waiting.removeFirst()
            let isHeard = if case .partsBegan = next.event { engine.hearParts() } else { engine.hearSwitch() }
            log.append("hears \(next.event): \(isHeard)")
            if isHeard { send(next.event) }
        }
    }

    /// Plays and stops as the engine was asked.
    private mutating func follow(_ frame: Int) {
        while followed < asked.count, asked[followed].frame <= frame {
            let next = asked[followed]
            followed += 1
            if !next.isPlaying {
                playing = nil
            } else if playing == nil {
                let scene = next.composition.scenes.current ?? 0
                playing = Playing(
                    begin: next.frame, scene: scene,
                    tracks: Track.allCases.map { (next.composition.parts[$0] ?? scene, next.frame, next.frame) })
            }
        }
    }

    private mutating func begin(scene: Int, tag: UInt16, at frame: Int) {
        log.append("\(frame): begins scene \(scene)")
        playing = Playing(begin: frame, scene: scene, tracks: Track.allCases.map { _ in (scene, frame, frame) })
        if engine.follow(.scene(scene), tag: tag) { waiting.append((frame + latency, .sceneBegan(scene))) }
    }

    private mutating func begin(_ parts: Parts, tag: UInt32, number: UInt8, at frame: Int) {
        launches += 1
        log.append("\(frame): begins \(parts.bits)")
        guard let request = asked.last(where: { $0.frame <= frame && $0.parts == parts }), var next = playing else {
            return problem = problem ?? "frame \(frame): parts that were not asked for"
        }
        let step = (frame - next.begin) / Self.step
        if (frame - next.begin) % Self.step != 0 || step % patterns[next.scene].length % Self.bar != 0 {
            problem = problem ?? "frame \(frame): parts beside a bar"
        }
        for track in parts.tracks.tracks {
            guard let slot = parts[track] else { continue }
            next.tracks[track.rawValue] = (slot, request.returning.contains(track) ? next.begin : frame, frame)
        }
        playing = next
        if engine.follow(parts, tag: tag, number: number) { waiting.append((frame + latency, .partsBegan(parts))) }
    }

    /// Tracks, notes and velocities that begin on `frame`.
    private func expected(at frame: Int) -> Set<[Int]> {
        guard let playing else { return [] }
        var notes: Set<[Int]> = []
        for track in Track.allCases {
            let (scene, begin, from) = playing.tracks[track.rawValue]
            let pattern = patterns[scene]
            let length = Self.step / 12 * pattern[shape: track].division.twelfths
            guard frame >= from, (frame - begin) % length == 0 else { continue }
            let step = (frame - begin) / length % pattern.length(of: track)
            for note in track.notes where pattern[track, note: note, step: step] == .accent {
                notes.insert([
                    track.rawValue, note, pattern.lanes[track, .velocity, note: note, step: step] ?? 127,
                ])
            }
        }
        return notes
    }

    /// Whether the instrument shows what the engine plays.
    var agrees: Bool {
        guard let playing, waiting.isEmpty else { return false }
        let composition = instrument.state.session.composition
        return composition.scenes.current == playing.scene
            && Track.allCases.allSatisfy { composition.scene(of: $0) == playing.tracks[$0.rawValue].scene }
    }
}

@Suite("Parts that are launched alone")
struct PartTests {
    @Test(
        "every note is on its frame while fingers launch parts and scenes, however late they are heard",
        arguments: 0..<12 as Range<UInt64>)
    func byChance(round: UInt64) throws {
        let seed = SplitMix.seed
        var box = try #require(PartBox(seed: seed &+ round))
        defer { box.free() }
        func part(_ track: Int, _ slot: Int) -> (column: Float, row: Float) {
            (Float(40 + track), Float([3, 5, 8, 10][slot]))
        }
        box.send(.key(.playStop))
        for _ in 0..<700 {
            let slot = Int.random(in: 0..<4, using: &box.random)
            switch Int.random(in: 0..<12, using: &box.random) {
            case 0...4: box.tap([part(.random(in: 0..<4, using: &box.random), slot)])
            case 5: box.tap((0..<4).map { part($0, Int.random(in: 0..<4, using: &box.random)) })
            case 6: box.tap([(41, Float([2, 4, 7, 9][slot]))])
            case 7 where Int.random(in: 0..<4, using: &box.random) == 0: box.send(.key(.playStop))
            default: break
            }
            box.render(.random(in: 1...4096, using: &box.random))
            #expect(box.problem == nil, "PIXELBOOP_SEED=\(seed), round \(round)")
            if box.problem != nil { return }
        }
        if !box.instrument.state.isPlaying { box.send(.key(.playStop)) }
        for _ in 0..<20 { box.render(4096) }
        #expect(box.problem == nil && box.agrees, "PIXELBOOP_SEED=\(seed), round \(round)")
        #expect(box.launches > 3 && box.notes > 150, "PIXELBOOP_SEED=\(seed), round \(round)")
    }

    @Test("values of notes that do not fit the engine's ring follow, and none is lost")
    func full() throws {
        let engine = try #require(Engine(rate: 48_000))
        // Four parts with as many values as there may be, of which each is alone in its command.
        var parts = Parts()
        let patterns = Track.allCases.map { track in
            parts[track] = track.rawValue + 1
            var pattern = Pattern()
            (pattern.tempo, pattern.length) = (200, 128)
            for note in track.notes.prefix(12) {
                for step in 0..<Pattern.steps {
                    pattern[track, note: note, step: step] = .normal
                    for lane in [Lane.velocity, .gate, .ramp, .chance, .shift] {
                        let value = lane == .velocity ? 1 + (7 * step + note + 12) % 127 : lane == .chance ? 100 : 1
                        pattern.setValue(max(value, lane.values.lowerBound), track, lane, note: note, step: step)
                    }
                }
            }
            return pattern
        }
        var instrument = Instrument()
        var own = Pattern()
        (own.tempo, own.length) = (200, 128)
        instrument.load(
            Session(Composition(pattern: own, scenes: Scenes([own] + patterns, current: 0), parts: parts)))
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 480)
        defer { buffer.deallocate() }
        for pass in 0..<40 {
            if pass == 35 { _ = instrument.update(.key(.playStop), at: .zero) }
            engine.synchronise(with: instrument.state, [], at: UInt64(480 * pass))
            engine.render(into: buffer)
        }
        var velocities: [[Int]: Int] = [:]
        for pass in 40..<1100 {
            engine.synchronise(with: instrument.state, [], at: UInt64(480 * pass))
            engine.render(into: buffer)
            engine.takeReports { _, report in
                guard case .note(let note, let step) = report else { return }
                velocities[[note.track.rawValue, note.note, step]] = note.velocity
            }
        }
        #expect(velocities.count == 4 * 12 * 128)
        for (key, velocity) in velocities where velocity != 1 + (7 * key[2] + key[1] + 12) % 127 {
            Issue.record("\(key) has \(velocity)")
            return
        }
    }

    @Test("what is drawn on a borrowed track sounds from then on, and is in its scene when that is launched")
    func drawn() throws {
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument()
        var patterns = [Pattern(), Pattern()]
        for index in 0..<2 { (patterns[index].tempo, patterns[index].length) = (200, [32, 16][index]) }
        patterns[0][.bass, note: 1, step: 0] = .normal
        patterns[1][.bass, note: 2, step: 0] = .normal
        instrument.load(Session(Composition(pattern: patterns[0], scenes: Scenes(patterns, current: 0))))
        func tap(_ column: Float, _ row: Float) {
            for phase in [Touch.Phase.down, .up] {
                _ = instrument.update(.touch(Touch(contact: 0, phase: phase, column: column, row: row)), at: .zero)
            }
        }
        tap(42, 5)
        // A note on step 2 of the bass.
        tap(6, 17)
        _ = instrument.update(.key(.playStop), at: .zero)
        engine.synchronise(with: instrument.state, [], at: 0)
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 3600 * 20)
        defer { buffer.deallocate() }
        engine.render(into: buffer)
        var frames: [Int] = []
        engine.takeReports { frame, report in if case .note = report { frames.append(Int(frame)) } }
        #expect(frames == [0, 2 * 3600, 16 * 3600, 18 * 3600])
        let composition = instrument.state.session.composition
        #expect(composition[scene: 1]?[.bass, note: 2, step: 0] == .normal)
        #expect(composition[scene: 0] == patterns[0] && composition[scene: 1] != patterns[1])
    }
}
