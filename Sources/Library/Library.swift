import Dispatch
import Instrument
import Runtime
import Synchronization

/// Keeps the music in one SQLite file: patterns in banks, what became of each, and the session with its undo history,
/// so that pulling the plug costs at most the last two seconds. Playing never waits for the disk: what there is to
/// write is written from a queue of its own.
public final class Library: Store, Sendable {
    /// What the loop and the writer share; held for moments only, never while the disk works.
    private let notes: Mutex<Notes>
    /// The writer's; taken before `notes`, never while holding it.
    let disk: Mutex<Disk>
    private let timer: Timer

    /// Runs `body` once, `delay` from now, on a thread that may wait for the disk.
    typealias Timer = @Sendable (_ delay: Instant.Span, _ body: @escaping @Sendable () -> Void) -> Void

    private struct Notes {
        /// What was last kept, or read.
        var session: Session
        /// Nothing has ever been kept: `session` is the one of a box that has never been played.
        var isNew: Bool
        /// The last of patterns that were left for another, oldest first: their music is to be written too.
        var left: [Session] = []
        var schedule = WriteSchedule()
        var failures = 0
        var lastFailure: LibraryError?
        var notices: [String]
    }

    /// What there is to do with the file.
    private enum Task {
        /// To find out whether it can be used: nothing has been played, and what it holds stays.
        case open
        case write(Session, left: [Session])
    }

    /// The part that a program has in a library.
    public enum Role: Sendable {
        /// The box: it keeps the session. One at a time; no other process replaces the file meanwhile.
        case player
        /// Any number of commands that add patterns, while a box plays or not. A damaged file is repaired if none does.
        case visitor
        /// Any number of commands that only look: a damaged file stays where it is.
        case reader
    }

    /// The library in the file at `path`, which is created, with its folder, if it is not there. A damaged one is
    /// renamed to `….damaged-YYYYMMDD-HHMMSS` and a new one begun with what can be read of it; `notices` say so. Throws
    /// `.locked` to a second player, and to a visitor that would have to repair what a player has open; `.needsRepair` to a
    /// reader of a damaged file.
    public convenience init(path: String, as role: Role = .visitor) throws(LibraryError) {
        try self.init(path: path, as: role, timer: Self.queue())
    }

    /// A player's library in the file at `path` as above. If that cannot be used now, what is played is kept in memory, and
    /// written as soon as it can. Throws nothing but `.locked`: there is a player already.
    public convenience init(waitingFor path: String) throws(LibraryError) {
        try self.init(waitingFor: path, timer: Self.queue())
    }

    convenience init(waitingFor path: String, timer: @escaping Timer) throws(LibraryError) {
        var disk = Disk(path: path, as: .player)
        // What fails just once is to be no reason to begin with an empty panel.
        try? disk.open()
        var failure: LibraryError?
        do throws(LibraryError) {
            try disk.open()
        } catch {
            if case .locked = error { throw error }
            failure = error
        }
        self.init(disk, failure: failure, timer: timer)
    }

    convenience init(path: String, as role: Role = .visitor, timer: @escaping Timer) throws(LibraryError) {
        var disk = Disk(path: path, as: role)
        try disk.open()
        self.init(disk, failure: nil, timer: timer)
    }

    private init(_ disk: sending Disk, failure: LibraryError?, timer: @escaping Timer) {
        var disk = disk
        var notes = Notes(
            session: disk.written ?? Session(), isNew: disk.written == nil, lastFailure: failure,
            notices: disk.takeNotices())
        // It has to be asked for again, though nothing may ever be played.
        let delay = failure == nil ? nil : notes.schedule.failWrite()
        self.notes = Mutex(notes)
        self.disk = Mutex(disk)
        self.timer = timer
        if let delay { startTimer(of: delay) }
    }

    private static func queue() -> Timer {
        let queue = DispatchQueue(label: "library", qos: .utility)
        return { delay, body in
            queue.asyncAfter(deadline: .now() + .microseconds(Int(delay.microseconds)), execute: body)
        }
    }

    /// The process that plays the library at `path` or replaces its file; nil while nobody does.
    public static func player(of path: String) -> Int32? { LibraryLock.holder(of: path) }

