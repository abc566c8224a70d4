import Display

// Values of the faders: their range, their scale and their text.

extension Fader {
    /// The level of `value`, 0-1, in `range`; nil is the fader's own.
    func level(of value: Int, in range: ClosedRange<Int>? = nil) -> Float {
        let range = range ?? self.range
        switch scale {
        case .linear: return Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)
        case .quadratic:
            return (Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)).squareRoot()
        case .quartic:
            return (Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)).squareRoot()
                .squareRoot()
        case .thirdOctaves:
            let frequency = Float(value)
            let above = Self.frequencies.firstIndex { $0 > frequency } ?? Self.frequencies.count - 1
            let (low, high) = (Self.frequencies[above - 1], Self.frequencies[above])
            return (Float(above - 1) + (frequency - low) / (high - low)) / Float(Self.frequencies.count - 1)
        }
    }

    /// The value at `level`, 0-1, in `range`; nil is the fader's own.
    func value(at level: Float, in range: ClosedRange<Int>? = nil) -> Int {
        let range = range ?? self.range
        let width = Float(range.upperBound - range.lowerBound)
        let value: Float
        switch scale {
        case .linear: value = Float(range.lowerBound) + level * width
        case .quadratic: value = Float(range.lowerBound) + level * level * width
        case .quartic: value = Float(range.lowerBound) + level * level * level * level * width
        case .thirdOctaves:
            let place = level * Float(Self.frequencies.count - 1)
            let below = min(Int(place), Self.frequencies.count - 2)
            let (low, high) = (Self.frequencies[below], Self.frequencies[below + 1])
            value = low + (place - Float(below)) * (high - low)
        }
        return Int(value.rounded()).clamped(to: range)
    }

    /// Range of values, with any model.
    var range: ClosedRange<Int> {
        switch self {
        case .sound(let control): control.range
        case .master: Session.volumes
        case .light: Session.brightnesses
        case .metronome: 0...1
        case .countIn: Session.countIns
        case .quantise: Session.quantises
        case .track(_, let control):
            switch control {
            case .length: TrackShape.lengths
            case .division: 0...TrackShape.Division.allCases.count - 1
            case .transposition: TrackShape.transpositions
            case .hits: Euclid.range
            case .steps: 1...Euclid.range.upperBound
            case .rotation: 0...Euclid.range.upperBound - 1
            }
        }
    }

    /// Mapping between level and value.
    private enum Scale { case linear, quadratic, quartic, thirdOctaves }

    private var scale: Scale {
        switch self {
        case .sound(.track(_, .cutoff)): .thirdOctaves
        case .sound(.track(_, .attack)), .sound(.track(_, .decay)), .sound(.track(_, .release)),
            .sound(.track(_, .lfoRate)), .sound(.track(_, .envelopeDecay)):
            .quartic
        case .sound(.reverbTime): .quadratic
        default: .linear
        }
    }

    /// The third-octave frequencies of IEC 61260 from 20 Hz to 20 kHz.
    private static let frequencies: [Float] = [
        20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500,
        3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]

    fileprivate static let notHere = TextLine("NOT HERE")
    fileprivate static let noClick = "NO CLICK"

    /// The name in full; nil for a model's own control, whose text has no abbreviation.
    fileprivate var word: String? {
        switch self {
        case .master: return "MASTER VOLUME"
        case .light: return "BRIGHTNESS"
        case .metronome: return "METRONOME"
        case .countIn: return "BARS OF COUNT-IN"
        case .quantise: return "QUANTISE"
        case .track(_, let control):
            switch control {
            case .length: return "LENGTH"
            case .division: return "DIVISION"
            case .transposition: return "TRANSPOSE"
            case .hits: return "HITS"
            case .steps: return "STEPS"
            case .rotation: return "ROTATION"
            }
        case .sound(.swing): return "SWING"
        case .sound(.delaySteps): return "DELAY STEPS"
        case .sound(.delayFeedback): return "DELAY FEEDBACK"
        case .sound(.delayWidth): return "DELAY WIDTH"
        case .sound(.reverbTime): return "REVERB TIME"
        case .sound(.compression): return "COMPRESSION"
        case .sound(.tone): return "TONE"
        case .sound(.pad(_, let control)):
            switch control {
            case .volume: return "VOLUME"
            case .tune: return "TUNE"
            case .start: return "START"
            case .end: return "END"
            case .choke: return "CHOKE GROUP"
            }
        case .sound(.track(_, let control)):
            switch control {
            case .volume: return "VOLUME"
            case .pan: return "PAN"
            case .cutoff: return "CUT-OFF"
            case .resonance: return "RESONANCE"
            case .attack: return "ATTACK"
            case .decay: return "DECAY"
            case .sustain: return "SUSTAIN"
            case .release: return "RELEASE"
            case .delay: return "DELAY"
            case .reverb: return "SPACE"
            case .model: return "MODEL"
            case .level: return "LEVEL"
            case .unison: return "UNISON"
            case .drive: return "DRIVE"
            case .chorus: return "CHORUS"
            case .lfoRate: return "LFO RATE"
            case .lfoShape: return "LFO SHAPE"
            case .lfoDepth: return "LFO DEPTH"
            case .lfoTarget: return "LFO TO"
            case .envelopeDepth: return "ENVELOPE"
            case .envelopeTarget: return "ENVELOPE TO"
            case .envelopeDecay: return "ENVELOPE DECAY"
            case .timbre1, .timbre2, .timbre3, .timbre4, .timbre5, .timbre6: return nil
            }
        }
    }

    /// `value` as a text short enough for the header, on a track with `model`.
    func text(of value: Int, _ model: SoundModel = .plain) -> String {
        switch self {
        case .master: return "VOL \(value)%"
        case .light: return "LED \(value)%"
        case .metronome: return value == 0 ? Self.noClick : "CLICK"
        case .countIn: return "COUNT \(value)"
        case .quantise: return "QNT \(value)%"
        case .track(_, let control):
            switch control {
            case .length: return "LEN \(value)"
            case .division: return "DIV " + (TrackShape.Division(rawValue: value)?.word ?? "1")
            case .transposition: return "TRN \(value > 0 ? "+" : "")\(value)"
            case .hits: return "HITS \(value)"
            case .steps: return "OF \(value)"
            case .rotation: return "TURN \(value)"
            }
        case .sound(.swing): return "SWG \(value)%"
        case .sound(.delaySteps): return "STEPS \(value)"
        case .sound(.delayFeedback): return "FB \(value)%"
        case .sound(.delayWidth): return "WID \(value)%"
        case .sound(.reverbTime): return "REV \(Self.decimal(value))S"
        case .sound(.compression): return "CMP \(value)%"
        case .sound(.tone): return "TON \(value)"
        case .sound(.pad(_, let control)):
            switch control {
            case .volume: return "VOL \(value)%"
            case .tune: return "TUN \(value > 0 ? "+" : "")\(value)"
            case .start: return "BEG \(value * 100 / PadControl.whole)%"
            case .end: return "END \(value * 100 / PadControl.whole)%"
            case .choke: return "CHK \(value)"
            }
        case .sound(.track(_, let control)):
            switch control {
            case .volume: return "VOL \(value)%"
            case .pan: return value == 0 ? "PAN MID" : "PAN \(value < 0 ? "L" : "R")\(abs(value))"
            case .cutoff: return "CUT " + (value < 1000 ? "\(value)" : "\(Self.decimal((value + 50) / 100))K")
            case .resonance: return "RES \(value)DB"
            case .attack: return "ATK \(Self.time(value))"
            case .decay: return "DEC " + (value == 0 ? "0" : Self.time(value))
            case .sustain: return "SUS \(value)%"
            case .release: return "REL \(Self.time(value))"
            case .delay: return "DLY \(value)%"
            case .reverb: return "SPC \(value)%"
            case .model: return String(model.word.uppercased().prefix(8))
            case .level: return "LVL \(value)"
            case .unison: return "UNI X\(value)"
            case .drive: return "DRV \(value)%"
            case .chorus: return "CHO \(value)%"
            case .lfoRate: return "LFO \(Self.hertz(value))"
            case .lfoShape: return LFOShape.labels[value]
            case .lfoDepth: return "DEP \(value)%"
            case .lfoTarget, .envelopeTarget: return "TO " + ModulationTarget.label(value, model)
            case .envelopeDepth: return "ENV \(value)"
            case .envelopeDecay: return "E " + Self.time(value)
            case .timbre1, .timbre2, .timbre3, .timbre4, .timbre5, .timbre6:
                return Self.text(ofTimbre: control.timbre ?? 0, value, model)
            }
        }
    }

    private static func text(ofTimbre timbre: Int, _ value: Int, _ model: SoundModel) -> String {
        let label = model.timbres.indices.contains(timbre) ? model.timbres[timbre].label : "-"
        // Eight letters fit.
        return value < 100 || label.count < 5 ? "\(label) \(value)" : "\(label)\(value)"
    }

    /// Hundredths of a hertz as a number of three digits.
    private static func hertz(_ hundredths: Int) -> String {
        guard hundredths < 1000 else { return decimalPlace(hundredths / 10, 10) }
        return decimalPlace(hundredths, 100)
    }

    /// `value` / `unit`, a power of ten, with all its decimal places.
    private static func decimalPlace(_ value: Int, _ unit: Int) -> String {
        let rest = "\(unit + value % unit)"
        return "\(value / unit).\(rest.dropFirst())"
    }

    /// Tenths as a number with one decimal, or none from 10 on.
    private static func decimal(_ tenths: Int) -> String {
        tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// A time as text; 0 is automatic, by the note's length.
    private static func time(_ milliseconds: Int) -> String {
        switch milliseconds {
        case 0: "AUTO"
        case ..<1000: "\(milliseconds)MS"
        default: "\(decimal((milliseconds + 50) / 100))S"
        }
    }
}

