/// Inspects the MIDI ports of this machine. It connects and sends nothing.
public enum MIDISurvey {
    /// A port of a device or program.
    public struct Port: Hashable, Sendable, CustomStringConvertible {
        /// Name and address in the sequencer.
        public var name: String
        /// Whether the box connects itself to the port.
        public var isChosen: Bool
        /// Names of the ports that it sends to.
        public var destinations: [String]
        /// Names of the ports that it receives from.
        public var sources: [String]
        fileprivate let details: MIDIPortDetails

        /// Whether `name` in the configuration means this port.
        public func isCalled(_ name: String) -> Bool { details.isCalled(name) }

        /// All in one line.
        public var description: String {
            let directions = [details.isSource ? "in" : nil, details.isDestination ? "out" : nil].compactMap(\.self)
            let links = [
                destinations.isEmpty ? nil : "sends to \(destinations.joined(separator: ", "))",
                sources.isEmpty ? nil : "receives from \(sources.joined(separator: ", "))",
            ]
            return
                ([name] + [directions.joined(separator: " and ")] + [isChosen ? "for the box" : "not for the box"]
                + links.compactMap(\.self)).joined(separator: "; ")
        }
    }

    /// The ports of all devices and programs. Calls `snd_seq_query_next_port`. Throws if the sequencer does not open.
    public static func ports(chosenBy options: MIDIPorts.Options) throws(DeviceFailure) -> [Port] {
        try ports(chosenBy: options, .alsa)
    }

    static func ports(chosenBy options: MIDIPorts.Options, _ calls: MIDICalls) throws(DeviceFailure) -> [Port] {
        let client: Int
        switch calls.openClient("\(MIDIPorts.name) doctor") {
        case .success(let opened): client = opened
        case .failure(let error): throw DeviceFailure(openingSequencer: error)
        }
        defer { calls.closeClient(client) }
        let all = (try? calls.ports(client).get()) ?? []
        func names(of addresses: [MIDIAddress]) -> [String] {
            addresses.compactMap { address in all.first { $0.address == address }?.name }
        }
        return all.filter { !$0.isOfSystem && $0.client != MIDIPorts.name && ($0.isSource || $0.isDestination) }
            .map { port in
                Port(
                    name: "\(port.name) (\(port.address.client):\(port.address.port))",
                    isChosen: options.choose(port),
                    destinations: names(of: calls.connections(client, port.address, true)),
                    sources: names(of: calls.connections(client, port.address, false)), details: port)
            }
    }
}
