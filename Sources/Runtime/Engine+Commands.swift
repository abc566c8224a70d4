import Instrument
import Synth

// The instrument's values as payloads of the engine's commands.

extension SynthLaneCommand {
    /// The values of `lane` at four steps from `step` on.
    init(_ lanes: Lanes, _ track: Track, _ lane: Lane, from step: Int, pattern: SynthPatternNumber) {
        func value(_ offset: Int) -> Int16 {
            Int16(lanes[track, lane, step: step + offset] ?? Int(synth_no_value))
        }
        self.init(
            values: (value(0), value(1), value(2), value(3)), lane: SynthLaneKind(UInt8(lane.index)),
            track: UInt8(track.rawValue), step: UInt8(step), pattern: pattern)
    }
}

extension SynthNoteLaneCommand {
    /// The own values of the note of `row` at four steps from `step` on.
    init(_ lanes: Lanes, _ track: Track, _ row: Lanes.Row, from step: Int, pattern: SynthPatternNumber) {
        func value(_ offset: Int) -> Int16 {
            Int16(lanes[track, row.lane, note: row.note, step: step + offset] ?? Int(synth_no_value))
        }
        self.init(
            values: (value(0), value(1), value(2), value(3)), lane: SynthLaneKind(UInt8(row.lane.index)),
            track: UInt8(track.rawValue), note: Int8(row.note), step: UInt8(step), pattern: pattern)
    }
}

extension SynthShapeCommand {
    /// How `track` of `music` runs. A borrowed one always has a length: it has its own begin, and so its own steps.
    init(of track: Track, in music: Pattern, pattern: SynthPatternNumber) {
        let (shape, isBorrowed) = (music[shape: track], music.isBorrowed(track))
        let direction = TrackShape.Direction.allCases.firstIndex(of: shape.direction) ?? 0
        self.init(
            length: UInt8(isBorrowed ? music.length(of: track) : shape.length ?? 0),
            twelfths: UInt8(shape.division.twelfths), direction: SynthDirection(UInt8(direction)),
            track: UInt8(track.rawValue), pattern: pattern, seed: isBorrowed ? UInt16(music.seed(of: track)) : 0)
    }

    /// Whether both let their tracks run in the same way.
    func isSame(as other: Self) -> Bool {
        (length, twelfths, direction, seed) == (other.length, other.twelfths, other.direction, other.seed)
    }
}

extension SynthTuningCommand {
    /// The offsets of `pitchClass` and the next one.
    init(_ tuning: Tuning, from pitchClass: Int, pattern: SynthPatternNumber) {
        let offsets = (tuning.offset(ofPitchClass: pitchClass), tuning.offset(ofPitchClass: pitchClass + 1))
        self.init(
            offsets: (Int32(offsets.0), Int32(offsets.1)), pitch_class: UInt8(pitchClass), pattern: pattern)
    }
}

extension SynthExpression {
    init(_ expression: Expression) {
        self.init(
            bend: Int32(expression.bend), pressure: Int16(expression.pressure),
            brightness: Int16(expression.brightness))
    }
}

extension SynthFxCommand {
    /// `fx` as it is played; nil ends it.
    init(_ fx: FX, _ play: FXPlay?) {
        self.init(
            fx: SynthFxKind(UInt8(fx.rawValue)), is_on: play != nil, waits: play?.waits ?? false,
            x: UInt16(play?.x ?? 0), y: UInt16(play?.y ?? 0))
    }
}

extension SynthPadCommand {
    /// The settings of pad `number`. A pad whose sample is absent plays its drum.
    init(_ number: Int, _ sound: SoundSettings, _ samples: [LoadedSample]) {
        func value(_ control: PadControl) -> Int { sound[.pad(number, control)] }
        self.init(
            begin: UInt32(value(.start)), end: UInt32(value(.end)), drum: UInt8(number),
            slot: Engine.slot(ofPad: number, sound, samples), volume: UInt8(value(.volume)), tune: Int8(value(.tune)),
            choke: UInt8(value(.choke)))
    }

    /// Whether both give a pad the same settings.
    func isSame(as other: Self) -> Bool {
        (begin, end, drum, slot) == (other.begin, other.end, other.drum, other.slot)
            && (volume, tune, choke) == (other.volume, other.tune, other.choke)
    }
}

extension SynthControlCommand {
    /// `value` for `control`; nil for a pad's control: a pad has one command for all of them.
    init?(_ control: SoundControl, _ value: Int) {
        guard let (control, track) = Engine.control(control) else { return nil }
        self.init(value: Int32(value), control: control, track: UInt8(track.rawValue))
    }
}

extension Engine {
    /// The slot of the sample of pad `number`; `synth_samples` if it has none, or if the sample is absent.
    static func slot(ofPad number: Int, _ sound: SoundSettings, _ samples: [LoadedSample]) -> UInt8 {
        UInt8(sound.sample(of: number, among: samples)?.slot ?? Int(synth_samples))
    }

    /// The control of a track that the engine calls `control`; nil for another one.
    static func trackControl(_ control: SynthControl) -> TrackControl? {
        TrackControl(rawValue: Int(control.rawValue) - Int(SynthTrackVolume.rawValue))
    }

    /// The engine's name of `control`, and its track; nil for a pad's control.
    static func control(_ control: SoundControl) -> (SynthControl, Track)? {
        switch control {
        // In the engine's order.
        case .track(let track, let control): (SynthControl(SynthTrackVolume.rawValue + UInt8(control.rawValue)), track)
        case .swing: (SynthSwing, .melody)
        case .delaySteps: (SynthDelaySteps, .melody)
        case .delayFeedback: (SynthDelayFeedback, .melody)
        case .delayWidth: (SynthDelayWidth, .melody)
        case .reverbTime: (SynthReverbTime, .melody)
        case .compression: (SynthCompression, .melody)
        case .tone: (SynthTone, .melody)
        case .pad: nil
        }
    }
}

extension PulseOutput {
    /// The output's number in the engine.
    var number: Int {
        switch self {
        case .off: Int(SynthPulseOff.rawValue)
        case .left: Int(SynthPulseLeft.rawValue)
        case .channel(let number): number
        }
    }
}
