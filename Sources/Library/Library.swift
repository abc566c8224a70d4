import Documents
import InputEvents
import Dispatch
import Instrument
import Runtime
import Synchronization

/// Stores the music in one SQLite file: patterns in banks, their revisions, and the session with its undo history. A
/// power cut costs at most the last two seconds. Playing never waits for the disk: a separate queue writes.
public final class Library: Store, Sendable {
    /// State shared by the loop and the writer; locked only briefly, never during disk access.
    private let notes: Mutex<Notes>
    /// The writer's state; locked before `notes`, never while `notes` is locked.
    let disk: Mutex<Disk>
    private let timer: Timer
    private let faults: DiskSwitch

    /// Runs `body` once after `delay`, on a thread that may wait for the disk.
    package typealias Timer = @Sendable (_ delay: Instant.Span, _ body: @escaping @Sendable () -> Void) -> Void

    private struct Notes {
        /// The session that was kept or read last.
        var session: Session
        /// Whether the library is new and nothing was kept: `session` is then the default.
        var isNew: Bool
        /// The last sessions of patterns that were left for another, oldest first; their music still has to be written.
        var left: [Session] = []
        var schedule = WriteSchedule()
        var failures = 0
        var lastFailure: LibraryError?
        var notices: [String]
    }

    /// Work on the file.
    private enum Task {
        /// Check that the file can be used: nothing was played, so its content stays.
        case open
        case write(Session, left: [Session])
    }

    /// Receives the finished part of a long task, 0-1, while it runs.
    public typealias Progress = @Sendable (_ part: Double) -> Void

    /// The role of a program that uses a library.
    public enum Role: Sendable {
        /// The box, which keeps the session. One at a time; no other process replaces the file meanwhile.
        case player
        /// A command that adds patterns, whether or not a box plays. Any number. Repairs a damaged file if no box
        /// plays.
        case visitor
        /// A command that only reads. Any number. Leaves a damaged file unchanged.
        case reader
    }

    /// Opens the library in the file at `path`, or creates the file and its folder. A damaged file is renamed to
    /// `….damaged-YYYYMMDD-HHMMSS` and a new one begun with what can be read; `drainNotices` reports it. Throws
    /// `.locked` to a second player, and to a visitor that would have to repair a file that a player uses;
    /// `.needsRepair` to a reader of a damaged file.
    public convenience init(path: String, as role: Role = .visitor) throws(LibraryError) {
        try self.init(path: path, as: role, timer: Self.queue())
    }

    /// Opens a player's library as above. If the file cannot be used yet, the music is kept in memory and written as
    /// soon as possible. Throws only `.locked`: another process plays the library.
    public convenience init(waitingFor path: String) throws(LibraryError) {
        try self.init(waitingFor: path, timer: Self.queue())
    }

    /// Opens a player's library as `init(path:as:)`, whose writes are due by `timer`.
    package convenience init(playing path: String, timer: @escaping Timer) throws(LibraryError) {
        try self.init(path: path, as: .player, timer: timer)
    }

    convenience init(
        waitingFor path: String, timer: @escaping Timer, _ files: FileSystem = .linux
    ) throws(LibraryError) {
        var disk = Disk(path: path, as: .player, files)
        // A retry: a single failure must not make the box begin with an empty panel.
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

    convenience init(
        path: String, as role: Role = .visitor, timer: @escaping Timer, _ files: FileSystem = .linux
    ) throws(LibraryError) {
        var disk = Disk(path: path, as: role, files)
        try disk.open()
        self.init(disk, failure: nil, timer: timer)
    }

    private init(_ disk: sending Disk, failure: LibraryError?, timer: @escaping Timer) {
        var disk = disk
        faults = disk.faults
        var notes = Notes(
            session: disk.written ?? Session(), isNew: disk.written == nil, lastFailure: failure,
            notices: disk.drainNotices())
        // Retry even if nothing is ever played.
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

    /// The fault of the library's disk; nil: it is well. Tests of boxes make it fail.
    package var fault: DiskFault? {
        get { faults.fault }
        set { faults.fault = newValue }
    }

    /// The process that plays the library at `path` or replaces its file; nil if there is none.
    public static func player(of path: String) -> Int32? { LibraryLock.holder(of: path) }

    /// Default path of the library: `library.sqlite` in the state folder.
    public static func defaultPath(environment: [String: String]) -> String {
        stateFolder(environment: environment) + "/library.sqlite"
    }

    /// Folder for the box's state: systemd's for a service (`STATE_DIRECTORY`, systemd.exec(5)), otherwise the user's
    /// (`XDG_STATE_HOME`, by default `~/.local/state`).
    public static func stateFolder(environment: [String: String]) -> String {
        func folder(_ name: String) -> String? {
            // Both must be absolute paths; systemd separates several folders by colons.
            let first = environment[name]?.prefix { $0 != ":" || name != "STATE_DIRECTORY" }
            return first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
        }
        let own = folder("XDG_STATE_HOME") ?? (folder("HOME") ?? "") + "/.local/state"
        return folder("STATE_DIRECTORY") ?? own + "/pixelboop"
    }

    /// The session that was kept last, by this program or an earlier one; nil in a new library.
    public func session() -> Session? {
        notes.withLock { $0.isNew ? nil : $0.session }
    }

    /// The session to play: the one kept last, or a first one, with a pattern number.
    public func sessionToPlay() -> Session {
        var session = session() ?? .first
        if session.pattern == nil { session.pattern = Self.newNumber() }
        return session
    }

    /// A number for a new pattern, at random, because several programs may add patterns.
    static func newNumber() -> Int64 { .random(in: 1..<1 << 53) }

    /// Returns and clears the messages about damaged files that were replaced.
    public func drainNotices() -> [String] {
        notes.withLock { notes in
            defer { notes.notices = [] }
            return notes.notices
        }
    }

    /// Adds messages for `drainNotices`.
    func add(_ notices: [String]) { notes.withLock { $0.notices += notices } }

    /// Why the last write failed; nil since one has succeeded. It is retried every two seconds.
    public var lastFailure: LibraryError? { notes.withLock { $0.lastFailure } }

    /// Number of failed writes since the start.
    public var failures: Int { notes.withLock { $0.failures } }

    // MARK: Keeping

    /// Keeps `state`, to be written 500 ms after its last change and at latest 2 s after its first. Returns at once,
    /// and allocates nothing if nothing has changed: arrays that share storage compare as equal at once.
    public func keep(_ state: Instrument.State, at now: Instant) {
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

    /// Writes all changes. On return they are on the disk, or `lastFailure` holds the reason.
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
            let notices = disk.drainNotices()
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
