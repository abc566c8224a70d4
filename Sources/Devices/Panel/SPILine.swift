import Glibc
import InputEvents
import Runtime
import Synchronization

/// One chain of LEDs on its SPI device, and its state.
final class SPILine: Sendable {
    private let chain: SPIBus.Chain
    /// Number of the chain in the panel.
    private let number: Int
    private let calls: SPICalls
    private let clock: any LoopClock
    private let state = Mutex(State())
    /// The message that darkens the chain, sent if the process crashes. Never freed, as a signal handler reads it.
    private nonisolated(unsafe) let dark: UnsafeBufferPointer<UInt8>?

    private struct State: Sendable {
        var descriptor: Int32 = -1
        /// Time of the next attempt to open a closed device.
        var retry = Instant.zero
        /// Maximum bytes of one message.
        var chunk = 0
        var status = SPIBus.Status()
    }

    /// spidev's default `bufsiz` (drivers/spi/spidev.c).
    private static let bufferSizeDefault = 4096
    /// Minimum message size of an SPI device.
    private static let chunkMin = 64
    /// Maximum EINTR in a row for one message.
    private static let interruptionsMax = 1000

    /// The chain `number`, which is opened with the first message.
    init(_ chain: SPIBus.Chain, number: Int, dark: [UInt8]?, clock: any LoopClock, calls: SPICalls) {
        self.chain = chain
        self.number = number
        self.dark = dark.map { message in
            let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: message.count)
            _ = bytes.initialize(from: message)
            return UnsafeBufferPointer(bytes)
        }
        self.clock = clock
        self.calls = calls
    }

    deinit {
        var line = state.withLock { $0 }
        if line.descriptor >= 0 { close(&line, at: .zero) }
    }

    /// Status of the chain.
    var status: SPIBus.Status { state.withLock { $0.status } }

    /// Sends `message`; a failure is counted.
    func deliver(_ message: [UInt8], at now: Instant) -> PanelDelivery {
        do throws(SPIBus.Failure) {
            try send(message, at: now)
            return PanelDelivery(bytes: message.count, failures: 0)
        } catch {
            return PanelDelivery(bytes: 0, failures: 1)
        }
    }

    /// Sends `message`, in as few SPI messages as the device allows. Throws if it is not sent in full. Calls `write`.
    func send(_ message: [UInt8], at now: Instant) throws(SPIBus.Failure) {
        var line = state.withLock { $0 }
        // Only one thread at a time sends on a chain; the lock protects `status`.
        defer { state.withLock { $0 = line } }
        do throws(SPIBus.Failure) {
            if line.descriptor < 0 { try open(&line, message.count, at: now) }
            let start = clock.now
            try write(message, &line, at: now)
            line.status.microseconds += Int((clock.now - start).microseconds)
            line.status.bytes += message.count
            line.status.problem = nil
        } catch {
            line.status.failures += 1
            line.status.problem = error.description
            throw error
        }
    }

    private func open(_ line: inout State, _ size: Int, at now: Instant) throws(SPIBus.Failure) {
        guard now >= line.retry else {
            throw SPIBus.Failure(description: line.status.problem ?? "\(chain.device) is closed")
        }
        line.retry = now + .retry
        let descriptor: Int32
        switch calls.open(chain.device) {
        case .success(let opened): descriptor = opened
        case .failure(let error): throw SPIBus.Failure(opening: chain.device, error)
        }
        if case .failure(let error) = calls.configure(descriptor, chain.mode, chain.hertz) {
            calls.close(descriptor)
            throw SPIBus.Failure(configuring: chain, error)
        }
        line.chunk = calls.bufferSize() ?? Self.bufferSizeDefault
        guard chain.isClocked || size <= line.chunk else {
            calls.close(descriptor)
            throw SPIBus.Failure(tooLong: chain.device, size: size, limit: line.chunk)
        }
        line.descriptor = descriptor
        if let dark { calls.sendAtDeath(number, descriptor, dark, line.chunk) }
    }

    private func close(_ line: inout State, at now: Instant) {
        if let dark { calls.sendAtDeath(number, -1, dark, line.chunk) }
        calls.close(line.descriptor)
        line.descriptor = -1
        line.retry = now + .retry
    }

    private func write(_ message: [UInt8], _ line: inout State, at now: Instant) throws(SPIBus.Failure) {
        var sent = 0
        var interruptions = 0
        while sent < message.count {
            let part = sent..<min(sent + line.chunk, message.count)
            let descriptor = line.descriptor
            let result = message.withUnsafeBufferPointer { calls.write(descriptor, .init(rebasing: $0[part])) }
            switch result {
            case .success(0):
                close(&line, at: now)
                throw SPIBus.Failure(writing: chain.device, SystemError(errno: EIO))
            case .success(let count):
                sent += count
                // LEDs without a clock line take a pause for the end of the frame.
                guard chain.isClocked || sent == message.count else {
                    throw SPIBus.Failure(
                        description: "\(chain.device) took \(count) of \(part.count) bytes; the frame is lost")
                }
            case .failure(let error) where error.errno == EINTR && interruptions < Self.interruptionsMax:
                interruptions += 1
            case .failure(let error) where error.errno == EMSGSIZE:
                guard chain.isClocked, part.count > Self.chunkMin else {
                    throw SPIBus.Failure(tooLong: chain.device, size: message.count, limit: part.count - 1)
                }
                line.chunk = part.count / 2
            case .failure(let error):
                // Close only a device that is gone; after another error the next frame may succeed.
                if [ENODEV, ENXIO, ESHUTDOWN, EBADF, ENOTTY].contains(error.errno) { close(&line, at: now) }
                throw SPIBus.Failure(writing: chain.device, error)
            }
        }
    }
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
