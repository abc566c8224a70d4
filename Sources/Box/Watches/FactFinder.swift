import Devices
import InputEvents
import Instrument

/// Collects the facts for the panel's about sheet.
struct FactFinder {
    /// The facts at the last update.
    private(set) var current = Facts()
    private let networkAddress: () -> String?
    private let accessPointFile: String
    private var lookup: Instant?

    /// Interval at which the network address is looked up.
    private static let interval = Instant.Span.milliseconds(10_000)
    /// The file that exists while the card's access point is open: lines with `name` and `password`.
    private static let accessPointFile = "/run/pixelboop-setup/access-point"

    /// A finder of facts about this version of the software, and whether it has walls of lights. `networkAddress`
    /// returns nil without a network.
    init(
        version: String, hasWalls: Bool = false, accessPointFile: String = accessPointFile,
        networkAddress: @escaping () -> String? = { NetworkAddress.current() }
    ) {
        self.networkAddress = networkAddress
        self.accessPointFile = accessPointFile
        current.version = version
        current.hasWalls = hasWalls
    }

    /// Collects the facts at `now`; each part has its problem, or nil. Returns whether they changed, the first time
    /// always.
    mutating func update(_ problems: [(problem: String?, part: Facts.Faults)], at now: Instant) -> Bool {
        let isFirst = lookup == nil
        var facts = current
        if lookup.map({ now - $0 >= Self.interval }) ?? true {
            facts.address = networkAddress() ?? Facts.noNetwork
            lookup = now
        }
        facts.accessPoint = (try? Files.read(accessPointFile)).flatMap { Facts.AccessPoint($0) }
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

extension Facts.AccessPoint {
    /// The access point in the lines of a file; nil if they name none.
    fileprivate init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        func value(_ word: String) -> String? {
            lines.first { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
        }
        guard let name = value("name"), let password = value("password") else { return nil }
        self.init(name: name, password: password)
    }
}
