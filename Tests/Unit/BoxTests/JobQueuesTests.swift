import Dispatch
import Foundation
import Instrument
import Synchronization
import TestTags
import Testing

@testable import Box

@Suite("JobQueues", .tags(.live))
struct JobQueuesTests {
    @Test("one that takes too long is reported, delays only its own kind, and still gives its result")
    func late() {
        let released = DispatchSemaphore(value: 0)
        let posted = DispatchSemaphore(value: 0)
        let events = Mutex<[Instrument.Event]>([])
        let post: @Sendable (Instrument.Event) -> Void = { event in
            events.withLock { $0.append(event) }
            posted.signal()
        }
        func next() -> Instrument.Event? {
            #expect(posted.wait(timeout: .now() + 20) == .success)
            return events.withLock { $0.last }
        }
        let jobs = JobQueues(deadline: .milliseconds(50), post: post) { job in
            if job == .importPatterns { released.wait() }
            return [.notice(job == .importPatterns ? .imported(3) : .imported(7))]
        }
        jobs.run(.importPatterns)
        #expect(next() == .notice(.busy))
        // A second one would only wait behind it.
        jobs.run(.exportPatterns)
        #expect(next() == .notice(.busy))
        jobs.run(.showLibrary)
        #expect(next() == .notice(.imported(7)))
        released.signal()
        #expect(next() == .notice(.imported(3)))
        jobs.run(.exportPatterns)
        #expect(next() == .notice(.imported(7)))
        #expect(events.withLock { $0.count } == 5)
    }
}
