import Devices
import InputEvents
import Instrument

/// Collects the facts for the panel's about sheet.
struct FactFinder {
    /// The facts at the last update.
    private(set) var current = Facts()
    private let networkAddress: () -> String?
    private var lookup: Instant?

    /// Interval at which the network address is looked up.
    private static let interval = Instant.Span.milliseconds(10_000)

    /// A finder of facts about this version of the software, and whether it has walls of lights. `networkAddress` returns nil without a
    /// network.
    init(
        version: String, hasWalls: Bool = false, networkAddress: @escaping () -> String? = { NetworkAddress.current() }
    ) {
        self.networkAddress = networkAddress
        current.version = version
        current.hasWalls = hasWalls
    }

    /// Collects the facts at `now`; each part has its problem, or nil. Returns whether they changed, the first time always.
    mutating func update(_ problems: [(problem: String?, part: Facts.Faults)], at now: Instant) -> Bool {
        let isFirst = lookup == nil
        var facts = current
        if lookup.map({ now - $0 >= Self.interval }) ?? true {
            facts.address = networkAddress() ?? "NO NETWORK"
            lookup = now
        }
        facts.faults = []
        facts.problem = nil
        for (problem, part) in problems {
            guard let problem else { continue }
            facts.faults.insert(part)
            facts.problem = facts.problem ?? problem
        }
        defer { current = facts }
        return isFirst || facts != current
    }
}
