/// A sample in the engine's memory.
public struct LoadedSample: Hashable, Sendable {
    /// Its name in the library.
    public var name: SoundName
    /// Its place in the engine.
    public var slot: Int
    /// The largest magnitudes of its parts, which are equally long, from 0 to 255.
    public var peaks: [UInt8]

    /// Number of places in the engine.
    public static let slots = 32
    /// Number of parts.
    public static let parts = 60

    /// The sample `name` in `slot`.
    public init(name: SoundName, slot: Int, peaks: [UInt8]) {
        self.name = name
        self.slot = slot
        self.peaks = peaks
    }

    /// The largest magnitude between two places, from 0 to 1.
    func peak(_ places: Range<Int>) -> Float {
        guard !peaks.isEmpty else { return 0 }
        let first = min(places.lowerBound * peaks.count / PadControl.whole, peaks.count - 1)
        let end = max(first + 1, (places.upperBound * peaks.count + PadControl.whole - 1) / PadControl.whole)
        var peak: UInt8 = 0
        for index in first..<min(end, peaks.count) { peak = max(peak, peaks[index]) }
        return Float(peak) / 255
    }
}
