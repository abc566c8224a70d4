/// A RIFF WAVE file of 32-bit float, 16-bit or 24-bit integer samples (Microsoft, "Multiple channel audio data and WAVE files":
/// WAVE_FORMAT_IEEE_FLOAT with a fact chunk, WAVE_FORMAT_PCM). After the header come the interleaved samples in
/// little-endian order, the byte order of every supported machine.
public enum WaveFile {
    /// A kind of sample.
    public enum Sample: Sendable {
        /// 32-bit floating point; full scale is 1.
        case float
        /// 16-bit integers.
        case integer
        /// 24-bit integers; an even number of channels, as a chunk has an even number of bytes.
        case integer24

        /// Bytes of a sample.
        public var size: Int {
            switch self {
            case .float: 4
            case .integer: 2
            case .integer24: 3
            }
        }
        /// Bytes before the first sample.
        public var headerSize: Int { self == .float ? 58 : 44 }
    }

    /// The header of a file of `frames` frames of `channels` at `rate` frames per second. The size fields of a file
    /// beyond 4 GiB contain their maximum.
    public static func header(frames: Int, rate: Int, channels: Int = 2, of sample: Sample = .float) -> [UInt8] {
        let frameSize = channels * sample.size
        let dataSize = min(Int64(frames) * Int64(frameSize), Int64(UInt32.max) - Int64(sample.headerSize))
        var bytes: [UInt8] = []
        bytes += Array("RIFF".utf8) + little(dataSize + Int64(sample.headerSize) - 8, 4) + Array("WAVEfmt ".utf8)
        bytes += little(sample == .float ? 18 : 16, 4) + little(sample == .float ? 3 : 1, 2) + little(channels, 2)
        bytes += little(rate, 4) + little(rate * frameSize, 4) + little(frameSize, 2) + little(8 * sample.size, 2)
        if sample == .float {
            bytes += little(0, 2) + Array("fact".utf8) + little(4, 4) + little(dataSize / Int64(frameSize), 4)
        }
        bytes += Array("data".utf8) + little(dataSize, 4)
        return bytes
    }

    /// Frames and rate of a stereo file of integers that begins with `bytes`, as `header` wrote them; nil for any
    /// other.
    public static func lengthOfTake(_ bytes: [UInt8]) -> (frames: Int, rate: Int)? {
        guard let (frames, rate, channels) = integers(bytes), channels == 2 else { return nil }
        return (frames, rate)
    }

    /// Frames, rate and channels of a file of integers that begins with `bytes`, as `header` wrote them; nil for any
    /// other.
    public static func integers(_ bytes: [UInt8]) -> (frames: Int, rate: Int, channels: Int)? {
        guard bytes.count >= Sample.integer.headerSize else { return nil }
        func number(at place: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) } }
        let channels = Int(number(at: 20) >> 16)
        guard (1...2).contains(channels), let rate = Int(exactly: number(at: 24)) else { return nil }
        let frames = Int(number(at: 40) / UInt32(channels * Sample.integer.size))
        let header = header(frames: frames, rate: rate, channels: channels, of: .integer)
        return header.elementsEqual(bytes.prefix(header.count)) ? (frames, rate, channels) : nil
    }

    /// A file of integers with the frames of `sound`.
    public static func bytes(_ sound: SampleSound) -> [UInt8] {
        var bytes = header(frames: sound.frames, rate: sound.rate, channels: sound.channels, of: .integer)
        bytes.reserveCapacity(bytes.count + sound.size)
        sound.samples.withUnsafeBytes { bytes += $0 }
        return bytes
    }

    /// The sound in `bytes`, a file of integers that `bytes` wrote; nil for any other, and for a part of one.
    public static func sound(in bytes: [UInt8]) -> SampleSound? {
        let headerSize = Sample.integer.headerSize
        guard let (frames, rate, channels) = integers(bytes), rate > 0,
            bytes.count == headerSize + frames * channels * Sample.integer.size
        else { return nil }
        let samples = [Int16](unsafeUninitializedCapacity: frames * channels) { samples, count in
            UnsafeMutableRawBufferPointer(samples).copyBytes(from: bytes[headerSize...])
            count = frames * channels
        }
        return SampleSound(rate: rate, channels: channels, samples: samples)
    }

    private static func little(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
