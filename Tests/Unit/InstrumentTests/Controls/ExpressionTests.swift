import InputEvents
import Testing

@testable import Instrument

@Suite("Bend, pressure and zones of MIDI keyboards")
struct ExpressionTests {
    private typealias Effect = Instrument.Effect

    /// The expressions of the notes that sound, by note of the melody.
    private func sounding(_ player: Player) -> [Int: Expression] {
        var notes: [Int: Expression] = [:]
        for effect in player.effects {
            switch effect {
            case .press(let note, _, let expression), .express(let note, let expression): notes[note.note] = expression
            case .release(let note): notes[note.note] = nil
            default: break
            }
        }
        return notes
    }

    private func sounding(after messages: [MIDIMessage]) -> [Int: Expression] {
        var player = Player()
        for message in messages { player.send(.midi(message)) }
        return sounding(player)
    }

    private func on(_ channel: Int, _ key: Int) -> MIDIMessage { .noteOn(channel: channel, key: key, velocity: 80) }

    /// A registered parameter and its data.
    private func parameter(_ channel: Int, _ number: Int, _ high: Int, _ low: Int? = nil) -> [MIDIMessage] {
        let messages: [MIDIMessage] = [
            .control(channel: channel, number: 101, value: number >> 7),
            .control(channel: channel, number: 100, value: number & 127),
            .control(channel: channel, number: 6, value: high),
        ]
        return messages + (low.map { [.control(channel: channel, number: 38, value: $0)] } ?? [])
    }

    /// A zone of `members` channels.
    private func zone(_ manager: Int, _ members: Int) -> [MIDIMessage] { parameter(manager, 6, members) }

    private func bend(_ semitones: Double) -> Expression {
        Expression(bend: Int(semitones * 10_000), pressure: 0, brightness: 0)
    }

    // MARK: Pitch wheel

    @Test(
        "the wheel bends the keys of its channel by two semitones, those that are down and those that follow",
        arguments: [(8191, 2), (-8192, -2), (-4096, -1), (0, 0)] as [(Int, Double)])
    func wheel(value: Int, semitones: Double) {
        let notes = sounding(after: [
            on(0, 60), .bend(channel: 0, value: value), on(0, 62), on(5, 64), .bend(channel: 7, value: 100),
        ])
        #expect(notes == [0: bend(semitones), 2: bend(semitones), 4: .neutral])
    }

    @Test(
        "registered parameter 0 sets its range, in semitones and cents, up to 96",
        arguments: [(12, nil, 12), (0, nil, 0), (2, 50, 2.5), (96, nil, 96), (96, 50, 96)] as [(Int, Int?, Double)])
    func range(semitones: Int, cents: Int?, expected: Double) {
        let notes = sounding(
            after: [on(0, 60), .bend(channel: 0, value: 8191)] + parameter(0, 0, semitones, cents))
        #expect(notes == [0: bend(expected)])
    }

    @Test("parameters out of range, without a number, null, or not registered, change nothing")
    func wrongParameters() {
        func control(_ number: Int, _ value: Int) -> MIDIMessage { .control(channel: 0, number: number, value: value) }
        let wrong: [[MIDIMessage]] = [
            parameter(0, 0, 97), parameter(0, 0, 2, 100), [control(6, 12)], [control(38, 50)],
            [control(101, 0), control(6, 12)], [control(100, 0), control(6, 12)], parameter(0, 127 << 7 | 127, 12),
            [control(99, 0), control(98, 0), control(6, 12)], parameter(0, 1, 12), parameter(0, 6, 16),
            parameter(0, 6, 20), parameter(3, 6, 5),
            [control(101, 0), control(100, 0), control(99, 0), control(6, 12)],
        ]
        for messages in wrong {
            let notes = sounding(after: [on(0, 60), .bend(channel: 0, value: 8191)] + messages)
            #expect(notes == [0: bend(2)], "\(messages)")
        }
    }

