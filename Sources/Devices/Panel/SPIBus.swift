import InputEvents
import Dispatch
import Glibc
import Instrument
import Panel
import Runtime
import Synchronization

/// The SPI lines to an LED panel, through Linux's spidev; one open descriptor per chain. Failures are counted and reported, and
/// never stop the box: a lost device is reopened every second.
public final class SPIBus: PanelBus, Sendable {
    /// A chain of LEDs on one SPI device.
    public struct Chain: Hashable, Sendable {
        /// The device's path.
        public var device: String
        /// SPI mode, 0-3.
        public var mode: Int
        /// SPI clock.
        public var hertz: Int
        /// Whether the LEDs have a clock line, so that a frame may be sent in several messages.
        public var isClocked: Bool

        /// A chain of LEDs on `device`.
        public init(device: String, mode: Int, hertz: Int, isClocked: Bool) {
            self.device = device
            self.mode = mode
            self.hertz = hertz
            self.isClocked = isClocked
        }
    }

    /// Status and counters of a chain.
    public struct Status: Hashable, Sendable {
        /// One line that says why the chain fails and what to do; nil while it works.
        public var problem: String?
        /// Bytes sent.
        public var bytes = 0
        /// Time spent sending, in microseconds.
        public var microseconds = 0
        /// Messages not sent in full.
        public var failures = 0

        /// Effective bit rate in hertz, gaps between messages included; 0 before the first message.
        public var hertz: Int { microseconds > 0 ? bytes * 8_000_000 / microseconds : 0 }
    }

    /// Why a message was not sent.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The device, the reason and what to do, in one line.
        public var description: String
    }

    private let chains: [Chain]
    private let calls: SPICalls
    private let clock: any Clock
    private let lines: Mutex<[Line]>
    /// The message that darkens each chain, sent if the process crashes. Never freed, as a signal handler reads it.
    private nonisolated(unsafe) let dark: [UnsafeBufferPointer<UInt8>]

    /// State of one chain.
    private struct Line: Sendable {
        var descriptor: Int32 = -1
        /// Time of the next attempt to open a closed device.
        var retry = Instant.zero
        /// Maximum bytes of one message.
        var chunk = 0
        var status = Status()
    }

    /// spidev's default `bufsiz` (drivers/spi/spidev.c).
    private static let bufferSizeDefault = 4096
    /// Minimum message size of an SPI device.
    private static let chunkMin = 64
    /// Maximum EINTR in a row for one message.
    private static let interruptionsMax = 1000

    /// A bus of `chains`, which are opened with the first message. If the process crashes it sends `dark`, one message for each
    /// chain that darkens it.
    public convenience init(_ chains: [Chain], dark: [[UInt8]], clock: any Clock) {
        self.init(chains, dark: dark, clock: clock, calls: .linux)
    }

    init(_ chains: [Chain], dark: [[UInt8]] = [], clock: any Clock, calls: SPICalls) {
        self.chains = chains
        self.dark = dark.map { message in
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: message.count)
            _ = bytes.initialize(from: message)
            return UnsafeBufferPointer(bytes)
        }
        self.clock = clock
        self.calls = calls
        lines = Mutex(chains.map { _ in Line() })
    }

    deinit {
        for (number, line) in lines.withLock({ $0 }).enumerated() where line.descriptor >= 0 {
            var line = line
            close(&line, number, at: .zero)
        }
    }

    /// Status of each chain.
    public var status: [Status] { lines.withLock { $0.map(\.status) } }

    /// Sends a frame, all chains in parallel, as each is on a bus of its own.
    public func send(_ messages: [[UInt8]], at now: Instant) -> PanelDelivery {
        if messages.count == 1 { return deliver(messages[0], chain: 0, at: now) }
        let total = Mutex(PanelDelivery())
        DispatchQueue.concurrentPerform(iterations: messages.count) { chain in
            let delivery = deliver(messages[chain], chain: chain, at: now)
            total.withLock { $0 += delivery }
        }
        return total.withLock { $0 }
    }

    private func deliver(_ message: [UInt8], chain: Int, at now: Instant) -> PanelDelivery {
        do {
            try send(message, chain: chain, at: now)
            return PanelDelivery(bytes: message.count, failures: 0)
        } catch {
            return PanelDelivery(bytes: 0, failures: 1)
        }
    }

    /// Sends `message` on `chain`, in as few SPI messages as the device allows. Throws `Failure` if it is not sent in full. Calls
    /// `write`.
    public func send(_ message: [UInt8], chain: Int, at now: Instant) throws {
        var line = lines.withLock { $0[chain] }
        // Only one thread at a time sends on a chain; the lock protects `status`.
        defer { lines.withLock { $0[chain] = line } }
        do throws(Failure) {
            if line.descriptor < 0 { try open(&line, chain, message.count, at: now) }
            let start = clock.now
            try write(message, &line, chain, at: now)
            line.status.microseconds += Int((clock.now - start).microseconds)
            line.status.bytes += message.count
            line.status.problem = nil
        } catch {
            line.status.failures += 1
            line.status.problem = error.description
            throw error
        }
    }

    private func open(_ line: inout Line, _ number: Int, _ size: Int, at now: Instant) throws(Failure) {
        let chain = chains[number]
        guard now >= line.retry else { throw Failure(description: line.status.problem ?? "\(chain.device) is closed") }
        line.retry = now + .retry
        let descriptor: Int32
        switch calls.open(chain.device) {
        case .success(let opened): descriptor = opened
        case .failure(let error): throw Failure(opening: chain.device, error)
        }
        if case .failure(let error) = calls.configure(descriptor, chain.mode, chain.hertz) {
            calls.close(descriptor)
            throw Failure(configuring: chain, error)
        }
        line.chunk = calls.bufferSize() ?? Self.bufferSizeDefault
        guard chain.isClocked || size <= line.chunk else {
            calls.close(descriptor)
            throw Failure(tooLong: chain.device, size: size, limit: line.chunk)
        }
        line.descriptor = descriptor
        if dark.indices.contains(number) { calls.sendAtDeath(number, descriptor, dark[number], line.chunk) }
    }

    private func close(_ line: inout Line, _ number: Int, at now: Instant) {
        if dark.indices.contains(number) { calls.sendAtDeath(number, -1, dark[number], line.chunk) }
        calls.close(line.descriptor)
        line.descriptor = -1
        line.retry = now + .retry
    }

    private func write(_ message: [UInt8], _ line: inout Line, _ number: Int, at now: Instant) throws(Failure) {
        let chain = chains[number]
        var sent = 0
        var interruptions = 0
        while sent < message.count {
            let part = sent..<min(sent + line.chunk, message.count)
            let descriptor = line.descriptor
            let result = message.withUnsafeBufferPointer { calls.write(descriptor, .init(rebasing: $0[part])) }
            switch result {
            case .success(0):
                close(&line, number, at: now)
                throw Failure(writing: chain.device, SystemError(errno: EIO))
            case .success(let count):
                sent += count
                // LEDs without a clock line take a pause for the end of the frame.
                guard chain.isClocked || sent == message.count else {
                    throw Failure(
                        description: "\(chain.device) took \(count) of \(part.count) bytes; the frame is lost")
                }
            case .failure(let error) where error.errno == EINTR && interruptions < Self.interruptionsMax:
                interruptions += 1
            case .failure(let error) where error.errno == EMSGSIZE:
                guard chain.isClocked, part.count > Self.chunkMin else {
                    throw Failure(tooLong: chain.device, size: message.count, limit: part.count - 1)
                }
                line.chunk = part.count / 2
            case .failure(let error):
                // Close only a device that is gone; after another error the next frame may succeed.
                if [ENODEV, ENXIO, ESHUTDOWN, EBADF, ENOTTY].contains(error.errno) { close(&line, number, at: now) }
                throw Failure(writing: chain.device, error)
            }
        }
    }
}

