/// A kind of a thing whose kinds each have a file of their own: an LED chip, a light protocol. It has a name in
/// configurations.
public protocol NamedKind: RawRepresentable<String>, CaseIterable, Hashable, CustomStringConvertible, Sendable {}

extension NamedKind {
    /// The kind named `rawValue`; nil for none.
    public init?(rawValue: String) {
        guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = kind
    }

    /// Compares the names.
    public static func == (one: Self, other: Self) -> Bool { one.rawValue == other.rawValue }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The name in configurations.
    public var description: String { rawValue }
}
