import InputEvents
import Glibc
import Instrument
import Testing

@testable import Devices

@Suite("GPIO outputs")
struct GPIOOutputTests {
    private func outputs(_ gpio: FakeGPIO, isActiveLow: Bool = false) -> GPIOOutputs {
        var wiring = GPIOOutputs.Wiring()
        wiring.chip = "mine"
        wiring.ledEnable = .init(.number(17))
        wiring.outputEnable = .init(.name("OE"), isActiveLow: isActiveLow)
        wiring.statusLED = .init(.number(4))
        return GPIOOutputs(wiring, calls: gpio.calls)
    }

    @Test("the supply is switched on before the data and off after it, and everything is off at the start and the end")
    func order() {
        let gpio = FakeGPIO()
        let outputs = outputs(gpio, isActiveLow: true)
        outputs.showStatus(hasFault: false, at: .zero)
        let settings = gpio.state.withLock { $0.settings }
        #expect(settings.map(\.is_active_low) == [false, true, false])
        outputs.follow(.lit, at: Instant(milliseconds: 10))
        for milliseconds in 11..<40 as Range<Int64> {
            outputs.follow(.lit, at: Instant(milliseconds: milliseconds))
            outputs.showStatus(hasFault: false, at: Instant(milliseconds: milliseconds))
        }
        outputs.stop(at: Instant(milliseconds: 40))
        #expect(
            gpio.log == [
                "open mine", "request outputs [17, 27, 4]", "at death [4, 27, 17]", "set 4 true", "set 17 true",
                "set 27 true", "set 4 false", "set 27 false", "set 17 false", "live", "release", "close",
            ])
    }

    @Test("the status LED is on, and blinks twice a second during a fault")
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

    @Test("the level shifter stays off while the supply rises")
    func rising() {
        let gpio = FakeGPIO()
        let outputs = outputs(gpio)
        #expect(outputs.ledLines == .missing)
        outputs.request(at: .zero)
        #expect(outputs.ledLines == .ready)
        #expect(gpio.count("set") == 0)
        outputs.follow(.off, at: .zero)
        outputs.follow(.rising, at: Instant(milliseconds: 1))
        outputs.follow(.darkening, at: Instant(milliseconds: 21))
        #expect(gpio.log.filter { $0.hasPrefix("set") } == ["set 17 true"])
        outputs.follow(.lit, at: Instant(milliseconds: 22))
        #expect(gpio.log.last == "set 27 true")
    }

    static let openings: [(opens: [Int32], requests: [Int32], says: String)] = [
        ([EACCES], [], "add the user to the group gpio"), ([ENOENT], [], "pixelboop doctor"),
        ([], [EBUSY], "gpio.outputEnable: line OE of mine is in use by another program"),
    ]

    @Test("unavailable lines are reported, requested once a second, and then set correctly", arguments: openings)
    func opening(failure: (opens: [Int32], requests: [Int32], says: String)) {
        let gpio = FakeGPIO()
        gpio.state.withLock { $0.consumers = [27: ""] }
        gpio.fail(failure.opens + failure.opens, \.opens)
        gpio.fail(failure.requests + failure.requests, \.requests)
        let outputs = outputs(gpio)
        for milliseconds in stride(from: Int64(0), to: 2000, by: 100) {
            outputs.follow(.lit, at: Instant(milliseconds: milliseconds))
            outputs.showStatus(hasFault: false, at: Instant(milliseconds: milliseconds))
            #expect(outputs.problem?.contains(failure.says) == .some(true), "\(outputs.problem ?? "-")")
        }
        #expect(gpio.count("open") == 2)
        #expect(gpio.count("set") == 0)
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 2000))
        #expect(gpio.log.suffix(3) == ["set 17 true", "set 27 true", "set 4 true"])
        #expect(outputs.problem == nil)
    }

    @Test("a failed chip is requested again, and everything is set again", arguments: [EIO, ENODEV])
    func failing(number: Int32) {
        let gpio = FakeGPIO()
        let outputs = outputs(gpio)
        outputs.showStatus(hasFault: false, at: .zero)
        gpio.fail([0, number], \.writes)
        outputs.follow(.lit, at: Instant(milliseconds: 100))
        #expect(outputs.problem?.contains("failed") == .some(true))
        // Released lines are not touched at death.
        #expect(gpio.log.suffix(4) == ["set 17 true", "live", "release", "close"])
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 1099))
        #expect(gpio.count("open") == 1)
        outputs.showStatus(hasFault: false, at: Instant(milliseconds: 1100))
        #expect(gpio.log.suffix(4) == ["at death [4, 27, 17]", "set 17 true", "set 27 true", "set 4 true"])
        #expect(outputs.problem == nil)
    }

    @Test("without wired lines nothing is requested")
    func nothing() {
        let gpio = FakeGPIO()
        let outputs = GPIOOutputs(GPIOOutputs.Wiring(), calls: gpio.calls)
        #expect(outputs.ledLines == .none)
        outputs.follow(.lit, at: .zero)
        outputs.showStatus(hasFault: true, at: .zero)
        outputs.stop(at: .zero)
        #expect(gpio.log == ["live"])
        #expect(outputs.problem == nil)
    }
}
