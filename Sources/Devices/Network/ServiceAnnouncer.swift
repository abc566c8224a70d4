import Glibc
import InputEvents
import Synchronization
import Threads

/// A service and the index of its interface, 0 for all.
struct PlacedService: Hashable {
    var service: NetworkService
    var interface: UInt32
}

/// The state of an announcement.
enum AnnouncementState: Hashable {
    /// The services are announced, or are about to be.
    case announced
    /// Another machine, or another program here, has one of the names.
    case nameTaken
    /// Nobody announces them.
    case unannounced
}

/// A program that announces services.
protocol ServiceRegistry: AnyObject {
    /// Announces `services` in place of the earlier ones.
    func announce(_ services: [PlacedService]) -> AnnouncementState
    /// The state of the announced ones.
    func state() -> AnnouncementState
    /// Announces none any more.
    func withdraw()
}

/// Keeps services announced: also after the daemon or a network interface has gone and come back.
struct Announcement {
    private let services: [NetworkService]
    private let registry: any ServiceRegistry
    private let index: (String) -> UInt32
    private var announced: [PlacedService]?
    /// Which one of its name it is.
    private var number = 1

    /// Names that are tried: more boxes are in no network.
    private static let numbersMax = 32

    /// `services`, not announced yet; `index` finds the index of a network interface, 0 for none.
    init(_ services: [NetworkService], _ registry: any ServiceRegistry, index: @escaping (String) -> UInt32) {
        self.services = services
        self.registry = registry
        self.index = index
    }

    /// Announces the services that are not announced. Call it every few seconds.
    mutating func update() {
        let present = services.compactMap { service -> PlacedService? in
            guard let name = service.interface else { return PlacedService(service: service, interface: 0) }
            let index = index(name)
            return index == 0 ? nil : PlacedService(service: service, interface: index)
        }
        if present == announced, accept(registry.state()) { return }
        announced = nil
        guard !present.isEmpty else { return registry.withdraw() }
        repeat {
            let state = registry.announce(present.map { numbered($0) })
            if accept(state) { announced = present }
            guard state == .nameTaken else { return }
        } while number <= Self.numbersMax
        number = 1
    }

    /// Whether `state` is the state of announced services. The next name is tried if one is taken.
    private mutating func accept(_ state: AnnouncementState) -> Bool {
        if state == .nameTaken { number += 1 }
        return state == .announced
    }

    private func numbered(_ placed: PlacedService) -> PlacedService {
        guard number > 1 else { return placed }
        return PlacedService(service: placed.service.numbered(number), interface: placed.interface)
    }

    /// Ends the announcement.
    func end() { registry.withdraw() }
}

/// Announces services on the network by DNS-SD, on a thread of its own, as long as the system's Avahi daemon runs.
/// Without one they are reached by their address only, which is no fault.
public final class ServiceAnnouncer: Sendable {
    private let isStopping = Atomic<Bool>(false)
    private let pause = MonotonicSemaphore()
    private let thread = Mutex<OwnThread?>(nil)

    /// Time between two looks at the daemon and at the interfaces.
    private static let interval = Instant.Span.milliseconds(5000)

    /// Announces `services`. Nil if the system has no thread to give.
    public init?(_ services: [NetworkService]) {
        guard let thread = OwnThread(body: { [self] in run(services) }) else { return nil }
        self.thread.withLock { $0 = thread }
    }

    private func run(_ services: [NetworkService]) {
        var announcement = Announcement(services, AvahiDaemon()) { if_nametoindex($0) }
        while !isStopping.load(ordering: .acquiring) {
            announcement.update()
            pause.wait(timeout: Self.interval)
        }
        announcement.end()
    }

    /// Ends the announcement.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        pause.signal()
        thread.join()
    }
}
