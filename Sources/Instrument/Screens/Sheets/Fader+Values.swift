import Display

// Values of the faders: their range, their scale and their text.

extension Fader {
    /// The level of `value`, 0-1, in `range`; nil is the fader's own.
    func level(of value: Int, in range: ClosedRange<Int>? = nil) -> Float {
        let range = range ?? self.range
        switch row.scale {
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
        switch row.scale {
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

    /// Its row of the tables of controls.
    var row: ControlRow {
        switch self {
        case .sound(let control): control.row
        case .track(_, let control): control.row
        case .master: Rows.master
        case .light: Rows.light
        case .metronome: Rows.metronome
        case .countIn: Rows.countIn
        case .quantise: Rows.quantise
        case .own: Rows.own
        }
    }

    /// The rows of the controls that are neither sound nor a track's.
    private enum Rows {
        static let master = ControlRow(
            Session.volumes, letter: "M", "MASTER VOLUME", .number("VOL", unit: "%"))
        static let light = ControlRow(Session.brightnesses, letter: "", "BRIGHTNESS", .number("LED", unit: "%"))
        static let metronome = ControlRow(0...1, letter: "K", "METRONOME", .click)
        static let countIn = ControlRow(Session.countIns, letter: "C", "BARS OF COUNT-IN", .number("COUNT"))
        static let quantise = ControlRow(
            Session.quantises, default: Session.quantises.upperBound, letter: "", "QUANTISE", .number("QNT", unit: "%"))
        static let own = ControlRow(0...1, letter: "O", "OWN SOUND", .flag("OWN"))
    }

    /// Range of values, with any model.
    var range: ClosedRange<Int> { row.range }

    /// The third-octave frequencies of IEC 61260 from 20 Hz to 20 kHz.
    private static let frequencies: [Float] = [
        20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500,
        3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]

    fileprivate static let notHere = TextLine("NOT HERE")
    fileprivate static let noScene = TextLine("NO SCENE")

    /// `value` as a text short enough for the header, on a track with `model`.
    func text(of value: Int, _ model: SoundModel = .plain) -> String { row.text.text(of: value, model) }
}

extension Instrument {
    /// The text for `fader` and its value.
    func name(of fader: Fader) -> TextLine {
        if isAvailable(fader) { return TextLine(fader.text(of: value(of: fader), model(of: fader))) }
        return fader == .own && state.rules == .box ? Fader.noScene : Fader.notHere
    }

    /// The full name of `fader` and its value, for a finger on its letter.
    func words(of fader: Fader) -> TextLine {
        let text = name(of: fader).text
        guard isAvailable(fader), let word = fader.row.word else { return TextLine(text) }
        // The text without the abbreviation of the name, if it has one.
        let value = text.split(separator: " ", maxSplits: 1)
        return TextLine("\(word): \(value.count == 2 && text != ValueText.noClick ? String(value[1]) : text)")
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
        case .own: state.scene != nil && state.rules == .box
        case .track, .master, .light, .metronome, .countIn, .quantise: true
        }
    }

    /// Range of `fader` with its track's model.
    func range(of fader: Fader) -> ClosedRange<Int> {
        if case .sound(let control) = fader { state.session.sound.range(of: control) } else { fader.range }
    }

    /// The level of `fader`, 0-1.
    func level(of fader: Fader) -> Float { fader.level(of: value(of: fader), in: range(of: fader)) }

    /// The value of `fader`; of one that writes a lane the value at its finger.
    func value(of fader: Fader) -> Int {
        switch fader {
        case .sound(let control): written(fader) ?? state.session.sound[control]
        case .master: state.volume
        case .light: state.brightness
        case .metronome: state.session.metronome ? 1 : 0
        case .countIn: state.session.countIn
        case .quantise: state.session.quantise
        case .own: state.session.soundOwner == nil ? 0 : 1
        case .track(let track, let control): value(of: control, track)
        }
    }

    private func written(_ fader: Fader) -> Int? {
        for id in state.fingers.contacts.indices {
            if let value = state.fingers[id].grip?.written, state.fingers[id].isOn(.fader(fader)) { return value }
        }
        return nil
    }

    /// Sets `fader` to `value` within the touch of contact `id`; nil sets the default. A fader of the music or of its
    /// sound makes a step of the history, which it shares with all faders that are held.
    mutating func set(_ fader: Fader, to value: Int?, contact id: Int) {
        switch fader {
        case .track(let track, let control): set(control, of: track, to: value, contact: id)
        case .sound(let control):
            let word = fader.row.text.name(model(of: fader))
            changeSound(self.word(word, orSeveral: "FADERS", of: id), inTouch: id) {
                $0[control] = value ?? control.defaultValue
            }
            if case .track(let track, let control) = control { effects.append(.turn(track, control)) }
        case .own: return giveOwnSound(value == 1, contact: id)
        case .master, .light, .metronome, .countIn, .quantise: return set(fader, to: value)
        }
        state.fingers.shareActionOfFader(id)
    }

    /// Sets `fader`, unless it is a part of the music, to `value` without a step of the history; nil sets the default.
    mutating func set(_ fader: Fader, to value: Int?) {
        switch fader {
        case .sound(let control): state.session.sound[control] = value ?? control.defaultValue
        case .master: state.session.volume = value
        case .light: state.session.brightness = value
        case .metronome: state.session.metronome = value == 1
        case .countIn: state.session.countIn = value ?? 0
        case .quantise: state.session.quantise = value ?? fader.row.defaults[0]
        case .track, .own: break
        }
    }
}
