import InputEvents
import Testing

@testable import Input

@Suite("Buttons and encoders")
struct EdgeDecoderTests {
    // MARK: Buttons

    /// Recordings of contacts: the times of edges, in microseconds, and the expected changes.
    static let recordings: [(name: String, edges: [(Int64, Bool)], changes: [Debouncer.Change])] = [
        ("clean", [(1000, true), (90_000, false)], [press(1000), release(90_000)]),
        (
            "bounces at both ends",
            [
                (1000, true), (1080, false), (1200, true), (1900, false), (2100, true), (4300, false), (4350, true),
                (90_000, false), (90_300, true), (90_310, false), (93_000, true), (93_100, false),
            ], [press(1000), release(90_000)]
        ),
        (
            "the edge of a bounce that comes twice", [(1000, true), (1300, true), (1400, true), (90_000, false)],
            [press(1000), release(90_000)]
        ),
        ("shorter than contacts bounce", [(1000, true), (3000, false)], [press(1000), release(6000)]),
        (
            "a spike and then a press", [(1000, true), (1010, false), (20_000, true), (80_000, false)],
            [press(1000), release(6000), press(20_000), release(80_000)]
        ),
        ("let go just after the bouncing", [(1000, true), (6000, false)], [press(1000), release(6000)]),
        (
            "two quick presses", [(1000, true), (21_000, false), (41_000, true), (61_000, false)],
            [press(1000), release(21_000), press(41_000), release(61_000)]
        ),
        (
            "bounces for longer than is ignored", [(1000, true), (5900, false), (6100, true), (30_000, false)],
            [press(1000), release(6000), press(11_000), release(30_000)]
        ),
        ("an edge that says nothing new", [(1000, false), (2000, false)], []),
    ]

    private static func press(_ time: Int64) -> Debouncer.Change {
        Debouncer.Change(isPress: true, time: Instant(microseconds: time))
    }

    private static func release(_ time: Int64) -> Debouncer.Change {
        Debouncer.Change(isPress: false, time: Instant(microseconds: time))
    }

    @Test("a button acts on the first edge, and once for all of its bouncing", arguments: recordings)
    func debounce(recording: (name: String, edges: [(Int64, Bool)], changes: [Debouncer.Change])) {
        var button = Debouncer(quiet: .milliseconds(5))
        var changes: [Debouncer.Change] = []
        for (time, level) in recording.edges {
            let time = Instant(microseconds: time)
            if let change = button.advance(to: time) { changes.append(change) }
            if let change = button.update(level, at: time) { changes.append(change) }
        }
        if let change = button.advance(to: Instant(milliseconds: 1000)) { changes.append(change) }
        #expect(changes == recording.changes, "\(recording.name)")
        #expect(button.isPressed == false)
    }

    @Test("a button held from the start only reports its release")
    func heldAtStart() {
        var button = Debouncer(quiet: .milliseconds(5), isPressed: true)
        #expect(button.update(true, at: .zero) == nil)
        let change = button.update(false, at: Instant(milliseconds: 3))
        #expect(change == Self.release(3000))
    }

    @Test("without debouncing every edge counts")
    func noQuiet() {
        var button = Debouncer(quiet: .milliseconds(0))
        var presses = 0
        for step in 0..<10 {
            let time = Instant(microseconds: Int64(step))
            _ = button.advance(to: time)
            if button.update(step.isMultiple(of: 2), at: time)?.isPress == .some(true) { presses += 1 }
        }
        #expect(presses == 5)
    }

    // MARK: Knobs

    /// The clockwise sequence of the contacts' states.
    private static let ring: [(a: Bool, b: Bool)] = [(true, true), (false, true), (false, false), (true, false)]

    /// The state at a place of the ring, counted on beyond its ends.
    private static func state(_ place: Int) -> (a: Bool, b: Bool) { ring[place & 3] }

    @Test("each of the sixteen transitions has its direction, or none if an edge was lost", arguments: 0..<4, 0..<4)
    func transition(from: Int, to: Int) {
        let (before, after) = (Self.state(from), Self.state(to))
        var knob = QuadratureDecoder(transitionsPerDetent: 1, a: before.a, b: before.b)
        #expect(knob.decode(a: after.a, b: after.b) == [0, 1, 0, -1][(to - from) & 3])
        // From any state it continues normally.
        let next = Self.state(to + 1)
        #expect(knob.decode(a: next.a, b: next.b) == 1)
    }

