import InputEvents
import Runtime
import TestSupport
import Testing

@testable import Instrument

/// A box whose sound is heard some blocks after it was rendered.
private struct Box {
    let engine: Engine
    var instrument = Instrument()
    private(set) var frames = 0
    /// All sound so far, interleaved.
    private(set) var sound: [Float] = []
    /// Frames of the switches, and of all notes with their tracks.
    private(set) var switches: [Int] = []
    private(set) var notes: [(frame: Int, track: Track)] = []
    private let latency: Int
    private var waiting: [(frame: Int, slot: Int)] = []
    private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * block)
    static let block = 480

    init(_ session: Session, latency: Int = 0) throws {
        engine = try #require(Engine(rate: 48_000))
        self.latency = latency
        instrument.load(session)
        send(.tick)
    }

    func free() { buffer.deallocate() }

    mutating func send(_ event: Instrument.Event) {
        let now = Instant(microseconds: Int64(frames) * 1_000_000 / 48_000)
        let effects = instrument.update(event, at: now)
        engine.synchronise(with: instrument.state, effects, at: UInt64(frames))
    }

    mutating func render(blocks: Int) {
        for _ in 0..<blocks {
            engine.render(into: buffer)
            sound += buffer
            frames += Self.block
            engine.takeReports { frame, report in
                switch report {
                case .switched(.scene(let slot), let tag):
                    switches.append(Int(frame))
                    if engine.follow(.scene(slot), tag: tag) {
                        waiting.append((frames + latency * Self.block, slot))
                    }
                case .note(let note, _): notes.append((Int(frame), note.track))
                default: break
                }
            }
            while let first = waiting.first, first.frame <= frames {
                waiting.removeFirst()
                if engine.hearSwitch() { send(.sceneBegan(first.slot)) }
            }
            send(.tick)
        }
    }

    /// The largest magnitude of the left and the right channel in these frames.
    func peaks(_ range: Range<Int>) -> (left: Float, right: Float) {
        var peaks: (left: Float, right: Float) = (0, 0)
        for frame in range {
            peaks = (max(peaks.left, abs(sound[2 * frame])), max(peaks.right, abs(sound[2 * frame + 1])))
        }
        return peaks
    }
}

@Suite("A scene's own sound in the engine")
struct OwnSoundTests {
    /// A pattern with a note of the melody and a drum on every beat, 16 steps at 120 BPM: a bar is 96,000 frames.
    private static var pattern: Pattern {
        var pattern = Pattern()
        pattern.length = 16
        for step in stride(from: 0, to: 16, by: 4) {
            pattern[.melody, note: 4, step: step] = .normal
            pattern[.rhythm, note: 5, step: step] = .normal
        }
        return pattern
    }

    private static let bar = 96_000

    /// Three scenes: with the tune's sound the drums are heard at the left, with the second one's own the melody at the
    /// right, and the third is as the first.
    private static var session: Session {
        var session = Session(
            Composition(pattern: pattern, scenes: Scenes([pattern, pattern, pattern], current: 0)))
        session.sound[.track(.rhythm, .pan)] = -100
        session.muted = TrackSet(.melody)
        var own = SceneSound(muted: TrackSet(.rhythm))
        own.settings[.track(.melody, .pan)] = 100
        own.settings[.track(.melody, .model)] = SoundModel.analogue.rawValue
        own.settings[.track(.melody, .release)] = 1
        session.sounds[own: 1] = own
        return session
    }

    /// Checks that the notes of `track` alone are heard in a bar, and on the right side.
    private func expect(_ track: Track, inBar bar: Int, of box: Box) {
        let frames = bar * Self.bar..<(bar + 1) * Self.bar
        let notes = box.notes.filter { frames.contains($0.frame) }
        #expect(notes.map(\.track) == [Track](repeating: track, count: 4), "bar \(bar)")
        #expect(notes.map(\.frame) == (0..<4).map { frames.lowerBound + $0 * Self.bar / 4 }, "bar \(bar)")
        // Pans glide for some milliseconds.
        let late = box.peaks(frames.lowerBound + 4800..<frames.upperBound)
        let (loud, quiet) = track == .melody ? (late.right, late.left) : (late.left, late.right)
        #expect(loud > 0.01 && quiet < 1e-4, "bar \(bar): \(late)")
    }

