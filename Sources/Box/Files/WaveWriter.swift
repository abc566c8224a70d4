import Documents
import Formats

/// Writes a WAVE file of float samples as they come.
package final class WaveWriter {
    private let file: OutputFile
    private let rate: Int
    private let channels: Int
    private var frames = 0

    /// Begins a file at `path`, for sound of `channels` at `rate` frames per second.
    package init(_ path: String, rate: Int, channels: Int = 2) throws {
        file = try OutputFile(path)
        self.rate = rate
        self.channels = channels
        // A pipe's header cannot be rewritten: it has the maximum length, as streams do.
        file.append(WaveFile.header(frames: file.isFile ? 0 : Int(UInt32.max), rate: rate, channels: channels))
    }

    package func append(_ samples: UnsafeMutableBufferPointer<Float>) {
        file.append(UnsafeRawBufferPointer(samples))
        frames += samples.count / channels
    }

    /// The first failure, such as a full disk, as soon as there is one.
    var problem: CommandError? { file.problem }

    package func finish() throws {
        if file.isFile { file.rewriteStart(with: WaveFile.header(frames: frames, rate: rate, channels: channels)) }
        try file.finish()
    }
}
