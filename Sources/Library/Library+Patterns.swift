import Documents
import Formats
import Instrument

// The patterns of a library. Each call waits for the disk, so the loop must not call it.

extension Library {
    /// The patterns of `bank`, or of all banks, by bank and creation time.
    public func patterns(in bank: Bank? = nil) throws(LibraryError) -> [PatternEntry] {
        try use { try $0.entries(of: bank) }
    }

    /// The stored revisions of the pattern `number`, oldest first.
    public func revisions(of number: Int64) throws(LibraryError) -> [PatternRevision] {
        try use { try $0.revisions(of: number) }
    }

    /// The pattern `number` as a document, in its current state or at `revision`.
    public func document(of number: Int64, revision: Int64? = nil) throws(LibraryError) -> PatternDocument {
        guard let document = try use({ try $0.document(of: number, revision: revision) }) else {
            throw .noPattern("\(number)")
        }
        return document
    }

    /// The playing tune, as it is now: its name and its other content are those on the disk, if that can be read.
    public func playing() -> PatternDocument {
        let session = session() ?? .first
        var document = session.pattern.flatMap { try? self.document(of: $0) } ?? PatternDocument(pattern: Pattern())
        document.replaceMusic(by: session)
        return document
    }

    /// A document to add.
    public struct Addition: Sendable {
        /// The pattern.
        public var document: PatternDocument
        /// Name for a document without one; nil for TUNE and a number.
        public var name: String?
        /// The bank to add it to.
        public var bank: Bank

        /// An addition of `document` to `bank`.
        public init(_ document: PatternDocument, name: String? = nil, to bank: Bank) {
            self.document = document
            self.name = name
            self.bank = bank
        }
    }

    /// Adds patterns, all or none; with `onlyNew` skips patterns whose name and music are already in the library.
    /// Returns the added ones.
    @discardableResult
    public func add(
        _ additions: [Addition], onlyNew: Bool = false, _ progress: Progress = { _ in }
    ) throws(LibraryError) -> [PatternEntry] {
        try use { database in
            var entries: [PatternEntry] = []
            // Patterns created in the same second are sorted by number, so ascending numbers keep their order.
            let first = Self.newNumber()
            try database.transaction {
                for (place, addition) in additions.enumerated() {
                    progress(Double(place) / Double(additions.count))
                    let (document, name, bank) = (addition.document, addition.name, addition.bank)
                    if onlyNew, try database.has(document, named: document.name ?? name) { continue }
                    let now = Disk.now
                    let modified = document.modifiedAt.flatMap(DocumentTime.seconds) ?? now
                    var called = document.name ?? name
                    if called == nil { called = try database.freeName() }
                    let entry = PatternEntry(
                        number: first + Int64(entries.count), bank: bank, name: called ?? "",
                        created: document.createdAt.flatMap(DocumentTime.seconds) ?? min(modified, now),
                        modified: modified)
                    try database.add(entry, document)
                    entries.append(entry)
                }
            }
            return entries
        }
    }

    /// Renames the pattern `number`, or moves it to another bank. Its modification time stays the time of its music's
    /// last change.
    public func rename(_ number: Int64, _ name: String? = nil, bank: Bank? = nil) throws(LibraryError) {
        let found = try use { database in
            var isThere = false
            try database.transaction { isThere = try database.rename(number, name, bank: bank) }
            return isThere
        }
        if !found { throw .noPattern("\(number)") }
    }

    /// Removes the pattern `number` with all its revisions. Returns the data for `restore`.
    @discardableResult
    public func remove(_ number: Int64) throws(LibraryError) -> RemovedPattern {
        let removed = try use { database in
            var removed: RemovedPattern?
            try database.transaction { removed = try database.remove(number) }
            return removed
        }
        guard let removed else { throw .noPattern("\(number)") }
        return removed
    }

    /// Restores a removed pattern. Music that was played as this pattern since then stays its newest revision.
    public func restore(_ removed: RemovedPattern) throws(LibraryError) {
        try use { database in
            try database.transaction { try database.restore(removed) }
        }
    }

    /// Adds a copy of the current music of the pattern `number` to the same bank; its name is followed by the next free
    /// number. Returns the copy.
    @discardableResult
    public func duplicate(_ number: Int64) throws(LibraryError) -> PatternEntry {
        let entry = try use { database in
            let copy = Self.newNumber()
            try database.transaction { try database.duplicate(number, as: copy, at: Disk.now) }
            return try database.entry(copy)
        }
        guard let entry else { throw .noPattern("\(number)") }
        return entry
    }

    /// Problems of the file, one line each, from SQLite's full check and from reading every row.
    public func check(_ progress: @escaping Progress = { _ in }) throws(LibraryError) -> [String] {
        try use { try $0.problems(progress) }
    }

    /// Repairs the file if a check finds a problem: rebuilds its indexes, or begins a new file with what can be read.
    /// Returns the problems; `drainNotices` returns what was done.
    public func repair() throws(LibraryError) -> [String] {
        let problems = try check()
        if let first = problems.first { try onDisk { disk throws(LibraryError) in try disk.repair(first) } }
        return problems
    }

    /// Calls `body` with exclusive access to the file.
    func use<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(LibraryError) -> Value {
        try onDisk { disk throws(LibraryError) in try disk.use(body) }
    }

    /// Calls `body` with exclusive access to the disk, and takes over its notices.
    func onDisk<Value: Sendable>(_ body: (inout Disk) throws(LibraryError) -> Value) throws(LibraryError) -> Value {
        let (result, notices) = disk.withLock { disk -> (Result<Value, LibraryError>, [String]) in
            let result: Result<Value, LibraryError>
            do throws(LibraryError) {
                result = .success(try body(&disk))
            } catch {
                result = .failure(error)
            }
            return (result, disk.drainNotices())
        }
        if !notices.isEmpty { add(notices) }
        return try result.get()
    }
}