    @Test("Reset All Controllers ends bend, pressure and the pedal, and keeps the range")
    func reset() {
        let notes = sounding(
            after: parameter(0, 0, 12) + [
                on(0, 60), on(0, 62), .control(channel: 0, number: 64, value: 127), .noteOff(channel: 0, key: 62),
                .bend(channel: 0, value: 8191), .channelPressure(channel: 0, value: 127),
                .control(channel: 0, number: 121, value: 0),
            ])
        #expect(notes == [0: .neutral])
    }

    /// A key that is down, one that the pedal holds, and one of another channel; all with bend and pressure.
    private var held: [MIDIMessage] {
        [
            on(0, 60), on(0, 62), on(5, 64), .control(channel: 0, number: 64, value: 64), .noteOff(channel: 0, key: 62),
            .bend(channel: 0, value: 8191), .channelPressure(channel: 0, value: 99),
            .keyPressure(channel: 0, key: 60, value: 127),
        ]
    }

    /// What each channel mode message leaves of `held`: notes of the channel, of which those in `afterPedal` sound on
    /// when the pedal is up; and whether bend and pressure are left. MIDI 1.0 Detailed Specification, "Channel Mode
    /// Messages", and RP-015.
    private static let modes: [(number: Int, notes: [Int], afterPedal: [Int], isExpressed: Bool)] = [
        (120, [], [], true), (121, [0], [0], false), (122, [0, 2], [0], true), (123, [0, 2], [], true),
        (124, [0, 2], [], true), (125, [0, 2], [], true), (126, [0, 2], [], true), (127, [0, 2], [], true),
    ]

    @Test("channel mode messages do what MIDI says, also while the pedal is down", arguments: modes.indices)
    func channelModes(row: Int) {
        let mode = Self.modes[row]
        let after = held + [.control(channel: 0, number: mode.number, value: 0)]
        // The key of another channel stays as it was.
        #expect(sounding(after: after).keys.sorted() == mode.notes + [4])
        #expect(sounding(after: after)[4] == .neutral)
        let pedalUp = after + [.control(channel: 0, number: 64, value: 0)]
        #expect(sounding(after: pedalUp).keys.sorted() == mode.afterPedal + [4])
        if let note = mode.notes.first {
            #expect((sounding(after: after)[note] != .neutral) == mode.isExpressed)
        }
        // Keys sound again afterwards.
        #expect(sounding(after: pedalUp + [on(0, 67)])[7] != nil)
    }

    // MARK: Pressure

    @Test("pressure on a channel reaches its keys, and pressure on a key that key; the greater counts")
    func pressure() {
        let notes = sounding(after: [
            on(0, 60), on(0, 62), on(1, 64), .keyPressure(channel: 0, key: 60, value: 127),
            .channelPressure(channel: 0, value: 127), .channelPressure(channel: 0, value: 0),
            .keyPressure(channel: 0, key: 70, value: 99),
        ])
        #expect(notes[0]?.pressure == 1000 && notes[2]?.pressure == 0)
        let both = sounding(after: [
            on(0, 60), .keyPressure(channel: 0, key: 60, value: 20), .channelPressure(channel: 0, value: 127),
        ])
        #expect(both[0]?.pressure == 1000)
    }

    // MARK: Zones

    @Test("in a zone each channel bends its note by 48 semitones and its manager all of them by two")
    func members() {
        let notes = sounding(
            after: zone(0, 15) + [
                on(1, 60), on(2, 64), on(0, 67), .bend(channel: 1, value: -8192), .bend(channel: 0, value: 8191),
            ])
        #expect(notes == [0: bend(-46), 4: bend(2), 7: bend(2)])
    }

    @Test("pressure and controller 74 reach a channel's note, and the manager's all notes of the zone")
    func dimensions() {
        let notes = sounding(
            after: zone(15, 3) + [
                on(14, 60), on(12, 64), on(11, 67), .channelPressure(channel: 14, value: 127),
                .control(channel: 14, number: 74, value: 127), .control(channel: 15, number: 74, value: 0),
                .channelPressure(channel: 15, value: 64),
            ])
        #expect(notes[0] == Expression(bend: 0, pressure: 1000, brightness: 0))
        #expect(notes[4] == Expression(bend: 0, pressure: 504, brightness: -1000))
        // Channel 12 is in no zone.
        #expect(notes[7] == .neutral)
    }

