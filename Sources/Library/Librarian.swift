import Documents
import Instrument
import Synchronization

/// Performs the panel's requests to the library and returns the results. Waits for the disk, so the loop must not call
/// it.
public final class Librarian: Sendable {
    private let library: Library
    private let today: Int?
    private let listings: Listings?
    private let state = Mutex(State())

    /// TV listings as a guide that marks the programmes of these numbers as watched.
    public typealias Listings = @Sendable (_ watched: Set<Int64>) throws -> GuideContent

    private struct State {
        /// The pattern that was deleted last, to be restored on request.
        var removed: RemovedPattern?
    }

    /// A librarian of `library`. `today` is the current day (days since 1970-01-01), by default the clock's.
    /// `listings`, if given, are read again for each request.
    public init(_ library: Library, today: Int? = nil, listings: Listings? = nil) {
        self.library = library
        self.today = today
        self.listings = listings
    }

    /// Performs `job` and returns the events for the box. Throws if it failed; nothing has changed then. Ignores jobs
    /// for a USB stick, takes and samples, which are files beside the library.
    public func run(_ job: Instrument.Job) throws -> [Instrument.Event] {
        // Unsaved music counts too.
        library.flush()
        switch job {
        case .importPatterns, .exportPatterns, .keepTake, .showSamples, .loadSample, .removeSample, .slice,
            .sliceSample:
            return []
        case .showLibrary: break
        case .showListings:
            guard let listings else { return [] }
            return [.guide(try listings(library.watched()))]
        case .setWatched(let number, let isWatched):
            try library.setWatched(number, isWatched)
            return []
        case .showSounds: return [.sounds(try library.presets())]
        case .keepSound(let preset):
            try library.keep([preset])
            return [.sounds(try library.presets())]
        case .removeSound(let kind, let name):
            try library.remove(kind, name)
            return [.sounds(try library.presets())]
        case .showTunings: return [.tunings(try library.tunings())]
        case .open(let number, let tune): return [.opened(try session(of: number), tune: tune)]
        case .begin(let bank, let tune):
            var session = Session.begun
            session.pattern = try bank.map { try begin(in: $0) } ?? Library.newNumber()
            return [.opened(session, tune: tune)]
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
        let document = PatternDocument(pattern: Pattern(), sound: .factory)
        let entries = try library.add([Library.Addition(document, to: bank)])
        return entries.first?.number ?? Library.newNumber()
    }
}
