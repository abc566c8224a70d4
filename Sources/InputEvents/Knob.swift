/// An endless rotary encoder.
public enum Knob: Hashable, Sendable {
    /// The tempo, in BPM.
    case tempo
    /// The length, in units of four steps.
    case length
    /// The master volume, in per cent.
    case volume
}
