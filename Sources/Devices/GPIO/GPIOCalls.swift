import CGPIO
import CSystem
import Glibc

/// The libgpiod calls that the box makes, one closure each so that a test can make any of them fail. Chips and requests
/// are handles above 0.
struct GPIOCalls: Sendable {
    /// Opens the chip with a label, name or path.
    var open: @Sendable (_ chip: String) -> Result<Int, SystemError>
    /// Closes a chip.
    var close: @Sendable (_ chip: Int) -> Void
    /// The offset of a named line.
    var find: @Sendable (_ chip: Int, _ name: String) -> Result<UInt32, SystemError>
    /// The name and consumer of a line.
    var describe: @Sendable (_ chip: Int, _ offset: UInt32) -> Result<GPIOLineDetails, SystemError>
    /// Requests lines.
    var request:
        @Sendable (_ chip: Int, _ direction: GPIODirection, _ lines: [gpio_line_setting]) -> Result<Int, SystemError>
    /// The descriptor that is readable while a request has edges.
    var descriptor: @Sendable (_ request: Int) -> Int32
    /// Reads edges; returns their number, 0 if there are none.
    var read: @Sendable (_ request: Int, _ edges: UnsafeMutableBufferPointer<gpio_edge>) -> Result<Int, SystemError>
    /// Whether a line is active.
    var value: @Sendable (_ request: Int, _ offset: UInt32) -> Result<Bool, SystemError>
    /// Sets an output active or inactive.
    var setValue: @Sendable (_ request: Int, _ offset: UInt32, _ value: Bool) -> Result<Void, SystemError>
    /// Releases a request.
    var release: @Sendable (_ request: Int) -> Void
    /// Registers the outputs that a crashing process sets inactive; request 0 clears the registration.
    var switchOffAtDeath: @Sendable (_ request: Int, _ offsets: [UInt32]) -> Void

    /// The real calls, through libgpiod.
    static let linux = GPIOCalls(
        open: { handle(gpio_open($0)) },
        close: { gpio_close(OpaquePointer(bitPattern: $0)) },
        find: { chip, name in
            Result(returned: gpio_find_line(OpaquePointer(bitPattern: chip), name)).map { UInt32($0) }
        },
        describe: { chip, offset in
            var details = gpio_line_details()
            return Result(returned: gpio_describe_line(OpaquePointer(bitPattern: chip), offset, &details))
                .map { _ in GPIOLineDetails(details) }
        },
        request: { chip, direction, lines in
            handle(
                gpio_request_lines(
                    OpaquePointer(bitPattern: chip), GPIOSurvey.consumer, direction == .inputs, lines,
                    Int32(lines.count)))
        },
        descriptor: { gpio_descriptor(OpaquePointer(bitPattern: $0)) },
        read: { request, edges in
            Result(
                returned: Int(
                    gpio_read_edges(OpaquePointer(bitPattern: request), edges.baseAddress, Int32(edges.count))))
        },
        value: { request, offset in
            Result(returned: gpio_value(OpaquePointer(bitPattern: request), offset)).map { $0 == 1 }
        },
        setValue: { request, offset, value in
            Result(returned: gpio_set_value(OpaquePointer(bitPattern: request), offset, value)).map { _ in }
        },
        release: { gpio_release(OpaquePointer(bitPattern: $0)) },
        switchOffAtDeath: { request, offsets in
            gpio_at_death(OpaquePointer(bitPattern: request), offsets, Int32(offsets.count))
            system_at_death(request == 0 ? nil : gpio_switch_off)
        })

    /// The result of a C constructor: the pointer as a number, or `errno` for null.
    private static func handle(_ pointer: OpaquePointer?) -> Result<Int, SystemError> {
        pointer.map { .success(Int(bitPattern: $0)) } ?? .failure(SystemError(errno: errno))
    }
}

/// The direction of requested lines.
enum GPIODirection: Hashable, Sendable {
    case inputs, outputs
}

/// The name and consumer of a line.
struct GPIOLineDetails: Hashable, Sendable {
    /// The line's name; empty for none.
    var name = ""
    /// The program that uses the line, empty if unknown; nil for a free line.
    var consumer: String?
}

extension GPIOLineDetails {
    fileprivate init(_ details: gpio_line_details) {
        name = text(details.name)
        consumer = details.is_used ? text(details.consumer) : nil
    }
}

/// The text in a C character array, up to its terminating zero.
private func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}

/// A GPIO chip of this machine.
public struct GPIOChip: Sendable {
    /// The chip's device node.
    public var path: String
    /// The kernel's name, such as gpiochip0; empty if the chip does not open.
    public var name: String
    /// The chip's label, such as pinctrl-rp1; empty if the chip does not open.
    public var label: String
    /// Number of lines, or the reason why the chip does not open.
    public var lines: Result<Int, DeviceError>

    /// All GPIO chips of this machine, by number, at most 64. Calls `gpiod_chip_open`.
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
