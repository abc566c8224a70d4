import Glibc
import InputEvents
import Synchronization
import TestTags
import Testing

@testable import Devices

/// Calls that hand out the descriptors 100 and 101, and log what is done with them.
private final class FakeClockCalls: Sendable {
    let log = Mutex<[String]>([])
    let events: Faults
    let sets: Faults
    let watches: Faults
    let waits: Faults

    init(event: [Int32?] = [], set: [Int32?] = [], watch: [Int32?] = [], wait: [Int32?] = []) {
        events = Faults(event)
        sets = Faults(set)
        watches = Faults(watch)
        waits = Faults(wait)
    }

    private func note(_ line: String) { log.withLock { $0.append(line) } }

    var calls: ClockCalls {
        ClockCalls(
            now: { Instant(milliseconds: 5) },
            openEvent: { self.events.result { .success(100) } },
            openWatched: { self.sets.result { .success(101) } },
            watch: { watched, descriptor in
                self.watches.result {
                    self.note("watch \(descriptor)")
                    return .success(0)
                }
            },
            forget: { watched, descriptor in
                self.note("forget \(descriptor)")
                return .failure(SystemError(errno: ENOENT))
            },
            waitReadable: { watched, nanoseconds in
                self.waits.result {
                    self.note("wait \(nanoseconds)")
                    return .success(1)
                }
            },
            clear: { self.note("clear \($0)") },
            increment: { self.note("increment \($0)") },
            close: { self.note("close \($0)") })
    }
}

@Suite("Calls of the system clock that fail", .tags(.live))
struct ClockCallTests {
    static let starts: [(event: [Int32?], set: [Int32?], watch: [Int32?], says: String, closed: [String])] = [
        ([EMFILE], [], [], "the loop's wake-up event: Too many open files", []),
        ([ENODEV], [], [], "the loop's wake-up event: No such device", []),
        ([], [EMFILE], [], "the loop's wake-up events: Too many open files", ["close 100"]),
        ([], [], [ENOSPC], "the loop's wake-up events: No space left on device", ["close 101", "close 100"]),
    ]

    @Test("at the start they are reported, and every descriptor is closed", arguments: starts)
    func start(
        _ start: (event: [Int32?], set: [Int32?], watch: [Int32?], says: String, closed: [String])
    ) {
        let fake = FakeClockCalls(event: start.event, set: start.set, watch: start.watch)
        do throws(DeviceError) {
            _ = try SystemClock(fake.calls)
            Issue.record("it started")
        } catch {
            #expect(error.description == start.says)
        }
        #expect(fake.log.withLock { $0 } == start.closed)
    }

    @Test("a signal, or a system without memory, ends a wait early", arguments: [EINTR, EAGAIN, ENOMEM])
    func wait(errno: Int32) throws {
        let fake = FakeClockCalls(wait: [errno])
        let clock = try SystemClock(fake.calls)
        fake.log.withLock { $0 = [] }
        clock.wait(until: Instant(milliseconds: 7))
        #expect(fake.log.withLock { $0 } == [], "the event is as it was")
        clock.wait(until: Instant(milliseconds: 7))
        #expect(fake.log.withLock { $0 } == ["wait 2000000", "clear 100"])
    }

    @Test(
        "a descriptor that cannot be watched or forgotten is passed over", arguments: [ENOSPC, ENOMEM, EPERM, EEXIST])
    func watch(errno: Int32) throws {
        let fake = FakeClockCalls(watch: [nil, errno])
        let clock = try SystemClock(fake.calls)
        clock.watch(7)
        clock.forget(7)
        clock.watch(8)
        #expect(fake.log.withLock { $0 } == ["watch 100", "forget 7", "watch 8"])
    }
}
