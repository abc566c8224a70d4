import Formats
import Foundation

/// A file that is written piece by piece and appears under its name when it is whole. The first failure is kept, and
/// thrown by `finish`.
final class OutputFile {
    private let path: String
    private let partial: String
    private let file: FileHandle
    private var buffer = Data()
    private var failure: (any Error)?

    private static let bufferSize = 1 << 16

    /// Begins the file that will be at `path`; `-` is standard output.
    init(_ path: String) throws {
        self.path = path
        partial = path + ".partial"
        if path == "-" {
            file = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: partial, contents: nil),
            let file = FileHandle(forWritingAtPath: partial)
        else {
            let code = errno
            throw CommandError(.cannotCreate, "\(path): cannot be made: \(String(cString: strerror(code)))")
        }
        self.file = file
    }

    var isStandardOutput: Bool { path == "-" }

    func append(_ bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { flush() }
    }

    /// Replaces the first bytes of the file.
    func rewriteStart(with bytes: [UInt8]) {
        flush()
        attempt {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(bytes))
        }
    }

    /// Puts the whole file in its place. Throws what went wrong on the way; then no file is left.
    func finish() throws {
        flush()
        if path == "-" {
            if let failure { throw Files.cannotWrite("standard output", failure) }
            return
        }
        attempt {
            try file.close()
            guard rename(partial, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
        if let failure {
            unlink(partial)
            throw Files.cannotWrite(path, failure)
        }
    }

    private func flush() {
        attempt { try file.write(contentsOf: buffer) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func attempt(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do { try body() } catch { failure = error }
    }
}

/// A WAVE file of stereo float samples, written as they come.
final class WaveWriter {
    private let file: OutputFile
    private let rate: Int
    private var frames = 0

    /// Begins the file at `path`, for sound at `rate` frames a second.
    init(_ path: String, rate: Int) throws {
        file = try OutputFile(path)
        self.rate = rate
        // Standard output cannot be gone back in: its header says the most that it can, as streams do.
        file.append(WaveFile.header(frames: file.isStandardOutput ? Int(UInt32.max) : 0, channels: 2, rate: rate))
    }

    func append(_ samples: UnsafeMutableBufferPointer<Float>) {
        file.append(WaveFile.data(samples))
        frames += samples.count / 2
    }

    func finish() throws {
        if !file.isStandardOutput { file.rewriteStart(with: WaveFile.header(frames: frames, channels: 2, rate: rate)) }
        try file.finish()
    }
}
