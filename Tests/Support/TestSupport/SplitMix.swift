import Glibc

/// Random numbers determined by a seed, the same on every machine (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators": SplitMix64).
public struct SplitMix: RandomNumberGenerator, Sendable {
    /// A new seed, or the one in PIXELBOOP_SEED; a failing test prints it.
    public static var seed: UInt64 {
        getenv("PIXELBOOP_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0...UInt64.max)
    }

    private var state: UInt64

    /// A generator with `seed`.
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
