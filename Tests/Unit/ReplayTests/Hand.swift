import InputEvents
import Instrument
import TestSupport
import Testing

@testable import Documents

/// Records a script of fingers, and the times of pictures.
struct Hand {
    /// A place on the panel in LEDs, from its top left.
    typealias Place = (column: Double, row: Double)

    /// The recorded script.
    private(set) var script = TouchScript([])
    /// Times of pictures.
    private(set) var pictures: [Instant] = []
    /// Fingers that landed before this time are in no picture.
    private(set) var shownSince = Instant.zero
    private(set) var now = Instant(milliseconds: 100)

    /// A finger taps at `column`, `row`, or stays there for `held` milliseconds.
    mutating func tap(_ column: Double, _ row: Double, held: Int64 = 80) { touch([[(column, row)]], held: held) }

    /// Fingers, numbered from `first` on, land together, stay for `held` milliseconds, and move along their `ways` for
    /// `moving` milliseconds.
    mutating func touch(_ ways: [[Place]], from first: Int = 0, held: Int64 = 80, moving: Int64 = 400) {
        report(.down, ways, from: first, part: 0)
        wait(held)
        if ways.contains(where: { $0.count > 1 }) {
            let reports: Int64 = 40
            for number in 1...reports {
                wait(moving / reports)
                report(.move, ways, from: first, part: Double(number) / Double(reports))
            }
        }
        report(.up, ways, from: first, part: 1)
        wait(120)
    }

    /// Finger `number` lands at `column`, `row`, stays for `milliseconds`, and never lifts.
    mutating func hold(_ column: Double, _ row: Double, _ milliseconds: Int64, by number: Int = 0) {
        report(.down, [[(column, row)]], from: number, part: 0)
        wait(milliseconds)
    }

    /// Sends an event other than a touch.
    mutating func send(_ event: Instrument.Event) { script.lines.append(.init(at: now, act: .control(event))) }

    /// Sends `count` ticks of MIDI clock at `bpm`, each late or early by `jitter` milliseconds and less, most of them
    /// by little.
    mutating func tick(_ count: Int, bpm: Double, jitter: Double) {
        var random = SplitMix(seed: 1)
        let start = now
        for number in 0..<count {
            let deviation = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -0.25...0.25, using: &random) }
            let place = Double(number) * 60_000_000 / bpm / 24 + max(0, jitter * (deviation + 1) * 1000)
            script.lines.append(
                .init(at: start + Instant.Span(microseconds: Int64(place)), act: .control(.midi(.clock))))
        }
        now = script.lines.last?.at ?? now
    }

    /// Waits.
    mutating func wait(_ milliseconds: Int64) { now = now + .milliseconds(milliseconds) }

    /// Takes a picture now.
    mutating func picture() {
        pictures.append(now)
        wait(20)
    }

    /// Takes a picture once the tooltip is gone.
    mutating func quietPicture() {
        wait(1300)
        picture()
    }

    /// Ends the preparation: pictures show the fingers from now on.
    mutating func begin() {
        wait(1300)
        shownSince = now
    }

    /// Plays the pattern once, and stops.
    mutating func hear() {
        wait(400)
        tap(1, 0)
        wait(3700)
        tap(1, 0)
    }

    /// The script as a file. It starts with `tune`, if given, and what a film shows begins with the pictures' fingers.
    func text(_ tune: Pattern?) throws -> String {
        var lines: [String] = []
        if let tune {
            let frame: (Instant) -> Int = { Int($0.microseconds * 48 / 1000) }
            let begin = frame(shownSince)
            let start = TakeStart(
                document: PatternDocument(pattern: tune), rate: 48_000, begin: begin, frames: frame(now) - begin,
                settings: TakeStart.Settings())
            lines.append(start.text)
        }
        for line in script.lines { lines.append(try #require(line.scriptText, "\(line)")) }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func report(_ phase: Touch.Phase, _ ways: [[Place]], from first: Int, part: Double) {
        for (number, way) in ways.enumerated() {
            let place = part * Double(way.count - 1)
            let corner = min(Int(place), max(way.count - 2, 0))
            let (start, end) = (way[corner], way[min(corner + 1, way.count - 1)])
            script.lines.append(
                .init(
                    at: now,
                    act: .touch(
                        contact: first + number, phase,
                        column: start.column + (end.column - start.column) * (place - Double(corner)),
                        row: start.row + (end.row - start.row) * (place - Double(corner)))))
        }
    }
}

/// The path of one finger over the panel.
struct FingerWay {
    /// Time of landing.
    let down: Instant
    /// Its positions, from the landing on.
    private(set) var places: [Hand.Place]
    /// Whether it stayed where it landed for the duration of a hold.
    private(set) var isHeld = false

    /// The paths of all fingers in `script` up to `time`.
    static func all(in script: TouchScript, until time: Instant) -> [FingerWay] {
        var ways: [FingerWay] = []
        var open: [Int: Int] = [:]
        for line in script.lines where line.at <= time {
            guard case .touch(let contact, let phase, let column, let row, _) = line.act else { continue }
            if phase == .down {
                open[contact] = ways.count
                ways.append(FingerWay(down: line.at, places: [(column, row)]))
            } else if let index = open[contact] {
                if ways[index].places.count == 1, line.at - ways[index].down >= .milliseconds(400) {
                    ways[index].isHeld = true
                }
                ways[index].places.append((column, row))
            }
        }
        for (_, index) in open where ways[index].places.count == 1 {
            ways[index].isHeld = time - ways[index].down >= .milliseconds(400)
        }
        return ways
    }
}
