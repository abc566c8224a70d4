import CGPIO
import Glibc
import Instrument
import Runtime
import Synchronization
import Testing

@testable import Devices

/// A GPIO chip of 54 lines whose edges the test makes, but for the calls that are told to fail.
private final class FakeGPIO: Sendable {
    struct State {
        var names: [String: UInt32] = ["GPIO3": 3, "OE": 27]
        var consumers: [UInt32: String] = [:]
        /// Lines that are active; all others are not.
        var active: Set<UInt32> = []
        var edges: [gpio_edge] = []
        var settings: [gpio_line_setting] = []
        /// What was called: opening and requesting with what for.
        var log: [String] = []
        /// What the next calls of each kind give, in turn, in place of what they would.
        var opens: [Int32] = []
        var requests: [Int32] = []
        var reads: [Int32] = []
        var values: [Int32] = []
        var writes: [Int32] = []
        var next = 100
    }

    let state = Mutex(State())

    var log: [String] { state.withLock { $0.log } }
    func count(_ word: String) -> Int { log.count { $0.hasPrefix(word) } }
    func fail(_ errors: [Int32], _ calls: WritableKeyPath<State, [Int32]>) {
        state.withLock { $0[keyPath: calls] = errors }
    }

    /// The line at `offset` becomes active, or not, and the kernel takes note of it unless it `isLost`.
    func edge(_ offset: UInt32, _ isActive: Bool, at microseconds: Int64, isLost: Bool = false) {
        state.withLock { state in
            if isActive { state.active.insert(offset) } else { state.active.remove(offset) }
            guard !isLost else { return }
            state.edges.append(gpio_edge(offset: offset, is_active: isActive, nanoseconds: microseconds * 1000 + 999))
        }
    }

    private static func failure(_ errors: inout [Int32]) -> Int? {
        guard let first = errors.first else { return nil }
        errors.removeFirst()
        return first == 0 ? nil : -Int(first)
    }

    private func number(_ errors: WritableKeyPath<State, [Int32]>, _ entry: String) -> Int {
        state.withLock { state in
            state.log.append(entry)
            if let failure = Self.failure(&state[keyPath: errors]) { return failure }
            state.next += 1
            return state.next
        }
    }

    var calls: GPIOCalls {
        GPIOCalls(
            open: { self.number(\.opens, "open \($0)") },
            close: { _ in self.state.withLock { $0.log.append("close") } },
            find: { _, name in self.state.withLock { $0.names[name].map { Int($0) } ?? -Int(ENOENT) } },
            describe: { _, offset in
                guard offset < 54 else { return .failure(SystemError(errno: EINVAL)) }
                return .success(GPIOLineDetails(name: "", consumer: self.state.withLock { $0.consumers[offset] }))
            },
            request: { _, direction, lines in
                self.state.withLock { $0.settings = lines }
                return self.number(\.requests, "request \(direction) \(lines.map(\.offset))")
            },
            descriptor: { Int32($0) },
            read: { _, edges in
                self.state.withLock { state in
                    if let failure = Self.failure(&state.reads) { return failure }
                    let count = min(edges.count, state.edges.count)
                    for index in 0..<count { edges[index] = state.edges[index] }
                    state.edges.removeFirst(count)
                    return count
                }
            },
            value: { _, offset in
                self.state.withLock { Self.failure(&$0.values) ?? ($0.active.contains(offset) ? 1 : 0) }
            },
            setValue: { _, offset, value in
                self.state.withLock { state in
                    if let failure = Self.failure(&state.writes) { return failure }
                    state.log.append("set \(offset) \(value)")
                    return 0
                }
            },
            release: { _ in self.state.withLock { $0.log.append("release") } },
            switchOffAtDeath: { request, offsets in
                self.state.withLock { $0.log.append(request == 0 ? "live" : "at death \(offsets)") }
            })
    }
}

/// A clock that the test sets.
private final class SetClock: Clock {
    private let time = Mutex(Instant.zero)
    var now: Instant { time.withLock { $0 } }
    func set(_ now: Instant) { time.withLock { $0 = now } }
    func wait(until deadline: Instant) {}
    func wake() {}
}

/// What the loop's clock was told of descriptors.
private final class Watched {
    var log: [String] = []
}

