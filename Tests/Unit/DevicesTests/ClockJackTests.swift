import CGPIO
import Glibc
import InputEvents
import Instrument
import Runtime
import Testing

@testable import Devices

@Suite("Clock jacks")
struct ClockJackTests {
    private func bench() -> Bench {
        Bench {
            $0 = GPIOControls.Wiring()
            $0.clockIn = .init(.number(12))
            $0.resetIn = .init(.number(16), isActiveLow: true)
            $0.runIn = .init(.number(26))
        }
    }

    @Test("inputs rest inactive without a plug, and the kernel does not debounce them")
    func request() {
        let bench = bench()
        bench.read(at: 0)
        #expect(bench.gpio.log == ["open pinctrl-rp1", "request inputs [12, 16, 26]"])
        let settings = bench.gpio.state.withLock { $0.settings }
        #expect(settings.map(\.is_active_low) == [false, true, false])
        let down = gpio_bias_pull_down.rawValue
        #expect(settings.map(\.bias.rawValue) == [down, gpio_bias_pull_up.rawValue, down])
        #expect(settings.map(\.debounce_us) == [0, 0, 0])
    }

    @Test("each edge has the kernel's time; a pulse's end is no event")
    func edges() {
        let bench = bench()
        bench.read(at: 0)
        bench.gpio.edge(26, true, at: 1000)
        bench.gpio.edge(16, true, at: 1500)
        bench.gpio.edge(16, false, at: 1700)
        bench.gpio.edge(12, true, at: 2001)
        bench.gpio.edge(12, false, at: 17_001)
        bench.gpio.edge(26, false, at: 18_000)
        #expect(
            bench.read(at: 20) == [
                event(1000, .edge(.run)), event(1500, .edge(.reset)), event(2001, .edge(.clock)),
                event(18_000, .edge(.halt)),
            ])
    }

    @Test("a lost edge of the run line is found within a second; a lost pulse is not invented")
    func lostEdges() {
        let bench = bench()
        bench.read(at: 0)
        bench.gpio.edge(26, true, at: 100, isLost: true)
        bench.gpio.edge(12, true, at: 100, isLost: true)
        bench.gpio.edge(16, true, at: 100, isLost: true)
        #expect(bench.read(at: 1001) == [event(1_001_000, .edge(.run))])
        bench.gpio.edge(26, false, at: 1_500_000)
        #expect(bench.read(at: 2100) == [event(1_500_000, .edge(.halt))])
    }
}

@Suite("The pulses' output")
struct PulseLineTests {
    private let gpio = FakeGPIO()
    private let clock = SetClock()

    private func line(_ milliseconds: Int64) -> PulseLine {
        var wiring = PulseLine.Wiring(chip: nil, output: .init(.number(13)))
        wiring.length = .milliseconds(milliseconds)
        return PulseLine(wiring, clock: clock, calls: gpio.calls)
    }

    /// The edges that the line makes until `end`, in milliseconds: rises positive, falls negative.
    private func edges(_ line: PulseLine, _ lines: inout GPIOLines, until end: Int64) -> [Int64] {
        var edges: [Int64] = []
        while clock.now < Instant(milliseconds: end) {
            let before = gpio.log.count
            guard let next = line.pass(&lines) else { break }
            for entry in gpio.log.dropFirst(before) where entry.hasPrefix("set") {
                edges.append(clock.now.microseconds / 1000 * (entry.hasSuffix("true") ? 1 : -1))
            }
            clock.set(next)
        }
        return edges
    }

    @Test("each pulse begins and ends on its time; at the end the line is inactive and free")
    func pulses() {
        let line = line(15)
        var lines = line.lines()
        for time in [1000, 1500, 2000] { line.pulse(at: Instant(milliseconds: Int64(time))) }
        #expect(edges(line, &lines, until: 2010) == [1000, -1015, 1500, -1515, 2000])
        line.stop()
        #expect(line.pass(&lines) == nil)
        #expect(gpio.log.suffix(3) == ["set 13 false", "release", "close"])
    }

    @Test("pulses that would touch are shorter, so that the line falls between them")
    func nearPulses() {
        let line = line(50)
        var lines = line.lines()
        for time in [1000, 1010, 1020, 2000] { line.pulse(at: Instant(milliseconds: Int64(time))) }
        #expect(edges(line, &lines, until: 3000) == [1000, -1005, 1010, -1015, 1020, -1025, 2000, -2050])
    }

    @Test("a clock that is set back loses no pulse")
    func setBack() {
        let line = line(15)
        var lines = line.lines()
        for time in [1000, 998] { line.pulse(at: Instant(milliseconds: Int64(time))) }
        #expect(edges(line, &lines, until: 3000) == [1000, -1001, 1002, -1003])
    }

    @Test("a late thread loses no pulse: the later ones follow at half of their distances")
    func late() {
        let line = line(15)
        var lines = line.lines()
        for time in [1000, 1500, 2000] { line.pulse(at: Instant(milliseconds: Int64(time))) }
        clock.set(Instant(milliseconds: 2003))
        #expect(edges(line, &lines, until: 3000) == [2003, -2010, 2253, -2260, 2503, -2510])
    }

    @Test("a line in use is requested every second, with one line about it")
    func busy() {
        gpio.fail([EBUSY, EBUSY], \.requests)
        let line = line(15)
        var lines = line.lines()
        line.pulse(at: Instant(milliseconds: 500))
        line.pulse(at: Instant(milliseconds: 4000))
        #expect(edges(line, &lines, until: 900) == [])
        #expect(line.problem?.contains("unavailable") == true)
        #expect(edges(line, &lines, until: 5000) == [4000, -4015])
        #expect(gpio.count("request") == 3)
        #expect(line.problem == nil)
    }

    @Test("a chip that fails in a pulse is requested again")
    func failure() {
        let line = line(15)
        var lines = line.lines()
        line.pulse(at: Instant(milliseconds: 500))
        line.pulse(at: Instant(milliseconds: 3000))
        gpio.fail([0, ENODEV], \.writes)
        #expect(edges(line, &lines, until: 5000).suffix(2) == [3000, -3015])
        #expect(gpio.count("request") == 2)
    }

    @Test("pulses far in advance are bounded, and the later ones still come")
    func flood() {
        let line = line(1)
        var lines = line.lines()
        for time in 0..<100_000 { line.pulse(at: Instant(milliseconds: 1000 + 10 * Int64(time))) }
        #expect(edges(line, &lines, until: 10_000).count == 640)
        line.pulse(at: Instant(milliseconds: 2_000_000))
        #expect(edges(line, &lines, until: 2_001_000) == [2_000_000, -2_000_001])
    }
}
