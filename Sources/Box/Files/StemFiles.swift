import Documents
import Glibc
import Instrument
import Runtime

/// Writes the parts of a mix as WAVE files of 24 bits, whose sum is the mix before the master to the bit: melody, chords,
/// bass, rhythm, and sends, which has what is left of the mix, delay and reverberation with the rounding of all five.
package final class StemFiles {
    /// The names of the files, without extension.
    package static let names = Track.allCases.map(\.name) + ["sends"]

    /// Halvings of the level of all files with which the loudest sample appended so far fits 24 bits; 0 if it does
    /// without. With more of them than at the begin the files are useless: nothing is lost if they are written anew.
    package var halvings: Int {
        var halvings = begun
        // The rounding of five files changes a sample by less than four.
        while peak > Self.largest, peak >> Int64(halvings - begun) > Self.largest - 4 { halvings += 1 }
        return halvings
    }

    private let files: [WaveWriter]
    /// Halvings of the level that is written.
    private let begun: Int
    private let scale: Double
    /// The largest absolute value of a sample of the files or of their sum.
    private var peak: Int64 = 0
    private var bytes: [UInt8] = []

    private static let channels = 2
    private static let sample = WaveFile.Sample.integer24
    private static let largest: Int64 = (1 << 23) - 1

    /// Begins the files in `folder`, which is made if missing, at `rate` frames per second, with the level halved
    /// `halvings` times. Files of their names are replaced when all are complete.
    package init(_ folder: String, rate: Int, halvings: Int = 0) throws {
        let place = try Folder.made(folder)
        files = try Self.names.map { name in
            guard !Files.isFolder("\(folder)/\(name).wav") else {
                throw Files.cannotMake("\(folder)/\(name).wav", EISDIR)
            }
            return try WaveWriter("\(name).wav", in: place, rate: rate, of: Self.sample)
        }
        begun = halvings
        scale = Double(1 << 23) / Double(1 << halvings)
    }

    /// Whether `path` is one of the files in `folder`.
    package static func areIn(_ folder: String, _ path: String) -> Bool {
        let (parent, name) = Files.parts(of: path)
        return names.contains { "\($0).wav" == name } && Files.areSame(parent, folder)
    }

    /// Appends frames of `Engine.stemSamples` numbers.
    package func append(_ stems: UnsafeMutableBufferPointer<Float>) {
        let frames = stems.count / Engine.stemSamples
        let size = frames * Self.channels * Self.sample.size
        // A sample is stored as four bytes, of which the next overwrites the last.
        let room = size + 1
        if bytes.count < room * files.count { bytes = [UInt8](repeating: 0, count: room * files.count) }
        bytes.withUnsafeMutableBytes { bytes in
            round(stems, frames: frames, room: room, into: bytes)
            guard peak <= Self.largest else { return }
            for (number, file) in files.enumerated() {
                file.append(UnsafeRawBufferPointer(rebasing: bytes[(number * room)..<(number * room + size)]))
            }
        }
    }

    /// Gives all files their names. Throws the first failure; if it is a full disk no file is left.
    package func finish() throws {
        precondition(peak <= Self.largest, "the stems do not fit")
        for file in files { file.complete() }
        for file in files { if let problem = file.problem { throw problem } }
        for file in files { try file.finish() }
    }

    /// Rounds `frames` frames to 24 bits: into `bytes` the frames of each file, `room` bytes, one file after the other.
    private func round(
        _ stems: UnsafeMutableBufferPointer<Float>, frames: Int, room: Int, into bytes: UnsafeMutableRawBufferPointer
    ) {
        guard var frame = stems.baseAddress, var place = bytes.baseAddress else { return }
        let (width, tracks, scale) = (Engine.stemSamples, files.count - 1, scale)
        var peak = peak
        for _ in 0..<frames {
            for channel in 0..<Self.channels {
                let mix = Self.rounded(frame[tracks * Self.channels + channel], scale)
                var rest = mix
                peak = max(peak, abs(mix))
                for track in 0..<tracks {
                    let sample = Self.rounded(frame[track * Self.channels + channel], scale)
                    rest -= sample
                    peak = max(peak, abs(sample))
                    Self.store(sample, at: place + track * room)
                }
                peak = max(peak, abs(rest))
                Self.store(rest, at: place + tracks * room)
                place += Self.sample.size
            }
            frame += width
        }
        self.peak = peak
    }

    /// `sample` · `scale` as the nearest integer, of two the even one. The sum with 1.5 · 2^52 has no room for a
    /// fraction.
    private static func rounded(_ sample: Float, _ scale: Double) -> Int64 {
        let magic = 0x1.8p52
        return Int64(bitPattern: (Double(sample) * scale + magic).bitPattern) &- Int64(bitPattern: magic.bitPattern)
    }

    /// Stores the lower 24 bits, and another byte behind them.
    private static func store(_ sample: Int64, at place: UnsafeMutableRawPointer) {
        place.storeBytes(of: Int32(truncatingIfNeeded: sample).littleEndian, as: Int32.self)
    }
}
