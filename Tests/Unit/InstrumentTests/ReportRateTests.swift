import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// A finger's path over the panel by time, in straight lines from point to point.
private struct Way: CustomStringConvertible {
    private(set) var points: [(milliseconds: Double, column: Double, row: Double)]
    var description: String { "\(points)" }

    init(from column: Double, _ row: Double, at milliseconds: Double = 0) { points = [(milliseconds, column, row)] }

    var start: Double { points.first?.milliseconds ?? 0 }
    var end: Double { points.last?.milliseconds ?? 0 }

    mutating func go(to column: Double, _ row: Double, in milliseconds: Double) {
        points.append((end + milliseconds, column, row))
    }

    mutating func stay(_ milliseconds: Double) {
        guard let last = points.last else { return }
        go(to: last.column, last.row, in: milliseconds)
    }

    func place(at milliseconds: Double) -> (column: Float, row: Float) {
        let next = points.firstIndex { $0.milliseconds >= milliseconds } ?? points.count - 1
        guard next > 0 else { return (Float(points[0].column), Float(points[0].row)) }
        let (a, b) = (points[next - 1], points[next])
        let part = (milliseconds - a.milliseconds) / (b.milliseconds - a.milliseconds)
        return (Float(a.column + (b.column - a.column) * part), Float(a.row + (b.row - a.row) * part))
    }
}

/// Plays fingers through an overlay with `rate` reports a second.
private func play(_ ways: [Way], _ rules: Rules, rate: Double, tremble: Float, seed: UInt64) -> Instrument {
    var random = SplitMix(seed: seed)
    var events: [(at: Double, order: Int, touch: Touch)] = []
    for (contact, way) in ways.enumerated() {
        func add(_ phase: Touch.Phase, at: Double, order: Int, tremble: Float = 0) {
            let (column, row) = way.place(at: at)
            let touch = Touch(
                contact: contact, phase: phase, column: column + Float.random(in: -1...1, using: &random) * tremble,
                row: row + Float.random(in: -1...1, using: &random) * tremble)
            events.append((at, order, touch))
        }
        add(.down, at: way.start, order: 0)
        let interval = 1000 / rate
        // The overlay samples at its own times, not the finger's.
        var at = way.start + Double.random(in: 0.01...1, using: &random) * interval
        while at < way.end {
            add(.move, at: at, order: 1, tremble: tremble)
            at += interval
        }
        add(.up, at: way.end, order: 2)
    }
    events.sort { ($0.at, $0.order, $0.touch.contact) < ($1.at, $1.order, $1.touch.contact) }
    var instrument = Instrument(rules: rules)
    // Notes for undo, clear and erase.
    for track in Track.allCases { instrument.state.session.composition.pattern[track, note: 0, step: 31] = .accent }
    for event in events {
        let now = Instant(microseconds: 1_000_000 + Int64(event.at * 1000))
        _ = instrument.update(.tick, at: now)
        _ = instrument.update(.touch(event.touch), at: now)
    }
    _ = instrument.update(.tick, at: Instant(microseconds: 3_000_000 + Int64((events.last?.at ?? 0) * 1000)))
    return instrument
}

/// Paths of the gestures of both rules, far enough from the limits between them.
private enum Ways {
    /// The rows and columns of steps, without gaps: a finger at the centre of an LED.
    private static func place(_ random: inout SplitMix, _ track: Track) -> (column: Double, row: Double) {
        (
            Double(Grid.column(ofStep: Int.random(in: 0..<31, using: &random))),
            Double(track.rows.randomElement(using: &random) ?? 0)
        )
    }

    static func tap(_ random: inout SplitMix, _ track: Track) -> [Way] {
        let (column, row) = place(&random, track)
        var way = Way(from: column, row)
        way.stay(.random(in: 10...280, using: &random))
        return [way]
    }

    static func hold(_ random: inout SplitMix, _ track: Track) -> [Way] {
        let (column, row) = place(&random, track)
        var way = Way(from: column, row)
        way.stay(.random(in: 410...900, using: &random))
        return [way]
    }

    static func drag(_ random: inout SplitMix, _ track: Track) -> [Way] {
        let (start, end) = (place(&random, track), place(&random, track))
        var way = Way(from: start.column, start.row)
        if Bool.random(using: &random) { way.stay(.random(in: 510...700, using: &random)) }
        // Slower than a swipe, and at rest before it lifts: the overlay has reported where.
        way.go(to: end.column, end.row, in: .random(in: 310...380, using: &random))
        way.stay(.random(in: 200...300, using: &random))
        return [way]
    }

    /// Straight across the track's edge, or the panel's.
    static func leaving(_ random: inout SplitMix, _ track: Track) -> [Way] {
        let (column, row) = place(&random, track)
        var way = Way(from: column, row)
        way.go(
            to: column + .random(in: -3...3, using: &random), row + (Bool.random(using: &random) ? 9 : -9),
            in: .random(in: 60...350, using: &random))
        way.stay(.random(in: 300...400, using: &random))
        return [way]
    }

