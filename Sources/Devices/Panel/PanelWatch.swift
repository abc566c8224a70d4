/// What is worth telling of a panel's wires: a chain that does not take its messages, and that it does again.
public struct PanelWatch {
    private var told: [String?] = []

    /// Has told nothing.
    public init() {}

    /// The lines to tell now.
    public mutating func lines(_ status: [SPIBus.Status]) -> [String] {
        if told.isEmpty { told = status.map { _ in nil } }
        let now = status.map(\.problem)
        defer { told = now }
        return zip(told, now).enumerated().compactMap { chain, problems in
            guard problems.0 != problems.1 else { return nil }
            return problems.1.map { "panel: \($0)" } ?? "panel: chain \(chain) shows again"
        }
    }
}
