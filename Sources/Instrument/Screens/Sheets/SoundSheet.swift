import InputEvents
import Display

/// The sound of the tracks: four tracks to choose from, two pages of eight faders, and the master volume.
public struct SoundSheet: Sheet, Hashable, Sendable {
    /// The selected track.
    private(set) var track: Track
    /// Whether the second page of faders is shown: the rest of the envelope, and the shared controls.
    private var isSecond = false

    /// The sheet with the first page of faders of `track`.
    init(of track: Track) { self.track = track }

    var screen: Instrument.Screen { .sound(self) }
    var title: TextLine? { Menu.Item.sound.name }
    var accent: RGB { Menu.Item.sound.colour }

    /// The first column of each fader.
    private static let columns = [6, 10, 15, 19, 24, 28, 33, 37, 41]
    private static let trackRows = [8, 12, 16, 20]

    /// The faders, from the left; the master is last.
    private var faders: [Fader] { isSecond ? Self.second[track.rawValue] : Self.first[track.rawValue] }

    private static let first = Track.allCases.map { track in
        [TrackControl.volume, .pan, .cutoff, .resonance, .attack, .release, .delay, .reverb].map {
            Fader.sound(.track(track, $0))
        } + [.master]
    }
    private static let second = Track.allCases.map { track in
        [
            Fader.sound(.track(track, .decay)), .sound(.track(track, .sustain)), .sound(.delaySteps),
            .sound(.delayFeedback), .sound(.reverbTime), .sound(.swing), .metronome, .countIn, .master,
        ]
    }
    private static let names = Track.allCases.map { TextLine($0.name.uppercased()) }
    private static let letters = ["V", "P", "F", "Q", "A", "R", "D", "S", "M"].map { TextLine($0) }
    private static let secondLetters = ["D", "S", "T", "F", "L", "W", "K", "C", "M"].map { TextLine($0) }

    func spot(at position: Position) -> Spot? {
        if position.column < 5.5 {
            return Track(rawValue: Int(((position.row - 6.5) / 4).rounded(.down)).clamped(to: 0...3)).map { .track($0) }
        }
        let places = Self.columns.indices
        let nearest = places.min {
            abs(Float(Self.columns[$0] + 1) - position.column) < abs(Float(Self.columns[$1] + 1) - position.column)
        }
        guard let nearest else { return nil }
        let fader = faders[nearest]
        guard fader.isAvailable else { return .letter(fader) }
        return Fader.target.contains(position.row) ? .fader(fader) : .letter(fader)
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        if case .track(let track) = spot { Self.names[track.rawValue] } else { nil }
    }

    /// Selects a track; selecting the same track again shows its other page.
    mutating func take(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        guard case .track(let track) = touch.spot, touch.phase == .up(isOver: true) else { return }
        if track == self.track { isSecond.toggle() }
        self.track = track
        acts.append(.turnPage)
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        for track in Track.allCases {
            let row = Self.trackRows[track.rawValue]
            let colour = Palette.track(track)
            if track == self.track {
                frame.fill(columns: origin..<origin + 4, rows: row..<row + 3, colour)
                frame[origin + 4, row + 1] = colour
                // Two more LEDs mark the second page.
                if isSecond { frame[origin + 4, row] = colour }
                if isSecond { frame[origin + 4, row + 2] = colour }
            } else {
                let quiet = RGB.black.blended(towards: colour, 0.42)
                frame.fill(columns: origin..<origin + 2, rows: row..<row + 3, quiet)
            }
        }
        let letters = isSecond ? Self.secondLetters : Self.letters
        let faders = faders
        for place in faders.indices {
            instrument.draw(
                faders[place], letters[place], colour: colour(of: faders[place]), column: origin + Self.columns[place],
                into: &frame)
        }
    }

    /// Colour of a track's own controls; shared controls are white.
    private func colour(of fader: Fader) -> RGB {
        if case .sound(.track) = fader { Palette.track(track) } else { Palette.shared }
    }
}
