import CGPIO
import CSystem
import Glibc

/// The calls that GPIO needs, each by itself so that a test can make it fail. Chips and requests are numbers above 0; what
/// fails gives the negative errno.
struct GPIOCalls: Sendable {
    /// Opens the chip with a label, name or path.
    var open: @Sendable (_ chip: String) -> Int
    /// Closes a chip.
    var close: @Sendable (_ chip: Int) -> Void
    /// The offset of a named line.
    var find: @Sendable (_ chip: Int, _ name: String) -> Int
    /// What is known of a line, or the errno.
    var describe: @Sendable (_ chip: Int, _ offset: UInt32) -> Result<GPIOLineDetails, SystemError>
    /// Requests lines.
    var request: @Sendable (_ chip: Int, _ direction: GPIODirection, _ lines: [gpio_line_setting]) -> Int
    /// What is readable while a request has edges.
    var descriptor: @Sendable (_ request: Int) -> Int32
    /// Takes edges: how many; 0 if there is none.
    var read: @Sendable (_ request: Int, _ edges: UnsafeMutableBufferPointer<gpio_edge>) -> Int
    /// Whether a line is active: 1 or 0.
    var value: @Sendable (_ request: Int, _ offset: UInt32) -> Int
    /// Makes an output active or not: 0.
    var setValue: @Sendable (_ request: Int, _ offset: UInt32, _ value: Bool) -> Int
    /// Releases a request.
    var release: @Sendable (_ request: Int) -> Void
    /// Names the outputs that a dying process makes inactive; none for request 0.
    var switchOffAtDeath: @Sendable (_ request: Int, _ offsets: [UInt32]) -> Void

    /// The kernel's, through libgpiod.
    static let linux = GPIOCalls(
        open: { number(gpio_open($0)) },
        close: { gpio_close(OpaquePointer(bitPattern: $0)) },
        find: { chip, name in
            let offset = gpio_find_line(OpaquePointer(bitPattern: chip), name)
            return offset < 0 ? -Int(errno) : Int(offset)
        },
        describe: { chip, offset in
            var details = gpio_line_details()
            guard gpio_describe_line(OpaquePointer(bitPattern: chip), offset, &details) == 0 else {
                return .failure(SystemError(errno: errno))
            }
            return .success(GPIOLineDetails(details))
        },
        request: { chip, direction, lines in
            let chip = OpaquePointer(bitPattern: chip)
            let count = Int32(lines.count)
            return switch direction {
            case .inputs: number(gpio_request_inputs(chip, GPIOSurvey.consumer, lines, count))
            case .outputs: number(gpio_request_outputs(chip, GPIOSurvey.consumer, lines, count))
            }
        },
        descriptor: { gpio_descriptor(OpaquePointer(bitPattern: $0)) },
        read: { request, edges in
            let count = gpio_read_edges(OpaquePointer(bitPattern: request), edges.baseAddress, Int32(edges.count))
            return count < 0 ? -Int(errno) : Int(count)
        },
        value: { request, offset in
            let value = gpio_value(OpaquePointer(bitPattern: request), offset)
            return value < 0 ? -Int(errno) : Int(value)
        },
        setValue: { request, offset, value in
            gpio_set_value(OpaquePointer(bitPattern: request), offset, value) < 0 ? -Int(errno) : 0
        },
        release: { gpio_release(OpaquePointer(bitPattern: $0)) },
        switchOffAtDeath: { request, offsets in
            gpio_at_death(OpaquePointer(bitPattern: request), offsets, Int32(offsets.count))
            system_at_death(request == 0 ? nil : gpio_switch_off)
        })

    /// A pointer as a number, or the negative errno for none.
    private static func number(_ pointer: OpaquePointer?) -> Int { pointer.map { Int(bitPattern: $0) } ?? -Int(errno) }
}

/// Which way requested lines go.
enum GPIODirection: Hashable, Sendable {
    case inputs, outputs
}

/// An error number.
struct SystemError: Error, Hashable, Sendable {
    var errno: Int32
}

/// What is known of a line.
struct GPIOLineDetails: Hashable, Sendable {
    /// Its name; empty for none.
    var name = ""
    /// Who has it, where somebody has; empty if that is not known.
    var consumer: String?
}

extension GPIOLineDetails {
    fileprivate init(_ details: gpio_line_details) {
        name = text(details.name)
        consumer = details.is_used ? text(details.consumer) : nil
    }
}

/// The text in an array of C characters, up to its zero.
private func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// A GPIO chip of this machine.
public struct GPIOChip: Sendable {
    /// Its device.
    public var path: String
    /// The kernel's name of it, gpiochip0; empty if it does not open.
    public var name: String
    /// What it is, pinctrl-rp1; empty if it does not open.
    public var label: String
    /// Lines that it has, or why it does not open.
    public var lines: Result<Int, DeviceError>

    /// Every chip of this machine, at most 64, in the order of their numbers.
    public static func all() -> [GPIOChip] {
        var chips = [gpio_chip_details](repeating: gpio_chip_details(), count: 64)
        let count = gpio_list_chips(&chips, Int32(chips.count))
        return chips.prefix(max(0, Int(count))).map { GPIOChip($0) }
    }

    private init(_ details: gpio_chip_details) {
        path = text(details.path)
        name = text(details.name)
        label = text(details.label)
        let problem = details.problem
        lines = problem == 0 ? .success(Int(details.lines)) : .failure(DeviceError(path, errno: problem))
    }
}
