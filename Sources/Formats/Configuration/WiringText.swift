import Documents
import Panel

extension PanelConfiguration {
    /// The members `order`, unless it is the datasheet's, and `chains` of a configuration's panel, in lines, with what
    /// differs from the defaults.
    public var wiringText: String {
        var lines = order.map { ["order: \"\($0.rawValue)\","] } ?? []
        lines.append("chains: [")
        for chain in chains {
            lines += ["  {", "    device: \(JSON.string(chain.device).text(pretty: false)),"]
            if chain.hertz != chip.defaultHertz(leds: chain.length) { lines.append("    hertz: \(chain.hertz),") }
            lines += ["    tiles: ["] + chain.tiles.map { "      { \($0.text) }," } + ["    ],", "  },"]
        }
        return (lines + ["],"]).joined(separator: "\n")
    }
}

extension PanelConfiguration.Tile {
    fileprivate var text: String {
        let plain = Self(x: x, y: y, columns: columns, rows: rows)
        var members = ["x: \(x)", "y: \(y)", "columns: \(columns)", "rows: \(rows)"]
        if rotation != plain.rotation { members.append("rotation: \(rotation.rawValue)") }
        if first != plain.first { members.append("first: \"\(first.rawValue)\"") }
        if along != plain.along { members.append("along: \"\(along.rawValue)\"") }
        if serpentine != plain.serpentine { members.append("serpentine: \(serpentine)") }
        if !missing.isEmpty {
            let places = missing.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
            members.append("missing: [\(places.map { "[\($0.column), \($0.row)]" }.joined(separator: ", "))]")
        }
        return members.joined(separator: ", ")
    }
}
