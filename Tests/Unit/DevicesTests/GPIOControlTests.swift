import CGPIO
import Glibc
import Instrument
import Runtime
import Testing

@testable import Devices

@Suite("Buttons and knobs")
struct GPIOControlTests {
    @Test("the lines are requested with their pull and polarity, and wake the loop")
    func request() {
        let bench = Bench()
        bench.read(at: 0)
        #expect(bench.gpio.log == ["open pinctrl-rp1", "request inputs [5, 6, 3, 22, 23, 24, 25]"])
        let settings = bench.gpio.state.withLock { $0.settings }
        #expect(settings.map(\.is_active_low) == [true, false, true, false, false, false, false])
        #expect(
            settings.map(\.bias.rawValue) == [gpio_bias_pull_up.rawValue, gpio_bias_pull_down.rawValue]
                + Array(repeating: gpio_bias_pull_up.rawValue, count: 5))
        #expect(settings.map(\.debounce_us) == [0, 0, 5000, 0, 0, 0, 0])
        #expect(bench.watched == ["+102"])
        #expect(bench.controls.problem == nil)
    }

    @Test("play acts at its first edge, at the kernel's time; with shift held it undoes")
    func play() {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(5, true, at: 1234)
        bench.gpio.edge(5, false, at: 1300)
        bench.gpio.edge(5, true, at: 1400)
        #expect(bench.read(at: 2) == [event(1234, .key(.playStop))])
        bench.gpio.edge(5, false, at: 80_000)
        bench.gpio.edge(6, true, at: 90_000)
        bench.gpio.edge(5, true, at: 100_000)
        #expect(bench.read(at: 101) == [event(80_000, .keyUp(.playStop)), event(100_000, .key(.undo))])
        bench.gpio.edge(5, false, at: 120_000)
        bench.gpio.edge(6, false, at: 130_000)
        bench.gpio.edge(5, true, at: 140_000)
        #expect(bench.read(at: 150) == [event(120_000, .keyUp(.playStop)), event(140_000, .key(.playStop))])
    }

    @Test("knobs turn tempo and volume, with shift the length, both ways", arguments: [1, -1])
    func knobs(way: Int) {
        let bench = Bench()
        bench.read(at: 0)
        bench.turn(22, 23, way: way, at: 100)
        bench.turn(24, 25, way: way, at: 200)
        bench.gpio.edge(6, true, at: 250_000)
        bench.turn(22, 23, way: way, at: 300)
        bench.turn(24, 25, way: way, at: 400)
        bench.gpio.edge(6, false, at: 450_000)
        bench.turn(22, 23, way: way, at: 500)
        #expect(
            bench.read(at: 501) == [
                event(100_000, .turn(.tempo, by: way)), event(200_000, .turn(.volume, by: 2 * way)),
                event(300_000, .turn(.length, by: way)), event(400_000, .turn(.volume, by: 2 * way)),
                event(500_000, .turn(.tempo, by: way)),
            ])
    }

    @Test("turning fast accelerates, except for the length", arguments: [1, -1])
    func fast(way: Int) {
        let bench = Bench()
        bench.read(at: 0)
        for detent in 1...5 { bench.turn(22, 23, way: way, at: Int64(10 * detent)) }
        #expect(bench.read(at: 60).map(\.event) == [1, 6, 6, 6, 6].map { .turn(.tempo, by: way * $0) })
        bench.gpio.edge(6, true, at: 90_000)
        for detent in 1...5 { bench.turn(22, 23, way: way, at: 100 + Int64(10 * detent)) }
        #expect(bench.read(at: 160).map(\.event) == Array(repeating: .turn(.length, by: way), count: 5))
    }

    @Test("knobs without detents, or with two per cycle of their contacts", arguments: [(1, 4), (2, 2), (4, 1)])
    func detents(transitions: Int, events: Int) {
        let bench = Bench { $0.transitionsPerDetent = transitions }
        bench.read(at: 0)
        bench.turn(22, 23, way: 1, at: 100)
        #expect(bench.read(at: 101).count == events)
    }

    @Test("a press of the power button asks, and holding it for ten seconds switches off")
    func power() {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(3, true, at: 500_000)
        #expect(bench.read(at: 501) == [event(500_000, .power)])
        #expect(bench.read(at: 10_499).isEmpty)
        #expect(bench.read(at: 10_520) == [event(10_500_000, .powerOff)])
        #expect(bench.read(at: 20_000).isEmpty)
    }

    @Test("buttons held at the start do nothing, and no edges are invented")
    func heldAtStart() {
        let bench = Bench()
        bench.gpio.state.withLock { $0.active.formUnion([3, 5]) }
        for milliseconds in stride(from: Int64(0), through: 15_000, by: 50) {
            #expect(bench.read(at: milliseconds).isEmpty)
        }
        bench.gpio.edge(5, false, at: 15_010_000)
        bench.gpio.edge(5, true, at: 15_030_000)
        let events = bench.read(at: 15_050)
        #expect(events == [event(15_010_000, .keyUp(.playStop)), event(15_030_000, .key(.playStop))])
    }

    @Test("an edge lost in the kernel is corrected within a second")
    func lostEdges() {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(3, true, at: 100_000)
        #expect(bench.read(at: 100).map(\.event) == [.power])
        bench.gpio.edge(3, false, at: 200_000, isLost: true)
        bench.gpio.edge(6, true, at: 250_000, isLost: true)
        for milliseconds in stride(from: Int64(250), through: 12_000, by: 50) {
            #expect(bench.read(at: milliseconds).isEmpty)
        }
        bench.gpio.edge(5, true, at: 12_001_000)
        #expect(bench.read(at: 12_010).map(\.event) == [.key(.undo)])
    }

    @Test("more edges than one read returns are all read, and an oscillating line does not block the loop")
    func many() {
        let bench = Bench()
        bench.read(at: 0)
        for press in 0..<100 {
            bench.gpio.edge(5, true, at: Int64(20_000 * press + 10_000))
            bench.gpio.edge(5, false, at: Int64(20_000 * press + 20_000))
        }
        #expect(bench.read(at: 2001).count == 200)
        for edge in 0..<5000 { bench.gpio.edge(5, edge.isMultiple(of: 2), at: 2_100_000 + Int64(edge)) }
        bench.read(at: 2200)
        #expect(bench.gpio.state.withLock { $0.edges.count } == 5000 - 16 * Int(gpio_edges_max))
    }

    static let openings: [(opens: [Int32], requests: [Int32], chip: String?, says: String)] = [
        ([ENOENT, ENOENT, ENOENT], [], nil, "no Raspberry Pi's GPIO header opens"),
        ([ENOENT, ENOENT, ENOENT], [], nil, "set gpio.chip to one that pixelboop doctor lists"),
        ([ENOENT, EACCES, ENOENT], [], nil, "add the user to the group gpio"),
        ([EACCES], [], "gpiochip0", "gpiochip0 does not open (Permission denied): add the user to the group gpio"),
        ([ENOENT], [], "mine", "the GPIO chip mine does not open"),
        ([], [EBUSY], "mine", "gpio.power: line GPIO3 of mine is in use by \"w1\""),
        ([], [EPERM], "mine", "add the user to the group gpio"),
        ([], [EIO], "mine", "the lines of the GPIO chip mine are unavailable (Input/output error)"),
    ]

    @Test(
        "unavailable lines are reported with their fix, requested every second, and used when available",
        arguments: openings)
    func opening(failure: (opens: [Int32], requests: [Int32], chip: String?, says: String)) {
        let bench = Bench { $0.chip = failure.chip }
        bench.gpio.state.withLock { $0.consumers = [3: "w1"] }
        bench.gpio.fail(failure.opens + failure.opens, \.opens)
        bench.gpio.fail(failure.requests + failure.requests, \.requests)
        bench.gpio.edge(5, true, at: 1)
        for milliseconds in stride(from: Int64(0), to: 2000, by: 100) {
            #expect(bench.read(at: milliseconds).isEmpty)
            #expect(bench.controls.problem?.contains(failure.says) == .some(true), "\(bench.controls.problem ?? "-")")
        }
        #expect(bench.gpio.count("open") == 2 * max(1, failure.opens.count))
        #expect(bench.gpio.count("close") == bench.gpio.count("request"))
        #expect(bench.watched.isEmpty)
        bench.read(at: 2000)
        #expect(bench.controls.problem == nil)
        #expect(bench.watched.count == 1)
    }

    static let mistakes: [(change: String, line: GPIOLine, says: String)] = [
        ("a name that is not there", .name("GPIO99"), "gpio.play: the chip pinctrl-rp1 has no line named GPIO99"),
        ("a number that is not there", .number(99), "gpio.play: the chip pinctrl-rp1 gives no line 99"),
        ("the number of a name", .number(3), "gpio.power is line GPIO3, which gpio.play is too"),
    ]

    @Test("a missing or duplicate line is named", arguments: mistakes)
    func mistake(mistake: (change: String, line: GPIOLine, says: String)) {
        let bench = Bench { $0.play = .init(mistake.line) }
        bench.gpio.fail([EINVAL], \.requests)
        bench.read(at: 0)
        #expect(bench.controls.problem?.hasPrefix(mistake.says) == .some(true), "\(bench.controls.problem ?? "-")")
        #expect(bench.gpio.count("open") == bench.gpio.count("close"))
    }

    @Test("a lost chip is reported, released, and requested every second", arguments: [EIO, ENODEV])
    func gone(number: Int32) {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(6, true, at: 100)
        bench.gpio.edge(3, true, at: 200)
        bench.read(at: 1)
        bench.gpio.fail([number], \.reads)
        #expect(bench.read(at: 500).isEmpty)
        #expect(bench.controls.problem?.contains("failed") == .some(true))
        #expect(bench.watched == ["+102", "-102"])
        #expect(bench.gpio.count("release") == 1 && bench.gpio.count("close") == 1)
        // Held lines are released while unobserved.
        bench.gpio.state.withLock { $0.active.subtract([3, 6]) }
        bench.gpio.fail([ENOENT, ENOENT, ENOENT], \.opens)
        for milliseconds in stride(from: Int64(550), through: 1550, by: 50) { bench.read(at: milliseconds) }
        #expect(bench.controls.problem?.contains("header") == .some(true))
        bench.read(at: 2550)
        #expect(bench.controls.problem == nil)
        bench.gpio.edge(5, true, at: 2_600_000)
        #expect(bench.read(at: 2601) == [event(2_600_000, .key(.playStop))])
        for milliseconds in stride(from: Int64(2650), through: 15_000, by: 50) {
            #expect(bench.read(at: milliseconds).isEmpty)
        }
    }

    @Test("an interrupted read is not a failure", arguments: [EINTR, EAGAIN])
    func interrupted(number: Int32) {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(5, true, at: 100)
        bench.gpio.fail([number], \.reads)
        let events = bench.read(at: 1) + bench.read(at: 2)
        #expect(events == [event(100, .key(.playStop))])
        #expect(bench.controls.problem == nil)
    }

    @Test("lines whose level cannot be read are requested again", arguments: [0, 1000])
    func noLevel(milliseconds: Int64) {
        let bench = Bench()
        if milliseconds > 0 { bench.read(at: 0) }
        bench.gpio.fail([0, 0, EIO], \.values)
        bench.read(at: milliseconds)
        #expect(bench.controls.problem?.contains("Input/output error") == .some(true))
        #expect(bench.gpio.count("release") == 1)
        bench.read(at: milliseconds + 1000)
        #expect(bench.controls.problem == nil)
    }

    @Test("releasing the controls releases the lines")
    func released() {
        let gpio = FakeGPIO()
        do {
            var wiring = GPIOControls.Wiring()
            wiring.play = .init(.number(5))
            let controls = GPIOControls(
                wiring, InputLoop(clock: SetClock(), watch: { _ in }, forget: { _ in }), gpio.calls)
            var events: [ControlEvent] = []
            controls.read(into: &events)
        }
        #expect(gpio.log.suffix(2) == ["release", "close"])
    }
}