extension SPIBus {
    /// The bus of the panel that `configuration` describes. If the process crashes it sends `dark`.
    public convenience init(_ configuration: PanelConfiguration, dark: [[UInt8]], clock: any Clock) {
        let chains = configuration.chains.map { chain in
            let wire = configuration.chip.wire(hertz: chain.hertz) ?? configuration.chip.wire
            return Chain(device: chain.device, mode: wire.spiMode, hertz: chain.hertz, isClocked: wire.isClocked)
        }
        self.init(chains, dark: dark, clock: clock)
    }
}

extension SPIBus {
    /// The fix for a missing SPI device on this machine. Computed once, as a missing device is retried every second.
    public static let fixForMissing =
        Board().isRaspberryPi
        ? "add dtparam=spi=on to \(FirmwareSettings.path) and restart"
        : "connect a panel to an SPI device of this machine and name it in panel.chains, or play on the page"
}

extension SPIBus.Failure {
    fileprivate init(opening device: String, _ error: SystemError) {
        let fix =
            switch error.errno {
            case _ where error.isAbsence: SPIBus.fixForMissing
            case _ where error.isForbidden: DeviceFailure.fix(joining: "spi")
            case EBUSY: "another program uses it; end that program"
            default: "see docs/panel.md"
            }
        description = "\(device) does not open (\(error)): \(fix)"
    }

    fileprivate init(configuring chain: SPIBus.Chain, _ error: SystemError) {
        description =
            error.errno == ENOTTY
            ? "\(chain.device) is no SPI device: name one such as /dev/spidev0.0"
            : "\(chain.device) refuses mode \(chain.mode) at \(chain.hertz) Hz (\(error)): set another clock"
    }

    fileprivate init(tooLong device: String, size: Int, limit: Int) {
        description =
            "\(device) takes \(limit) bytes at once and these LEDs need \(size) without a pause: "
            + "\(Board.fix(forMessagesOf: size)) and start again"
    }

    fileprivate init(writing device: String, _ error: SystemError) {
        description = "\(device) failed (\(error)): check the connection; it is retried every second"
    }
}