/// Buttons and knobs on a fake chip.
private final class Bench {
    let gpio = FakeGPIO()
    let clock = SetClock()
    private let watch = Watched()
    var watched: [String] { watch.log }
    let controls: GPIOControls

    init(_ change: (inout GPIOControls.Wiring) -> Void = { _ in }) {
        var wiring = GPIOControls.Wiring()
        wiring.play = .init(.number(5))
        wiring.shift = .init(.number(6), isActiveLow: false)
        wiring.power = .init(.name("GPIO3"))
        wiring.tempo = .init(a: .number(22), b: .number(23))
        wiring.volume = .init(a: .number(24), b: .number(25))
        change(&wiring)
        // Open contacts are pulled up.
        gpio.state.withLock { $0.active = [22, 23, 24, 25] }
        controls = GPIOControls(
            wiring, clock: clock, calls: gpio.calls, watch: { [watch] in watch.log.append("+\($0)") },
            forget: { [watch] in watch.log.append("-\($0)") })
    }

    /// What is read at `milliseconds`.
    @discardableResult
    func read(at milliseconds: Int64) -> [ControlEvent] {
        clock.set(Instant(milliseconds: milliseconds))
        var events: [ControlEvent] = []
        controls.read(into: &events)
        return events
    }

    /// Turns the knob at `a` and `b` by one detent, its last edge at `milliseconds`.
    func turn(_ a: UInt32, _ b: UInt32, way: Int, at milliseconds: Int64) {
        let (first, second) = way > 0 ? (a, b) : (b, a)
        for (offset, isActive, before) in [(first, false, 3), (second, false, 2), (first, true, 1), (second, true, 0)] {
            gpio.edge(offset, isActive, at: milliseconds * 1000 - Int64(before))
        }
    }
}

private func event(_ microseconds: Int64, _ event: Event) -> ControlEvent {
    ControlEvent(time: Instant(microseconds: microseconds), event: event)
}

@Suite("Buttons and knobs")
struct GPIOControlTests {
    @Test("the lines are asked for with their pull and polarity, and woken for")
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
        #expect(bench.read(at: 2) == [event(1234, .key(.space))])
        bench.gpio.edge(5, false, at: 80_000)
        bench.gpio.edge(6, true, at: 90_000)
        bench.gpio.edge(5, true, at: 100_000)
        #expect(bench.read(at: 101) == [event(100_000, .key(.undo))])
        bench.gpio.edge(5, false, at: 120_000)
        bench.gpio.edge(6, false, at: 130_000)
        bench.gpio.edge(5, true, at: 140_000)
        #expect(bench.read(at: 150) == [event(140_000, .key(.space))])
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

    @Test("turning fast goes further, but through the lengths it does not", arguments: [1, -1])
    func fast(way: Int) {
        let bench = Bench()
        bench.read(at: 0)
        for detent in 1...5 { bench.turn(22, 23, way: way, at: Int64(10 * detent)) }
        #expect(bench.read(at: 60).map(\.event) == [1, 6, 6, 6, 6].map { .turn(.tempo, by: way * $0) })
        bench.gpio.edge(6, true, at: 90_000)
        for detent in 1...5 { bench.turn(22, 23, way: way, at: 100 + Int64(10 * detent)) }
        #expect(bench.read(at: 160).map(\.event) == Array(repeating: .turn(.length, by: way), count: 5))
    }

    @Test("knobs without detents, or with two to a turn of their contacts", arguments: [(1, 4), (2, 2), (4, 1)])
    func detents(transitions: Int, events: Int) {
        let bench = Bench { $0.transitionsPerDetent = transitions }
        bench.read(at: 0)
        bench.turn(22, 23, way: 1, at: 100)
        #expect(bench.read(at: 101).count == events)
    }

    @Test("a press of the power button asks, and ten seconds of it switch off")
    func power() {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(3, true, at: 500_000)
        #expect(bench.read(at: 501) == [event(500_000, .power)])
        #expect(bench.read(at: 10_499).isEmpty)
        #expect(bench.read(at: 10_520) == [event(10_500_000, .powerOff)])
        #expect(bench.read(at: 20_000).isEmpty)
    }

