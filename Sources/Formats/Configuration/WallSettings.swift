import Documents
import Panel

extension Wall {
    private static let keys = [
        "protocol", "address", "port", "interface", "universe", "columns", "rows", "tiles", "brightness", "stage",
        "rate",
    ]
    /// A wall beside a panel of `panelColumns`.
    init(reading field: JSONField, panelColumns: Int) throws(FormatError) {
        self.init()
        try field.only(Self.keys)
        try field.read("protocol", into: &transport)
        try readAddress(field)
        if let part = try field.part("universe"), part.value != .null {
            universe = try part.integer(in: transport.universes)
        }
        if let part = try field.part("rate"), part.value != .null { rate = try part.integer(in: 1...transport.rateMax) }
        for (name, size) in [("columns", \Wall.columns), ("rows", \.rows)] {
            guard let part = try field.part(name), part.value != .null else { continue }
            self[keyPath: size] = try part.integer(in: 1...Self.sideMax)
        }
        for part in try field.part("tiles")?.list(counts: 0...64) ?? [] {
            tiles.append(try PanelConfiguration.Tile(reading: part, sideMax: Self.sideMax))
        }
        try field.read("brightness", in: 0...1, into: &brightness)
        try field.read("stage", into: &stage)
        do throws(PanelError) {
            _ = try WallPicture(self, panelColumns: panelColumns)
        } catch {
            throw FormatError("\(field.path).\(error.place)", error.problem)
        }
    }

    private mutating func readAddress(_ field: JSONField) throws(FormatError) {
        if let part = try field.part("address"), part.value != .null {
            address = try part.string()
            guard let numbers = (address ?? "").ipv4Numbers,
                (1...223).contains(numbers[0]) || numbers == [255, 255, 255, 255]
            else {
                let hint = transport.hasMulticast ? ", or null for the multicast addresses of the universes" : ""
                throw part.refused(
                    "is \(part.shown), should be the IPv4 address of a machine or of a network, such as 192.168.1.50\(hint)"
                )
            }
        } else if !transport.hasMulticast {
            throw FormatError("\(field.path).address", "is missing; name the wall's IPv4 address, such as 192.168.1.50")
        }
        if let part = try field.part("port"), part.value != .null { port = try part.integer(in: 1...65_535) }
        if let part = try field.part("interface"), part.value != .null { interface = try part.networkInterface() }
    }

    /// All settings as a document.
    var json: JSON {
        .object([
            "protocol": .string(transport.rawValue), "address": .orNull(address), "port": .orNull(port),
            "interface": .orNull(interface), "universe": .orNull(universe), "columns": .orNull(columns),
            "rows": .orNull(rows), "tiles": .array(tiles.map(\.json)), "brightness": .double(brightness),
            "stage": .string(stage.rawValue), "rate": .orNull(rate),
        ])
    }
}
