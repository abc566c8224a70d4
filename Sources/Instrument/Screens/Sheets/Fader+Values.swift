import Display

// Values of the faders: their range, their scale and their text.

extension Fader {
    /// The level of `value`, 0-1.
    func level(of value: Int) -> Float {
        let range = range
        switch scale {
        case .linear: return Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)
        case .quadratic:
            return (Float(value - range.lowerBound) / Float(range.upperBound - range.lowerBound)).squareRoot()
        case .quartic: return (Float(value) / Float(range.upperBound)).squareRoot().squareRoot()
        case .thirdOctaves:
            let frequency = Float(value)
            let above = Self.frequencies.firstIndex { $0 > frequency } ?? Self.frequencies.count - 1
            let (low, high) = (Self.frequencies[above - 1], Self.frequencies[above])
            return (Float(above - 1) + (frequency - low) / (high - low)) / Float(Self.frequencies.count - 1)
        }
    }

    /// The value at `level`, 0-1.
    func value(at level: Float) -> Int {
        let range = range
        let width = Float(range.upperBound - range.lowerBound)
        let value: Float
        switch scale {
        case .linear: value = Float(range.lowerBound) + level * width
        case .quadratic: value = Float(range.lowerBound) + level * level * width
        case .quartic: value = level * level * level * level * width
        case .thirdOctaves:
            let place = level * Float(Self.frequencies.count - 1)
            let below = min(Int(place), Self.frequencies.count - 2)
            let (low, high) = (Self.frequencies[below], Self.frequencies[below + 1])
            value = low + (place - Float(below)) * (high - low)
        }
        return Int(value.rounded()).clamped(to: range)
    }

    /// Range of values.
    var range: ClosedRange<Int> {
        switch self {
        case .sound(let control): control.range
        case .master: Session.volumes
        case .light: Session.brightnesses
        case .metronome: 0...1
        case .countIn: Session.countIns
        }
    }

    /// Mapping between level and value.
    private enum Scale { case linear, quadratic, quartic, thirdOctaves }

    private var scale: Scale {
        switch self {
        case .sound(.track(_, .cutoff)): .thirdOctaves
        case .sound(.track(_, .attack)), .sound(.track(_, .decay)), .sound(.track(_, .release)): .quartic
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

    /// `value` as a text short enough for the header.
    func text(of value: Int) -> String {
        switch self {
        case .master: return "VOL \(value)%"
        case .light: return "LED \(value)%"
        case .metronome: return value == 0 ? "NO CLICK" : "CLICK"
        case .countIn: return "COUNT \(value)"
        case .sound(.swing): return "SWG \(value)%"
        case .sound(.delaySteps): return "STEPS \(value)"
        case .sound(.delayFeedback): return "FB \(value)%"
        case .sound(.reverbTime): return "REV \(Self.decimal(value))S"
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
            }
        }
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
        fader.isAvailable ? TextLine(fader.text(of: value(of: fader))) : Fader.notHere
    }

    /// The value of `fader`.
    func value(of fader: Fader) -> Int {
        switch fader {
        case .sound(let control): state.session.sound[control]
        case .master: state.volume
        case .light: state.brightness
        case .metronome: state.session.metronome ? 1 : 0
        case .countIn: state.session.countIn
        }
    }

    /// Sets `fader` to `value`; nil sets the default.
    mutating func set(_ fader: Fader, to value: Int?) {
        switch fader {
        case .sound(let control): state.session.sound[control] = value ?? control.defaultValue
        case .master: state.session.volume = value
        case .light: state.session.brightness = value
        case .metronome: state.session.metronome = value == 1
        case .countIn: state.session.countIn = value ?? 0
        }
    }
}
