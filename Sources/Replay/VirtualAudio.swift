import InputEvents
import Instrument
import Runtime

/// Sound output on a virtual clock: renders up to the present, block by block. Frame 0 is heard at time 0.
public final class VirtualAudio: AudioOutput {
    /// Default block size, in frames.
    private let block: Int
    private let engine: Engine
    private var rendered: UInt64 = 0
    private let take: ((UnsafeMutableBufferPointer<Float>) -> Void)?
    /// Gets the parts of the mix; nil after the end.
    private var takeStems: ((UnsafeMutableBufferPointer<Float>) -> Void)?
    private let channels: Int
    private let stereo: UnsafeMutableBufferPointer<Float>
    /// The pulses, and all channels interleaved; empty without channels beyond stereo.
    private let pulses: UnsafeMutableBufferPointer<Float>
    private let wide: UnsafeMutableBufferPointer<Float>
    /// The parts of the mix; empty if nothing takes them.
    private let stems: UnsafeMutableBufferPointer<Float>
    private var skip: Int
    /// Frames by which all that is heard is late: silence was heard in between.
    private var lag: UInt64 = 0

    /// Whether the sound is not heard, as of a device that is unplugged: `take` gets silence.
    public var isUnplugged = false

    /// Passes the sound of `engine` to `take`, interleaved; without it no sound is rendered. Of more `channels` than two
    /// the last has the pulses. The engine's latency is skipped, so that the first sample belongs to time 0. `stems`
    /// gets the parts of the mix, `Engine.stemSamples` numbers a frame: until `finish` earlier than `take` gets the
    /// sound, then as many frames in all.
    public init(
        _ engine: Engine, block: Int = 256, channels: Int = 2,
        stems takeStems: ((UnsafeMutableBufferPointer<Float>) -> Void)? = nil,
        take: ((UnsafeMutableBufferPointer<Float>) -> Void)?
    ) {
        precondition(block > 0 && channels >= 2)
        self.engine = engine
        self.block = block
        self.channels = channels
        self.take = take
        self.takeStems = takeStems
        skip = engine.latency
        stereo = .allocate(capacity: 2 * block)
        pulses = .allocate(capacity: channels > 2 ? block : 0)
        wide = .allocate(capacity: channels > 2 ? channels * block : 0)
        wide.initialize(repeating: 0)
        stems = .allocate(capacity: takeStems == nil ? 0 : Engine.stemSamples * block)
    }

    deinit { for buffer in [stereo, pulses, wide, stems] { buffer.deallocate() } }

    /// Renders the sound up to `now`.
    public func advance(to now: Instant) { render(to: frame(at: now)) }

    /// The frame that begins at `now`, rounded down.
    public func frame(at now: Instant) -> UInt64 {
        let heard = UInt64(now.microseconds) * UInt64(engine.rate) / 1_000_000
        return heard - min(heard, lag)
    }

    /// The time at which `frame` is heard, rounded up to the microsecond.
    public func time(of frame: UInt64) -> Instant {
        let rate = UInt64(engine.rate)
        return Instant(microseconds: Int64(((frame + lag) * 1_000_000 + rate - 1) / rate))
    }

    /// The place that is heard at `now`.
    public func place(at now: Instant) -> Double? {
        Double(now.microseconds) * Double(engine.rate) / 1_000_000 - Double(lag)
    }

    /// Stops the sound for `frames`, as a device does that got nothing in time: it goes on later by as much.
    public func stumble(frames: Int) {
        lag += UInt64(frames)
        var left = frames
        wide.update(repeating: 0)
        stereo.update(repeating: 0)
        while let take, left > 0 {
            let count = min(left, block)
            take(UnsafeMutableBufferPointer(rebasing: (channels > 2 ? wide : stereo)[..<(channels * count)]))
            left -= count
        }
    }

    /// Renders the rest of the sound up to now, which the engine's latency holds back.
    public func finish() {
        takeStems = nil
        render(to: rendered + UInt64(engine.latency))
    }

    /// Renders the sound up to the frame `end`.
    func render(to end: UInt64) {
        while rendered < end {
            guard let take else {
                engine.pass(frames: Int(end - rendered))
                rendered = end
                break
            }
            let count = Int(min(UInt64(block), end - rendered))
            let samples = render(count)
            if isUnplugged { samples.update(repeating: 0) }
            rendered += UInt64(count)
            let late = min(skip, count)
            skip -= late
            if late < count { take(UnsafeMutableBufferPointer(rebasing: samples[(channels * late)...])) }
        }
    }

    /// Renders `count` frames of all channels.
    private func render(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
        let samples = UnsafeMutableBufferPointer(rebasing: stereo[..<(2 * count)])
        if let takeStems {
            let parts = UnsafeMutableBufferPointer(rebasing: stems[..<(Engine.stemSamples * count)])
            engine.render(into: samples, stems: parts)
            takeStems(parts)
        } else {
            engine.render(into: samples)
        }
        guard channels > 2 else { return samples }
        engine.renderPulses(into: UnsafeMutableBufferPointer(rebasing: pulses[..<count]))
        for frame in 0..<count {
            wide[frame * channels] = samples[2 * frame]
            wide[frame * channels + 1] = samples[2 * frame + 1]
            wide[frame * channels + channels - 1] = pulses[frame]
        }
        return UnsafeMutableBufferPointer(rebasing: wide[..<(channels * count)])
    }
}
