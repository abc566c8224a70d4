import Dispatch
import Foundation
import Instrument
import Synchronization
import Testing

@testable import pixelboop

@Suite("Errands")
struct ErrandsTests {
    @Test("one that takes too long is told, keeps only its own kind waiting, and still gives its result")
    func late() {
        let released = DispatchSemaphore(value: 0)
        let posted = DispatchSemaphore(value: 0)
        let events = Mutex<[Event]>([])
        let say: @Sendable (Event) -> Void = { event in
            events.withLock { $0.append(event) }
            posted.signal()
        }
        func next() -> Event? {
            #expect(posted.wait(timeout: .now() + 20) == .success)
            return events.withLock { $0.last }
        }
        let errands = Errands(deadline: .milliseconds(50), say: say) { errand in
            if errand == .importPatterns { released.wait() }
            return [.notice(errand == .importPatterns ? .imported(3) : .imported(7))]
        }
        errands.run(.importPatterns)
        #expect(next() == .notice(.busy))
        // A second one would only wait behind it.
        errands.run(.exportPatterns)
        #expect(next() == .notice(.busy))
        errands.run(.showLibrary)
        #expect(next() == .notice(.imported(7)))
        released.signal()
        #expect(next() == .notice(.imported(3)))
        errands.run(.exportPatterns)
        #expect(next() == .notice(.imported(7)))
        #expect(events.withLock { $0.count } == 5)
    }
}
