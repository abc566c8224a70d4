/// The MIDI controllers of the tracks' controls, both ways.
public struct TrackControllers: Hashable, Sendable {
    /// The controls that have a controller.
    public static let controls: [TrackControl] = [
        .volume, .pan, .resonance, .release, .attack, .cutoff, .reverb, .delay,
    ]

    /// Their controllers by the MIDI 1.0 Detailed Specification, table III, and MIDI's Sound Controllers (RP-021), in
    /// the order of `controls`.
    private static let standard: [Int?] = [7, 10, 71, 72, 73, 74, 91, 94]

    private var numbers: [[Int?]] = Track.allCases.map { _ in standard }

    /// The same controllers on each track.
    public init() {}

    /// The controller of a control of `track`; nil for none.
    public subscript(_ track: Track, _ control: TrackControl) -> Int? {
        get { Self.controls.firstIndex(of: control).flatMap { numbers[track.rawValue][$0] } }
        set { if let place = Self.controls.firstIndex(of: control) { numbers[track.rawValue][place] = newValue } }
    }

    /// The control of `track` that controller `number` moves; nil for none.
    public func control(_ number: Int, of track: Track) -> TrackControl? {
        numbers[track.rawValue].firstIndex(of: number).map { Self.controls[$0] }
    }

    /// The numbers that a control may have: no bank, parameter, pedal or channel mode.
    public static func allows(_ number: Int) -> Bool { LearnedControllers.canLearn(number) }

    /// The level of a fader, 0-1, by a controller's value, 0-127. The middle of a controller is 64.
    static func level(of value: Int) -> Float { value <= 64 ? Float(value) / 128 : 0.5 + Float(value - 64) / 126 }

    /// The controller's value for `value` of a control of `track`, 0-127: the one that moves the fader nearest to it.
    public static func value(of control: TrackControl, of track: Track, at value: Int) -> Int {
        let level = Fader.sound(.track(track, control)).level(of: value)
        return Int((level <= 0.5 ? level * 128 : 64 + (level - 0.5) * 126).rounded()).clamped(to: 0...127)
    }
}
