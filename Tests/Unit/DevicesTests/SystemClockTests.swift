import Devices
import Dispatch
import Glibc
import InputEvents
import Runtime
import TestTags
import Testing

@Suite("The system clock", .tags(.live))
struct SystemClockTests {
    @Test("waiting ends at the deadline, not before")
    func deadline() throws {
        let clock = try SystemClock()
        let end = clock.now + .milliseconds(20)
        clock.wait(until: end)
        #expect(clock.now >= end)
    }

    @Test("a wake ends the wait in progress, from another thread")
    func wakeDuringWait() throws {
        let clock = try SystemClock()
        let start = clock.now
        DispatchQueue.global().async { clock.wake() }
        clock.wait(until: start + .milliseconds(20_000))
        #expect(clock.now - start < .milliseconds(10_000))
    }

    @Test("a wake before the wait ends it at once, and only that one")
    func wakeBeforeWait() throws {
        let clock = try SystemClock()
        for _ in 0..<3 { clock.wake() }
        let start = clock.now
        clock.wait(until: start + .milliseconds(20_000))
        #expect(clock.now - start < .milliseconds(10_000))
        let end = clock.now + .milliseconds(15)
        clock.wait(until: end)
        #expect(clock.now >= end)
    }

    @Test("a watched descriptor ends the wait while it is readable")
    func watched() throws {
        let clock = try SystemClock()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        clock.watch(ends[0])
        var byte: UInt8 = 1
        let writer = ends[1]
        DispatchQueue.global().async {
            var byte: UInt8 = 1
            _ = write(writer, &byte, 1)
        }
        let start = clock.now
        clock.wait(until: start + .milliseconds(20_000))
        clock.wait(until: start + .milliseconds(20_000))
        #expect(clock.now - start < .milliseconds(10_000))
        #expect(read(ends[0], &byte, 1) == 1)
        let rest = clock.now + .milliseconds(15)
        clock.wait(until: rest)
        #expect(clock.now >= rest)
        clock.forget(ends[0])
        _ = write(writer, &byte, 1)
        let end = clock.now + .milliseconds(15)
        clock.wait(until: end)
        #expect(clock.now >= end)
    }

    @Test("a deadline in the past does not wait")
    func past() throws {
        let clock = try SystemClock()
        let start = clock.now
        clock.wait(until: .zero)
        #expect(clock.now - start < .milliseconds(1000))
    }
}
