import Glibc
import Panel

/// The network ports and walls of a configuration, tried on this machine. Nothing is sent or received.
public enum NetworkSurvey {
    /// A port, or a wall.
    public struct Part: Sendable {
        /// Its purpose, its interface and its number.
        public var name: String
        /// Why it cannot be used; nil if it can.
        public var failure: DeviceFailure?
    }

    /// Tries the ports for light to a panel of `columns`, those of the grid, and that of Open Sound Control.
    public static func ports(
        light: [LightPort], columns: Int, grid: GridSettings?, osc: (interface: String, port: Int)?
    ) -> [Part] {
        survey(
            light.map { NetworkPort($0, columns: columns) } + (grid.map(GridServer.ports) ?? [])
                + (osc.map { [OSCServer.networkPort(interface: $0.interface, port: $0.port)] } ?? []), .linux)
    }

    static func survey(_ ports: [NetworkPort], _ calls: UDPCalls) -> [Part] {
        ports.map { port in
            let name = "\(port.name), UDP port \(port.number)"
            guard calls.index(port.interface) != 0 else { return missing(port.interface, name) }
            switch calls.listen(port.interface, port.number, port.groups) {
            case .success(let descriptor):
                calls.close(descriptor)
                return Part(name: name)
            case .failure(let error):
                var failure = DeviceFailure("\(name): \(error)", fix: "see that the interface is up (ip link)")
                if error.errno == EADDRINUSE {
                    failure = DeviceFailure("\(name): \(error)", fix: "end the program that uses it (ss -ulnp)")
                    failure.isInUse = true
                }
                return Part(name: name, failure: failure)
            }
        }
    }

    /// Looks for the interfaces of `walls`.
    public static func walls(_ walls: [Wall]) -> [Part] { survey(walls, .linux) }

    static func survey(_ walls: [Wall], _ calls: UDPCalls) -> [Part] {
        walls.map { wall in
            guard let interface = wall.interface, calls.index(interface) == 0 else { return Part(name: wall.name) }
            return missing(interface, wall.name)
        }
    }

    /// The daemon that announces services on the network; a failure if none runs, with which they are reached by address.
    public static func announcer() -> Result<String, DeviceFailure> { AvahiDaemon().version() }

    private static func missing(_ interface: String, _ name: String) -> Part {
        Part(
            name: name,
            failure: DeviceFailure(
                "\(name): there is no network interface \(interface)", fix: "check the name (ip link)"))
    }
}
