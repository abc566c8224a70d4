import Documents
import InputEvents

/// A cable between two boxes: what leaves one arrives at the other, later, or never.
final class Cable {
    enum Kind: String, CaseIterable { case midi, pulse }

    let from, to: String
    let kind: Kind
    private let target: DrivenBox
    private let delay, jitter: Double
    private let loss: Double
    private var chance: UInt64
    /// Messages on their way, with the times at which they arrive.
    private var carried: [(at: Instant, bytes: [UInt8])] = []
    private var last = Instant.zero

    static let keys = ["cable", "delay", "jitter", "loss", "seed"]
    /// A message takes at least this long, in milliseconds: three bytes at 31,250 baud, ten bits each (MIDI 1.0 Detailed
    /// Specification, "Hardware").
    private static let delayMin = 1.0

    /// The cable that `request` describes.
    init(
        _ request: JSONField, from: (name: String, box: DrivenBox), to: (name: String, box: DrivenBox)
    ) throws(FormatError) {
        (self.from, self.to, target) = (from.name, to.name, to.box)
        kind = try request.needed("cable").choice()
        var (delay, jitter, loss) = (Self.delayMin, 0.0, 0.0)
        try request.read("delay", in: 0...10_000, into: &delay)
        try request.read("jitter", in: 0...10_000, into: &jitter)
        try request.read("loss", in: 0...100, into: &loss)
        var seed = 0
        try request.read("seed", in: 0...Int(Int32.max), into: &seed)
        (self.delay, self.jitter, self.loss, chance) = (max(Self.delayMin, delay), jitter, loss, UInt64(seed))
    }

    /// Whether `other` is in the same place.
    func isLike(_ other: Cable) -> Bool { (from, to, kind) == (other.from, other.to, other.kind) }

    /// Takes `bytes`, which left at `time`.
    func take(_ bytes: [UInt8], at time: Instant) {
        if draw() * 100 < loss { return }
        let milliseconds = delay + draw() * jitter
        last = max(last, time + Instant.Span(milliseconds: milliseconds))
        carried.append((last, bytes))
    }

    /// Gives what is on its way to the other box, which plays it when it arrives. All boxes have played until `now`.
    func carry(by now: Instant) {
        for (time, bytes) in carried { arrive(bytes, at: max(time, now)) }
        carried.removeAll(keepingCapacity: true)
    }

    private func arrive(_ bytes: [UInt8], at time: Instant) {
        switch kind {
        case .midi:
            let keys: [String: JSON] = ["midi": .string(String(midi: bytes)), "port": .string(from)]
            target.send(ScriptLine(TouchScript.Line(at: time, act: .midi(bytes, port: from)), keys))
        case .pulse:
            target.send(
                ScriptLine(TouchScript.Line(at: time, act: .control(.edge(.clock))), ["edge": .string("clock")]))
        }
    }

    /// Takes the cable away at `now`.
    func unplug(at now: Instant) {
        guard kind == .midi else { return }
        let keys: [String: JSON] = ["plug": .string("out"), "port": .string(from)]
        target.send(ScriptLine(TouchScript.Line(at: now, act: .device(.unplug(port: from))), keys))
    }

    /// A number by chance, 0 to 1: splitmix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
    /// Generators", 2014).
    private func draw() -> Double {
        chance &+= 0x9e37_79b9_7f4a_7c15
        var mixed = chance
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return Double((mixed ^ mixed >> 31) >> 11) / Double(1 << 53)
    }
}
