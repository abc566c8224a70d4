import Display
import Panel

/// Packets of light: a port, a sender and a length of two bytes before each.
struct LightSession {
    /// The ports, one for each protocol.
    static let ports = LightProtocol.allCases.map { transport in
        var port = LightPort(interface: "lo")
        port.transport = transport
        return port
    }

    /// The packets of `parts` as input of the target `light`.
    static func bytes(of packets: [(port: UInt8, packet: [UInt8])]) -> [UInt8] {
        packets.flatMap { [$0.port, 1, UInt8($0.packet.count >> 8), UInt8($0.packet.count & 255)] + $0.packet }
    }
}

/// The sources are few and in order, their pictures have the panel's size, and a picture is complete only with light
/// for it.
func checkLight(_ bytes: [UInt8]) throws(Violation) {
    var reception = LightReception(LightSession.ports, columns: 44)
    var frame = Frame(columns: 44, rows: 24)
    var rest = bytes[...]
    var now: Int64 = 0
    while rest.count >= 4 {
        let head = Array(rest.prefix(4))
        rest = rest.dropFirst(4)
        let packet = Array(rest.prefix(Int(head[2]) << 8 | Int(head[3])))
        rest = rest.dropFirst(packet.count)
        now += Int64(head[0] >> 2) * 100_000
        let done = packet.withUnsafeBytes {
            reception.receive($0, port: Int(head[0] & 3) % LightSession.ports.count, from: UInt32(head[1]), at: now)
        }
        let numbers = reception.sources.map(\.number)
        try require(numbers.count <= LightReception.sourcesMax, "\(numbers.count) sources")
        try require(numbers == Array(Set(numbers)).sorted(), "sources \(numbers)")
        try require(done.allSatisfy(numbers.contains), "sources \(done) of \(numbers)")
        if head[0] & 3 == 3 { _ = reception.advance(to: now) }
    }
    for source in reception.sources {
        try require(source.rate >= 0 && !source.name.isEmpty, source.name)
        source.picture.draw(into: &frame, columns: 0..<44, rows: 0..<24)
        source.picture.draw(into: &frame, columns: 1..<4, rows: 8..<11)
    }
}
