import CGPIO
import Glibc
import Instrument

/// A line of a GPIO chip.
public enum GPIOLine: Hashable, Sendable, CustomStringConvertible {
    /// By its place on the chip, 0-511.
    case number(Int)
    /// By its name, GPIO17.
    case name(String)

    /// The line in a sentence.
    public var description: String {
        switch self {
        case .number(let number): "line \(number)"
        case .name(let name): "line \(name)"
        }
    }
}

/// What the configuration calls the lines, and how they are to be had.
struct GPIOWish: Sendable {
    /// The setting that names it: play, tempo[0].
    var role: String
    var line: GPIOLine
    var isActiveLow = false
    var bias = gpio_bias_as_is
    /// Of an input: shorter changes are not reported, where the kernel is asked for that.
    var debounce = Instant.Span.milliseconds(0)
}

/// Lines of one chip that are asked for until they are had, once a second, and again when they are lost.
struct GPIOLines: ~Copyable {
    /// The request that has them; nil while they are not had.
    private(set) var request: Int?
    /// Where they are on the chip, in the order of the wishes.
    private(set) var offsets: [UInt32] = []
    /// Why they are not had, with what to do, in one line.
    private(set) var problem: String?

    private let chip: String?
    private let direction: GPIODirection
    private let wishes: [GPIOWish]
    private let calls: GPIOCalls
    private var handle: Int?
    private var retry = Instant.zero

    /// The lines of `wishes` on the chip with this label, name or path; nil for a Raspberry Pi's header.
    init(chip: String?, _ direction: GPIODirection, _ wishes: [GPIOWish], _ calls: GPIOCalls) {
        self.chip = chip
        self.direction = direction
        self.wishes = wishes
        self.calls = calls
    }

    deinit {
        if let request { calls.release(request) }
        if let handle { calls.close(handle) }
    }

    /// Whether the lines are had, after asking for them if it is time to.
    mutating func open(at now: Instant) -> Bool {
        if request != nil { return true }
        guard !wishes.isEmpty, now >= retry else { return false }
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

    /// The chip failed: the lines are let go and asked for again.
    mutating func lose(_ error: SystemError, at now: Instant) {
        problem =
            DeviceFailure(
                "the GPIO chip \(chip ?? "of the header") failed (\(error))",
                fix: "see that it is still there; it is tried again"
            ).description
        retry = now + .retry
        close()
    }

    /// Lets the lines go.
    mutating func close() {
        if let request { calls.release(request) }
        if let handle { calls.close(handle) }
        request = nil
        handle = nil
    }

    // MARK: Asking

    private mutating func ask() throws(DeviceFailure) {
        let (handle, name) = try calls.openChip(chip)
        self.handle = handle
        offsets = []
        for wish in wishes { offsets.append(try calls.offset(of: wish.line, wish.role, handle, name)) }
        if let (first, second) = twins() {
            throw DeviceFailure(
                "gpio.\(second.role) is \(second.line), which gpio.\(first.role) is too", fix: "wire each to its own")
        }
        let settings = zip(wishes, offsets).map { wish, offset in
            gpio_line_setting(
                offset: offset, is_active_low: wish.isActiveLow, bias: wish.bias,
                debounce_us: UInt32(wish.debounce.microseconds))
        }
        switch calls.request(handle, direction, settings) {
        case .success(let request): self.request = request
        case .failure(let error): throw refusal(error, handle, name)
        }
    }

    /// Two wishes for one line, which has a number and a name.
    private func twins() -> (GPIOWish, GPIOWish)? {
        for (second, offset) in offsets.enumerated() {
            if let first = offsets[..<second].firstIndex(of: offset) { return (wishes[first], wishes[second]) }
        }
        return nil
    }

    /// Why the request was refused: the system does not say which line is to blame.
    private func refusal(_ error: SystemError, _ chip: Int, _ name: String) -> DeviceFailure {
        for (wish, offset) in zip(wishes, offsets) {
            do throws(DeviceFailure) {
                let consumer = try calls.consumer(of: wish.line, wish.role, offset, chip, name)
                if error.errno == EBUSY, let consumer {
                    return DeviceFailure(wish.line, wish.role, of: name, isUsedBy: consumer)
                }
            } catch let failure {
                return failure
            }
        }
        return DeviceFailure(
            "the lines of the GPIO chip \(name) are not to be had (\(error))",
            fix: DeviceFailure.fix(openingGPIO: error))
    }
}

extension GPIOCalls {
    /// Labels of the chips that a Raspberry Pi's header is wired to: the Pi 5's, the Pi 4's, the older ones'.
    static let headers = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

    /// Opens the chip with this label, name or path; nil for a Raspberry Pi's header. Gives what it was found by.
    func openChip(_ chip: String?) throws(DeviceFailure) -> (handle: Int, name: String) {
        var errors: [SystemError] = []
        for name in chip.map({ [$0] }) ?? Self.headers {
            switch open(name) {
            case .success(let handle): return (handle, name)
            case .failure(let error): errors.append(error)
            }
        }
        // Of a header's chips those that this machine does not have are no news.
        let error = errors.first { $0.errno != ENOENT } ?? SystemError(errno: ENOENT)
        let what = chip.map { "the GPIO chip \($0) does not open" } ?? "no Raspberry Pi's GPIO header opens"
        throw DeviceFailure("\(what) (\(error))", fix: DeviceFailure.fix(openingGPIO: error))
    }

    /// Where `line` is on the open chip.
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

    /// Who has a line; nil for nobody, empty if that is not known.
    func consumer(
        of line: GPIOLine, _ role: String, _ offset: UInt32, _ chip: Int, _ chipName: String
    ) throws(DeviceFailure) -> String? {
        switch describe(chip, offset) {
        case .success(let details): return details.consumer
        case .failure(let error):
            throw DeviceFailure(
                "gpio.\(role): the chip \(chipName) gives no \(line) (\(error))",
                fix: "give a number below its count of lines, which pixelboop doctor tells")
        }
    }
}

extension DeviceFailure {
    init(_ line: GPIOLine, _ role: String, of chip: String, isUsedBy consumer: String) {
        let owner = consumer.isEmpty ? "another program" : "\"\(consumer)\""
        self.init("gpio.\(role): \(line) of \(chip) is in use by \(owner)", fix: "wire it to another, or end that")
    }

    fileprivate static func fix(openingGPIO error: SystemError) -> String {
        if error.isForbidden { return fix(joining: "gpio") }
        return error.errno == EBUSY
            ? "another program has one of them" : "set gpio.chip to one that pixelboop doctor lists"
    }
}