    @Test("buttons that are held at the start do nothing, and no more edges than are there are made up")
    func heldAtStart() {
        let bench = Bench()
        bench.gpio.state.withLock { $0.active.formUnion([3, 5]) }
        for milliseconds in stride(from: Int64(0), through: 15_000, by: 50) {
            #expect(bench.read(at: milliseconds).isEmpty)
        }
        bench.gpio.edge(5, false, at: 15_010_000)
        bench.gpio.edge(5, true, at: 15_030_000)
        #expect(bench.read(at: 15_050) == [event(15_030_000, .key(.space))])
    }

    @Test("an edge that the kernel had no room for is made good within a second")
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

    @Test("more edges than one reading takes are all taken, and a line that oscillates does not hold up the loop")
    func many() {
        let bench = Bench()
        bench.read(at: 0)
        for press in 0..<100 {
            bench.gpio.edge(5, true, at: Int64(20_000 * press + 10_000))
            bench.gpio.edge(5, false, at: Int64(20_000 * press + 20_000))
        }
        #expect(bench.read(at: 2001).count == 100)
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
        ([], [EIO], "mine", "the lines of the GPIO chip mine are not to be had (Input/output error)"),
    ]

    @Test(
        "lines that are not to be had are said with what to do, asked for once a second, and taken when they are there",
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

    @Test("a line that is not there or is there twice is named", arguments: mistakes)
    func mistake(mistake: (change: String, line: GPIOLine, says: String)) {
        let bench = Bench { $0.play = .init(mistake.line) }
        bench.gpio.fail([EINVAL], \.requests)
        bench.read(at: 0)
        #expect(bench.controls.problem?.hasPrefix(mistake.says) == .some(true), "\(bench.controls.problem ?? "-")")
        #expect(bench.gpio.count("open") == bench.gpio.count("close"))
    }

    @Test("a chip that goes away is said, let go, and asked for again each second", arguments: [EIO, ENODEV])
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
        // What was held is let go while nobody looks.
        bench.gpio.state.withLock { $0.active.subtract([3, 6]) }
        bench.gpio.fail([ENOENT, ENOENT, ENOENT], \.opens)
        for milliseconds in stride(from: Int64(550), through: 1550, by: 50) { bench.read(at: milliseconds) }
        #expect(bench.controls.problem?.contains("header") == .some(true))
        bench.read(at: 2550)
        #expect(bench.controls.problem == nil)
        bench.gpio.edge(5, true, at: 2_600_000)
        #expect(bench.read(at: 2601) == [event(2_600_000, .key(.space))])
        for milliseconds in stride(from: Int64(2650), through: 15_000, by: 50) {
            #expect(bench.read(at: milliseconds).isEmpty)
        }
    }

    @Test("an interrupted reading is no failure", arguments: [EINTR, EAGAIN])
    func interrupted(number: Int32) {
        let bench = Bench()
        bench.read(at: 0)
        bench.gpio.edge(5, true, at: 100)
        bench.gpio.fail([number], \.reads)
        let events = bench.read(at: 1) + bench.read(at: 2)
        #expect(events == [event(100, .key(.space))])
        #expect(bench.controls.problem == nil)
    }

    @Test("lines whose level cannot be read are asked for again", arguments: [0, 1000])
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

    @Test("whoever lets the controls go lets the lines go")
    func released() {
        let gpio = FakeGPIO()
        do {
            var wiring = GPIOControls.Wiring()
            wiring.play = .init(.number(5))
            let controls = GPIOControls(wiring, clock: SetClock(), calls: gpio.calls, watch: { _ in }, forget: { _ in })
            var events: [ControlEvent] = []
            controls.read(into: &events)
        }
        #expect(gpio.log.suffix(2) == ["release", "close"])
    }
}

@Suite("What the box switches")
struct GPIOOutputTests {
    private func outputs(_ gpio: FakeGPIO, isActiveLow: Bool = false) -> GPIOOutputs {
        var wiring = GPIOOutputs.Wiring()
        wiring.chip = "mine"
        wiring.ledEnable = .init(.number(17))
        wiring.outputEnable = .init(.name("OE"), isActiveLow: isActiveLow)
        wiring.statusLED = .init(.number(4))
        return GPIOOutputs(wiring, calls: gpio.calls)
    }

