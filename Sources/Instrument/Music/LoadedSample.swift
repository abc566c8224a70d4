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

/// How a sound is cut into slices.
public enum SliceCut: Hashable, Sendable {
    /// At those of its `steps` equal parts that begin most clearly.
    case steps(Int)
    /// Where sounds in it begin.
    case onsets
}

/// A sample cut into slices, one for each pad from the first on.
public struct SliceKit: Hashable, Sendable {
    /// The sample.
    public var sample: SoundName
    /// Begins and ends of the slices, in millionths of its length.
    public var slices: [Range<Int>]

    /// The `slices` of `sample`.
    public init(_ sample: SoundName, _ slices: [Range<Int>]) {
        self.sample = sample
        self.slices = slices
    }
}

extension SoundSettings {
    /// Gives the slices to the pads; those without one play their drums.
    public mutating func choose(_ kit: SliceKit) {
        for control in SoundControl.pads { self[control] = control.defaultValue }
        for pad in Track.rhythm.notes { self[sampleOf: pad] = nil }
        for (pad, slice) in zip(Track.rhythm.notes, kit.slices) {
            self[sampleOf: pad] = kit.sample
            self[.pad(pad, .start)] = slice.lowerBound
            self[.pad(pad, .end)] = slice.upperBound
        }
        self[nameOf: .rhythm] = kit.sample
    }
}
