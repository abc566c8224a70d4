import Display
import InputEvents
import Testing

@testable import Instrument

/// A box whose sound sheet is open while its pattern plays and is recorded: steps of 125 ms.
private func recorder(_ change: (inout Pattern) -> Void = { _ in }) -> Recorder {
    var recorder = Recorder { pattern in
        for track in Track.allCases {
            for step in 0..<32 { pattern[track, note: 0, step: step] = .normal }
        }
        change(&pattern)
    }
    recorder.player.show(.sound(SoundSheet(of: .melody)))
    return recorder
}

private func fader(_ control: TrackControl) -> Fader { .sound(.track(.melody, control)) }

extension Recorder {
    /// The values of `lane` of the melody at the first ten steps.
    fileprivate func values(_ lane: Lane) -> [Int?] { (0..<10).map { pattern.lanes[.melody, lane, step: $0] } }

    fileprivate var state: Instrument.State { player.instrument.state }

    /// Grips the fader of `control` where it stands.
    fileprivate mutating func grip(_ control: TrackControl, contact: Int = 0) {
        let row = Fader.row(of: player.instrument.level(of: fader(control)))
        player.finger(.down, .fader(fader(control), row: row.rounded()), contact: contact)
    }

    /// Moves that finger to `row`.
    fileprivate mutating func move(to row: Float, contact: Int = 0) {
        guard let column = player.positions[contact]?.column else { return }
        player.finger(.move, column, row, contact: contact)
    }
}

@Suite("Faders that are recorded")
struct WrittenFaderTests {
    @Test("write the offset from the setting to each step that is heard until the finger lifts; the setting stays")
    func offsets() {
        var recorder = recorder()
        let before = recorder.pattern
        let cutoff = SoundControl.track(.melody, .cutoff)
        recorder.wait(to: 270)
        recorder.grip(.cutoff)
        var heard: [Int] = []
        for step in 3...6 {
            recorder.wait(to: Double(125 * step) - 30)
            recorder.move(to: Float(step) + 8)
            heard.append(recorder.state.heardSound[cutoff])
            #expect(recorder.state.session.sound[cutoff] == 2000)
        }
        recorder.wait(to: 760)
        recorder.player.finger(.up)
        recorder.wait(to: 1200)
        let setting = recorder.state.session.sound[cutoff]
        #expect(setting == 2000 && recorder.state.heardSound[cutoff] == setting)
        let values = recorder.values(.cutoff)
        #expect(values.map { $0 != nil } == [false, false, false, true, true, true, true, false, false, false])
        for (value, heard) in zip(values[3...6], heard) {
            // A unit is a twentieth of an octave.
            let octaves = Double(value ?? 0) / 20
            var frequency = Double(setting)
            for _ in 0..<Int(abs(octaves) * 1000) { frequency *= octaves < 0 ? 0.999_307_092 : 1.000_693_387 }
            #expect(abs(frequency / Double(heard) - 1) < 0.02, "\(value ?? 0) for \(heard)")
        }
        #expect(recorder.history == 1 && recorder.state.session.history.past.last?.word == "REC")
        recorder.player.send(.key(.undo))
        #expect(recorder.pattern == before && recorder.state.session.sound[cutoff] == 2000)
    }

    @Test("the resonance is written in 24 dB, pan and sends as they are, clamped")
    func scales() {
        let lanes: [(Lane, setting: Int, value: Int, written: Int?)] = [
            (.resonance, 1, 13, 50), (.resonance, 24, 0, -100), (.pan, -20, 30, 50), (.pan, -100, 100, 100),
            (.delay, 30, 0, -30), (.reverb, 0, 100, 100), (.reverb, 40, 40, nil),
            (.cutoff, 400, 12_800, 100), (.cutoff, 20_000, 20, -100), (.cutoff, 1000, 2000, 20),
            (.cutoff, 1000, 500, -20), (.cutoff, 1000, 1017, nil), (.cutoff, 1000, 1018, 1),
        ]
        for (lane, setting, value, written) in lanes {
            #expect(lane.value(for: value, at: setting, 80) == written, "\(lane) from \(setting) to \(value)")
        }
    }

    @Test("the volume is written as the velocity whose gain is the same, of an accent too")
    func volume() {
        for velocity in [80, 127] {
            #expect(Lane.velocity.value(for: 100, at: 100, velocity) == nil)
            for setting in [1, 40, 100, 200] {
                for value in 0...200 where value != setting {
                    let written = Lane.velocity.value(for: value, at: setting, velocity) ?? 0
                    let ratio = Double(value) / Double(setting)
                    func gain(_ number: Double) -> Double { max(0, number) * max(0, number).squareRoot() }
                    // The neighbours of the velocity are farther away, or out of range.
                    let low = gain((Double(written) - 0.5) / Double(velocity))
                    let high = gain((Double(written) + 0.5) / Double(velocity))
                    #expect(low <= ratio * 1.000_001 || written == 1, "\(value) of \(setting)")
                    #expect(high > ratio * 0.999_999 || written == 127, "\(value) of \(setting)")
                }
            }
            #expect(Lane.velocity.value(for: 50, at: 0, velocity) == 127)
        }
        var recorder = recorder { $0[.melody, note: 4, step: 2] = .accent }
        recorder.wait(to: 10)
        recorder.grip(.volume)
        recorder.wait(to: 100)
        recorder.move(to: 17)
        recorder.wait(to: 300)
        recorder.player.finger(.up)
        let volume = recorder.values(.velocity)
        #expect(volume[1] == 1 && volume[2] == 1 && volume[3] == nil)
    }

