import Instrument

// A sound as slices for the pads, and as a picture for the panel.

extension SliceKit {
    /// The slices of `sound`, which is the sample of this name.
    public init(_ sample: SoundName, _ sound: SampleSound, _ cut: SliceCut) {
        let ranges =
            switch cut {
            case .steps(let count): Slices.byStep(sound, steps: count)
            case .onsets: Slices.byOnset(sound)
            }
        func place(_ frame: Int) -> Int {
            Int((Int64(frame) * Int64(PadControl.whole) + Int64(sound.frames / 2)) / Int64(sound.frames))
        }
        self.init(sample, ranges.map { place($0.lowerBound)..<place($0.upperBound) })
    }
}

extension LoadedSample {
    /// The sample `name`, whose `sound` is in `slot` of the engine.
    public init(name: SoundName, slot: Int, _ sound: SampleSound) {
        let count = Int64(sound.samples.count)
        let peaks = (0..<Int64(Self.parts)).map { part in
            let first = Int(part * count / Int64(Self.parts))
            let end = max(first + 1, Int((part + 1) * count / Int64(Self.parts)))
            let peak = sound.samples[first..<min(end, sound.samples.count)].reduce(0) { max($0, Int($1.magnitude)) }
            return UInt8(min(255, peak / 128))
        }
        self.init(name: name, slot: slot, peaks: peaks)
    }
}
