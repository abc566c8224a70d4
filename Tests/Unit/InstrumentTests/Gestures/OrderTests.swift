import Foundation
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// What sounds at the keys by MIDI 1.0, whatever else the box does.
private struct Keys {
    /// A note that sounds: of the key that was pressed for it, which may be up if a pedal holds it.
    struct Sounding: Hashable {
        let channel: Int
        let key: Int
        var isDown = true
    }

    var sounding: [String: Sounding] = [:]
    var pedals: Set<Int> = []

    mutating func take(_ message: MIDIMessage, as note: String) {
        switch message {
        case .noteOn(let channel, let key, _):
            // It was up meanwhile, and its release got lost.
            lift { $0.channel == channel && $0.key == key }
            sounding[note] = Sounding(channel: channel, key: key)
        case .noteOff(let channel, let key): lift { $0.channel == channel && $0.key == key }
        case .control(let channel, 64, let value) where value >= 64: pedals.insert(channel)
        case .control(let channel, 64, _), .control(let channel, 121, _):
            pedals.remove(channel)
            lift { _ in false }
        case .control(let channel, 120, _): sounding = sounding.filter { $0.value.channel != channel }
        case .control(let channel, 123...127, _): lift { $0.channel == channel }
        default: break
        }
    }

    /// Lifts keys; what no pedal holds ends.
    private mutating func lift(_ isMeant: (Sounding) -> Bool) {
        for (note, key) in sounding {
            let isDown = key.isDown && !isMeant(key)
            sounding[note] = nil
            if isDown || pedals.contains(key.channel) {
                sounding[note] = Sounding(channel: key.channel, key: key.key, isDown: isDown)
            }
        }
    }

    /// The messages of a cable that falls silent.
    var releases: [MIDIMessage] {
        sounding.values.filter(\.isDown).map { .noteOff(channel: $0.channel, key: $0.key) }
            + pedals.map { .control(channel: $0, number: 64, value: 0) }
    }
}

/// A player at a keyboard and at the panel, in an order by chance.
private struct Order {
    private var player = Player()
    private var keys = Keys()
    private var random: SplitMix
    /// The notes that sound by the box's effects.
    private var heard: Set<String> = []
    private var step = 0
    private var nextStep = Instant.zero
    /// The scene that begins with the next step.
    private var nextScene: Int?
    private var isWrapped = false
    /// A step at 120 BPM.
    private static let stepTime = Instant.Span.milliseconds(125)
    private(set) var problem: String?

