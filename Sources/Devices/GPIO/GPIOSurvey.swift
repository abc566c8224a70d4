/// Inspects GPIO lines without requesting them.
public enum GPIOSurvey {
    /// A line and the configuration key that names it.
    public typealias Wired = (role: String, line: GPIOLine)

    /// The consumer name of the box's own requests.
    static let consumer = "pixelboop"

    /// The state of each of `lines` on the chip with this label, name or path; nil means a Raspberry Pi's header. A
    /// line that exists and is free gives nil; a line that pixelboop uses gives its consumer. Throws if the chip does
    /// not open.
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

    /// Whether this kernel keeps an output's level after the program that set it has ended, as Raspberry Pi OS does by
    /// default (module parameter `persist_gpio_outputs`).
    public static var outputsPersist: Bool {
        ["pinctrl_bcm2835", "pinctrl_rp1"].contains { module in
            String(systemFile: "/sys/module/\(module)/parameters/persist_gpio_outputs")?.first == "Y"
        }
    }
}
