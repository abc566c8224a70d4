import Documents
import Panel

// The ports at which other machines and programs are heard. Each names its interface.

extension LightPort {
    /// A port for a panel of `panelColumns`.
    init(reading field: JSONField, panelColumns: Int) throws(FormatError) {
        try field.only(["protocol", "interface", "port", "universe"])
        self.init(interface: try field.interfaceOfPrograms())
        try field.read("protocol", into: &transport)
        if let part = try field.part("port"), part.value != .null { port = try part.integer(in: 1...65_535) }
        if let part = try field.part("universe"), part.value != .null {
            let last = transport.universes.upperBound + 1 - universes(columns: panelColumns).count
            universe = try part.integer(in: transport.universes.lowerBound...max(transport.universes.lowerBound, last))
        }
    }

    /// All settings as a document.
    var json: JSON {
        .object([
            "protocol": .string(transport.rawValue), "interface": .string(interface), "port": .orNull(port),
            "universe": .orNull(universe),
        ])
    }
}

extension GridSettings {
    init(reading field: JSONField) throws(FormatError) {
        try field.only(["interface", "size", "port"])
        self.init(interface: try field.interfaceOfPrograms())
        try field.read("size", into: &size)
        if let part = try field.part("port") { port = try part.integer(in: 1...65_534) }
    }

    /// All settings as a document.
    var json: JSON {
        .object(["interface": .string(interface), "size": .string(size.rawValue), "port": .integer(port)])
    }
}

extension Configuration.OSCSettings {
    init(reading field: JSONField) throws(FormatError) {
        try field.only(["interface", "port"])
        self.init(interface: try field.interfaceOfPrograms())
        if let part = try field.part("port") { port = try part.integer(in: 1...65_535) }
    }

    /// All settings as a document.
    var json: JSON { .object(["interface": .string(interface), "port": .integer(port)]) }
}

extension Configuration {
    /// Throws if two of the ports at which others are heard are the same.
    func checkPorts() throws(FormatError) {
        typealias Port = (name: String, interface: String, number: Int)
        var ports: [Port] = lightIn.enumerated().map { (place: Int, port: LightPort) -> Port in
            ("lightIn[\(place)]", port.interface, port.port ?? port.transport.port)
        }
        if let grid { ports += [("grid", grid.interface, grid.port), ("grid", grid.interface, grid.port + 1)] }
        if let osc { ports.append(("osc", osc.interface, osc.port)) }
        for (place, port) in ports.enumerated() {
            let other = ports[..<place].first { $0.interface == port.interface && $0.number == port.number }
            guard let other else { continue }
            throw FormatError(
                "\(port.name).port",
                "is UDP port \(port.number) of \(port.interface), as is that of \(other.name); choose another")
        }
    }
}

extension JSONField {
    /// The interface at which programs reach a port of the box: there is no port at all interfaces.
    fileprivate func interfaceOfPrograms() throws(FormatError) -> String {
        guard let part = try part("interface"), part.value != .null else {
            throw FormatError(
                "\(path).interface", "is missing; name the network interface of the programs, such as eth0")
        }
        return try part.networkInterface()
    }

    /// Maximum bytes of an interface's name: IFNAMSIZ of <linux/if.h>, without the zero at its end.
    private static let interfaceBytesMax = 15

    /// The name of a network interface.
    func networkInterface() throws(FormatError) -> String {
        let name = try string()
        guard (1...Self.interfaceBytesMax).contains(name.utf8.count), !name.contains("/") else {
            throw refused("is \(shown), should be the name of a network interface, such as eth0")
        }
        return name
    }
}
