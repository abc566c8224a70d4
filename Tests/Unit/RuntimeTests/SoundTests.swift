import InputEvents
import Documents
import Instrument
import Replay
import Runtime
import Testing

@Suite("The sound's settings, from the box to the samples")
struct SoundTests {
    /// Every track sounds, with short and long notes.
    private static let start: PatternDocument = {
        var pattern = Pattern()
        for track in Track.allCases {
            for step in stride(from: 0, to: Pattern.window, by: 4) {
                pattern[track, note: step / 3, step: step] = .accent
            }
            pattern[track, note: 0, step: 1] = .sustain
            for step in [3, 11] { pattern[track, note: 5, step: step] = .normal }
        }
        return PatternDocument(pattern: pattern)
    }()

    private func sound(
        _ script: String, start: PatternDocument = start, until: Int64 = 2500
    ) throws -> (left: [Float], right: [Float], notes: [NoteEvent], outcome: Replay.Outcome) {
        var plan = Replay.Plan(try TouchScript(parsing: Array(script.utf8)))
        plan.start = start
        plan.until = Instant(milliseconds: until)
        var samples: [Float] = []
        var notes: [NoteEvent] = []
        var observers = Replay.Observers()
        observers.sound = { samples += $0 }
        observers.note = { notes.append($0) }
        let outcome = try Replay.run(plan, observers)
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        return (left, stride(from: 1, to: samples.count, by: 2).map { samples[$0] }, notes, outcome)
    }

    private static let play = #"{"at": 500, "key": "space"}"#

    @Test("every shared control changes the sound, from the moment it is turned", arguments: sharedControls)
    func shared(control: SoundControl) throws {
        // The effects need a signal.
        var start = Self.start
        start.sound[.track(.melody, .delay)] = 40
        start.sound[.track(.melody, .reverb)] = 40
        let set =
            #"{"at": 1200, "set": "\#(control.path.joined(separator: "."))", "value": \#(control.range.upperBound)}"#
        let before = try sound(Self.play, start: start)
        let after = try sound(Self.play + "\n" + set, start: start)
        let first = try #require(zip(before.left, after.left).enumerated().first { $1.0 != $1.1 }?.offset)
        #expect(first >= 1200 * 48)
    }

    private static let sharedControls = SoundControl.shared

    @Test(
        "every control of every model changes the sound, from the moment it is turned", arguments: SoundModel.allCases)
    func modelControls(model: SoundModel) throws {
        for track in Track.allCases where track != .rhythm { try expectControls(of: track, model: model.rawValue) }
    }

    @Test("every control of every kit changes the sound, from the moment it is turned", arguments: SoundKit.allCases)
    func kitControls(kit: SoundKit) throws {
        try expectControls(of: .rhythm, model: kit.rawValue)
    }

    /// Expects that each control of `track` that `model` has changes the samples, from its default to the far end of
    /// its range, and that the others change none.
    private func expectControls(of track: Track, model: Int) throws {
        var lastSettings: SoundSettings?
        var last: [Float] = []
        for control in TrackControl.allCases {
            let settings = Self.settings(toHear: control, of: track, model: model)
            let before = try settings == lastSettings ? last : Self.samples(of: track, settings)
            (lastSettings, last) = (settings, before)
            var turned = settings
            let range = settings.range(of: .track(track, control))
            let value = settings[.track(track, control)]
            turned[.track(track, control)] = value == range.upperBound ? range.lowerBound : range.upperBound
            let after = try Self.samples(of: track, settings, turned)
            let place = 2 * Self.turnFrame
            #expect(before[..<place] == after[..<place], "\(track) \(control)")
            let changes = before[place...] != after[place...]
            #expect(changes == settings.isAvailable(.track(track, control)), "\(track) \(control)")
        }
    }

    /// Settings with `control` at its default, with which it is audible.
    private static func settings(toHear control: TrackControl, of track: Track, model: Int) -> SoundSettings {
        var settings = SoundSettings()
        settings[.track(track, .model)] = model
        // The model's own controls may need each other, as an operator's ratio its index.
        for timbre in TrackControl.allCases where timbre.timbre != nil && timbre != control {
            settings[.track(track, timbre)] = settings.range(of: .track(track, timbre)).upperBound / 2
        }
        if track == .rhythm, control >= .lfoRate, control.timbre == nil {
            // The LFO's default target, the pitch, is none of the drums; the envelope's opens a filter that is open.
            settings[.track(track, .lfoTarget)] = ModulationTarget.volume.rawValue
            settings[.track(track, .cutoff)] = 1000
        }
        switch control {
        // A decay is audible above a lower sustain.
        case .decay: settings[.track(track, .sustain)] = 50
        // A resonance is audible within the low-pass.
        case .resonance: settings[.track(track, .cutoff)] = 1000
        case .lfoRate, .lfoShape, .lfoTarget: settings[.track(track, .lfoDepth)] = 50
        // The acid model's accent is one of the modulation envelope.
        case .envelopeTarget, .envelopeDecay, .timbre3: settings[.track(track, .envelopeDepth)] = 50
        default: break
        }
        return settings
    }

