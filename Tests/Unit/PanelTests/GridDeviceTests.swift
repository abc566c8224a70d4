import Display
import InputEvents
import Testing

@testable import Panel

@Suite("The panel as a grid")
struct GridDeviceTests {
    private static let program: UInt32 = 0x0100_007f

    private func device(_ size: GridDevice.Size = .whole, columns: Int = 44) -> GridDevice {
        var device = GridDevice(size, panelColumns: columns, name: "box", port: 12_003)
        _ = device.receive(OSCMessage("/sys/port", .int(7000)), from: Self.program)
        return device
    }

    private func ints(_ values: [Int]) -> [OSCMessage.Argument] { values.map { .int(Int32(truncatingIfNeeded: $0)) } }

    private func send(_ device: inout GridDevice, _ address: String, _ values: Int...) {
        _ = device.receive(OSCMessage(address, ints(values)), from: Self.program)
    }

    private func picture(_ device: GridDevice, columns: Int = 44) -> Frame {
        var frame = Frame(columns: columns, rows: 24)
        device.draw(into: &frame, columns: 0..<columns, rows: 0..<24)
        return frame
    }

    /// The lit places of the panel, and the level of each.
    private func lit(_ device: GridDevice) -> [[Int]] {
        let frame = picture(device)
        return (0..<24).flatMap { row in
            (0..<44).compactMap { column in
                let level = Int(frame[column, row].red) / 17
                return level == 0 ? nil : [column, row, level]
            }
        }
    }

    private func texts(_ outputs: [GridDevice.Output]) -> [String] {
        outputs.map { output in
            let words = output.message.arguments.map { argument in
                switch argument {
                case .int(let value): "\(value)"
                case .string(let text): text
                case .float, .other: "?"
                }
            }
            return "\(output.address == Self.program ? "" : "\(output.address) ")\(output.port): "
                + ([output.message.address] + words).joined(separator: " ")
        }
    }

    @Test("a program finds the device, and its properties")
    func discovery() {
        var device = GridDevice(.whole, panelColumns: 44, name: "box", port: 12_003)
        let list = OSCMessage("/serialosc/list", .string("localhost"), .int(7000))
        let identity = texts(device.discover(list, from: 5))[0].split(separator: " ")[3]
        #expect(texts(device.discover(list, from: 5)) == ["5 7000: /serialosc/device \(identity) monome 960 12003"])
        #expect(identity.wholeMatch(of: /m\d+/) != nil && !device.isUsed)
        #expect(device.discover(OSCMessage("/serialosc/notify", .string("localhost"), .int(7000)), from: 5).isEmpty)
        #expect(device.discover(OSCMessage("/serialosc/list", .string("localhost"), .int(70_000)), from: 5).isEmpty)
        // Without a port there is nobody to tell.
        #expect(device.receive(OSCMessage("/sys/info"), from: Self.program).isEmpty)
        let all = [
            "id \(identity)", "size 40 24", "host 127.0.0.1", "port 0", "prefix /monome", "rotation 0",
        ].map { "9: /sys/" + $0 }
        #expect(texts(device.receive(OSCMessage("/sys/info", .int(9)), from: Self.program)) == all)
        let named = OSCMessage("/sys/info/size", .string("example.com"), .int(9))
        #expect(texts(device.receive(named, from: Self.program)) == ["9: /sys/size 40 24"])
    }

