/// The rules by which fingers make music.
public enum Rules: String, CaseIterable, Sendable {
    /// The rules of the box: notes by scale degree, three octaves, many fingers (docs/spec.md, section 3).
    case box
    /// The rules of the phone version, made for one finger (docs/spec.md, section 11).
    case phone
}