    /// Where the library is kept: `library.sqlite` in the state folder.
    public static func defaultPath(environment: [String: String]) -> String {
        stateFolder(environment: environment) + "/library.sqlite"
    }

    /// The folder for what the box keeps: the one that systemd gives a service (`STATE_DIRECTORY`, systemd.exec(5)), else one
    /// in the user's own (`XDG_STATE_HOME`, else `~/.local/state`).
    public static func stateFolder(environment: [String: String]) -> String {
        func folder(_ name: String) -> String? {
            // Both are to be absolute; systemd lists several with colons between them.
            let first = environment[name]?.prefix { $0 != ":" || name != "STATE_DIRECTORY" }
            return first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
        }
        let own = folder("XDG_STATE_HOME") ?? (folder("HOME") ?? "") + "/.local/state"
        return folder("STATE_DIRECTORY") ?? own + "/pixelboop"
    }

    /// The session that was kept last, by this program or the one before it; nil in a new library.
    public func session() -> Session? {
        notes.withLock { $0.isNew ? nil : $0.session }
    }

    /// What is to be played: the session that was kept last, or a first one, as a pattern of the library.
    public func sessionToPlay() -> Session {
        var session = session() ?? .first
        if session.pattern == nil { session.pattern = Self.newNumber() }
        return session
    }

    /// A number for a new pattern: drawn at random, as several programs may add some.
    static func newNumber() -> Int64 { .random(in: 1..<1 << 53) }

    /// Lines about files that were damaged and had to make room, each of them given once.
    public func takeNotices() -> [String] {
        notes.withLock { notes in
            defer { notes.notices = [] }
            return notes.notices
        }
    }

    /// Adds lines to those that `takeNotices` gives.
    func add(_ notices: [String]) { notes.withLock { $0.notices += notices } }

    /// Why the last write failed; nil since one has succeeded. It is retried every two seconds.
    public var lastFailure: LibraryError? { notes.withLock { $0.lastFailure } }

    /// Writes that have failed since the start.
    public var failures: Int { notes.withLock { $0.failures } }

    // MARK: Keeping

    /// Takes note of `state`, to be written 500 ms after its last change and at latest 2 s after its first. Returns at
    /// once, and allocates nothing if nothing has changed: arrays that share storage are equal at a glance.
    public func keep(_ state: State, at now: Instant) {
        let session = state.session
        let delay: Instant.Span? = notes.withLock { notes in
            guard session != notes.session else { return nil }
            if session.pattern != notes.session.pattern, !notes.isNew { notes.left.append(notes.session) }
            notes.session = session
            notes.isNew = false
            return notes.schedule.change(at: now)
        }
        if let delay { startTimer(of: delay) }
    }

    /// Writes what is not written yet. When it returns this is on the disk, or else `lastFailure` says why not.
    public func flush() {
        let delay: Instant.Span? = disk.withLock { disk in
            let task: Task? = notes.withLock { notes in
                guard notes.schedule.isPending || !disk.isOpen else { return nil }
                notes.schedule.beginWrite()
                return notes.isNew ? .open : .write(notes.session, left: notes.left)
            }
            guard let task else { return nil }
            do throws(LibraryError) {
                switch task {
                case .open: try disk.open()
                case .write(let session, let left):
                    try disk.write(session, left: left)
                    notes.withLock { $0.left.removeFirst(left.count) }
                }
            } catch {
                return notes.withLock { notes in
                    notes.failures += 1
                    notes.lastFailure = error
                    return notes.schedule.failWrite()
                }
            }
            let notices = disk.takeNotices()
            notes.withLock { notes in
                notes.lastFailure = nil
                notes.notices += notices
                notes.schedule.endWrite()
            }
            return nil
        }
        if let delay { startTimer(of: delay) }
    }

    private func startTimer(of span: Instant.Span) {
        timer(span) { [weak self] in self?.timerEnded() }
    }

    private func timerEnded() {
        switch notes.withLock({ $0.schedule.timerEnded() }) {
        case .rest: break
        case .write: flush()
        case .wait(let span): startTimer(of: span)
        }
    }
}
