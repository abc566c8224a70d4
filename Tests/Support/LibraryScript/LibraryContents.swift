import Documents
import Instrument
import Library

/// The contents of a library, except numbers and times that it assigned itself.
public struct LibraryContents: Hashable, Sendable {
    /// The session.
    public var session: Session?
    /// The patterns, by name.
    public var tunes: [String: Tune] = [:]

    /// A pattern.
    public struct Tune: Hashable, Sendable {
        /// Its bank.
        public var bank: Bank
        /// All of its revisions, oldest first.
        public var revisions: [PatternDocument]

        /// Creates a pattern.
        public init(bank: Bank, revisions: [PatternDocument]) {
            self.bank = bank
            self.revisions = revisions
        }
    }

    /// An empty library.
    public init() {}

    /// The contents of `library`, read by its public functions only.
    public init(of library: Library) throws {
        session = library.session()
        for entry in try library.patterns() {
            let revisions = try library.revisions(of: entry.number).map { revision in
                var document = try library.document(of: entry.number, revision: revision.number)
                (document.name, document.createdAt, document.modifiedAt) = (nil, nil, nil)
                return document
            }
            tunes[entry.name] = Tune(bank: entry.bank, revisions: revisions)
        }
    }
}