    /// Channels of the melody, of the chords, of the bass, and one without a track.
    private static let channels = [0, 1, 2, 6]
    private static let modes = [120, 121, 123, 124, 125, 126, 127]

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        player.instrument.state.session.composition.pattern.length = 16
        player.instrument.state.session.composition.scenes = Scenes([Pattern(), Pattern()], current: 0)
        player.send(.record(true))
    }

    mutating func run(acts: Int) {
        for _ in 0..<acts where problem == nil { act() }
        for message in keys.releases { send(message) }
        if problem == nil, !heard.isEmpty { problem = "\(heard.sorted()) hang" }
    }

    /// The steps of the music until `end`.
    private mutating func play(until end: Instant) {
        while player.instrument.state.isPlaying, nextStep <= end {
            player.now = nextStep
            nextStep = nextStep + Self.stepTime
            if let scene = nextScene {
                send(.sceneBegan(scene))
                (step, nextScene) = (0, nil)
            }
            let parts = player.instrument.state.upcomingParts.parts
            if step % 4 == 0, !parts.isEmpty { send(.partsBegan(parts)) }
            send(.step(step % player.pattern.length, number: step))
            for track in Track.allCases where !player.pattern.isPlain(track) {
                let since = step - player.instrument.state.transport.launch(of: track)
                send(
                    .trackStep(track, step: since % player.pattern.length(of: track), place: 12 * step, sounds: true))
            }
            step += 1
        }
        player.now = end
    }

    private mutating func act() {
        let wasPlaying = player.instrument.state.isPlaying
        defer {
            if !wasPlaying || !player.instrument.state.isPlaying {
                (step, nextStep, nextScene) = (0, player.now + .milliseconds(20), nil)
            }
        }
        play(until: player.now + .milliseconds(Int64.random(in: 1...120, using: &random)))
        switch Int.random(in: 0..<32, using: &random) {
        case 0..<9:
            let channel = Self.channels.randomElement(using: &random) ?? 0
            send(
                .noteOn(
                    channel: channel, key: .random(in: 48..<84, using: &random),
                    velocity: .random(in: 1...127, using: &random)))
        case 9..<15:
            let down = keys.sounding.values.filter(\.isDown).sorted { ($0.channel, $0.key) < ($1.channel, $1.key) }
            guard let key = down.randomElement(using: &random) else { return }
            send(.noteOff(channel: key.channel, key: key.key))
        case 15..<18:
            let channel = Self.channels.randomElement(using: &random) ?? 0
            send(.control(channel: channel, number: 64, value: .random(in: 0...127, using: &random)))
        case 18:
            let channel = Self.channels.randomElement(using: &random) ?? 0
            send(.control(channel: channel, number: Self.modes.randomElement(using: &random) ?? 0, value: 0))
        case 19: for message in keys.releases { send(message) }
        case 20: send(.key(.playStop))
        case 21: send(.transport(Bool.random(using: &random) ? .begin(step: 0) : .stop))
        case 22: send(.midi(.program(channel: 0, number: .random(in: 0..<2, using: &random))))
        case 23: nextScene = .random(in: 0..<2, using: &random)
        case 24:
            // A note that wraps around the end has its beginning beyond a shorter one.
            isWrapped = true
            send(.turn(.length, by: .random(in: -4...4, using: &random)))
        case 25:
            let track = [Track.melody, .chords, .bass].randomElement(using: &random) ?? .melody
            let degrees = Int.random(in: -7...7, using: &random)
            player.instrument.state.session.composition.pattern[shape: track].transposition = degrees
        case 26:
            player.instrument.state.session.composition.pattern[shape: .chords].voicing =
                TrackShape.Voicing.allCases.randomElement(using: &random) ?? .root
        case 27:
            // O, from end to end: to look for it each time takes longer than all else.
            player.show(.sound(SoundSheet(of: .melody, row: .shared)))
            let isOn = player.instrument.state.session.soundOwner != nil
            for phase in [Touch.Phase.down, .move, .up] {
                send(.touch(Touch(contact: 0, phase: phase, column: 38, row: (phase == .down) == isOn ? 7 : 17)))
            }
            if isOn == (player.instrument.state.session.soundOwner != nil) { problem = "OWN was not switched" }
        case 28:
            let track = Track.allCases.randomElement(using: &random) ?? .melody
            player.instrument.choose(track, of: .random(in: 0..<2, using: &random))
        default: send(.tick)
        }
    }

    private mutating func send(_ message: MIDIMessage) {
        var note = ""
        if case .noteOn(let channel, let key, _) = message {
            let track = player.instrument.track(ofMIDIChannel: channel)
            note = Self.name(track, track.note(ofMIDIKey: key))
        }
        keys.take(message, as: note)
        send(.midi(message))
        if problem == nil, heard != Set(keys.sounding.keys) {
            problem = "after \(message) \(heard.sorted()) sound, should be \(keys.sounding.keys.sorted())"
        }
    }

    private mutating func send(_ event: Instrument.Event) {
        let before = player.instrument.state.recording.keys
        player.effects = []
        player.send(event)
        for effect in player.effects {
            switch effect {
            case .press(let note, _, _): heard.insert(Self.name(note.track, note.note))
            case .release(let note): heard.remove(Self.name(note.track, note.note))
            default: break
            }
        }
        checkWritten(before)
    }

    /// Whether what plays, or a scene's own pattern, plays `note`.
    private func isWritten(_ note: Instrument.Effect.Note) -> Bool {
        let composition = player.instrument.state.session.composition
        let patterns = [composition.pattern] + (0..<2).compactMap { composition[scene: $0] }
        return patterns.contains { pattern in
            let sounding = pattern.sounding
            return (0..<Pattern.steps).contains { sounding[note.track, note: note.note, step: $0].isStart }
        }
    }

    private static func name(_ track: Track, _ note: Int) -> String { "\(track)\(note)" }

    // MARK: What was written

    /// Checks that every key whose note was written since `before` plays back as it sounded, and that no pattern goes
    /// on with a note that does not begin.
    private mutating func checkWritten(_ before: [Instrument.Recording.PlayedKey]) {
        for key in player.instrument.state.recording.keys {
            guard case .written(let step, _, _) = key.recording,
                !before.contains(where: { $0.isSame(as: key) && $0.isWritten })
            else { continue }
            let sounding = player.pattern.sounding
            let cell = sounding[key.note.track, note: key.note.note, step: step]
            let own = sounding.lanes[key.note.track, .velocity, note: key.note.note, step: step]
            let velocity = own ?? Track.midiVelocity(of: cell == .accent ? 2 : 1)
            let isFull = player.pattern.room(for: key.note.track) == 0
            if !cell.isStart || velocity != key.velocity && !isFull {
                problem = "\(Self.name(key.note.track, key.note.note)), written to step \(step), plays back otherwise"
            }
        }
        let now = player.instrument.state.recording.keys
        for key in before where key.isWaiting && !now.contains(where: { $0.isSame(as: key) && $0.isWaiting }) {
            if !isWritten(key.note) { problem = "\(Self.name(key.note.track, key.note.note)) was not written" }
        }
        guard !isWrapped else { return }
        let pattern = player.pattern
        for track in [Track.melody, .chords, .bass] {
            let length = pattern.length(of: track)
            for note in track.notes where pattern[track, note: note, step: 0] == .sustain {
                let last = (0..<length).last { pattern[track, note: note, step: $0] != .sustain }
                if last.map({ pattern[track, note: note, step: $0] == .empty }) ?? true {
                    problem = "\(Self.name(track, note)) goes on without a beginning"
                }
            }
        }
    }
}

extension Instrument.Recording.PlayedKey {
    fileprivate func isSame(as other: Self) -> Bool { since == other.since && note == other.note }
    fileprivate var isWaiting: Bool { if case .waiting = recording { true } else { false } }
    fileprivate var isWritten: Bool { if case .written = recording { true } else { false } }
}

@Suite("Keys in any order with Play, scenes, parts, lengths, transposition, a foreign stop, pedals and a lost cable")
struct OrderTests {
    /// Orders by chance: 100,000 in `make check-orders`.
    private static let count = ProcessInfo.processInfo.environment["PIXELBOOP_ORDERS"].flatMap(UInt64.init) ?? 4000

    @Test("no note hangs, none is lost, and what sounded is what plays back")
    func orders() {
        for seed in 0..<Self.count {
            var order = Order(seed: seed)
            order.run(acts: 60)
            if let problem = order.problem { Issue.record("seed \(seed): \(problem)") }
        }
    }
}
