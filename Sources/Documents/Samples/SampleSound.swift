/// A recorded sound: the frames of a sample, or of a take.
public struct SampleSound: Hashable, Sendable {
    /// Maximum length of a sample in seconds: eight bars at 60 BPM are 32 s, and a loop may be longer.
    public static let secondsMax = 60
    /// Range of the frames per second.
    public static let rates = 8000...192_000

    /// Frames per second.
    public let rate: Int
    /// Samples of a frame: 1 is mono, 2 is left and right.
    public let channels: Int
    /// The samples of the first frame, then the next frame's.
    public let samples: [Int16]

    /// The sound of `samples`, whole frames of one or two `channels`, at `rate` frames per second.
    public init(rate: Int, channels: Int, samples: [Int16]) {
        precondition(rate > 0 && (1...2).contains(channels) && samples.count.isMultiple(of: channels))
        (self.rate, self.channels, self.samples) = (rate, channels, samples)
    }

    /// Length in frames.
    public var frames: Int { samples.count / channels }

    /// Whether it can be a sample.
    public var isSample: Bool { Self.isSample(frames, rate: rate) }

    /// Whether a sound of as many `frames` at `rate` can be a sample.
    public static func isSample(_ frames: Int, rate: Int) -> Bool {
        rates.contains(rate) && (1...secondsMax * rate).contains(frames)
    }

    /// The length of `frames` at `rate` in seconds, with hundredths: a hit may be shorter than a tenth.
    public static func seconds(_ frames: Int, rate: Int) -> String {
        String(100 * Int64(frames) / Int64(max(1, rate)), places: 2)
    }

    /// Bytes of its samples.
    public var size: Int { samples.count * WaveFile.Sample.integer.size }

    /// The sum of the samples of `frame`, for analysis.
    func sum(at frame: Int) -> Int {
        channels == 1 ? Int(samples[frame]) : Int(samples[2 * frame]) + Int(samples[2 * frame + 1])
    }
}
