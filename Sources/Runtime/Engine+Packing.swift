import Instrument
import Synth

// Values as the engine's commands contain them.

extension Engine {
    /// The values of `lane` at four steps from `step` on, as the engine packs them.
    static func cells(_ lanes: Lanes, _ track: Track, _ lane: Lane, from step: Int) -> UInt64 {
        (0..<4).reduce(0) { cells, place in
            let value = lanes[track, lane, step: step + place] ?? Int(synth_no_value)
            return cells | UInt64(UInt16(bitPattern: Int16(value))) << UInt64(16 * place)
        }
    }

    /// The shape as the engine packs it.
    static func cells(_ shape: TrackShape) -> UInt64 {
        let direction = TrackShape.Direction.allCases.firstIndex(of: shape.direction) ?? 0
        return UInt64(shape.length ?? 0) | UInt64(shape.division.twelfths) << 8 | UInt64(direction) << 16
    }

    /// The offsets of two pitch classes as the engine packs them.
    static func cells(_ tuning: Tuning, from pitchClass: Int) -> UInt64 {
        (0..<2).reduce(0) { cells, place in
            let offset = tuning.offset(ofPitchClass: pitchClass + place)
            return cells | UInt64(UInt32(bitPattern: Int32(offset))) << UInt64(32 * place)
        }
    }

    /// The expression as the engine packs it.
    static func cells(_ expression: Expression) -> UInt64 {
        UInt64(UInt32(bitPattern: Int32(expression.bend))) | UInt64(expression.pressure) << 32
            | UInt64(UInt16(bitPattern: Int16(expression.brightness))) << 48
    }

    /// Value and cells of the engine's command for `pad`. A pad whose sample is absent plays its drum.
    static func pad(_ pad: Int, _ sound: SoundSettings, _ samples: [LoadedSample]) -> (UInt32, UInt64) {
        let name = sound[sampleOf: pad]
        let slot = name == nil ? nil : samples.first { $0.name == name }?.slot
        func bits(_ control: PadControl) -> UInt64 { UInt64(sound[.pad(pad, control)]) }
        let tune = UInt64(UInt8(bitPattern: Int8(sound[.pad(pad, .tune)])))
        let cells = bits(.start) | bits(.end) << 20 | bits(.volume) << 40 | tune << 48 | bits(.choke) << 56
        return (slot.map { UInt32($0 + 1) } ?? 0, cells)
    }

    /// The command that sets `control`, and its track; nil for that of a pad, whose controls have one command.
    static func command(for control: SoundControl) -> (SynthCommandKind, Track)? {
        switch control {
        case .track(let track, let control): (kind(of: control), track)
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

    private static func kind(of control: TrackControl) -> SynthCommandKind {
        switch control {
        case .volume: SynthTrackVolume
        case .pan: SynthTrackPan
        case .cutoff: SynthTrackCutoff
        case .resonance: SynthTrackResonance
        case .attack: SynthTrackAttack
        case .decay: SynthTrackDecay
        case .sustain: SynthTrackSustain
        case .release: SynthTrackRelease
        case .delay: SynthTrackDelay
        case .reverb: SynthTrackReverb
        case .model: SynthTrackModel
        case .level: SynthTrackLevel
        case .unison: SynthTrackUnison
        case .drive: SynthTrackDrive
        case .chorus: SynthTrackChorus
        case .lfoRate: SynthTrackLfoRate
        case .lfoShape: SynthTrackLfoShape
        case .lfoDepth: SynthTrackLfoDepth
        case .lfoTarget: SynthTrackLfoTarget
        case .envelopeDepth: SynthTrackEnvelopeDepth
        case .envelopeTarget: SynthTrackEnvelopeTarget
        case .envelopeDecay: SynthTrackEnvelopeDecay
        case .timbre1, .timbre2, .timbre3, .timbre4, .timbre5, .timbre6:
            SynthCommandKind(SynthTrackTimbre.rawValue + UInt32(control.timbre ?? 0))
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