    @Test("the supply comes before the data and goes after it, and everything is off at first and at the end")
    func order() {
        let gpio = FakeGPIO()
        let outputs = outputs(gpio, isActiveLow: true)
        outputs.showStatus(hasFault: false, at: .zero)
        let settings = gpio.state.withLock { $0.settings }
        #expect(settings.map(\.value) == [false, false, false])
        #expect(settings.map(\.is_active_low) == [false, true, false])
        outputs.switchLEDs(on: true, at: Instant(milliseconds: 10))
        for milliseconds in 11..<40 as Range<Int64> {
            outputs.switchLEDs(on: true, at: Instant(milliseconds: milliseconds))
            outputs.showStatus(hasFault: false, at: Instant(milliseconds: milliseconds))
        }
        outputs.stop(at: Instant(milliseconds: 40))
        #expect(
            gpio.log == [
                "open mine", "request outputs [17, 27, 4]", "at death [4, 27, 17]", "set 4 true", "set 17 true",
                "set 27 true", "set 4 false", "set 27 false", "set 17 false", "live", "release", "close",
            ])
    }

    @Test("the status LED shines, and at a fault blinks twice a second")
    func blinking() {
        let gpio = FakeGPIO()
        let outputs = outputs(gpio)
        for milliseconds in stride(from: Int64(0), to: 1000, by: 10) {
            outputs.showStatus(hasFault: false, at: Instant(milliseconds: milliseconds))
        }
        #expect(gpio.log.filter { $0.hasPrefix("set 4") } == ["set 4 true"])
        for milliseconds in stride(from: Int64(1000), to: 3000, by: 10) {
            outputs.showStatus(hasFault: true, at: Instant(milliseconds: milliseconds))
        }
        let changes = gpio.log.filter { $0.hasPrefix("set 4") }.dropFirst()
        #expect(Array(changes) == (0..<7).map { "set 4 \($0.isMultiple(of: 2) ? false : true)" })
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 3300))
        #expect(gpio.log.last == "set 4 true")
    }

    static let openings: [(opens: [Int32], requests: [Int32], says: String)] = [
        ([EACCES], [], "add the user to the group gpio"), ([ENOENT], [], "pixelboop doctor"),
        ([], [EBUSY], "gpio.outputEnable: line OE of mine is in use by another program"),
    ]

    @Test("what is not to be had is said, asked for once a second, and then as it should be", arguments: openings)
    func opening(failure: (opens: [Int32], requests: [Int32], says: String)) {
        let gpio = FakeGPIO()
        gpio.state.withLock { $0.consumers = [27: ""] }
        gpio.fail(failure.opens + failure.opens, \.opens)
        gpio.fail(failure.requests + failure.requests, \.requests)
        let outputs = outputs(gpio)
        for milliseconds in stride(from: Int64(0), to: 2000, by: 100) {
            outputs.switchLEDs(on: true, at: Instant(milliseconds: milliseconds))
            outputs.showStatus(hasFault: false, at: Instant(milliseconds: milliseconds))
            #expect(outputs.problem?.contains(failure.says) == .some(true), "\(outputs.problem ?? "-")")
        }
        #expect(gpio.count("open") == 2)
        #expect(gpio.count("set") == 0)
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 2000))
        #expect(gpio.log.suffix(3) == ["set 17 true", "set 27 true", "set 4 true"])
        #expect(outputs.problem == nil)
    }

    @Test("a chip that fails is asked for again, and everything set again", arguments: [EIO, ENODEV])
    func failing(number: Int32) {
        let gpio = FakeGPIO()
        let outputs = outputs(gpio)
        outputs.showStatus(hasFault: false, at: .zero)
        gpio.fail([0, number], \.writes)
        outputs.switchLEDs(on: true, at: Instant(milliseconds: 100))
        #expect(outputs.problem?.contains("failed") == .some(true))
        // Nothing of what was let go is touched at death.
        #expect(gpio.log.suffix(4) == ["set 17 true", "live", "release", "close"])
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 1099))
        #expect(gpio.count("open") == 1)
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 1100))
        #expect(gpio.log.suffix(4) == ["at death [4, 27, 17]", "set 17 true", "set 27 true", "set 4 true"])
        #expect(outputs.problem == nil)
    }

    @Test("where nothing is wired nothing is asked for")
    func nothing() {
        let gpio = FakeGPIO()
        let outputs = GPIOOutputs(GPIOOutputs.Wiring(), calls: gpio.calls)
        outputs.switchLEDs(on: true, at: .zero)
        outputs.showStatus(hasFault: true, at: .zero)
        outputs.stop(at: .zero)
        #expect(gpio.log == ["live"])
        #expect(outputs.problem == nil)
    }
}

