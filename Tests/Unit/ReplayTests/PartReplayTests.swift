import Documents
import InputEvents
import Instrument
import Replay
import TestSupport
import Testing

@Suite("Parts by touch")
struct PartReplayTests {
    private static let (stepMilliseconds, begin) = (125, 1000)

    /// Scenes of four lengths, each step of each track with a note of its own.
    private static func tunes(_ random: inout SplitMix) -> [Pattern] {
        [32, 16, 24, 8].map { length in
            var pattern = Pattern()
            pattern.length = length
            for track in Track.allCases {
                if Bool.random(using: &random) { pattern[shape: track].length = .random(in: 3...20, using: &random) }
                for step in 0..<32 where Bool.random(using: &random) {
                    pattern[track, note: .random(in: 0..<12, using: &random), step: step] = .normal
                }
            }
            return pattern
        }
    }

    /// What the box should play: a scene, and a part for each track, with the steps since Play with which they began.
    private struct Model {
        let patterns: [Pattern]
        var scene = 0
        var begin = 0
        var tracks = (0..<4).map { _ in (scene: 0, begin: 0) }
        var queuedScene: Int?
        var queued: [Int?] = [nil, nil, nil, nil]

        private var isWhole: Bool { tracks.allSatisfy { $0.scene == scene } }

        mutating func tap(_ track: Int?, _ slot: Int) {
            guard let track else {
                let last = queuedScene
                (queuedScene, queued) = (nil, [nil, nil, nil, nil])
                if last != slot, slot != scene || !isWhole { queuedScene = slot }
                return
            }
            let last = queued[track]
            queued[track] = nil
            if last != slot, (queuedScene ?? tracks[track].scene) != slot { queued[track] = slot }
        }

        /// The notes of step `number`.
        mutating func notes(_ number: Int) -> Set<[Int]> {
            if (number - begin) % patterns[scene].length % 16 == 0 {
                if let slot = queuedScene {
                    (scene, begin, queuedScene) = (slot, number, nil)
                    tracks = tracks.map { _ in (slot, number) }
                }
                for (track, slot) in queued.enumerated() {
                    guard let slot else { continue }
                    queued[track] = nil
                    tracks[track] = (slot, slot == scene ? begin : number)
                }
            }
            var notes: Set<[Int]> = []
            for track in Track.allCases {
                let (slot, begin) = tracks[track.rawValue]
                let step = (number - begin) % patterns[slot].length(of: track)
                for note in track.notes where patterns[slot][track, note: note, step: step] == .normal {
                    notes.insert([track.rawValue, note])
                }
            }
            return notes
        }
    }

    @Test(
        "every note is on its step while fingers launch parts and scenes", arguments: 0..<8 as Range<UInt64>)
    func byChance(round: UInt64) throws {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed &+ round)
        let patterns = Self.tunes(&random)
        var model = Model(patterns: patterns)
        var lines = [TouchScript.Line(at: Instant(milliseconds: Int64(Self.begin)), act: .control(.key(.playStop)))]
        var expected: [Int: Set<[Int]>] = [:]
        let steps = 400
        for number in 0..<steps {
            expected[number] = model.notes(number)
            guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
            // Fingers that land together, well within the step.
            let fingers = Int.random(in: 0..<4, using: &random) == 0 ? 4 : 1
            let isPart = Int.random(in: 0..<5, using: &random) > 0
            for finger in 0..<(isPart ? fingers : 1) {
                let slot = Int.random(in: 0..<4, using: &random)
                let track = fingers == 4 ? finger : Int.random(in: 0..<4, using: &random)
                let row = [2.0, 4, 7, 9][slot] + (isPart ? 1 : 0)
                for (phase, time) in [(Touch.Phase.down, 30 + finger), (.up, 70 + finger)] {
                    lines.append(
                        TouchScript.Line(
                            at: Instant(milliseconds: Int64(Self.begin + Self.stepMilliseconds * number + time)),
                            act: .touch(contact: finger, phase, column: Double(40 + track), row: row)))
                }
                model.tap(isPart ? track : nil, slot)
            }
        }
        lines.sort { $0.at < $1.at }
        var plan = Replay.Plan(TouchScript(lines))
        plan.start = PatternDocument(pattern: patterns[0], scenes: Scenes(patterns, current: 0))
        plan.until = Instant(milliseconds: Int64(Self.begin + Self.stepMilliseconds * steps - 60))
        plan.hasLight = false
        var played: [Int: Set<[Int]>] = [:]
        var isBeside = false
        var observers = Replay.Observers()
        observers.note = { note in
            let place = (note.milliseconds - Double(Self.begin)) / Double(Self.stepMilliseconds)
            if abs(place - place.rounded()) > 0.001 { isBeside = true }
            played[Int(place.rounded()), default: []].insert([note.track.rawValue, note.note])
        }
        let outcome = try Replay.run(plan, observers)
        #expect(!isBeside, "PIXELBOOP_SEED=\(seed), round \(round)")
        let wrong = (0..<steps).first { played[$0] ?? [] != expected[$0] ?? [] }
        #expect(wrong == nil, "PIXELBOOP_SEED=\(seed), round \(round): step \(wrong ?? 0)")
        let composition = outcome.state.session.composition
        #expect(composition.scenes.current == model.scene)
        #expect(Track.allCases.map { composition.scene(of: $0) ?? -1 } == model.tracks.map(\.scene))
    }
}
