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

    /// Tries the ports for light to a panel of `columns`, the ports of the grid, and the port of Open Sound Control.
    /// `filter` is the filter of the service that opens them; nil for none.
    public static func ports(
        light: [LightPort], columns: Int, grid: GridSettings?, osc: (interface: String, port: Int)?,
        _ filter: NetworkFilter?
    ) -> [Part] {
        survey(
            light.map { NetworkPort($0, columns: columns) } + (grid.map(GridServer.ports) ?? [])
                + (osc.map { [OSCServer.networkPort(interface: $0.interface, port: $0.port)] } ?? []), .linux, filter)
    }

    static func survey(_ ports: [NetworkPort], _ calls: UDPCalls, _ filter: NetworkFilter? = nil) -> [Part] {
        ports.map { port in
            let name = "\(port.name), UDP port \(port.number)"
            guard calls.index(port.interface) != 0 else { return missing(port.interface, name) }
            if let denied = filter?.deniedNetwork(of: calls.networks(port.interface)) {
                return Part(name: name, failure: NetworkFilter.failure(name, denied))
            }
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

    /// Looks for the interfaces of `walls`, and for a way to each. `filter` is the filter of the service that sends to
    /// them; nil for none.
    public static func walls(_ walls: [Wall], _ filter: NetworkFilter?) -> [Part] { survey(walls, .linux, filter) }

    static func survey(_ walls: [Wall], _ calls: UDPCalls, _ filter: NetworkFilter? = nil) -> [Part] {
        walls.map { wall in
            if let interface = wall.interface, calls.index(interface) == 0 { return missing(interface, wall.name) }
            let target = wall.target(ofUniverse: wall.firstUniverse)
            let text = UDPCalls.text(of: target)
            if let filter, !filter.permits(target) {
                return Part(name: wall.name, failure: NetworkFilter.failure(wall.name, text))
            }
            if wall.address == nil { return Part(name: wall.name) }
            switch aim(at: target, UInt16(clamping: wall.port ?? wall.transport.port), by: wall.interface, calls) {
            case .success: return Part(name: wall.name)
            case .failure(let error):
                let fix = "see that the interface is up (ip route get \(text))"
                return Part(name: wall.name, failure: DeviceFailure("\(wall.name): \(error)", fix: fix))
            }
        }
    }

    private static func aim(
        at address: UInt32, _ port: UInt16, by interface: String?, _ calls: UDPCalls
    ) -> Result<Int32, SystemError> {
        calls.open(interface).flatMap { descriptor in
            defer { calls.close(descriptor) }
            return calls.aim(descriptor, address, port)
        }
    }

    /// Why other machines do not reach a page at `address`, an IPv4 address of this machine or 0.0.0.0 for all; nil if
    /// they do, or are not to. `filter` is the filter of the service that serves it; nil for none.
    public static func page(at address: String, _ filter: NetworkFilter?) -> DeviceFailure? {
        guard let filter, case .success(let all) = NetworkInterface.all() else { return nil }
        let networks = all.compactMap { address == "0.0.0.0" || $0.address == address ? $0.network : nil }
        return filter.deniedNetwork(of: networks).map { NetworkFilter.failure("the page at \(address)", $0) }
    }

    /// The daemon that announces services on the network; a failure if none runs, with which they are reached by
    /// address.
    public static func announcer() -> Result<String, DeviceFailure> { AvahiDaemon().version() }

    private static func missing(_ interface: String, _ name: String) -> Part {
        Part(
            name: name,
            failure: DeviceFailure(
                "\(name): there is no network interface \(interface)", fix: "check the name (ip link)"))
    }
}
