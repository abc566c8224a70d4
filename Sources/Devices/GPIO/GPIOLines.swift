import InputEvents
import CGPIO
import Glibc
import Instrument

/// A line of a GPIO chip.
public enum GPIOLine: Hashable, Sendable, CustomStringConvertible {
    /// By its offset on the chip, 0-511.
    case number(Int)
    /// By its name, such as GPIO17.
    case name(String)

    /// Its number at a Raspberry Pi's header; nil for other names.
    public var number: Int? {
        switch self {
        case .number(let number): number
        case .name(let name): name.hasPrefix("GPIO") ? Int(name.dropFirst(4)) : nil
        }
    }

    /// The line's name for a message.
    public var description: String {
        switch self {
        case .number(let number): "line \(number)"
        case .name(let name): "line \(name)"
        }
    }
}

/// A configured GPIO line and the settings to request it with.
struct GPIOLineSpecification: Sendable {
    /// The configuration key that names the line: play, tempo[0].
    var role: String
    var line: GPIOLine
    var isActiveLow = false
    var bias = gpio_bias_as_is
    /// Debounce time of an input, done by the kernel; 0 for none.
    var debounce = Instant.Span.milliseconds(0)
}

/// GPIO lines of one chip. A request is retried every second until it is granted, and again when the lines are lost.
struct GPIOLines: ~Copyable {
    /// Handle of the granted request; nil until it is granted.
    private(set) var request: Int?
    /// Offsets on the chip, in the order of the specifications.
    private(set) var offsets: [UInt32] = []
    /// One line that says why the request failed and what to do.
    private(set) var problem: String?

    private let chip: String?
    private let direction: GPIODirection
    private let specifications: [GPIOLineSpecification]
    private let calls: GPIOCalls
    private var handle: Int?
    private var retry = Instant.zero

    /// The lines of `specifications` on the chip with this label, name or path; nil means a Raspberry Pi's header.
    init(chip: String?, _ direction: GPIODirection, _ specifications: [GPIOLineSpecification], _ calls: GPIOCalls) {
        self.chip = chip
        self.direction = direction
        self.specifications = specifications
        self.calls = calls
    }

    deinit {
        if let request { calls.release(request) }
        if let handle { calls.close(handle) }
    }

    /// Requests the lines if a retry is due; returns whether they are granted.
    mutating func open(at now: Instant) -> Bool {
        if request != nil { return true }
        guard !specifications.isEmpty, now >= retry else { return false }
        retry = now + .retry
        do throws(DeviceFailure) {
            try ask()
            problem = nil
            return true
        } catch {
            problem = error.description
            close()
            return false
        }
    }

    /// Releases the lines after a failure of the chip; the next retry requests them again.
    mutating func lose(_ error: SystemError, at now: Instant) {
        problem =
            DeviceFailure(
                "the GPIO chip \(chip ?? "of the header") failed (\(error))",
                fix: "check the connection; it is retried every second"
            ).description
        retry = now + .retry
        close()
    }

    /// Releases the lines.
    mutating func close() {
        if let request { calls.release(request) }
        if let handle { calls.close(handle) }
        request = nil
        handle = nil
    }

    // MARK: Request

    private mutating func ask() throws(DeviceFailure) {
        let (handle, name) = try calls.openChip(chip)
        self.handle = handle
        offsets = []
        for specification in specifications {
            offsets.append(try calls.offset(of: specification.line, specification.role, handle, name))
        }
        if let (first, second) = twins() {
            throw DeviceFailure(
                "gpio.\(second.role) is \(second.line), which gpio.\(first.role) is too", fix: "wire each to its own")
        }
        let settings = zip(specifications, offsets).map { specification, offset in
            gpio_line_setting(
                offset: offset, is_active_low: specification.isActiveLow, bias: specification.bias,
                debounce_us: UInt32(specification.debounce.microseconds))
        }
        switch calls.request(handle, direction, settings) {
        case .success(let request): self.request = request
        case .failure(let error): throw refusal(error, handle, name)
        }
    }

