import Documents
import Drive

/// Cost of a virtual box in the hands of a program, requests and answers included.
struct DriveBench {
    /// Nanoseconds of CPU time to make a box.
    let make: Int
    /// Nanoseconds of CPU time of a sixtieth of a second with factory sounds whose frame is read: the median.
    let step: Int
    /// Seconds played in a second of CPU time: all that, and without sound and frames.
    let (timesWatched, timesUnwatched): (Int, Int)

    init() {
        let pattern = BenchPattern.typical.withFactorySounds.json.text(pretty: false)
        let boxes = 20
        let program = Asker()
        make = program.time { for box in 0..<boxes { program.ask(#"{"do": "new", "box": "\#(box)"}"#) } } / boxes

        let watching = Asker()
        watching.ask(#"{"do": "new", "start": \#(pattern)}"#)
        watching.ask(#"{"do": "send", "lines": [{"key": "space"}]}"#)
        let steps = (0..<600).map { _ in
            watching.time {
                watching.ask(#"{"do": "advance", "ms": 16.667}"#)
                watching.ask(#"{"do": "frame"}"#)
            }
        }
        step = steps.sorted()[steps.count / 2]
        timesWatched = Int(Double(steps.count) * 16_667_000 / Double(steps.reduce(0, +)))

        let fast = Asker()
        fast.ask(#"{"do": "new", "keep": 0, "takes": false, "start": \#(pattern)}"#)
        fast.ask(#"{"do": "send", "lines": [{"key": "space"}]}"#)
        timesUnwatched = 60_000_000_000 / fast.time { fast.ask(#"{"do": "advance", "ms": 60000}"#) }
    }

    /// A program at a bench of its own.
    private final class Asker {
        private let bench = Bench(version: "", DriveFiles())
        private var answers: [String] = []

        func ask(_ request: String) { answers.append(bench.answer(to: Array(request.utf8))) }

        /// Nanoseconds of CPU time of `work`. The answers are read afterwards: that costs more than a step.
        func time(_ work: () -> Void) -> Int {
            let begin = threadTime()
            work()
            let end = threadTime()
            for answer in answers { precondition(!answer.contains(#""error""#), answer) }
            answers.removeAll()
            return max(1, end - begin)
        }
    }
}