    /// Frame of the samples from which a control is turned: within the third note.
    private static let turnFrame = 14_400

    /// The sound of a pattern of `track` alone, with `settings`, and from `turnFrame` on with `turned`.
    private static func samples(
        of track: Track, _ settings: SoundSettings, _ turned: SoundSettings? = nil
    ) throws -> [Float] {
        var pattern = Pattern()
        for step in 0..<Pattern.window {
            pattern[track, note: step % 12, step: step] = step.isMultiple(of: 2) ? .accent : .normal
        }
        let engine = try #require(Engine(rate: 48_000))
        var instrument = Instrument()
        instrument.load(PatternDocument(pattern: pattern))
        _ = instrument.update(.key(.playStop), at: .zero)
        var state = instrument.state
        state.session.sound = settings
        engine.synchronise(with: state, [], at: 0)
        if let turned {
            state.session.sound = turned
            engine.synchronise(with: state, [], at: UInt64(turnFrame))
        }
        var samples = [Float](repeating: 0, count: 2 * 36_000)
        samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
        return samples
    }

    @Test("an engine starts with every control at its default")
    func defaults() throws {
        func samples(turned: Bool) throws -> [Float] {
            let engine = try #require(Engine(rate: 48_000))
            var instrument = Instrument()
            instrument.load(Self.start)
            var state = instrument.state
            if turned {
                for control in SoundControl.allCases {
                    let (lowest, highest) = (control.range.lowerBound, control.range.upperBound)
                    state.session.sound[control] = control.defaultValue == highest ? lowest : highest
                }
                engine.synchronise(with: state, [], at: 0)
            }
            _ = instrument.update(.key(.playStop), at: .zero)
            state = instrument.state
            for track in Track.allCases {
                state.session.sound[.track(track, .delay)] = 40
                state.session.sound[.track(track, .reverb)] = 40
            }
            engine.synchronise(with: state, [], at: 0)
            var samples = [Float](repeating: 0, count: 2 * 96_000)
            samples.withUnsafeMutableBufferPointer { engine.render(into: $0) }
            return samples
        }
        let untouched = try samples(turned: false)
        let back = try samples(turned: true)
        #expect(untouched.contains { abs($0) > 0.1 })
        #expect(back == untouched)
    }

    @Test("a document's settings apply from its first sample on")
    func document() throws {
        var document = Self.start
        for track in Track.allCases { document.sound[.track(track, .pan)] = -100 }
        let (left, right, _, _) = try sound(Self.play, start: document)
        #expect(left.contains { abs($0) > 0.1 })
        #expect(right.allSatisfy { $0 == 0 })
        var rendered: [Float] = []
        Bounce.render(document, loops: 1, rate: 48_000) { samples, _ in rendered += samples }
        #expect(stride(from: 1, to: rendered.count, by: 2).allSatisfy { rendered[$0] == 0 })
        #expect(rendered.contains { abs($0) > 0.1 })
    }

    @Test("with swing the second step of each pair is late, and beats do not move")
    func swing() throws {
        var document = Self.start
        document.sound[.swing] = 66
        let notes = try sound(Self.play, start: document).notes.filter { $0.track == .bass }
        // Steps 0, 3, 4, …; a pair lasts 250 ms.
        #expect(notes.prefix(3).map(\.step) == [0, 3, 4])
        #expect(notes[0].milliseconds == 500)
        #expect(abs(notes[1].milliseconds - (500 + 250 + 165)) < 0.03)
        #expect(notes[2].milliseconds == 1000)
    }

    @Test("a count-in shows the remaining beats, and then the pattern starts")
    func countIn() throws {
        let script = #"{"at": 100, "set": "countIn", "value": 1}"# + "\n" + Self.play
        for (until, words) in [(700, "4"), (1100, "3"), (1600, "2"), (2100, "1")] as [(Int64, String)] {
            let outcome = try sound(script, until: until).outcome
            #expect(outcome.state.view.tooltip?.line.text == .some(words))
            #expect(outcome.state.transport.playhead == nil)
        }
        let (_, _, notes, outcome) = try sound(script, until: 2600)
        #expect(notes.first?.milliseconds == .some(2500))
        #expect(outcome.state.transport.playhead?.step == .some(0))
    }

    @Test("--loops plays all of them after a count-in")
    func loops() throws {
        var plan = Replay.Plan(try TouchScript(parsing: Array(#"{"at": 100, "set": "countIn", "value": 2}"#.utf8)))
        plan.start = Self.start
        plan.until = Instant(milliseconds: 200)
        plan.loops = 2
        var starts = 0
        var observers = Replay.Observers()
        observers.note = { starts += $0.step == 0 && $0.track == .bass ? 1 : 0 }
        let outcome = try Replay.run(plan, observers)
        #expect(starts == 2)
        #expect(outcome.end == Instant(milliseconds: 200 + 4000 + 8000))
    }
}