    /// Two specifications of the same line, one by number and one by name perhaps.
    private func twins() -> (GPIOLineSpecification, GPIOLineSpecification)? {
        for (second, offset) in offsets.enumerated() {
            if let first = offsets[..<second].firstIndex(of: offset) {
                return (specifications[first], specifications[second])
            }
        }
        return nil
    }

    /// The reason for a refused request. The system does not say which line caused it, so each is looked at.
    private func refusal(_ error: SystemError, _ chip: Int, _ name: String) -> DeviceFailure {
        for (specification, offset) in zip(specifications, offsets) {
            do throws(DeviceFailure) {
                let consumer = try calls.consumer(of: specification.line, specification.role, offset, chip, name)
                if error.errno == EBUSY, let consumer {
                    return DeviceFailure(specification.line, specification.role, of: name, isUsedBy: consumer)
                }
            } catch let failure {
                return failure
            }
        }
        return DeviceFailure(
            "the lines of the GPIO chip \(name) are unavailable (\(error))",
            fix: DeviceFailure.fix(openingGPIO: error))
    }
}

extension GPIOCalls {
    /// Labels of the chips behind a Raspberry Pi's header: the Pi 5's, the Pi 4's, the older ones'.
    static let headers = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

    /// Opens the chip with this label, name or path; nil means a Raspberry Pi's header. Returns the name that matched.
    func openChip(_ chip: String?) throws(DeviceFailure) -> (handle: Int, name: String) {
        var errors: [SystemError] = []
        for name in chip.map({ [$0] }) ?? Self.headers {
            switch open(name) {
            case .success(let handle): return (handle, name)
            case .failure(let error): errors.append(error)
            }
        }
        // A header's chip that this machine lacks is not an error worth reporting.
        let error = errors.first { $0.errno != ENOENT } ?? SystemError(errno: ENOENT)
        let what = chip.map { "the GPIO chip \($0) does not open" } ?? "no Raspberry Pi's GPIO header opens"
        throw DeviceFailure("\(what) (\(error))", fix: DeviceFailure.fix(openingGPIO: error))
    }

    /// The offset of `line` on the open chip.
    func offset(of line: GPIOLine, _ role: String, _ chip: Int, _ chipName: String) throws(DeviceFailure) -> UInt32 {
        switch line {
        case .number(let number): return UInt32(number)
        case .name(let name):
            switch find(chip, name) {
            case .success(let offset): return offset
            case .failure(let error):
                throw DeviceFailure(
                    "gpio.\(role): the chip \(chipName) has no line named \(name) (\(error))",
                    fix: "give its number, or a name that gpioinfo lists")
            }
        }
    }

    /// The program that uses a line, empty if unknown; nil for a free line.
    func consumer(
        of line: GPIOLine, _ role: String, _ offset: UInt32, _ chip: Int, _ chipName: String
    ) throws(DeviceFailure) -> String? {
        switch describe(chip, offset) {
        case .success(let details): return details.consumer
        case .failure(let error):
            throw DeviceFailure(
                "gpio.\(role): the chip \(chipName) gives no \(line) (\(error))",
                fix: "give a number below its count of lines, which pixelboop doctor shows")
        }
    }
}

extension DeviceFailure {
    init(_ line: GPIOLine, _ role: String, of chip: String, isUsedBy consumer: String) {
        let owner = consumer.isEmpty ? "another program" : "\"\(consumer)\""
        self.init(
            "gpio.\(role): \(line) of \(chip) is in use by \(owner)", fix: "use another line, or end that program")
    }

    fileprivate static func fix(openingGPIO error: SystemError) -> String {
        if error.isForbidden { return fix(joining: "gpio") }
        return error.errno == EBUSY
            ? "another program has one of them" : "set gpio.chip to one that pixelboop doctor lists"
    }
}
