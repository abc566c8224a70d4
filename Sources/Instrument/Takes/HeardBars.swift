/// A beat of the pattern that was heard: a part of the sound that the box remembers.
public struct HeardBeat: Hashable, Sendable {
    /// The first frame of the output, and the one after the last.
    public var begin, end: UInt64
    /// The largest magnitude of a sample, 0-32767.
    public var peak: Int
    /// Its steps: fewer than a beat has where the pattern ends before it.
    public var steps: Int
    /// Whether it is the last beat of a bar.
    public var endsBar: Bool
    /// The oldest frame that was still remembered at its end.
    public var oldest: UInt64

    /// A beat from `begin` to `end`.
    public init(begin: UInt64, end: UInt64, peak: Int, steps: Int = 4, endsBar: Bool, oldest: UInt64) {
        self.begin = begin
        self.end = end
        self.peak = peak
        self.steps = steps
        self.endsBar = endsBar
        self.oldest = oldest
    }
}

/// A part of the remembered sound: the first frame of the output, and the one after the last.
public struct TakeSpan: Hashable, Sendable {
    /// The first frame.
    public var begin: UInt64
    /// The frame after the last.
    public var end: UInt64

    /// The frames from `begin` to before `end`.
    public init(begin: UInt64, end: UInt64) {
        self.begin = begin
        self.end = max(begin, end)
    }

    /// Number of frames.
    public var count: Int { Int(end - begin) }
}

/// A bar that was heard to its end.
struct HeardBar: Hashable, Sendable {
    /// Its frames.
    let span: TakeSpan
    /// Number of its parts, at most `partsMax`: its beats, or as many of them together.
    let parts: Int
    /// Its steps.
    let steps: Int
    /// The first frame of each part, counted from the bar's.
    let offsets: SIMD4<UInt32>
    /// The peak of each part.
    let peaks: SIMD4<Int32>

    /// Parts of a bar.
    static let partsMax = 4

    init(_ beats: [HeardBeat]) {
        span = TakeSpan(begin: beats[0].begin, end: beats[beats.count - 1].end)
        steps = beats.reduce(0) { $0 + $1.steps }
        let size = (beats.count + Self.partsMax - 1) / Self.partsMax
        parts = (beats.count + size - 1) / size
        var (offsets, peaks) = (SIMD4<UInt32>(), SIMD4<Int32>())
        for (place, beat) in beats.enumerated() {
            let part = place / size
            if place % size == 0 { offsets[part] = UInt32(clamping: beat.begin - beats[0].begin) }
            peaks[part] = max(peaks[part], Int32(clamping: beat.peak))
        }
        (self.offsets, self.peaks) = (offsets, peaks)
    }
}

/// The bars that were heard and are still remembered, oldest first.
struct HeardBars: Hashable, Sendable {
    private(set) var bars: [HeardBar] = []
    /// The beats of the bar that is being heard.
    private var beats: [HeardBeat] = []

    /// Adds a beat, and forgets bars that are no longer remembered. Returns whether a bar is complete now.
    mutating func add(_ beat: HeardBeat) -> Bool {
        // The transport stopped, or another pattern began: the bar before has no end.
        if let last = beats.last, last.end != beat.begin { beats.removeAll(keepingCapacity: true) }
        bars.removeFirst(bars.prefix { $0.span.begin < beat.oldest }.count)
        beats.append(beat)
        guard beat.endsBar else { return false }
        bars.append(HeardBar(beats))
        beats.removeAll(keepingCapacity: true)
        return true
    }

    /// The bars that were heard without a pause up to the one that is `back` bars before the last: their number, at
    /// most `most`.
    func count(upTo most: Int, back: Int) -> Int {
        let last = bars.count - 1 - back
        guard last >= 0 else { return 0 }
        var count = 1
        while count < most, last - count >= 0, bars[last - count].span.end == bars[last - count + 1].span.begin {
            count += 1
        }
        return count
    }

    /// Number of steps in `count` bars up to the one that is `back` bars before the last.
    func steps(of count: Int, back: Int) -> Int {
        let end = bars.count - back
        return bars[max(0, end - count)..<max(0, end)].reduce(0) { $0 + $1.steps }
    }

    /// The frames of `count` bars up to the one that is `back` bars before the last; nil if they were not heard without
    /// a pause.
    func span(of count: Int, back: Int) -> TakeSpan? {
        guard count > 0, self.count(upTo: count, back: back) == count else { return nil }
        let last = bars.count - 1 - back
        return TakeSpan(begin: bars[last - count + 1].span.begin, end: bars[last].span.end)
    }
}