extension Instrument {
    /// The text for `fader` and its value.
    func name(of fader: Fader) -> TextLine {
        isAvailable(fader) ? TextLine(fader.text(of: value(of: fader), model(of: fader))) : Fader.notHere
    }

    /// The full name of `fader` and its value, for a finger on its letter.
    func words(of fader: Fader) -> TextLine {
        let text = name(of: fader).text
        guard isAvailable(fader), let word = fader.word else { return TextLine(text) }
        // The text without the abbreviation of the name, if it has one.
        let value = text.split(separator: " ", maxSplits: 1)
        return TextLine("\(word): \(value.count == 2 && text != Fader.noClick ? String(value[1]) : text)")
    }

    /// The model of the track of `fader`; plain for a shared one.
    private func model(of fader: Fader) -> SoundModel {
        if case .sound(.track(let track, _)) = fader { state.session.sound.model(of: track) } else { .plain }
    }

    /// Whether `fader` has an effect with its track's model.
    func isAvailable(_ fader: Fader) -> Bool {
        switch fader {
        case .sound(let control): state.session.sound.isAvailable(control)
        // Drums have no pitch.
        case .track(.rhythm, .transposition): false
        default: true
        }
    }

    /// Range of `fader` with its track's model.
    func range(of fader: Fader) -> ClosedRange<Int> {
        if case .sound(let control) = fader { state.session.sound.range(of: control) } else { fader.range }
    }

