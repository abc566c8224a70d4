/// The rules by which fingers make music.
public enum Rules: String, CaseIterable, Sendable {
    /// The rules of the box: notes by scale degree, three octaves, many fingers (docs/spec.md, "Gestures").
    case box
    /// The rules of the phone version, made for one finger (docs/spec.md, "The phone's gestures").
    case phone
}
