import Documents

/// A pattern in the library, without its music.
public struct PatternEntry: Hashable, Sendable {
    /// Number of the pattern in the library.
    public var number: Int64
    /// Its bank.
    public var bank: Bank
    /// Its name.
    public var name: String
    /// Creation time, in seconds since 1970.
    public var created: Int64
    /// Time of the last change of its music, name or bank, in seconds since 1970.
    public var modified: Int64
}

/// A stored state of a pattern.
public struct PatternRevision: Hashable, Sendable {
    /// Number of the revision; later revisions have higher numbers.
    public var number: Int64
    /// Time of saving, in seconds since 1970.
    public var saved: Int64
}
