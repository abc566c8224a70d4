import Glibc
import InputEvents
import Panel
import Runtime
import Synchronization
import Threads

/// Shows the panel on a screen, on a thread of its own: the panel never waits for a screen. It takes the newest picture,
/// and shows it at the screen's next one. A failure is reported and never stops the box: a lost screen is looked for
/// every second.
public final class ScreenPanel: Sendable {
    /// The state of the screen.
    public struct Status: Hashable, Sendable {
        /// One line that says why nothing is shown and what to do; nil while the panel is shown.
        public var problem: String?
        /// The screen that shows the panel; nil for none.
        public var fit: ScreenFit?
        /// Pictures shown.
        public var pictures = 0
    }

    private struct Mailbox: Sendable {
        /// Three bytes per LED, row by row.
        var picture: [UInt8]
        var isNew = false
        var isStopping = false
        var status = Status()
        /// Matrix from the screen to the panel, of the last screen.
        var touchMatrix: [Double]?
    }

    private let finder: ScreenFinder
    private let blankAfter: Instant.Span?
    private let clock: any LoopClock
    private let mailbox: Mutex<Mailbox>
    /// Signals that the mailbox has changed since the thread last read it.
    private let changes: any TimedSemaphore
    private let thread = Mutex<OwnThread?>(nil)

    /// Shows a panel of `columns` on the screen of `settings`. Nil if the system cannot create a thread.
    public convenience init?(_ settings: PanelConfiguration.Screen, columns: Int, clock: any LoopClock) {
        self.init(settings, columns: columns, clock: clock, changes: MonotonicSemaphore(), calls: .linux)
    }

    init?(
        _ settings: PanelConfiguration.Screen, columns: Int, clock: any LoopClock, changes: any TimedSemaphore,
        calls: ScreenCalls
    ) {
        finder = ScreenFinder(settings: settings, columns: columns, calls: calls)
        blankAfter = settings.blankMinutes > 0 ? .milliseconds(Int64(settings.blankMinutes) * 60_000) : nil
        self.clock = clock
        self.changes = changes
        mailbox = Mutex(Mailbox(picture: Array(repeating: 0, count: 3 * columns * PanelConfiguration.rows)))
        guard let thread = OwnThread(body: { [self] in run() }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    /// Writes a picture into the mailbox: three sRGB bytes per LED, row by row. One of another size is ignored.
    public func show(_ picture: [UInt8]) {
        let isFirst = mailbox.withLock { mailbox in
            guard picture.count == mailbox.picture.count else { return false }
            mailbox.picture.replaceSubrange(0..., with: picture)
            defer { mailbox.isNew = true }
            return !mailbox.isNew
        }
        if isFirst { changes.signal() }
    }

    /// The state of the screen.
    public var status: Status { mailbox.withLock { $0.status } }

    /// Matrix from a touch overlay that covers the screen to the panel, as `ScreenLayout.touchMatrix`; nil before the
    /// first screen.
    public var touchMatrix: [Double]? { mailbox.withLock { $0.touchMatrix } }

    /// Shows what was on the screen before, and ends the thread; returns when that is done.
    public func stop() {
        mailbox.withLock { $0.isStopping = true }
        changes.signal()
        thread.join()
    }

    private func run() {
        let calls = finder.calls
        let reports = try? calls.openChanges().get()
        defer { if let reports { calls.close(reports) } }
        var link: ScreenLink?
        var picture: [UInt8] = []
        var nextCheck = clock.now
        var lastChange = clock.now
        while true {
            let isLast = mailbox.withLock { mailbox in
                mailbox.isNew = false
                picture.removeAll(keepingCapacity: true)
                picture.append(contentsOf: mailbox.picture)
                return mailbox.isStopping
            }
            guard !isLast else { break }
            let now = clock.now
            do throws(SystemError) {
                if now >= nextCheck {
                    nextCheck = now + .retry
                    let hasChanged = reports.map { calls.hasChanged($0) } ?? false
                    if let present = link, try !present.isPresent(probes: hasChanged) {
                        present.end()
                        link = nil
                    }
                    if link == nil { link = try connect() }
                }
                let changes = try link?.show(picture) ?? 0
                if changes > 0 { mailbox.withLock { $0.status.pictures += 1 } }
                if changes > 1 { lastChange = now }
                if let blankAfter, let shown = link, !shown.isBlank, now - lastChange >= blankAfter {
                    try link?.blank(true)
                }
            } catch {
                report(error, of: link?.fit)
                link?.end()
                link = nil
                nextCheck = now + .retry
            }
            changes.wait(timeout: max(nextCheck - clock.now, .milliseconds(0)))
        }
        link?.end()
    }

    /// Starts to show on the screen that is found; nil, and a report, for none.
    private func connect() throws(SystemError) -> ScreenLink? {
        switch finder.find() {
        case .failure(let failure):
            mailbox.withLock { $0.status = Status(problem: failure.description, pictures: $0.status.pictures) }
            return nil
        case .success(let find):
            let link: ScreenLink
            do throws(SystemError) {
                link = try ScreenLink(find, finder.calls)
            } catch {
                report(error, of: find.fit)
                return nil
            }
            mailbox.withLock { mailbox in
                mailbox.status = Status(fit: find.fit, pictures: mailbox.status.pictures)
                mailbox.touchMatrix = find.fit.layout.touchMatrix
            }
            return link
        }
    }

    private func report(_ error: SystemError, of fit: ScreenFit?) {
        let name = fit?.connector.name ?? "the screen"
        let problem =
            error.isForbidden
            ? "\(name) was taken by another program: end it; it is looked for every second"
            : "\(name) failed (\(error)): check its cable; it is looked for every second"
        mailbox.withLock { $0.status = Status(problem: problem, pictures: $0.status.pictures) }
    }
}
