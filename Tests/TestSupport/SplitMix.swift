import Glibc

/// Random numbers that a seed repeats, the same on every machine (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators": SplitMix64).
public struct SplitMix: RandomNumberGenerator, Sendable {
    /// A seed that no run before had, or that which PIXELBOOP_SEED repeats; a test that fails prints it.
    public static var seed: UInt64 {
        getenv("PIXELBOOP_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0...UInt64.max)
    }

    private var state: UInt64

    /// The numbers that follow from `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
