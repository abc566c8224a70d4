import Dispatch
import Instrument
import Runtime
import Synchronization

/// Keeps the session, undo history included, in one SQLite file, so that pulling the plug costs at most the last two
/// seconds. Playing never waits for the disk: what there is to write is written from a queue of its own.
public final class Library: Store, Sendable {
    /// One line about a damaged file that was set aside at the start; nil if there was none.
    public let notice: String?

    /// What the loop and the writer share; held for moments only, never while the disk works.
    private let notes: Mutex<Notes>
    /// The writer's; taken before `notes`, never while holding it.
    let disk: Mutex<Database>
    private let timer: Timer

    /// Runs `body` once, `delay` from now, on a thread that may wait for the disk.
    typealias Timer = @Sendable (_ delay: Instant.Span, _ body: @escaping @Sendable () -> Void) -> Void

    private struct Notes {
        /// What was last kept, or read.
        var session: Session
        /// Nothing has ever been kept: `session` is the one of a box that has never been played.
        var isNew: Bool
        var schedule = WriteSchedule()
        var failures = 0
        var lastFailure: String?
    }

    /// The library in the file at `path`, which is created, with its folder, if it is not there. A damaged one is renamed
    /// to `….damaged-YYYYMMDD-HHMMSS` and a new one begun; `notice` says so.
    public convenience init(path: String) throws(LibraryError) {
        let queue = DispatchQueue(label: "library", qos: .utility)
        try self.init(path: path) { delay, body in
            queue.asyncAfter(deadline: .now() + .microseconds(Int(delay.microseconds)), execute: body)
        }
    }

    init(path: String, timer: @escaping Timer) throws(LibraryError) {
        let file = try LibraryFile(path: path)
        notice = file.notice
        notes = Mutex(Notes(session: file.session ?? Session(), isNew: file.session == nil))
        disk = Mutex(file.database)
        self.timer = timer
    }

    /// Where the library is kept: `library.sqlite` in the folder that systemd gives a service (`STATE_DIRECTORY`,
    /// systemd.exec(5)), else in the user's own (`XDG_STATE_HOME`, else `~/.local/state`).
    public static func defaultPath(environment: [String: String]) -> String {
        func folder(_ name: String) -> String? {
            // Both are to be absolute; systemd lists several with colons between them.
            let first = environment[name]?.prefix { $0 != ":" || name != "STATE_DIRECTORY" }
            return first.flatMap { $0.hasPrefix("/") ? String($0) : nil }
        }
        let own = folder("XDG_STATE_HOME") ?? (folder("HOME") ?? "") + "/.local/state"
        return (folder("STATE_DIRECTORY") ?? own + "/pixelboop") + "/library.sqlite"
    }

    /// The session that was kept last, by this program or the one before it; nil in a new library.
    public func session() -> Session? {
        notes.withLock { $0.isNew ? nil : $0.session }
    }

    /// Why the last write failed, in one line; nil since one has succeeded. It is tried again every two seconds.
    public var lastFailure: String? { notes.withLock { $0.lastFailure } }

    /// Writes that have failed since the start.
    public var failures: Int { notes.withLock { $0.failures } }

    // MARK: Keeping

    /// Takes note of `state`, to be written 500 ms after its last change and at latest 2 s after its first. Returns at
    /// once, and allocates nothing if nothing has changed: arrays that share storage are equal at a glance.
    public func keep(_ state: State, at now: Instant) {
        let session = state.session
        let delay: Instant.Span? = notes.withLock { notes in
            guard session != notes.session else { return nil }
            notes.session = session
            notes.isNew = false
            return notes.schedule.change(at: now)
        }
        if let delay { startTimer(of: delay) }
    }

    /// Writes what is not written yet. When it returns this is on the disk, or else `lastFailure` says why not.
    public func flush() {
        let delay: Instant.Span? = disk.withLock { database in
            let session: Session? = notes.withLock { notes in
                guard notes.schedule.isPending else { return nil }
                notes.schedule.beginWrite()
                return notes.session
            }
            guard let session else { return nil }
            do throws(DatabaseError) {
                try database.write(session)
            } catch {
                return notes.withLock { notes in
                    notes.failures += 1
                    notes.lastFailure = "cannot write the library: \(error.reason)"
                    return notes.schedule.failWrite()
                }
            }
            notes.withLock { notes in
                notes.lastFailure = nil
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
