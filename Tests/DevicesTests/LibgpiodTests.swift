import Glibc
import Testing

@testable import Devices

@Suite("libgpiod")
struct LibgpiodTests {
    @Test(
        "what is no chip is refused by its errno, and nothing is left open",
        arguments: ["no-such-label", "/dev/null", "/x"])
    func refusals(chip: String) {
        let opened = GPIOCalls.linux.open(chip)
        // Where there are chips that this user may not open, one of them might have been it; without /sys libgpiod finds
        // out nothing of a device.
        let expected =
            switch chip {
            case "/x": [ENOENT]
            case "/dev/null": [ENODEV, ENOTTY, ENOENT]
            default: [ENOENT, EACCES]
            }
        #expect(expected.contains { opened == .failure(SystemError(errno: $0)) }, "\(chip): \(opened)")
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
