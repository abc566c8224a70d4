/// The way in which the notes of a melodic track are made. The raw value is the engine's number.
public enum SoundModel: Int, CaseIterable, Sendable {
    /// The recipe of docs/spec.md, section 6.
    case plain
    /// Two oscillators, a sub-oscillator and noise.
    case analogue
    /// A plucked string.
    case pluck
    /// Two or four operators.
    case fm
    /// Drawbars.
    case organ
    /// A string machine.
    case strings
    /// One oscillator through a four-pole ladder.
    case acid
    /// A morphing wave.
    case wavetable

    /// Name in files.
    public var word: String { Self.words[rawValue] }
    /// Names in files, in the order of the cases.
    public static let words = ["plain", "analogue", "pluck", "fm", "organ", "strings", "acid", "wavetable"]

    /// The model's own controls, in the order of `TrackControl.timbre1` and the next ones.
    public var timbres: [Timbre] { Self.timbres[rawValue] }
    /// Maximum number of a model's own controls.
    public static let timbresMax = 6

    /// A control of one model.
    public struct Timbre: Hashable, Sendable {
        /// Key in files.
        public let key: String
        /// Range of values.
        public let range: ClosedRange<Int>
        /// The letter below its fader.
        let letter: String
        /// Name on the panel, at most five letters.
        let label: String

        fileprivate init(_ key: String, _ letter: String, _ label: String, _ range: ClosedRange<Int> = 0...100) {
            self.key = key
            self.letter = letter
            self.label = label
            self.range = range
        }
    }

    private static let timbres: [[Timbre]] = [
        [],
        [
            Timbre("shape", "S", "SHAPE"), Timbre("detune", "D", "DTUNE"), Timbre("sub", "B", "SUB"),
            Timbre("noise", "N", "NOISE"),
        ],
        [Timbre("brightness", "B", "BRITE"), Timbre("decayTime", "D", "DECAY"), Timbre("pick", "P", "PICK")],
        [
            Timbre("ratio", "R", "RATIO"), Timbre("index", "I", "INDEX"), Timbre("indexDecay", "D", "IDEC"),
            Timbre("feedback", "F", "FDBK"), Timbre("mix", "M", "MIX"), Timbre("secondRatio", "2", "RATI2"),
        ],
        [
            Timbre("drawbar16", "1", "16 FT", 0...8), Timbre("drawbar5", "5", "5 FT", 0...8),
            Timbre("drawbar8", "8", "8 FT", 0...8), Timbre("drawbar4", "4", "4 FT", 0...8),
            Timbre("drawbar2", "2", "2 FT", 0...8), Timbre("mixture", "M", "MIXT", 0...8),
        ],
        [Timbre("octave", "O", "OCT"), Timbre("ensemble", "E", "ENS"), Timbre("detune", "D", "DTUNE")],
        [
            Timbre("shape", "S", "SHAPE"), Timbre("sub", "B", "SUB"), Timbre("accent", "A", "ACC"),
            Timbre("slide", "G", "SLIDE"),
        ],
        [Timbre("position", "P", "POS"), Timbre("detune", "D", "DTUNE"), Timbre("sub", "B", "SUB")],
    ]
}

/// The drums of the rhythm track. The raw value is the engine's number.
public enum SoundKit: Int, CaseIterable, Sendable {
    /// The recipes of docs/spec.md, section 6.
    case plain
    /// Resonators and squares.
    case analogue
    /// Hard attacks and noise.
    case punchy
    /// Skins, shells and plates.
    case acoustic
    /// The recipes at 12 bits and a low rate.
    case lofi

    /// Name in files.
    public var word: String { Self.words[rawValue] }
    /// Names in files, in the order of the cases.
    public static let words = ["plain", "analogue", "punchy", "acoustic", "lofi"]
}

/// The course of the low-frequency oscillator (LFO). The raw value is the engine's number.
public enum LFOShape: Int, CaseIterable, Sendable {
    case sine, triangle, saw, square, random

    /// Names in files, in the order of the cases.
    public static let words = ["sine", "triangle", "saw", "square", "random"]
    /// Names on the panel.
    static let labels = ["SINE", "TRIANGLE", "SAW", "SQUARE", "RANDOM"]
}

/// A control that the LFO or the modulation envelope of a track moves. The numbers after `reverb` are the model's own
/// controls.
public enum ModulationTarget: Int, CaseIterable, Sendable {
    case pitch, cutoff, resonance, volume, pan, drive, chorus, delay, reverb

    /// Names in files, in the order of the numbers: the cases, and then the own controls of `model`.
    public static func words(_ model: SoundModel) -> [String] { shared + model.timbres.map { $0.key } }
    private static let shared = ["pitch", "cutoff", "resonance", "volume", "pan", "drive", "chorus", "delay", "reverb"]

    /// Highest number of a target with `model`.
    static func highest(_ model: SoundModel) -> Int { allCases.count - 1 + model.timbres.count }
    /// Highest number of a target with any model.
    static let highest = allCases.count - 1 + SoundModel.timbresMax

    /// Name on the panel of the target `number`, at most six letters.
    static func label(_ number: Int, _ model: SoundModel) -> String {
        if number < labels.count { return labels[number] }
        let timbre = number - labels.count
        return model.timbres.indices.contains(timbre) ? model.timbres[timbre].label : "-"
    }
    private static let labels = ["PITCH", "CUT", "RES", "VOL", "PAN", "DRIVE", "CHO", "DELAY", "SPACE"]
}
