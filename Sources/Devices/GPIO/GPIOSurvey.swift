/// A look at GPIO lines that asks for none of them.
public enum GPIOSurvey {
    /// A line, by what the configuration calls it.
    public typealias Wired = (role: String, line: GPIOLine)

    /// What the box calls itself where it has a line.
    static let consumer = "pixelboop"

    /// Whether each of `lines` is there on the chip with this label, name or path (nil for a Raspberry Pi's header) and
    /// free: who has it where it is this program, else nil. Throws where the chip does not open.
    public static func look(
        at lines: [Wired], chip: String?
    ) throws(DeviceFailure) -> [(line: Wired, state: Result<String?, DeviceFailure>)] {
        try look(at: lines, chip: chip, calls: .linux)
    }

    static func look(
        at lines: [Wired], chip: String?, calls: GPIOCalls
    ) throws(DeviceFailure) -> [(line: Wired, state: Result<String?, DeviceFailure>)] {
        let (handle, name) = try calls.openChip(chip)
        defer { calls.close(handle) }
        return lines.map { wired in
            do throws(DeviceFailure) {
                let offset = try calls.offset(of: wired.line, wired.role, handle, name)
                let consumer = try calls.consumer(of: wired.line, wired.role, offset, handle, name)
                guard let consumer, consumer != Self.consumer else { return (wired, .success(consumer)) }
                return (wired, .failure(DeviceFailure(wired.line, wired.role, of: name, isUsedBy: consumer)))
            } catch {
                return (wired, .failure(error))
            }
        }
    }

    /// Whether this kernel leaves an output as it was when the program that drove it has gone, as Raspberry Pi OS's does
    /// unless it is told otherwise (module parameter `persist_gpio_outputs`).
    public static var outputsPersist: Bool {
        ["pinctrl_bcm2835", "pinctrl_rp1"].contains { module in
            String(systemFile: "/sys/module/\(module)/parameters/persist_gpio_outputs")?.first == "Y"
        }
    }
}
