import Instrument
import Synth

extension Engine {
    /// Duration of the sound that can be recalled, in seconds.
    public static let memorySeconds = 300
    /// Sound that is kept beyond it, in seconds: what is being read must not be overwritten.
    private static let memoryMargin = 10

    /// Keeps the last five minutes of the output from now on, in 16 bits. Call it before the first frame is rendered.
    /// `inRealTime`: the memory's pages exist then, so that the audio thread need not wait for one. Returns false if
    /// memory is short.
    public func remember(inRealTime: Bool) -> Bool {
        synth_remember(synth, UInt32(rate * (Self.memorySeconds + Self.memoryMargin)), inRealTime)
    }

    /// The oldest frame of the last five minutes.
    public var oldestFrame: UInt64 {
        let (frames, kept) = (frames, UInt64(rate * Self.memorySeconds))
        return frames - min(frames, kept)
    }

    /// Copies the output from `frame` on into `samples`, left and right interleaved. Returns false if it is not all
    /// kept. Any thread may call it.
    public func recall(from frame: UInt64, into samples: UnsafeMutableBufferPointer<Int16>) -> Bool {
        guard let base = samples.baseAddress else { return true }
        return synth_recall(synth, frame, base, UInt32(samples.count / 2))
    }

    /// The output of `span`, left and right interleaved; nil if it is not all kept. Any thread may call it.
    public func recall(_ span: TakeSpan) -> [Int16]? {
        var samples = [Int16](repeating: 0, count: 2 * span.count)
        return samples.withUnsafeMutableBufferPointer { recall(from: span.begin, into: $0) } ? samples : nil
    }
}