    /// The result of turning by `steps` of the ring from `rest`.
    private func turn(_ knob: inout QuadratureDecoder, from rest: Int, by steps: Int) -> [Int] {
        let way = steps.signum()
        return (0..<abs(steps)).map { step in
            let state = Self.state(rest + way * (step + 1))
            return knob.decode(a: state.a, b: state.b)
        }
    }

    @Test(
        "each detent counts once in both directions, at any rest position", arguments: [1, 2, 4], [0, 1, 2, 3])
    func detents(transitions: Int, rest: Int) {
        var knob = QuadratureDecoder(transitionsPerDetent: transitions, a: Self.state(rest).a, b: Self.state(rest).b)
        for way in [1, -1, -1, 1] {
            for _ in 0..<30 {
                let steps = turn(&knob, from: rest, by: way * 4)
                #expect(steps.reduce(0, +) == way * 4 / transitions)
                #expect(steps.last == .some(way))
                #expect(steps.count { $0 != 0 } == 4 / transitions)
            }
        }
    }

    @Test("chattering contacts count no more than clean ones", arguments: [1, -1])
    func chatter(way: Int) {
        var knob = QuadratureDecoder(transitionsPerDetent: 4, a: true, b: true)
        var detents = 0
        for step in 0..<40 {
            let (before, after) = (Self.state(way * step), Self.state(way * (step + 1)))
            for _ in 0..<3 {
                detents += knob.decode(a: after.a, b: after.b)
                detents += knob.decode(a: before.a, b: before.b)
            }
            detents += knob.decode(a: after.a, b: after.b)
        }
        // It may click in and out of a detent, but the count follows its position.
        #expect(detents == 10 * way)
    }

    @Test("half a detent and back counts nothing")
    func halfway() {
        var knob = QuadratureDecoder(transitionsPerDetent: 4, a: true, b: true)
        for way in [1, -1] {
            #expect(turn(&knob, from: 0, by: 2 * way).allSatisfy { $0 == 0 })
            #expect(turn(&knob, from: 2 * way, by: -2 * way).allSatisfy { $0 == 0 })
        }
    }

    @Test("a lost edge costs at most its own detent")
    func lost() {
        for missing in 1...3 {
            var knob = QuadratureDecoder(transitionsPerDetent: 4, a: true, b: true)
            for step in 1...4 where step != missing {
                _ = knob.decode(a: Self.state(step).a, b: Self.state(step).b)
            }
            for way in [1, -1, 1] {
                let steps = turn(&knob, from: 0, by: 8 * way)
                #expect(steps == [0, 0, 0, way, 0, 0, 0, way])
            }
        }
    }

    // MARK: Acceleration

    static let speeds: [(milliseconds: Int64, counts: Int)] = [
        (1, 6), (19, 6), (20, 4), (34, 4), (35, 2), (59, 2), (60, 1), (100, 1), (5000, 1),
    ]

    @Test("a detent counts more the sooner it follows another in the same direction", arguments: speeds, [1, -1])
    func acceleration(speed: (milliseconds: Int64, counts: Int), way: Int) {
        var acceleration = Acceleration()
        var time = Instant(milliseconds: 10)
        #expect(acceleration.accelerate(way, at: time) == way)
        for _ in 0..<3 {
            time = time + .milliseconds(speed.milliseconds)
            #expect(acceleration.accelerate(way, at: time) == way * speed.counts)
        }
        // Turning back never accelerates.
        time = time + .milliseconds(1)
        #expect(acceleration.accelerate(-way, at: time) == -way)
    }

    // MARK: Power

    @Test("a hold of the power button completes once, after ten seconds")
    func power() {
        var button = PowerButton()
        #expect(button.hold(at: Instant(milliseconds: 20_000)) == nil)
        button.update(Self.press(1_000_000))
        #expect(button.hold(at: Instant(microseconds: 10_999_999)) == nil)
        #expect(button.hold(at: Instant(milliseconds: 11_004)) == Instant(milliseconds: 11_000))
        #expect(button.hold(at: Instant(milliseconds: 30_000)) == nil)
        button.update(Self.release(31_000_000))
        button.update(Self.press(32_000_000))
        button.update(Self.release(41_900_000))
        #expect(button.hold(at: Instant(milliseconds: 60_000)) == nil)
    }
}
