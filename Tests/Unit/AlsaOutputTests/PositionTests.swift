import Glibc
import PositionProbe
import Testing

@Suite("The position")
struct PositionTests {
    /// `make check-threads` runs it longer, under ThreadSanitizer.
    @Test("a reader gets both halves of one pair, and never an older pair than before")
    func hammer() {
        let reads = getenv("PIXELBOOP_HAMMER_RECORDS").flatMap { UInt64(String(cString: $0)) } ?? 2_000_000
        let result = position_hammer(reads, 100)
        #expect(result.torn == 0, "of \(result.read)")
        #expect(result.reversed == 0)
    }
}