    @Test("the notes of a zone play the track that a finger touched last")
    func track() {
        var player = Player()
        for message in zone(0, 5) { player.send(.midi(message)) }
        for track in Track.allCases {
            player.tap(.step(6, track))
            player.effects = []
            player.send(.midi(on(2, 60)))
            guard case .press(let note, _, _)? = player.effects.last else {
                Issue.record("no note on \(track)")
                continue
            }
            #expect(note.track == track)
            player.send(.midi(.noteOff(channel: 2, key: 60)))
        }
    }

    @Test("the members of a zone share the range of their wheels")
    func sharedRange() {
        let notes = sounding(
            after: zone(0, 3) + parameter(2, 0, 24) + [
                on(1, 60), on(3, 64), on(0, 67), .bend(channel: 1, value: 8191), .bend(channel: 3, value: -8192),
                .bend(channel: 0, value: 0),
            ])
        #expect(notes == [0: bend(24), 4: bend(-24), 7: .neutral])
    }

    @Test("a zone gives way to the one set last, and one with 0 channels is ended: their notes end with them")
    func zones() {
        // The upper zone shrinks from ten channels to four: 11 is lost.
        let shrunk = sounding(
            after: zone(15, 10) + [on(14, 60), on(5, 64)] + zone(0, 10) + [
                .bend(channel: 14, value: 8191), on(10, 67), .bend(channel: 10, value: 8191),
            ])
        #expect(shrunk == [0: bend(48), 7: bend(48)])
        let ended = sounding(
            after: zone(0, 5) + [on(2, 60)] + zone(0, 0) + [on(2, 62), .bend(channel: 2, value: 8191)])
        #expect(ended.values.allSatisfy { $0 == bend(2) } && ended.count == 1)
        // All 15: the other manager is a member.
        let whole = sounding(after: zone(15, 4) + zone(0, 15) + [on(15, 60), .bend(channel: 15, value: 8191)])
        #expect(whole == [0: bend(48)])
    }

    @Test("the manager's pedal holds the notes of its zone, over All Notes Off too, and All Sound Off ends them")
    func pedal() {
        let held =
            zone(0, 5) + [
                .control(channel: 0, number: 64, value: 127), on(1, 60), on(2, 64), .noteOff(channel: 1, key: 60),
            ]
        #expect(sounding(after: held).keys.sorted() == [0, 4])
        #expect(sounding(after: held + [.control(channel: 0, number: 64, value: 0)]).keys.sorted() == [4])
        let lifted = held + [.control(channel: 0, number: 123, value: 0)]
        #expect(sounding(after: lifted).keys.sorted() == [0, 4])
        #expect(sounding(after: lifted + [.control(channel: 0, number: 64, value: 0)]).isEmpty)
        #expect(sounding(after: held + [.control(channel: 0, number: 120, value: 0)]).isEmpty)
    }

    @Test("controller 74 moves the cut-off's fader on a channel that is in no zone")
    func fader() {
        var player = Player()
        let before = player.instrument.state.session.sound[.track(.melody, .cutoff)]
        for message in zone(0, 3) { player.send(.midi(message)) }
        player.send(.midi(.control(channel: 1, number: 74, value: 10)))
        #expect(player.instrument.state.session.sound[.track(.melody, .cutoff)] == before)
        for message in zone(0, 0) { player.send(.midi(message)) }
        player.send(.midi(.control(channel: 0, number: 74, value: 10)))
        #expect(player.instrument.state.session.sound[.track(.melody, .cutoff)] < before)
    }

    @Test("what a keyboard records are its notes")
    func recording() {
        var player = Player()
        player.send(.record(true))
        player.send(.key(.playStop))
        player.send(.step(0, number: 0))
        for message in [on(0, 60), .bend(channel: 0, value: 8191), .channelPressure(channel: 0, value: 99)] {
            player.send(.midi(message))
        }
        #expect(player.cells(.melody) == ["0@0=1"])
    }
}
