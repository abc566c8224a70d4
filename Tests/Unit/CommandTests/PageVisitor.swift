import TestSupport
import Testing

/// A visitor of a box's page: sees its LEDs and plays on it, as a browser does.
struct PageVisitor {
    private let client: RawClient

    /// A visitor of the page at `address`, such as 127.0.0.1:4424.
    init(_ address: String) throws {
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        client = try RawClient(port: port)
        try #require(try client.upgrade(host: address, origin: "http://\(address)"))
    }

    /// Presses or lifts a finger on an LED.
    func touch(column: Int, row: Int, isDown: Bool) {
        let (x, y) = (column * 1024 + 512, row * 1024 + 512)
        client.sendFrame(
            [1, isDown ? 0 : 2, 0, 0, UInt8(x & 0xff), UInt8(x >> 8), UInt8(y & 0xff), UInt8(y >> 8)])
    }

    func tap(column: Int, row: Int) {
        touch(column: column, row: row, isDown: true)
        touch(column: column, row: row, isDown: false)
    }

    /// Watches the panel until `isWanted` accepts the red, green and blue of the LED at `column`, `row`.
    func see(column: Int, row: Int, _ isWanted: ([UInt8]) -> Bool) throws {
        while true {
            let payload = try client.message().payload
            guard payload.first == 1 else { continue }
            // The box sends only a few frames ahead of the acknowledged one.
            client.sendFrame([4, 0, 0, 0] + payload[4..<8])
            let start = 8 + (row * 44 + column) * 3
            if isWanted(Array(payload[start..<start + 3])) { return }
        }
    }

    /// Switches the box off: menu, Power, and holding HOLD until the page closes.
    func switchOff() throws {
        tap(column: 1, row: 1)
        // Power's icon is lit when the menu has slid in.
        try see(column: 3, row: 22, Self.isRed)
        tap(column: 4, row: 22)
        // The edge around HOLD.
        try see(column: 43, row: 8, Self.isRed)
        touch(column: 34, row: 16, isDown: true)
        do {
            try see(column: 34, row: 16) { _ in false }
        } catch RawClient.Failure.closed {}
    }

    /// Calibrates the overlay: menu, settings, the cross, and each target as it lights.
    func calibrate() throws {
        tap(column: 1, row: 1)
        try see(column: 3, row: 22, Self.isRed)
        tap(column: 2, row: 19)
        // The middle of the cross.
        try see(column: 36, row: 9) { $0.allSatisfy { $0 > 100 } }
        tap(column: 35, row: 9)
        for (column, row) in [(3, 3), (40, 3), (40, 20), (3, 20)] {
            try see(column: column, row: row) { $0.allSatisfy { $0 > 150 } }
            tap(column: column, row: row)
        }
        try see(column: 3, row: 20) { !$0.allSatisfy { $0 > 150 } }
    }

    private static func isRed(_ colour: [UInt8]) -> Bool { colour[0] > 30 && colour[0] > 3 * max(colour[1], colour[2]) }
}
