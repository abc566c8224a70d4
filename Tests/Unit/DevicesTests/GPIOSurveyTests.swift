import Glibc
import Testing

@testable import Devices

@Suite("The survey of GPIO lines")
struct GPIOSurveyTests {
    @Test("each line is free, the box's own, another's or missing, and none is requested")
    func look() throws {
        let gpio = FakeGPIO()
        gpio.state.withLock { $0.consumers = [5: "pixelboop", 6: "w1"] }
        let lines: [GPIOSurvey.Wired] = [
            ("play", .number(5)), ("shift", .number(6)), ("power", .name("GPIO3")), ("tempo[0]", .name("X")),
            ("tempo[1]", .number(99)),
        ]
        let found = try GPIOSurvey.look(at: lines, chip: "mine", calls: gpio.calls)
        let states = found.map { look in
            switch look.state {
            case .success(let consumer): "\(look.line.role) \(consumer ?? "free")"
            case .failure(let failure): failure.what
            }
        }
        #expect(
            states == [
                "play pixelboop", "gpio.shift: line 6 of mine is in use by \"w1\"", "power free",
                "gpio.tempo[0]: the chip mine has no line named X (No such file or directory)",
                "gpio.tempo[1]: the chip mine gives no line 99 (Invalid argument)",
            ])
        #expect(gpio.log == ["open mine", "close"])
    }

    @Test("a chip that does not open is an error with its fix")
    func closed() {
        let gpio = FakeGPIO()
        gpio.fail([EACCES], \.opens)
        do throws(DeviceFailure) {
            _ = try GPIOSurvey.look(at: [("play", .number(5))], chip: "mine", calls: gpio.calls)
            Issue.record("it opened")
        } catch {
            #expect(error.fix.contains("group gpio"))
        }
    }
}
