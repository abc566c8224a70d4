/// How a sound is cut into slices.
public enum SliceCut: Hashable, Sendable {
    /// At the beginnings of its `steps` equal parts that begin most clearly.
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
