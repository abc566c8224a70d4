import InputEvents
import Panel
import Runtime

/// The SPI buses to an LED panel, through Linux's spidev; one open descriptor per chain, and one thread per bus.
/// Failures are counted and reported, and never stop the box: a lost device is reopened every second.
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

    private let lines: [SPILine]
    /// The chains that `send` serves on its caller's thread: the chains of the first bus.
    private let own: [Int]
    /// Threads for the other buses.
    private let workers: [SPIWorker]

    /// A bus of `chains`, which are opened with the first message. If the process crashes it sends `dark`, one message
    /// for each chain that darkens it.
    public convenience init(_ chains: [Chain], dark: [[UInt8]], clock: any LoopClock) {
        self.init(chains, dark: dark, clock: clock, calls: .linux)
    }

    init(_ chains: [Chain], dark: [[UInt8]] = [], clock: any LoopClock, calls: SPICalls) {
        let lines = chains.enumerated().map { number, chain in
            SPILine(
                chain, number: number, dark: dark.indices.contains(number) ? dark[number] : nil, clock: clock,
                calls: calls)
        }
        self.lines = lines
        var own: [Int] = []
        var workers: [SPIWorker] = []
        for (number, group) in Self.groups(chains.map(\.device)).enumerated() {
            let served = group.map { (number: $0, line: lines[$0]) }
            if number > 0, let worker = SPIWorker(served) { workers.append(worker) } else { own += group }
        }
        self.own = own
        self.workers = workers
    }

    /// Groups chain numbers by the bus of their device. The kernel sends on one bus after the other device's message,
    /// so a thread for each device would only wait.
    static func groups(_ devices: [String]) -> [[Int]] {
        var buses: [String] = []
        var groups: [[Int]] = []
        for (number, device) in devices.enumerated() {
            // /dev/spidevB.C is chip select C of the bus B.
            let bus = device.lastIndex(of: ".").map { String(device[..<$0]) } ?? device
            if let index = buses.firstIndex(of: bus) {
                groups[index].append(number)
            } else {
                buses.append(bus)
                groups.append([number])
            }
        }
        return groups
    }

    /// Whether every chain has taken a message.
    public var hasSent: Bool { lines.allSatisfy { $0.status.bytes > 0 } }

    /// Status of each chain.
    public var status: [Status] { lines.map(\.status) }

    /// Sends a frame, on all buses in parallel.
    public func send(_ messages: [[UInt8]], at now: Instant) -> PanelDelivery {
        for worker in workers { worker.begin(messages, at: now) }
        var delivery = PanelDelivery()
        for chain in own where messages.indices.contains(chain) {
            delivery += lines[chain].deliver(messages[chain], at: now)
        }
        for worker in workers { delivery += worker.finish() }
        return delivery
    }

    /// Sends `message` on `chain`, in as few SPI messages as the device allows. Throws `Failure` if it is not sent in
    /// full. Calls `write`.
    public func send(_ message: [UInt8], chain: Int, at now: Instant) throws { try lines[chain].send(message, at: now) }
}

extension SPIBus {
    /// The bus of the panel that `configuration` describes. If the process crashes it sends `dark`.
    public convenience init(_ configuration: PanelConfiguration, dark: [[UInt8]], clock: any LoopClock) {
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
