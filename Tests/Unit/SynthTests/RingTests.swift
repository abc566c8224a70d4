import Glibc
import SynthProbe
import TestTags
import Testing
import TestSupport

@Suite("The queue between the threads", .tags(.live))
struct RingTests {
    private static let capacity = Int(synth_probe_ring_capacity)

    /// A reference queue and the ring.
    private final class Pair {
        let ring: OpaquePointer
        var model: [UInt64] = []

        init(index: UInt32) throws {
            ring = try #require(synth_probe_ring_create(index))
        }

        deinit {
            synth_probe_ring_destroy(ring)
        }

        /// Writes to both; true if they agree on whether there is space.
        func write(_ numbers: [UInt64]) -> Bool {
            let fits = model.count + numbers.count <= RingTests.capacity
            if fits {
                model += numbers
            }
            return synth_probe_ring_write(ring, numbers, UInt32(numbers.count)) == fits
        }

        /// Reads from both; true if they agree.
        func read() -> Bool {
            var number: UInt64 = 0
            let isThere = synth_probe_ring_front(ring, &number)
            guard let expected = model.first else {
                return !isThere
            }
            model.removeFirst()
            if isThere {
                synth_probe_ring_drop(ring)
            }
            return isThere && number == expected
        }
    }

    /// Initial indices: zero, less than a ring before the wrap, and in the middle.
    static let indices: [UInt32] = [0, .max, .max - 7, .max - 15, .max - 5000, 1 << 31]

    @Test("it behaves like a list, at the start of its indices and at the wrap", arguments: indices)
    func model(index: UInt32) throws {
        let seed = UInt64(index) &+ 0x5eed
        var random = SplitMix(seed: seed)
        let pair = try Pair(index: index)
        var next: UInt64 = 1
        var refused = 0
        var empty = 0
        for operation in 0..<20000 {
            // Periods that fill it and periods that empty it.
            let isWrite = Int.random(in: 0..<10, using: &random) < (operation / 50 % 2 == 0 ? 7 : 2)
            if isWrite {
                let count = Int.random(in: 0...Self.capacity + 1, using: &random) / (operation % 3 + 1)
                let room = Self.capacity - pair.model.count
                refused += count > room ? 1 : 0
                try #require(
                    pair.write((0..<count).map { next + UInt64($0) }), "operation \(operation), seed \(seed)")
                next += UInt64(count)
            } else {
                empty += pair.model.isEmpty ? 1 : 0
                try #require(pair.read(), "operation \(operation), seed \(seed)")
            }
        }
        #expect(refused > 100 && empty > 100)
    }

    @Test("it holds exactly its capacity, a batch completely or not at all", arguments: indices)
    func full(index: UInt32) throws {
        let pair = try Pair(index: index)
        for start in 0..<2 * Self.capacity {
            // A different number of records before the wrap each time.
            #expect(pair.write([UInt64(start)]) && pair.read())
            #expect(!synth_probe_ring_write(pair.ring, [UInt64](repeating: 9, count: 17), 17))
            #expect(pair.write((0..<16).map { UInt64(100 * start + $0) }))
            #expect(!synth_probe_ring_write(pair.ring, [9], 1))
            #expect(synth_probe_ring_write(pair.ring, [], 0))
            for _ in 0..<16 {
                #expect(pair.read())
            }
            #expect(pair.read(), "empty")
        }
    }

    /// `make check-threads` runs it longer, under ThreadSanitizer.
    @Test("one thread reads what the other writes, in order and complete")
    func hammer() throws {
        let records = getenv("PIXELBOOP_HAMMER_RECORDS").flatMap { UInt64(String(cString: $0)) } ?? 2_000_000
        let seed: UInt64 = 0x4a3d
        let result = synth_probe_hammer(records, .max - UInt32(records / 2), seed)
        #expect(result.read == records)
        #expect(result.wrong == 0, "of \(records), seed \(seed), \(result.refused) batches refused")
    }
}