    /// The level of `fader`, 0-1.
    func level(of fader: Fader) -> Float { fader.level(of: value(of: fader), in: range(of: fader)) }

    /// The value of `fader`.
    func value(of fader: Fader) -> Int {
        switch fader {
        case .sound(let control): state.session.sound[control]
        case .master: state.volume
        case .light: state.brightness
        case .metronome: state.session.metronome ? 1 : 0
        case .countIn: state.session.countIn
        case .quantise: state.session.quantise
        case .track(let track, let control): value(of: control, track)
        }
    }

    /// Sets `fader` to `value` within the touch of contact `id`; nil sets the default. What is no part of the music has no undo.
    mutating func set(_ fader: Fader, to value: Int?, contact id: Int) {
        if case .track(let track, let control) = fader {
            set(control, of: track, to: value, contact: id)
        } else {
            set(fader, to: value)
        }
    }

    /// Sets `fader`, which is no part of the music, to `value`; nil sets the default.
    mutating func set(_ fader: Fader, to value: Int?) {
        switch fader {
        case .sound(let control): state.session.sound[control] = value ?? control.defaultValue
        case .master: state.session.volume = value
        case .light: state.session.brightness = value
        case .metronome: state.session.metronome = value == 1
        case .countIn: state.session.countIn = value ?? 0
        case .quantise: state.session.quantise = value ?? Session.quantises.upperBound
        case .track: break
        }
    }
}
