import Formats
import Instrument

// The patterns of a library. Each call waits for the disk: none is for the loop.

extension Library {
    /// The patterns of `bank`, or of all banks, bank by bank in the order in which they were begun.
    public func patterns(in bank: Bank? = nil) throws(LibraryError) -> [PatternEntry] {
        try use { try $0.entries(of: bank) }
    }

    /// The states of the pattern `number` that are kept, oldest first.
    public func revisions(of number: Int64) throws(LibraryError) -> [PatternRevision] {
        try use { try $0.revisions(of: number) }
    }

    /// The pattern `number` as a document, as it is, or as it was at `revision`.
    public func document(of number: Int64, revision: Int64? = nil) throws(LibraryError) -> PatternDocument {
        guard let document = try use({ try $0.document(of: number, revision: revision) }) else {
            throw .noPattern("\(number)")
        }
        return document
    }

    /// A document to be added.
    public struct Addition: Sendable {
        /// The pattern.
        public var document: PatternDocument
        /// What it is called if it does not say; else TUNE and a number.
        public var name: String?
        /// The bank that it goes to.
        public var bank: Bank

        /// `document`, to be added to `bank`.
        public init(_ document: PatternDocument, name: String? = nil, to bank: Bank) {
            self.document = document
            self.name = name
            self.bank = bank
        }
    }

    /// Adds patterns, all or none; with `onlyNew` those that are not there yet with the same name and music. Returns those that
    /// it has added.
    @discardableResult
    public func add(_ additions: [Addition], onlyNew: Bool = false) throws(LibraryError) -> [PatternEntry] {
        try use { database in
            var entries: [PatternEntry] = []
            // Those that were begun in the same second are told apart by their numbers: these keep their order.
            let first = Self.newNumber()
            try database.transaction { () throws(DatabaseError) in
                for addition in additions {
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

    /// Gives the pattern `number` a new name, and puts it into another bank. It was last changed when its music was.
    public func rename(_ number: Int64, _ name: String? = nil, bank: Bank? = nil) throws(LibraryError) {
        let found = try use { database in
            var isThere = false
            try database.transaction(reading: { isThere = try database.rename(number, name, bank: bank) })
            return isThere
        }
        if !found { throw .noPattern("\(number)") }
    }

    /// Takes the pattern `number` out, with all its revisions. Returns all that `restore` needs to put it back.
    @discardableResult
    public func remove(_ number: Int64) throws(LibraryError) -> RemovedPattern {
        let removed = try use { database in
            var removed: RemovedPattern?
            try database.transaction { () throws(DatabaseError) in removed = try database.remove(number) }
            return removed
        }
        guard let removed else { throw .noPattern("\(number)") }
        return removed
    }

    /// Puts a pattern that was removed back as it was. What has been played as it since stays its newest state.
    public func restore(_ removed: RemovedPattern) throws(LibraryError) {
        try use { database in
            try database.transaction { () throws(DatabaseError) in try database.restore(removed) }
        }
    }

    /// Adds a pattern with the music that the pattern `number` has now, to the same bank; its name has the next free number
    /// after it. Returns what was added.
    @discardableResult
    public func duplicate(_ number: Int64) throws(LibraryError) -> PatternEntry {
        let entry = try use { database in
            let copy = Self.newNumber()
            try database.transaction(reading: { try database.duplicate(number, as: copy, at: Disk.now) })
            return try database.entry(copy)
        }
        guard let entry else { throw .noPattern("\(number)") }
        return entry
    }

    /// What is wrong with the file, a line each: SQLite's own check from end to end, and every row read as what it
    /// should be.
    public func check() throws(LibraryError) -> [String] {
        try use { try $0.problems() }
    }

    /// Repairs the file if a check finds something wrong with it: makes its indexes anew, or begins a new file with what can
    /// be read. Returns what the check had found; `takeNotices` says what was done.
    public func repair() throws(LibraryError) -> [String] {
        let problems = try check()
        if let first = problems.first { try onDisk { disk throws(LibraryError) in try disk.repair(first) } }
        return problems
    }

    /// Does `body` with the file, once nobody else does.
    func use<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws(LibraryError) -> Value {
        try onDisk { disk throws(LibraryError) in try disk.use(body) }
    }

    /// Does `body` with the disk, once nobody else does, and takes its notices over.
    func onDisk<Value: Sendable>(_ body: (inout Disk) throws(LibraryError) -> Value) throws(LibraryError) -> Value {
        let (result, notices) = disk.withLock { disk -> (Result<Value, LibraryError>, [String]) in
            let result: Result<Value, LibraryError>
            do throws(LibraryError) {
                result = .success(try body(&disk))
            } catch {
                result = .failure(error)
            }
            return (result, disk.takeNotices())
        }
        if !notices.isEmpty { add(notices) }
        return try result.get()
    }
}
