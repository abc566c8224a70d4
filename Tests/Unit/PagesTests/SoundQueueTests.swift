import InputEvents
import Testing

@testable import Pages

@Suite("The sound's queue")
struct SoundQueueTests {
    @Test("a reader that fell behind continues near the newest")
    func late() {
        var queue = SoundQueue(rate: 1000)
        var position = 0
        let samples = (0..<1000).flatMap { [Int16($0), -Int16($0)] }
        samples.withUnsafeBufferPointer { queue.write($0, at: Instant(milliseconds: 5000)) }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 40, alignment: 2)
        defer { bytes.deallocate() }
        let block = queue.readBlock(at: &position, into: bytes)
        #expect(block.length == 40)
        // The box plays the frame 950 so many milliseconds after the first.
        #expect(block.time == Instant(milliseconds: 5950))
        let first: [Int16] = [950, -950, 951, -951]
        #expect(bytes.bindMemory(to: Int16.self).starts(with: first))
        var blocks = 1
        while queue.hasBlock(at: position) {
            _ = queue.readBlock(at: &position, into: bytes)
            blocks += 1
        }
        #expect(blocks == 5)
        #expect(bytes.bindMemory(to: Int16.self).last == -999)
    }

    @Test("without a rate it accepts nothing")
    func silent() {
        var queue = SoundQueue(rate: 0)
        [Int16(1), 2].withUnsafeBufferPointer { queue.write($0, at: .zero) }
        #expect(!queue.hasBlock(at: 0))
    }
}