@Suite("A look at GPIO lines")
struct GPIOSurveyTests {
    @Test("each line is free, the box's own, another's or not there, and none is asked for")
    func look() throws {
        let gpio = FakeGPIO()
        gpio.state.withLock { $0.consumers = [5: "pixelboop", 6: "w1"] }
        let lines: [GPIOSurvey.Wired] = [
            ("play", .number(5)), ("shift", .number(6)), ("power", .name("GPIO3")), ("tempo[0]", .name("X")),
            ("tempo[1]", .number(99)),
        ]
        let found = try GPIOSurvey.look(at: lines, chip: "mine", calls: gpio.calls)
        let told = found.map { look in
            switch look.state {
            case .success(let consumer): "\(look.line.role) \(consumer ?? "free")"
            case .failure(let failure): failure.what
            }
        }
        #expect(
            told == [
                "play pixelboop", "gpio.shift: line 6 of mine is in use by \"w1\"", "power free",
                "gpio.tempo[0]: the chip mine has no line named X (No such file or directory)",
                "gpio.tempo[1]: the chip mine gives no line 99 (Invalid argument)",
            ])
        #expect(gpio.log == ["open mine", "close"])
    }

    @Test("a chip that does not open is thrown with what to do")
    func closed() {
        let gpio = FakeGPIO()
        gpio.fail([EACCES], \.opens)
        do throws(GPIOFailure) {
            _ = try GPIOSurvey.look(at: [("play", .number(5))], chip: "mine", calls: gpio.calls)
            Issue.record("it opened")
        } catch {
            #expect(error.fix.contains("group gpio"))
        }
    }
}

@Suite("libgpiod")
struct LibgpiodTests {
    @Test(
        "what is no chip is refused by its errno, and nothing is left open",
        arguments: ["no-such-label", "/dev/null", "/x"])
    func refusals(chip: String) {
        let number = -GPIOCalls.linux.open(chip)
        // Where there are chips that this user may not open, one of them might have been it; without /sys libgpiod finds
        // out nothing of a device.
        let expected =
            switch chip {
            case "/x": [ENOENT]
            case "/dev/null": [ENODEV, ENOTTY, ENOENT]
            default: [ENOENT, EACCES]
            }
        #expect(expected.contains(Int32(number)), "\(chip): \(number)")
    }

    @Test("every chip of this machine is listed with what it is, or why it does not open")
    func chips() {
        for chip in GPIOChip.all() {
            #expect(chip.path.hasPrefix("/dev/gpiochip"))
            if case .success(let count) = chip.lines { #expect(count > 0 && !chip.label.isEmpty && !chip.name.isEmpty) }
        }
        #expect(Set(GPIOChip.all().map(\.path)).count == GPIOChip.all().count)
    }
}

@Suite("The command that switches the machine off")
struct ShutdownCommandTests {
    static let commands: [(words: [String], status: Int)] = [
        ([], 0), (["true"], 0), (["false"], 1), (["sh", "-c", "exit 7"], 7),
        (["sh", "-c", "test \"$1\" = 'a b'", "-", "a b"], 0),
        (["sh", "-c", "kill -9 $$"], 137),
    ]

    @Test("its end is told", arguments: commands)
    func status(command: (words: [String], status: Int)) throws {
        let status = try ShutdownCommand.run(command.words)
        #expect(status == command.status)
    }

    @Test("one that is not there is refused")
    func missing() {
        do throws(DeviceError) {
            _ = try ShutdownCommand.run(["/no/such/command"])
            Issue.record("it ran")
        } catch {
            #expect(error.errno == ENOENT)
        }
    }

    @Test("it takes the signals that the box has blocked")
    func signals() throws {
        var blocked = sigset_t()
        var before = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let status = try ShutdownCommand.run(["sh", "-c", "kill -TERM $$; exit 3"])
        #expect(status == 128 + Int(SIGTERM))
    }
}