    @Test("replace what the lane had, which is without effect while the finger writes; each pass is an undo step")
    func passes() {
        var recorder = recorder {
            $0.length = 8
            for step in 0..<8 { $0.lanes[.melody, .pan, step: step] = 40 }
            $0[.melody, note: 2, step: 5] = .accent
        }
        let before = recorder.pattern
        #expect(recorder.state.heardPattern == before)
        recorder.wait(to: 4 * 125 + 60)
        recorder.grip(.pan)
        recorder.grip(.volume, contact: 1)
        let heard = recorder.state.heardPattern
        #expect((0..<8).allSatisfy { heard.lanes[.melody, .pan, step: $0] == 0 })
        #expect((0..<8).map { heard.lanes[.melody, .velocity, step: $0] } == [80, 80, 80, 80, 80, 127, 80, 80])
        recorder.player.finger(.up, contact: 1)
        recorder.move(to: 7)
        let written = recorder.state.heardSound[.track(.melody, .pan)]
        recorder.wait(to: 10 * 125 + 60)
        #expect(recorder.values(.pan) == [100, 100, 100, 40, 40, 100, 100, 100, nil, nil])
        #expect(written == 100 && recorder.history == 2)
        recorder.player.finger(.up)
        #expect(recorder.state.heardPattern == recorder.pattern)
        recorder.player.send(.key(.undo))
        #expect(recorder.values(.pan) == [40, 40, 40, 40, 40, 100, 100, 100, nil, nil])
        recorder.player.send(.key(.undo))
        #expect(recorder.pattern == before)
    }

    @Test("no offset is no value; a finger that is quicker than a step writes the one that is heard")
    func quick() {
        var recorder = recorder { $0.lanes[.melody, .delay, step: 1] = 40 }
        recorder.wait(to: 60)
        recorder.grip(.delay)
        recorder.wait(to: 300)
        recorder.player.finger(.up)
        #expect(recorder.values(.delay)[1] == nil)
        recorder.wait(to: 380)
        recorder.grip(.reverb)
        recorder.move(to: 7)
        recorder.wait(to: 450)
        recorder.player.finger(.up)
        recorder.wait(to: 1000)
        #expect(recorder.values(.reverb) == [nil, nil, nil, 100, nil, nil, nil, nil, nil, nil])
    }

    @Test("a track with steps of its own is written in these")
    func ownSteps() {
        var recorder = recorder {
            $0[shape: .melody].division = .double
            $0[shape: .melody].length = 3
        }
        recorder.wait(to: 60)
        recorder.grip(.pan)
        recorder.move(to: 7)
        recorder.wait(to: 620)
        recorder.player.finger(.up)
        // Steps 1 and 2 began at 250 and 500 ms.
        #expect(recorder.values(.pan) == [nil, 100, 100, nil, nil, nil, nil, nil, nil, nil])
    }

    @Test("move their setting, as ever, without REC, stopped, locked, and with the rules of the phone")
    func otherwise() {
        let changes: [(inout Recorder) -> Void] = [
            { $0.player.send(.record(false)) }, { $0.player.send(.key(.playStop)) }, { $0.player.send(.lock(true)) },
            { $0.player.send(.rules(.phone)) },
        ]
        for (number, change) in changes.enumerated() {
            var recorder = recorder()
            change(&recorder)
            recorder.player.show(.sound(SoundSheet(of: .melody)))
            recorder.wait(to: 60)
            recorder.grip(.pan)
            recorder.move(to: 7)
            recorder.wait(to: 400)
            recorder.player.finger(.up)
            #expect(recorder.state.session.sound[.track(.melody, .pan)] == 100, "\(number)")
            #expect(!recorder.pattern.lanes.has(.melody), "\(number)")
        }
        // Faders without a lane too.
        var recorder = recorder()
        recorder.wait(to: 60)
        recorder.grip(.attack)
        recorder.move(to: 7)
        recorder.wait(to: 400)
        #expect(recorder.state.session.sound[.track(.melody, .attack)] > 0 && !recorder.pattern.lanes.has(.melody))
    }

    @Test("end with their sheet, with REC, and with Stop, and leave no trace in the setting")
    func ends() {
        let changes: [(inout Recorder) -> Void] = [
            { $0.player.show(.grid) }, { $0.player.send(.record(false)) },
            {
                $0.player.send(.key(.playStop))
                $0.player.send(.key(.playStop))
                $0.player.send(.record(false))
            },
        ]
        for (number, change) in changes.enumerated() {
            var recorder = recorder()
            recorder.wait(to: 60)
            recorder.grip(.pan)
            recorder.move(to: 7)
            recorder.wait(to: 300)
            #expect(recorder.values(.pan)[1...2] == [100, 100])
            change(&recorder)
            recorder.wait(to: 700)
            recorder.player.finger(.up)
            #expect(recorder.values(.pan)[3] == nil, "\(number)")
            #expect(recorder.state.session.sound[.track(.melody, .pan)] == 0, "\(number)")
            #expect(recorder.state.heardSound == recorder.state.session.sound, "\(number)")
        }
    }

    @Test("other instruments get what is heard")
    func controllers() {
        var recorder = recorder()
        recorder.wait(to: 60)
        recorder.player.effects = []
        recorder.grip(.pan)
        recorder.move(to: 7)
        recorder.player.finger(.up)
        let turns = recorder.player.effects.filter { $0 == .turn(.melody, .pan) }
        #expect(turns.count == 2)
    }
}
