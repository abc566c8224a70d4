import Glibc
import InputEvents
import Runtime
import Synchronization
import Threads

/// Sends messages over a serial line, each at its time, by a thread of its own: a serial line has no queue with times.
final class CableSender: Sendable {
    private let clock: any LoopClock
    private let changes = MonotonicSemaphore()
    private let mailbox = Mutex(Mailbox())
    private let thread = Mutex<OwnThread?>(nil)

    private struct Mailbox: Sendable {
        var queue = CableQueue()
        /// The open line; the thread closes it.
        var line: Int32?
        /// Lines that were replaced.
        var old: [Int32] = []
        /// Messages that end all notes.
        var silence: [[UInt8]]
        var hasLost = false
        /// The time at which the thread ends at the latest.
        var end: Instant?

        init(silence: [[UInt8]] = []) { self.silence = silence }

        /// Inserts a message. A full queue loses the beginnings of notes; if that is not enough, all of the channels,
        /// which are silenced.
        mutating func insert(_ bytes: [UInt8], at time: Instant) {
            if queue.insert(bytes, at: time) { return }
            hasLost = true
            queue.removeAll { $0 & 0xf0 == 0x90 }
            if queue.insert(bytes, at: time) { return }
            queue.removeAll { $0 < CableQueue.system }
            for message in silence + [bytes] { _ = queue.insert(message, at: time) }
        }
    }

    /// The wait for a driver that accepts nothing, and the wait of a thread without work.
    private static let patience = Instant.Span.milliseconds(1)
    private static let idle = Instant.Span.milliseconds(1000)
    /// Time for the last messages: twice the time of a full queue of silence.
    private static let endTime = Instant.Span.milliseconds(200)

    /// A sender without a line. `silence` are the messages that end all notes; `priority` is the thread's, SCHED_FIFO,
    /// 0 for none. Nil if the system cannot create a thread.
    init?(silence: [[UInt8]], priority: Int, clock: any LoopClock) {
        self.clock = clock
        mailbox.withLock { $0.silence = silence }
        guard let started = OwnThread(body: { [self] in run(priority) }) else { return nil }
        thread.withLock { $0 = started }
    }

    /// Sends `bytes`, one message, at `time`.
    func send(_ bytes: [UInt8], at time: Instant) {
        mailbox.withLock { $0.insert(bytes, at: time) }
        changes.signal()
    }

    /// Sends over a copy of the descriptor `line` from now on; nil: over none.
    func use(_ line: Int32?) {
        let copy = line.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        mailbox.withLock { mailbox in
            if let old = mailbox.line { mailbox.old.append(old) }
            mailbox.line = copy.flatMap { $0 < 0 ? nil : $0 }
        }
        changes.signal()
    }

    /// Whether messages were lost since the last call, because the queue was full; clears it.
    func readLoss() -> Bool {
        mailbox.withLock { mailbox in
            defer { mailbox.hasLost = false }
            return mailbox.hasLost
        }
    }

    /// Drops what waits, sends `messages` and ends the thread.
    func stop(_ messages: [[UInt8]]) {
        let now = clock.now
        mailbox.withLock { mailbox in
            mailbox.queue.removeAll()
            for message in messages { _ = mailbox.queue.insert(message, at: now) }
            mailbox.end = now + Self.endTime
        }
        changes.signal()
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func run(_ priority: Int) {
        if priority > 0 {
            var parameters = sched_param(sched_priority: Int32(priority))
            // Without the permission messages are late under load; the sound thread's warning says what to do.
            _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        }
        var byte: UInt8?
        while let next = pass(&byte) { changes.wait(timeout: max(.milliseconds(0), next - clock.now)) }
        use(nil)
        closeOld()
    }

    /// Hands over the next byte, or `byte` again that the driver did not take. Returns the time of the next pass; nil
    /// at the end.
    private func pass(_ byte: inout UInt8?) -> Instant? {
        closeOld()
        let now = clock.now
        let (line, end) = mailbox.withLock { mailbox in
            if mailbox.line == nil {
                mailbox.queue.skip(to: now)
                byte = nil
            }
            return (mailbox.line, mailbox.end)
        }
        if let end, line == nil || now >= end { return nil }
        guard let line else { return now + Self.idle }
        while let next = byte ?? mailbox.withLock({ $0.queue.popByte(at: clock.now) }) {
            var bytes = next
            byte = next
            // An error ends the line in the reader.
            guard write(line, &bytes, 1) == 1 else { return clock.now + Self.patience }
            byte = nil
        }
        let (next, isEmpty) = mailbox.withLock { ($0.queue.next, $0.queue.isEmpty) }
        if end != nil, isEmpty { return nil }
        return min(next ?? now + Self.idle, now + Self.idle)
    }

    private func closeOld() {
        let old = mailbox.withLock { mailbox in
            defer { mailbox.old = [] }
            return mailbox.old
        }
        for line in old { close(line) }
    }
}