    @Test("it begins and ends on the sample of the bar, at any latency with the same sound", arguments: [0, 1, 7])
    func onTheSample(latency: Int) throws {
        var boxes = [try Box(Self.session), try Box(Self.session, latency: latency)]
        for index in boxes.indices {
            boxes[index].send(.key(.playStop))
            boxes[index].render(blocks: 150)
            boxes[index].send(.remote(.scene(1)))
            boxes[index].render(blocks: 200)
            boxes[index].send(.remote(.scene(2)))
            boxes[index].render(blocks: 400)
        }
        defer { for box in boxes { box.free() } }
        for box in boxes {
            #expect(box.switches == [Self.bar, 2 * Self.bar])
            for (bar, track) in [Track.rhythm, .melody, .rhythm].enumerated() { expect(track, inBar: bar, of: box) }
        }
        let isSame = boxes[0].sound == boxes[1].sound
        #expect(isSame)
    }

    @Test("a note that sounds over the bar line glides to it, the same at any latency", arguments: [1, 2, 7])
    func gliding(latency: Int) throws {
        func sound(_ latency: Int, volume: Int) throws -> [Float] {
            var pattern = Pattern()
            pattern.length = 16
            pattern[.chords, note: 4, step: 12] = .normal
            for step in [13, 14, 15, 0, 1, 2, 3] { pattern[.chords, note: 4, step: step] = .sustain }
            var session = Session(Composition(pattern: pattern, scenes: Scenes([pattern, pattern], current: 0)))
            var own = SceneSound()
            own.settings[.track(.chords, .volume)] = volume
            own.settings[.track(.chords, .pan)] = 60
            session.sounds[own: 1] = own
            var box = try Box(session, latency: latency)
            defer { box.free() }
            box.send(.key(.playStop))
            box.render(blocks: 100)
            box.send(.remote(.scene(1)))
            box.render(blocks: 200)
            #expect(box.instrument.state.scene == 1)
            return box.sound
        }
        let (one, other, louder) = (try sound(0, volume: 30), try sound(latency, volume: 30), try sound(0, volume: 90))
        let isSame = one == other
        #expect(isSame)
        // What sounded before is not lost, and goes over to the new volume within 20 ms.
        func peak(_ sound: [Float], _ frames: Range<Int>) -> Float {
            frames.reduce(0) { max($0, abs(sound[2 * $1]), abs(sound[2 * $1 + 1])) }
        }
        let before = Self.bar - 4800..<Self.bar
        let after = Self.bar + 1200..<Self.bar + 6000
        #expect(peak(one, before) > 0.01 && peak(one, before) == peak(louder, before))
        let ratio = peak(louder, after) / peak(one, after)
        #expect((2.9...3.1).contains(ratio), "\(ratio)")
    }

    @Test("CHAIN and the song bring it, and a scene that follows itself keeps it", arguments: [0, 5])
    func order(latency: Int) throws {
        for mode in [SceneMode.chain, .song] {
            var session = Self.session
            session.sceneMode = mode
            session.composition.song = Song([0, 1, 1, 2].map { Song.Entry(scene: $0) })
            var box = try Box(session, latency: latency)
            defer { box.free() }
            box.send(.key(.playStop))
            box.render(blocks: 200 * 6)
            let bars: [Track] =
                mode == .chain
                ? [.rhythm, .melody, .rhythm, .rhythm, .melody] : [.rhythm, .melody, .melody, .rhythm, .rhythm]
            for (bar, track) in bars.enumerated() { expect(track, inBar: bar, of: box) }
        }
    }