    static func swipes(_ random: inout SplitMix, _ track: Track) -> [Way] {
        let (_, row) = place(&random, track)
        let length = Double.random(in: 9...20, using: &random)
        let isLeft = Bool.random(using: &random)
        return (0..<2).map { number in
            var way = Way(from: isLeft ? 30 : 6, row, at: Double(number) * 300)
            way.go(to: isLeft ? 30 - length : 6 + length, row, in: .random(in: 60...240, using: &random))
            return way
        }
    }

    static func shake(_ random: inout SplitMix, _ track: Track) -> [Way] {
        let (_, row) = place(&random, track)
        var way = Way(from: 10, row)
        for leg in 0..<8 {
            way.go(to: leg.isMultiple(of: 2) ? 20 : 10, row, in: .random(in: 250...400, using: &random))
        }
        return [way]
    }

    /// As many fingers as there are hands for, each with its own drag on its own track or beside the others.
    static func many(_ random: inout SplitMix, _ track: Track) -> [Way] {
        (0..<Touch.contactsMax).flatMap { number in
            drag(&random, Track.allCases[number % Track.allCases.count])
        }
    }
}

@Suite("The same motion is the same gesture at any report rate")
struct ReportRateTests {
    private static let rates: [Double] = [10, 17, 30, 60, 100, 133, 250, 500, 1000]

    /// Plays `count` motions at each rate, steady and trembling. `isMeant` checks the intended result.
    private func check(
        _ name: String, _ rules: Rules, count: UInt64 = 24, _ ways: (inout SplitMix, Track) -> [Way],
        isMeant: (Instrument) -> Bool
    ) {
        for seed in 0..<count {
            var random = SplitMix(seed: seed)
            let track = Track.allCases[Int(seed) % Track.allCases.count]
            let motion = ways(&random, track)
            let wanted = play(motion, rules, rate: 2000, tremble: 0, seed: seed)
            let isRight = isMeant(wanted)
            #expect(isRight, "\(name), seed \(seed): \(motion)")
            for rate in Self.rates {
                for tremble in [0, 0.05] as [Float] {
                    let played = play(motion, rules, rate: rate, tremble: tremble, seed: seed)
                    let isSame =
                        played.state.session.composition == wanted.state.session.composition
                        && played.state.isPlaying == wanted.state.isPlaying
                        && played.state.session.history == wanted.state.session.history
                    #expect(isSame, "\(name), seed \(seed), \(rate) reports a second, tremble \(tremble): \(motion)")
                    if !isSame { return }
                }
            }
        }
    }

    private func hasWritten(_ instrument: Instrument) -> Bool { instrument.state.session.history.past.count == 1 }

    @Test("taps", arguments: Rules.allCases)
    func taps(_ rules: Rules) { check("tap", rules, Ways.tap, isMeant: hasWritten) }

    @Test("holds", arguments: Rules.allCases)
    func holds(_ rules: Rules) { check("hold", rules, Ways.hold, isMeant: hasWritten) }

    @Test("drags, held or not", arguments: Rules.allCases)
    func drags(_ rules: Rules) { check("drag", rules, Ways.drag, isMeant: hasWritten) }

    @Test("drags out of the track", arguments: Rules.allCases)
    func leaving(_ rules: Rules) { check("leaving", rules, Ways.leaving) { rules == .box || hasWritten($0) } }

    @Test("pairs of swipes")
    func swipes() {
        // The first swipe's notes are removed, the second makes none, and there is nothing else to undo.
        check("swipes", .phone, Ways.swipes) { $0.state.session.history.past.isEmpty }
    }

    @Test("pairs of swipes after a tap undo it")
    func swipesAfterTap() {
        check("swipes", .box) { random, track in
            // A tap, and the pair to the left a second later.
            let row = Double(track.rows.lowerBound + 1)
            var tap = Way(from: 36, row)
            tap.stay(100)
            let length = Double.random(in: 9...20, using: &random)
            return [tap]
                + (0..<2).map { number in
                    var way = Way(from: 30, row, at: 1000 + Double(number) * 350)
                    way.go(to: 30 - length, row, in: .random(in: 60...240, using: &random))
                    return way
                }
        } isMeant: {
            $0.state.session.history.past.isEmpty && $0.state.session.history.future.count == 1
        }
    }

    @Test("shakes")
    func shakes() {
        check("shake", .phone, Ways.shake) { $0.state.session.composition.pattern == Pattern() }
    }

    @Test("shakes clear the track where they began")
    func shakesOfTrack() {
        check("shake", .box, Ways.shake) { instrument in
            let pattern = instrument.state.session.composition.pattern
            return Track.allCases.count { pattern.isEmpty($0) } == 1
        }
    }

    @Test("sixteen fingers at once, each one step of the history under the rules of the phone")
    func many() {
        check("many", .phone, count: 4, Ways.many) { $0.state.session.history.past.count == Touch.contactsMax }
    }

    @Test("sixteen fingers at once, together one step of the history")
    func manyTogether() { check("many", .box, count: 4, Ways.many, isMeant: hasWritten) }
}
