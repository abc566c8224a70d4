import InputEvents
import Devices
import Instrument
import Library
import Runtime

/// Collects the facts for the panel's about sheet.
struct FactFinder {
    private var address = ""
    private var looked: Instant?

    /// Interval at which the network address is looked up.
    private static let interval = Instant.Span.milliseconds(10_000)

    /// Returns the facts at `now`.
    mutating func facts(
        _ library: Library, _ wires: SPIBus?, _ sound: Sound, _ inputs: Inputs, at now: Instant
    ) -> Facts {
        if looked.map({ now - $0 >= Self.interval }) ?? true {
            address = NetworkAddress.current() ?? "NO NETWORK"
            looked = now
        }
        var facts = Facts()
        facts.version = Main.versionNumber
        facts.address = address
        let panel = wires?.status.lazy.compactMap(\.problem).first
        let failures: [(String?, Facts.Faults)] = [
            (library.lastFailure?.description, .library),
            (sound.hasFault ? "the sound device is gone" : nil, .sound), (panel, .hardware),
            (inputs.problem, .hardware),
        ]
        for (problem, part) in failures {
            guard let problem else { continue }
            facts.faults.insert(part)
            facts.problem = facts.problem ?? problem
        }
        return facts
    }
}