    @Test("changes of the destination, the prefix and the rotation are told")
    func changes() {
        var device = device()
        #expect(device.isUsed)
        func receive(_ message: OSCMessage) -> [String] { texts(device.receive(message, from: Self.program)) }
        #expect(receive(OSCMessage("/sys/port", .int(8000))) == ["7000: /sys/port 8000", "8000: /sys/port 8000"])
        #expect(receive(OSCMessage("/sys/host", .string("10.0.0.9"))) == ["8000: /sys/host 10.0.0.9"])
        #expect(receive(OSCMessage("/sys/prefix", .string("nubs"))) == ["8000: /sys/prefix /nubs"])
        #expect(receive(OSCMessage("/sys/rotation", .int(90))) == ["8000: /sys/size 24 40", "8000: /sys/rotation 90"])
        for bad in [
            OSCMessage("/sys/port", .int(0)), OSCMessage("/sys/port"), OSCMessage("/sys/rotation", .int(-90)),
            OSCMessage("/sys/prefix", .string(String(repeating: "x", count: 500))), OSCMessage("/sys/reboot"),
        ] {
            #expect(receive(bad).isEmpty)
        }
        // Another program takes over, from its own address.
        #expect(
            texts(device.receive(OSCMessage("/sys/port", .int(5)), from: 6))
                == ["8000: /sys/port 5", "6 5: /sys/port 5"])
    }

    @Test("lights are set one by one, in rows, columns and quads, with bits and with levels")
    func lights() {
        var device = device()
        send(&device, "/monome/grid/led/set", 0, 0, 1)
        send(&device, "/monome/grid/led/level/set", 39, 23, 4)
        #expect(lit(device) == [[4, 0, 15], [43, 23, 4]])
        send(&device, "/monome/grid/led/all", 0)
        #expect(lit(device).isEmpty)
        send(&device, "/monome/grid/led/row", 8, 2, 0b101, 0b1)
        #expect(lit(device) == [[12, 2, 15], [14, 2, 15], [20, 2, 15]])
        send(&device, "/monome/grid/led/all", 0)
        send(&device, "/monome/grid/led/col", 3, 8, 0b11, 0b1000_0000)
        #expect(lit(device) == [[7, 8, 15], [7, 9, 15], [7, 23, 15]])
        send(&device, "/monome/grid/led/level/all", 0)
        send(&device, "/monome/grid/led/map", 32, 16, 1, 2, 4, 8, 16, 32, 64, 128)
        #expect(lit(device) == (0..<8).map { [36 + $0, 16 + $0, 15] })
        send(&device, "/monome/grid/led/all", 0)
        send(&device, "/monome/grid/led/level/row", 0, 5, 1, 0, 3)
        send(&device, "/monome/grid/led/level/col", 39, 22, 9, 8, 7)
        #expect(lit(device) == [[4, 5, 1], [6, 5, 3], [43, 22, 9], [43, 23, 8]])
        send(&device, "/monome/grid/led/level/all", 0)
        let levels = (0..<64).map { $0 % 16 }
        _ = device.receive(OSCMessage("/monome/grid/led/level/map", ints([8, 8] + levels)), from: Self.program)
        #expect(lit(device).count == 60 && lit(device)[0] == [13, 8, 1] && lit(device)[59] == [19, 15, 15])
    }

    @Test("what does not fit changes nothing")
    func nonsense() {
        var device = device()
        send(&device, "/monome/grid/led/set", 40, 0, 1)
        send(&device, "/monome/grid/led/set", -1, 0, 1)
        send(&device, "/monome/grid/led/set", 1, 1)
        send(&device, "/other/grid/led/set", 1, 1, 1)
        send(&device, "/monome/grid/led/map", Int(Int32.max), Int(Int32.min), 255, 255, 255, 255, 255, 255, 255, 255)
        send(&device, "/monome/grid/led/level/map", 0, 0, 15)
        _ = device.receive(OSCMessage("/monome/grid/led/all", .string("1")), from: Self.program)
        #expect(lit(device).isEmpty)
        send(&device, "/monome/grid/led/level/set", 1, 1, 99)
        #expect(lit(device) == [[5, 1, 15]])
    }

    @Test("the intensity dims all")
    func intensity() {
        var device = device()
        send(&device, "/monome/grid/led/all", 1)
        send(&device, "/monome/grid/led/intensity", 5)
        #expect(picture(device)[43, 23].red == 85)
    }

    @Test("a square grid is in the middle, on any panel")
    func square() {
        for columns in [44, 46, 50] {
            var device = device(.square, columns: columns)
            send(&device, "/monome/grid/led/set", 0, 0, 1)
            send(&device, "/monome/grid/led/set", 15, 15, 1)
            let frame = picture(device, columns: columns)
            #expect(frame[columns - 30, 4] == .white && frame[columns - 15, 19] == .white)
        }
        // Small, it is all of it.
        var device = device(.square)
        send(&device, "/monome/grid/led/all", 1)
        var frame = Frame(columns: 44, rows: 24)
        device.draw(into: &frame, columns: 0..<3, rows: 8..<11)
        #expect(frame[0, 8] == .white && frame[2, 10] == .white && frame[3, 8] == .black)
    }

    @Test("a finger presses keys, one after the other as it slides; a key under two fingers is released once")
    func keys() {
        var device = device()
        func touch(_ finger: Int, _ column: Float?, _ row: Float = 10) -> [String] {
            texts(device.touch(finger, at: column.map { ($0, row) }))
        }
        #expect(touch(0, 4) == ["7000: /monome/grid/key 0 10 1"])
        #expect(touch(0, 4.4) == [])
        #expect(touch(0, 5) == ["7000: /monome/grid/key 0 10 0", "7000: /monome/grid/key 1 10 1"])
        #expect(touch(1, 5) == [])
        #expect(touch(0, nil) == [])
        #expect(touch(1, 3) == ["7000: /monome/grid/key 1 10 0"])
        #expect(touch(1, nil) == [] && touch(5, nil) == [])
        #expect(touch(2, 43, 23) == ["7000: /monome/grid/key 39 23 1"])
        #expect(touch(3, 20, -0.4) == ["7000: /monome/grid/key 16 0 1"])
        #expect(texts(device.liftAll()) == ["7000: /monome/grid/key 39 23 0", "7000: /monome/grid/key 16 0 0"])
        // Nobody to tell.
        var alone = GridDevice(.whole, panelColumns: 44, name: "box", port: 1)
        #expect(alone.touch(0, at: (10, 10)).isEmpty && alone.liftAll().isEmpty)
    }

    @Test("turned, the key under a finger is the one whose light a program sets there", arguments: [0, 90, 180, 270])
    func turns(degrees: Int) {
        for size in GridDevice.Size.allCases {
            var device = device(size)
            send(&device, "/sys/rotation", degrees)
            for (column, row) in [(14, 5), (29, 19), (20, 6), (14, 19)] {
                let message = device.touch(0, at: (Float(column), Float(row)))[0].message
                let place = message.arguments.compactMap(\.integer)
                send(&device, "/monome/grid/led/set", place[0], place[1], 1)
                #expect(lit(device) == [[column, row, 15]])
                send(&device, "/monome/grid/led/all", 0)
                _ = device.touch(0, at: nil)
            }
        }
        // The program's first key is upper left, lower left, lower right, upper right.
        var device = device()
        send(&device, "/sys/rotation", degrees)
        send(&device, "/monome/grid/led/set", 0, 0, 1)
        #expect(lit(device) == [[[4, 0, 15]], [[4, 23, 15]], [[43, 23, 15]], [[43, 0, 15]]][degrees / 90])
    }
}
