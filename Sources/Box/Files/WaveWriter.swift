import Documents
import Formats

/// Writes a WAVE file of samples as they come.
package final class WaveWriter {
    private let file: OutputFile
    private let rate: Int
    private let channels: Int
    private let sample: WaveFile.Sample
    private var frames = 0
    private var isComplete = false

    /// Begins a file of float samples at `path`, for sound of `channels` at `rate` frames per second.
    package convenience init(_ path: String, rate: Int, channels: Int = 2) throws {
        self.init(try OutputFile(path), rate: rate, channels: channels, of: .float)
    }

    /// Begins a stereo file `name` of `sample` in `folder`. Anything else of that name is replaced.
    convenience init(_ name: String, in folder: Folder, rate: Int, of sample: WaveFile.Sample) throws {
        self.init(try OutputFile(name, in: folder), rate: rate, channels: 2, of: sample)
    }

    private init(_ file: OutputFile, rate: Int, channels: Int, of sample: WaveFile.Sample) {
        self.file = file
        self.rate = rate
        self.channels = channels
        self.sample = sample
        // A pipe's header cannot be rewritten: it has the maximum length, as streams do.
        file.append(header(frames: file.isFile ? 0 : Int(UInt32.max)))
    }

    package func append(_ samples: UnsafeMutableBufferPointer<Float>) { append(UnsafeRawBufferPointer(samples)) }

    /// Appends whole frames in the file's own format.
    func append(_ bytes: UnsafeRawBufferPointer) {
        file.append(bytes)
        frames += bytes.count / (channels * sample.size)
    }

    /// The first failure, such as a full disk, as soon as there is one.
    var problem: CommandError? { file.problem }

    /// Writes all that was appended, under the temporary name.
    func complete() {
        guard !isComplete else { return }
        isComplete = true
        if file.isFile { file.rewriteStart(with: header(frames: frames)) }
    }

    package func finish() throws {
        complete()
        try file.finish()
    }

    private func header(frames: Int) -> [UInt8] {
        WaveFile.header(frames: frames, rate: rate, channels: channels, of: sample)
    }
}
