import InputEvents
import Display
import Instrument

/// Cost of a frame of the scrolling guide.
struct GuideBench {
    /// CPU time of the slowest frame in nanoseconds, in either orientation: for each frame the minimum of all rounds,
    /// to exclude other programs.
    let worst: Int

    /// Days and channels, with three patterns in each cell.
    private static let days = 67
    private static let channels = 12
    /// Frames of a throw, at 60 a second.
    private static let framesPerThrow = 120

    /// Draws about `frames` frames.
    init(frames: Int) {
        let content = Self.content
        var frame = Frame(columns: 44, rows: Instrument.rows)
        var acts: [ScreenAct] = []
        var worst = 0
        for isTurned in [false, true] {
            var best = [Int](repeating: .max, count: Self.framesPerThrow)
            var guide = Guide(content, isTurned: isTurned)
            var now = Instant.zero
            for round in 0..<max(1, frames / 2 / Self.framesPerThrow) {
                Self.flick(&guide, &now, isBack: round % 2 == 0, &acts)
                for index in best.indices {
                    let start = threadTime()
                    guide.draw(into: &frame, at: now, isPlaying: true)
                    best[index] = min(best[index], threadTime() - start)
                    now = now + Instrument.frameInterval
                }
                acts.removeAll(keepingCapacity: true)
            }
            worst = max(worst, best.max() ?? 0)
        }
        self.worst = worst
    }

    /// Throws the grid from one corner towards the other.
    private static func flick(_ guide: inout Guide, _ now: inout Instant, isBack: Bool, _ acts: inout [ScreenAct]) {
        let corner: (column: Float, row: Float) = isBack ? (14, 7) : (36, 22)
        let way: (columns: Float, rows: Float) = isBack ? (22, 15) : (-22, -15)
        for step in 0...6 {
            let part = Float(step) / 6
            let touch = Touch(
                contact: 0, phase: step == 0 ? .down : step == 6 ? .up : .move,
                column: corner.column + way.columns * part, row: corner.row + way.rows * part)
            guide.handle(touch, at: now, into: &acts)
            now = now + .milliseconds(10)
        }
    }

    private static var content: GuideContent {
        let thumbnail = GuideThumbnail(BenchPattern.typical.document.pattern)
        let placed = (0..<channels * days * 3).map { number in
            GuideContent.Placed(
                channel: number % channels, day: number / channels % days,
                entry: GuideContent.Entry(id: Int64(number), title: "PATTERN \(number)", look: .thumbnail(thumbnail)))
        }
        let names = (0..<channels).map { GuideContent.Channel(id: "\($0)", name: "CHANNEL \($0)") }
        return GuideContent(source: .library, channels: names, days: 0..<days, today: days - 1, placed: placed)
    }
}
