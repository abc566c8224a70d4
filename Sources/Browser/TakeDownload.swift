import Documents
import Instrument
import Runtime

/// Gives takes to the page as WAV files of 16-bit integers, a little at a time: a take may have five minutes, and the
/// same thread renders the sound.
final class TakeDownload {
    /// Frames that are copied at once: as many as are rendered in 37 passes, so that the engine never forgets a part
    /// before it is copied.
    private static let framesMax = 4800

    private let engine: Engine
    private let output: OutputHandler
    /// Takes that are not given yet, oldest first, and the next frame of the first one; nil before its first part.
    private var spans: [TakeSpan] = []
    private var next: UInt64?
    /// Number of the take that is being given.
    private var number = 1
    private var frames = [Int16](repeating: 0, count: 2 * framesMax)

    /// Takes of `engine`, given to `output`.
    init(_ engine: Engine, output: @escaping OutputHandler) {
        self.engine = engine
        self.output = output
    }

    /// Adds a take of what was heard in `span`.
    func add(_ span: TakeSpan) { spans.append(span) }

    /// Gives the next part. Returns the message for the panel after the last part of a take, or if it is forgotten.
    func advance() -> Notice? {
        guard let span = spans.first else { return nil }
        let begin = next ?? span.begin
        if next == nil {
            let head = WaveFile.header(frames: span.count, rate: engine.rate, of: .integer)
            let size = head.count + span.count * 2 * WaveFile.Sample.integer.size
            give("take-\(number).wav\n\(size)", as: .file, to: output)
            head.withUnsafeBytes { output(.part, $0) }
        }
        let count = min(Self.framesMax, Int(span.end - begin))
        let isThere = frames.withUnsafeMutableBufferPointer { frames in
            let part = UnsafeMutableBufferPointer(rebasing: frames[..<(2 * count)])
            guard engine.recall(from: begin, into: part) else { return false }
            output(.part, UnsafeRawBufferPointer(part))
            return true
        }
        next = begin + UInt64(count)
        guard !isThere || next == span.end else { return nil }
        spans.removeFirst()
        next = nil
        guard isThere else { return .takeFailed }
        number += 1
        return .tookTake(number - 1)
    }
}
