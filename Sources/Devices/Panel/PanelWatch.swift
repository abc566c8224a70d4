/// Log lines about an LED panel's chains: one when a chain fails, one when it works again.
public struct PanelWatch {
    /// The problem of each chain that was logged last.
    private var logged: [String?] = []

    /// A watch that has logged nothing.
    public init() {}

    /// The lines to log now.
    public mutating func lines(_ status: [SPIBus.Status]) -> [String] {
        if logged.isEmpty { logged = status.map { _ in nil } }
        let now = status.map(\.problem)
        defer { logged = now }
        return zip(logged, now).enumerated().compactMap { chain, problems in
            guard problems.0 != problems.1 else { return nil }
            return problems.1.map { "panel: \($0)" } ?? "panel: chain \(chain) shows again"
        }
    }
}
