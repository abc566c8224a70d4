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
    /// Of an output: active from the first.
    var value = false
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

    private static let retryInterval = Instant.Span.milliseconds(1000)

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
        retry = now + Self.retryInterval
        do throws(GPIOFailure) {
            try ask()
            problem = nil
            return true
        } catch {
            problem = error.description
            close()
            return false
        }
    }

    /// The chip failed with `errno`: the lines are let go and asked for again.
    mutating func lose(errno number: Int32, at now: Instant) {
        problem =
            GPIOFailure(
                "the GPIO chip \(chip ?? "of the header") failed (\(DeviceError.reason(number)))",
                fix: "see that it is still there; it is tried again"
            ).description
        retry = now + Self.retryInterval
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

    private mutating func ask() throws(GPIOFailure) {
        let (handle, name) = try calls.openChip(chip)
        self.handle = handle
        offsets = []
        for wish in wishes { offsets.append(try calls.offset(of: wish.line, wish.role, handle, name)) }
        if let (first, second) = twins() {
            throw GPIOFailure(
                "gpio.\(second.role) is \(second.line), which gpio.\(first.role) is too", fix: "wire each to its own")
        }
        let settings = zip(wishes, offsets).map { wish, offset in
            gpio_line_setting(
                offset: offset, is_active_low: wish.isActiveLow, bias: wish.bias, value: wish.value,
                debounce_us: UInt32(wish.debounce.microseconds))
        }
        let request = calls.request(handle, direction, settings)
        guard request > 0 else { throw refusal(errno: Int32(-request), handle, name) }
        self.request = request
    }

    /// Two wishes for one line, which has a number and a name.
    private func twins() -> (GPIOWish, GPIOWish)? {
        for (second, offset) in offsets.enumerated() {
            if let first = offsets[..<second].firstIndex(of: offset) { return (wishes[first], wishes[second]) }
        }
        return nil
    }

    /// Why the request was refused: the system does not say which line is to blame.
    private func refusal(errno number: Int32, _ chip: Int, _ name: String) -> GPIOFailure {
        for (wish, offset) in zip(wishes, offsets) {
            do throws(GPIOFailure) {
                let consumer = try calls.consumer(of: wish.line, wish.role, offset, chip, name)
                if number == EBUSY, let consumer {
                    return GPIOFailure(wish.line, wish.role, of: name, isUsedBy: consumer)
                }
            } catch {
                return error
            }
        }
        return GPIOFailure(
            "the lines of the GPIO chip \(name) are not to be had (\(DeviceError.reason(number)))",
            fix: GPIOFailure.fix(opening: number))
    }
}

extension GPIOCalls {
    /// Labels of the chips that a Raspberry Pi's header is wired to: the Pi 5's, the Pi 4's, the older ones'.
    static let headers = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

    /// Opens the chip with this label, name or path; nil for a Raspberry Pi's header. Gives what it was found by.
    func openChip(_ chip: String?) throws(GPIOFailure) -> (handle: Int, name: String) {
        var numbers: [Int32] = []
        for name in chip.map({ [$0] }) ?? Self.headers {
            let handle = open(name)
            if handle > 0 { return (handle, name) }
            numbers.append(Int32(-handle))
        }
        // Of a header's chips those that this machine does not have are no news.
        let number = numbers.first { $0 != ENOENT } ?? ENOENT
        let what = chip.map { "the GPIO chip \($0) does not open" } ?? "no Raspberry Pi's GPIO header opens"
        throw GPIOFailure("\(what) (\(DeviceError.reason(number)))", fix: GPIOFailure.fix(opening: number))
    }

    /// Where `line` is on the open chip.
    func offset(of line: GPIOLine, _ role: String, _ chip: Int, _ chipName: String) throws(GPIOFailure) -> UInt32 {
        switch line {
        case .number(let number): return UInt32(number)
        case .name(let name):
            let offset = find(chip, name)
            guard offset >= 0 else {
                throw GPIOFailure(
                    "gpio.\(role): the chip \(chipName) has no line named \(name) (\(DeviceError.reason(Int32(-offset))))",
                    fix: "give its number, or a name that gpioinfo lists")
            }
            return UInt32(offset)
        }
    }

    /// Who has a line; nil for nobody, empty if that is not known.
    func consumer(
        of line: GPIOLine, _ role: String, _ offset: UInt32, _ chip: Int, _ chipName: String
    ) throws(GPIOFailure) -> String? {
        switch describe(chip, offset) {
        case .success(let details): return details.consumer
        case .failure(let failure):
            throw GPIOFailure(
                "gpio.\(role): the chip \(chipName) gives no \(line) (\(DeviceError.reason(failure.errno)))",
                fix: "give a number below its count of lines, which pixelboop doctor tells")
        }
    }
}

/// What stands in the way of a GPIO line.
public struct GPIOFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and why.
    public var what: String
    /// What to do.
    public var fix: String

    /// Both, in one line.
    public var description: String { "\(what): \(fix)" }

    init(_ what: String, fix: String) {
        self.what = what
        self.fix = fix
    }

    init(_ line: GPIOLine, _ role: String, of chip: String, isUsedBy consumer: String) {
        let owner = consumer.isEmpty ? "another program" : "\"\(consumer)\""
        self.init("gpio.\(role): \(line) of \(chip) is in use by \(owner)", fix: "wire it to another, or end that")
    }

    fileprivate static func fix(opening number: Int32) -> String {
        switch number {
        case EACCES, EPERM: "add the user to the group gpio (sudo usermod -aG gpio USER) and log in again"
        case EBUSY: "another program has one of them"
        default: "set gpio.chip to one that pixelboop doctor lists"
        }
    }
}