    @Test("a launch that is cancelled, by a tap or by Stop, brings nothing", arguments: [0, 5])
    func cancelled(latency: Int) throws {
        var box = try Box(Self.session, latency: latency)
        defer { box.free() }
        box.send(.key(.playStop))
        box.render(blocks: 150)
        box.send(.remote(.scene(1)))
        box.render(blocks: 20)
        // The one that plays cancels.
        box.send(.remote(.scene(0)))
        box.render(blocks: 250)
        #expect(box.switches == [])
        for bar in 0..<2 { expect(.rhythm, inBar: bar, of: box) }
        box.send(.remote(.scene(1)))
        box.render(blocks: 60)
        box.send(.key(.playStop))
        box.render(blocks: 120)
        box.send(.key(.playStop))
        let begin = box.frames
        box.render(blocks: 200)
        #expect(box.notes.filter { $0.frame >= begin }.map(\.track) == [Track](repeating: .rhythm, count: 4))
        #expect(box.peaks(begin..<box.frames).right < 1e-4)
    }

    @Test("a part that is launched alone brings none")
    func parts() throws {
        var box = try Box(Self.session)
        defer { box.free() }
        box.send(.remote(.part(.melody, 1)))
        box.send(.key(.playStop))
        box.render(blocks: 200)
        expect(.rhythm, inBar: 0, of: box)
    }

    /// The sound of a bar from Play on, in an engine that has just begun to know `session`.
    private func fresh(_ session: Session) throws -> [Float] {
        var box = try Box(session)
        defer { box.free() }
        box.send(.key(.playStop))
        box.render(blocks: 200)
        return box.sound
    }

    @Test(
        "whatever was launched, switched, turned, muted and undone at any moment, the engine has the sound that plays")
    func random() throws {
        let seed = SplitMix.seed
        for round in 0..<40 {
            var random = SplitMix(seed: seed &+ UInt64(round))
            var box = try Box(Self.session, latency: .random(in: 0...9, using: &random))
            defer { box.free() }
            if round % 4 == 3 { box.instrument.state.session.sceneMode = .chain }
            box.send(.key(.playStop))
            for _ in 0..<60 {
                switch Int.random(in: 0..<9, using: &random) {
                case 0...2: box.send(.remote(.scene(.random(in: 0..<3, using: &random))))
                case 3:
                    var sound = box.instrument.state.session.sound
                    sound[.track(.melody, .pan)] = .random(in: -100...100, using: &random)
                    let slot = Int.random(in: 0..<3, using: &random)
                    box.instrument.state.session.sounds[own: slot] =
                        Bool.random(using: &random) ? SceneSound(sound) : nil
                    box.send(.tick)
                case 4: box.send(.sound(.track(.melody, .volume), .random(in: 20...200, using: &random)))
                case 5: box.send(.remote(.toggleMute(Track.allCases.randomElement(using: &random) ?? .bass)))
                case 6: box.send(.key(.playStop))
                case 7: box.send(.sound(.track(.melody, .model), .random(in: 0..<3, using: &random)))
                default: break
                }
                box.render(blocks: [1, 2, 7, 20, 60].randomElement(using: &random) ?? 1)
            }
            if box.instrument.state.isPlaying { box.send(.key(.playStop)) }
            box.instrument.state.session.sceneMode = .one
            box.instrument.state.session.muted = TrackSet([.chords, .bass, .rhythm])
            box.send(.sound(.track(.melody, .model), 0))
            box.render(blocks: 100)
            let begin = box.frames
            box.send(.key(.playStop))
            box.render(blocks: 200)
            let heard = box.sound[(2 * begin)...]
            let expected = try fresh(box.instrument.state.session)
            let difference = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(difference < 1e-4, "seed \(seed), round \(round)")
        }
    }
}
