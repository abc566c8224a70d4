import Display
import Documents
import InputEvents
import Instrument
import Panel

/// Packets of OSC to a grid, each after a length of two bytes: a message that is read is written and read as the same,
/// the lights stay within the grid, and nothing is sent to others.
func checkGrid(_ bytes: [UInt8]) throws(Violation) {
    var device = GridDevice(.whole, panelColumns: 44, name: "fuzz", port: 12_003)
    var frame = Frame(columns: 44, rows: 24)
    var rest = bytes[...]
    while rest.count >= 2 {
        let head = Array(rest.prefix(2))
        rest = rest.dropFirst(2)
        let packet = Array(rest.prefix(Int(head[0] & 0x0f) << 8 | Int(head[1])))
        rest = rest.dropFirst(packet.count)
        for message in packet.withUnsafeBytes({ OSCMessage.messages(in: $0) }) {
            // Not a number is not equal to itself.
            let again = message.bytes.withUnsafeBytes { OSCMessage.messages(in: $0) }
            try require("\(again)" == "\([message])", "\(message) became \(again)")
            if case .sound(let control, let value) = RemoteWords.event(message, TrackChannels()) {
                try require(control.range.contains(value), "\(control.word) \(value)")
            }
            let address = UInt32(head[0] >> 4)
            for output in device.discover(message, from: address) + device.receive(message, from: address) {
                try require(output.port != 0 && output.address < 16, "\(output)")
            }
            let place = (column: Float(head[1]), row: Float(packet.count % 24))
            _ = device.touch(Int(head[0] & 3), at: head[1] > 50 ? nil : place)
        }
    }
    device.draw(into: &frame, columns: 0..<44, rows: 0..<24)
    device.draw(into: &frame, columns: 0..<3, rows: 8..<11)
    try require(
        (0..<24).allSatisfy { row in (0..<4).allSatisfy { frame[$0, row] == .black || row >= 8 && row < 11 } },
        "light outside")
    for output in device.liftAll() {
        try require(output.message.address.hasSuffix("/grid/key"), "\(output)")
    }
    try require(device.liftAll().isEmpty, "a key stays down")
}

/// Messages to a grid as input of the target `grid`.
let gridMessages: [[UInt8]] = [
    [
        OSCMessage("/serialosc/list", .string("localhost"), .int(7000)), OSCMessage("/sys/host", .string("localhost")),
        OSCMessage("/sys/port", .int(7000)), OSCMessage("/sys/prefix", .string("fuzz")), OSCMessage("/sys/info"),
        OSCMessage("/sys/rotation", .int(90)), OSCMessage("/fuzz/grid/led/set", .int(1), .int(2), .int(1)),
    ],
    [
        OSCMessage("/pixelboop/tempo", .float(120)), OSCMessage("/pixelboop/mute", .string("bass"), .int(1)),
        OSCMessage("/pixelboop/sound/bass/cutoff", .int(900)), OSCMessage("/pixelboop/scene", .int(2)),
        OSCMessage("/pixelboop/note", .string("melody"), .int(60), .int(100)),
    ],
    [
        OSCMessage("/monome/grid/led/all", .int(1)), OSCMessage("/monome/grid/led/intensity", .int(7)),
        OSCMessage("/monome/grid/led/map", (0..<10).map { .int($0) }),
        OSCMessage("/monome/grid/led/level/map", (0..<66).map { .int($0 & 15) }),
        OSCMessage("/monome/grid/led/level/row", (0..<18).map { .int($0 & 15) }),
        OSCMessage("/monome/grid/led/col", .int(3), .int(8), .float(255)),
    ],
].map { messages in
    messages.flatMap { message in [UInt8(message.bytes.count >> 8), UInt8(message.bytes.count & 255)] + message.bytes }
}
