import Instrument
import Synth

extension Engine {
    /// Bytes that the samples in the engine's memory fill at most.
    public static let sampleMemory = 64 << 20

    /// Loads interleaved `samples` of one or two `channels` into the engine's memory; they have `rate` frames a second.
    /// Returns the slot; nil if all slots or `sampleMemory` are in use, or memory is short. Only one thread may call
    /// it; not the audio thread.
    public func load(_ samples: [Int16], channels: Int, rate: Int) -> Int? {
        let slots = 0..<LoadedSample.slots
        // All of them, so that the memory of those that became empty is free.
        let empty = slots.filter { synth_free_sample(synth, UInt32($0)) }
        for slot in empty { sampleSizes[slot] = 0 }
        // At the engine's rate.
        let size = Int(Int64(samples.count * MemoryLayout<Int16>.size) * Int64(self.rate) / Int64(rate))
        guard let slot = empty.first, sampleSizes.reduce(size, +) <= Self.sampleMemory else { return nil }
        let frames = UInt32(clamping: samples.count / channels)
        guard synth_load_sample(synth, UInt32(slot), samples, frames, UInt32(channels), UInt32(clamping: rate)) else {
            return nil
        }
        sampleSizes[slot] = size
        return slot
    }
}
