import Formats
import Instrument
import Synchronization

/// Does what the panel asks of the library, and says what came of it. It waits for the disk: not to be called by the loop.
public final class Librarian: Sendable {
    private let library: Library
    private let today: Int?
    private let listings: Listings?
    private let state = Mutex(State())

    /// Listings of television as a guide, in which the programmes of these numbers are marked as watched.
    public typealias Listings = @Sendable (_ watched: Set<Int64>) throws -> GuideContent

    private struct State {
        /// What was deleted last: it can be put back.
        var removed: RemovedPattern?
    }

    /// The librarian of `library`. The present day is `today` (days since 1970-01-01), or else the clock's. `listings`, if
    /// there are any, are read anew whenever they are asked for.
    public init(_ library: Library, today: Int? = nil, listings: Listings? = nil) {
        self.library = library
        self.today = today
        self.listings = listings
    }

    /// Does `errand`, and returns what the box is to be told. Throws what stood in the way; nothing has changed then. Errands
    /// that are about a stick are somebody else's.
    public func run(_ errand: Errand) throws -> [Event] {
        // What is played is music like any other.
        library.flush()
        switch errand {
        case .importPatterns, .exportPatterns: return []
        case .showLibrary: break
        case .showListings:
            guard let listings else { return [] }
            return [.guide(try listings(library.watched()))]
        case .setWatched(let number, let isWatched):
            try library.setWatched(number, isWatched)
            return []
        case .open(let number): return [.opened(try session(of: number))]
        case .begin(let bank):
            var session = Session()
            session.pattern = try bank.map { try begin(in: $0) } ?? Library.newNumber()
            return [.opened(session)]
        case .duplicate(let number): try library.duplicate(number)
        case .rename(let number, let name): try library.rename(number, name)
        case .delete(let number):
            let removed = try library.remove(number)
            state.withLock { $0.removed = removed }
        case .restore(let number):
            let removed = state.withLock { $0.removed }
            guard let removed, removed.number == number else { throw LibraryError.noPattern("\(number)") }
            try library.restore(removed)
        }
        return [.guide(try library.guide(today: today))]
    }

    private func session(of number: Int64) throws -> Session {
        var session = Session(try library.document(of: number))
        session.pattern = number
        return session
    }

    private func begin(in bank: Int) throws -> Int64 {
        let bank = Bank.allCases.indices.contains(bank) ? Bank.allCases[bank] : .a
        let entries = try library.add([Library.Addition(PatternDocument(pattern: Pattern()), to: bank)])
        return entries.first?.number ?? Library.newNumber()
    }
}
