import Glibc
import Testing

@testable import Devices

@Suite("libgpiod")
struct LibgpiodTests {
    @Test(
        "a path that is not a chip fails with its errno, and nothing is left open",
        arguments: ["no-such-label", "/dev/null", "/x"])
    func refusals(chip: String) {
        let opened = GPIOCalls.linux.open(chip)
        // If this user may not open some chips, one of them might be it; without /sys libgpiod cannot identify a
        // device.
        let expected =
            switch chip {
            case "/x": [ENOENT]
            case "/dev/null": [ENODEV, ENOTTY, ENOENT]
            default: [ENOENT, EACCES]
            }
        #expect(expected.contains { opened == .failure(SystemError(errno: $0)) }, "\(chip): \(opened)")
    }

    @Test("every chip of this machine is listed with its description, or the reason that it does not open")
    func chips() {
        for chip in GPIOChip.all() {
            #expect(chip.path.hasPrefix("/dev/gpiochip"))
            if case .success(let count) = chip.lines { #expect(count > 0 && !chip.label.isEmpty && !chip.name.isEmpty) }
        }
        #expect(Set(GPIOChip.all().map(\.path)).count == GPIOChip.all().count)
    }
}
