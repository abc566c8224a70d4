/// The controllers of MIDI devices that the player has given to faders.
public struct LearnedControllers: Hashable, Sendable {
    /// A controller on a channel, both from 0.
    struct Controller: Hashable, Sendable {
        let channel: Int
        let number: Int
    }

    private var faders: [Controller: Fader] = [:]

    /// No controller.
    public init() {}

    /// The fader that `controller` moves; nil for none.
    subscript(controller: Controller) -> Fader? { faders[controller] }

    /// Gives `controller` to `fader`, which has one at most.
    mutating func learn(_ controller: Controller, for fader: Fader) {
        for (other, its) in faders where its == fader { faders[other] = nil }
        faders[controller] = fader
    }

    /// `controller` moves no learned fader any more.
    mutating func forget(_ controller: Controller) { faders[controller] = nil }

    /// Whether a fader can learn controller `number`: it does not choose a bank or a parameter, is no pedal and no
    /// channel mode.
    static func canLearn(_ number: Int) -> Bool {
        switch number {
        case 0, 6, 32, 38, 64, 96...101, 120...: false
        default: true
        }
    }

    // MARK: As text

    /// The controllers as words with a space between them, `CHANNEL.NUMBER=FADER`, in order; channels from 1. Empty for
    /// none.
    public var text: String {
        Array(faders).inOrder { ($0.key.channel, $0.key.number) < ($1.key.channel, $1.key.number) }
            .map { "\($0.key.channel + 1).\($0.key.number)=\($0.value.word)" }.joined(separator: " ")
    }

    /// The controllers of `text`; nil if it is not in the form that they are written in.
    public init?(text: String) {
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=")
            let place = (parts.first ?? "").split(separator: ".").map { Int($0) ?? -1 }
            guard parts.count == 2, place.count == 2, let fader = Fader(word: String(parts[1])) else { return nil }
            learn(Controller(channel: place[0] - 1, number: place[1]), for: fader)
            guard (1...16).contains(place[0]), (0..<128).contains(place[1]), Self.canLearn(place[1]) else { return nil }
        }
        guard self.text == text else { return nil }
    }
}

extension Fader {
    /// Its name in files.
    fileprivate var word: String {
        switch self {
        case .sound(let control): control.word
        case .master: "volume"
        case .light: "brightness"
        case .metronome: "metronome"
        case .countIn: "countIn"
        case .quantise: "quantise"
        // It has no name: what is part of the music learns no controller.
        case .track, .own: ""
        }
    }

    fileprivate init?(word: String) {
        let others: [Fader] = [.master, .light, .metronome, .countIn, .quantise]
        if let fader = others.first(where: { $0.word == word }) {
            self = fader
        } else if let control = SoundControl(word: word) {
            self = .sound(control)
        } else {
            return nil
        }
    }
}
