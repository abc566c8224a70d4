import Instrument

/// Finds the beats of the pattern in the engine's output, from its steps.
struct BeatCollector {
    /// The first frame of the beat that is being rendered; nil before the first bar.
    private var begin: UInt64?
    /// Steps of that beat so far.
    private var steps = 0
    /// Steps before this frame belong to a transport that was stopped.
    private var start: UInt64 = 0
    /// Beats that may not be rendered to their end yet.
    private var waiting: [(begin: UInt64, end: UInt64, steps: Int, endsBar: Bool)] = []
    private var samples = [Int16](repeating: 0, count: 2 * 4096)

    /// The transport begins, with commands for `frame`.
    mutating func restart(at frame: UInt64) {
        begin = nil
        start = frame
    }

    /// The transport stops: the present beat has no end.
    mutating func stop() { begin = nil }

    /// Takes a step of a pattern in `metre` that begins on `frame`, whose sound is `latency` frames later in the output.
    mutating func begin(step: Int, of metre: Metre, at frame: UInt64, latency: Int) {
        guard frame >= start else { return }
        defer { steps += 1 }
        guard step % metre.steps == 0 else { return }
        let isBar = step % metre.stepsOfBar == 0
        let place = frame + UInt64(latency)
        if let begin { waiting.append((begin, place, steps, isBar)) }
        steps = 0
        if begin != nil || isBar { begin = place }
    }

    /// The oldest beat that `engine` has rendered to its end and that was not taken yet; nil for none. A beat that is
    /// no longer remembered is left out.
    mutating func next(of engine: Engine) -> HeardBeat? {
        while let beat = waiting.first, engine.frames >= beat.end {
            waiting.removeFirst()
            guard let peak = peak(from: beat.begin, to: beat.end, of: engine) else { continue }
            return HeardBeat(
                begin: beat.begin, end: beat.end, peak: peak, steps: beat.steps, endsBar: beat.endsBar,
                oldest: engine.oldestFrame)
        }
        return nil
    }

    private mutating func peak(from begin: UInt64, to end: UInt64, of engine: Engine) -> Int? {
        var (frame, peak) = (begin, 0)
        while frame < end {
            let count = min(samples.count / 2, Int(end - frame))
            let isKept = samples.withUnsafeMutableBufferPointer {
                engine.recall(from: frame, into: UnsafeMutableBufferPointer(rebasing: $0[..<(2 * count)]))
            }
            guard isKept else { return nil }
            for sample in samples.prefix(2 * count) { peak = max(peak, Int(sample.magnitude)) }
            frame += UInt64(count)
        }
        return peak
    }
}
