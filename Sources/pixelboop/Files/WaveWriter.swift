import Formats

/// A WAVE file of stereo float samples, written as they come.
final class WaveWriter {
    private let file: OutputFile
    private let rate: Int
    private var frames = 0

    /// Begins the file at `path`, for sound at `rate` frames a second.
    init(_ path: String, rate: Int) throws {
        file = try OutputFile(path)
        self.rate = rate
        // A pipe cannot be gone back in: its header says the most that it can, as streams do.
        file.append(WaveFile.header(frames: file.isFile ? 0 : Int(UInt32.max), rate: rate))
    }

    func append(_ samples: UnsafeMutableBufferPointer<Float>) {
        file.append(UnsafeRawBufferPointer(samples))
        frames += samples.count / 2
    }

    /// Why the file will not be finished, as soon as that is known, such as for a full disk.
    var problem: CommandError? { file.problem }

    func finish() throws {
        if file.isFile { file.rewriteStart(with: WaveFile.header(frames: frames, rate: rate)) }
        try file.finish()
    }
}
