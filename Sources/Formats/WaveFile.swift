/// A RIFF WAVE file of 32-bit float samples (Microsoft, "Multiple channel audio data and WAVE files":
/// WAVE_FORMAT_IEEE_FLOAT with a fact chunk). After the header come the interleaved samples in little-endian order, the byte
/// order of every supported machine.
public enum WaveFile {
    /// Bytes before the first sample.
    public static let headerSize = 58

    /// The header of a file of `frames` frames of `channels` at `rate` frames per second. The size fields of a file beyond 4 GiB contain
    /// their maximum.
    public static func header(frames: Int, rate: Int, channels: Int = 2) -> [UInt8] {
        let frameSize = channels * 4
        let dataSize = min(frames * frameSize, Int(UInt32.max) - headerSize)
        var bytes: [UInt8] = []
        bytes += Array("RIFF".utf8) + little(dataSize + headerSize - 8, 4) + Array("WAVEfmt ".utf8)
        bytes += little(18, 4) + little(3, 2) + little(channels, 2) + little(rate, 4)
        bytes += little(rate * frameSize, 4) + little(frameSize, 2) + little(32, 2) + little(0, 2)
        bytes += Array("fact".utf8) + little(4, 4) + little(dataSize / frameSize, 4)
        bytes += Array("data".utf8) + little(dataSize, 4)
        return bytes
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
