import InputEvents
import Input
import TestSupport
import Testing

/// One report of a stream.
private struct Line {
    var type: UInt16
    var code: UInt16
    var value: Int32

    static func slot(_ value: Int32) -> Line { Line(type: 3, code: 0x2f, value: value) }
    static func id(_ value: Int32) -> Line { Line(type: 3, code: 0x39, value: value) }
    static func x(_ value: Int32) -> Line { Line(type: 3, code: 0x35, value: value) }
    static func y(_ value: Int32) -> Line { Line(type: 3, code: 0x36, value: value) }
    static func onlyX(_ value: Int32) -> Line { Line(type: 3, code: 0x00, value: value) }
    static func onlyY(_ value: Int32) -> Line { Line(type: 3, code: 0x01, value: value) }
    static func distance(_ value: Int32) -> Line { Line(type: 3, code: 0x3b, value: value) }
    static func tool(_ value: Int32) -> Line { Line(type: 3, code: 0x37, value: value) }
    static func button(_ value: Int32) -> Line { Line(type: 1, code: 0x14a, value: value) }
    static let end = Line(type: 0, code: 0, value: 0)
    static let contact = Line(type: 0, code: 2, value: 0)
    static let dropped = Line(type: 0, code: 3, value: 0)
}

/// The decoded touches of `lines` on a device with 100 units per LED: "down 0 5,7", contact and LED.
private func read(_ lines: [Line]) -> [String] {
    var fingers = Fingers(TouchDevice(axes: TouchAxes(x: 0...4399, y: 0...2399)))
    for line in lines {
        fingers.read(InputReport(time: .zero, type: line.type, code: line.code, value: line.value))
    }
    return fingers.touches.map { touch in
        func led(_ place: Float) -> Int { Int((place + 0.5).rounded(.down)) }
        return "\(touch.phase.rawValue) \(touch.contact) \(led(touch.column)),\(led(touch.row))"
    }
}

@Suite("Protocols")
struct ProtocolTests {
    @Test("protocol B: a contact that is replaced, or that begins and ends, within a packet is reported completely")
    func withinAPacket() {
        let land: [Line] = [.id(1), .x(550), .y(750), .end]
        #expect(read(land + [.id(-1), .id(2), .x(1550), .end]) == ["down 0 5,7", "up 0 5,7", "down 0 15,7"])
        #expect(read(land + [.id(2), .x(1550), .end]) == ["down 0 5,7", "up 0 5,7", "down 0 15,7"])
        #expect(read([.id(1), .x(550), .y(750), .id(-1), .end]) == ["down 0 5,7", "up 0 5,7"])
        #expect(
            read(land + [.id(-1), .id(2), .x(1550), .id(-1), .end])
                == ["down 0 5,7", "up 0 5,7", "down 0 15,7", "up 0 15,7"])
    }

    @Test("protocol B: the position reported with the lift counts")
    func lastPlace() {
        #expect(read([.id(1), .x(550), .y(750), .end, .x(650), .id(-1), .end]) == ["down 0 5,7", "up 0 6,7"])
    }

    @Test("a falling BTN_TOUCH lifts contacts without −1, and later contacts are new fingers")
    func noLift() {
        let first: [Line] = [.id(1), .x(550), .y(750), .button(1), .end, .button(0), .end]
        #expect(read(first) == ["down 0 5,7", "up 0 5,7"])
        #expect(read(first + [.button(1), .x(650), .end]) == ["down 0 5,7", "up 0 5,7", "down 0 6,7"])
        #expect(read(first + [.id(2), .x(650), .button(1), .end]) == ["down 0 5,7", "up 0 5,7", "down 0 6,7"])
        #expect(read(first + [.x(650), .end]) == ["down 0 5,7", "up 0 5,7"])
    }

    @Test("single touch: BTN_TOUCH lands and lifts; the position may be ABS_X or ABS_MT_POSITION_X")
    func singleTouch() {
        let down: [Line] = [.onlyX(550), .onlyY(750), .button(1), .end]
        let rest: [Line] = [.onlyX(650), .end, .button(0), .end]
        #expect(read(down + rest) == ["down 0 5,7", "move 0 6,7", "up 0 6,7"])
        #expect(read([.onlyX(550), .onlyY(750), .end]) == [])
        let plain: [Line] = [.x(550), .y(750), .button(1), .end, .x(650), .end, .button(0), .end]
        #expect(read(plain) == ["down 0 5,7", "move 0 6,7", "up 0 6,7"])
    }

    @Test("a device with tracking ids repeats its oldest contact in ABS_X: that is not another finger")
    func repeated() {
        let lines: [Line] = [
            .slot(1), .id(1), .x(550), .y(750), .button(1), .onlyX(550), .onlyY(750), .end, .onlyX(900), .end,
            .id(-1), .button(0), .end,
        ]
        #expect(read(lines) == ["down 0 5,7", "up 0 5,7"])
    }

    @Test("a hovering finger is ignored; it lands when it touches and lifts when it hovers again")
    func hovering() {
        let lines: [Line] = [
            .id(1), .x(550), .y(750), .distance(1), .end, .x(650), .end, .distance(0), .end, .distance(1), .end,
            .id(-1),
            .end,
        ]
        #expect(read(lines) == ["down 0 6,7", "up 0 6,7"])
    }

    @Test("a pen is ignored, and a finger that turns out to be one is cancelled", arguments: [1, 2, 15])
    func tools(tool: Int32) {
        #expect(read([.tool(tool), .id(1), .x(550), .y(750), .end, .id(-1), .end]) == [])
        let lines: [Line] = [.id(1), .tool(0), .x(550), .y(750), .end, .tool(tool), .end, .x(3), .end, .id(-1), .end]
        #expect(read(lines) == ["down 0 5,7", "cancel 0 5,7"])
        #expect(read(lines.dropLast(2) + [.tool(0), .end]) == ["down 0 5,7", "cancel 0 5,7", "down 0 0,7"])
    }

    @Test("protocol A: fingers are followed by position, in any order of reports")
    func anonymous() {
        let lines: [Line] = [
            .x(550), .y(750), .contact, .x(2050), .y(750), .contact, .end,
            .x(2150), .y(750), .contact, .x(650), .y(750), .contact, .end,
            .x(2250), .y(750), .contact, .end,
            .contact, .end,
        ]
        let wanted = ["down 0 5,7", "down 1 20,7", "move 0 6,7", "move 1 21,7", "move 1 22,7", "up 0 6,7", "up 1 22,7"]
        #expect(read(lines) == wanted)
    }

    @Test("protocol A: a finger far from a previous one is new, and BTN_TOUCH lifts all")
    func anonymousJump() {
        let lines: [Line] = [
            .x(550), .y(750), .contact, .button(1), .end, .x(3550), .y(750), .contact, .end, .button(0), .end,
        ]
        #expect(read(lines) == ["down 0 5,7", "up 0 5,7", "down 0 35,7", "up 0 35,7"])
    }

    @Test("protocol A: a device's own contact identifiers are used")
    func anonymousWithNames() {
        let lines: [Line] = [
            .id(4), .x(550), .y(750), .contact, .end, .id(4), .x(3550), .y(750), .contact, .end,
            .id(5), .x(3550), .y(750), .contact, .end,
        ]
        #expect(read(lines) == ["down 0 5,7", "move 0 35,7", "up 0 35,7", "down 0 35,7"])
    }

    @Test("protocol A: seventeen contacts in a packet are sixteen")
    func anonymousCrowd() {
        let lines = (0..<17 as Range<Int32>).flatMap { [.x($0 * 250), .y(100), .contact] as [Line] } + [.end]
        #expect(read(lines).count == 16)
        #expect(read(lines + [.contact, .end]).count == 32)
    }

    @Test("after lost reports, unconfirmed contacts lift, and land again when reported")
    func lost() {
        let two: [Line] = [.id(1), .x(550), .y(750), .slot(1), .id(2), .x(2050), .y(750), .end]
        let after: [Line] = [.slot(1), .x(2150), .end, .slot(0), .x(650), .end]
        #expect(
            read(two + [.dropped, .x(2060), .end] + after)
                == ["down 0 5,7", "down 1 20,7", "up 0 5,7", "move 1 20,7", "move 1 21,7", "down 0 6,7"])
        #expect(read(two + [.dropped, .end]) == ["down 0 5,7", "down 1 20,7", "up 0 5,7", "up 1 20,7"])
        let anonymous: [Line] = [.x(550), .y(750), .contact, .end, .dropped, .end, .x(560), .y(750), .contact, .end]
        #expect(read(anonymous) == ["down 0 5,7", "up 0 5,7", "down 0 5,7"])
        let single: [Line] = [.onlyX(550), .onlyY(750), .button(1), .end, .dropped, .end, .onlyX(650), .end]
        #expect(read(single) == ["down 0 5,7", "up 0 5,7", "down 0 6,7"])
    }

    @Test(
        "for any reports, contacts alternate landing and lifting, stay on the panel, and none is left when all are cancelled"
    )
    func anything() {
        let codes: [(UInt16, [UInt16])] = [
            (3, [0x00, 0x01, 0x2f, 0x2f, 0x35, 0x36, 0x35, 0x36, 0x37, 0x39, 0x39, 0x39, 0x3b, 0x19]), (1, [0x14a]),
            (0, [0, 0, 0, 2, 3]),
        ]
        for seed in 0..<400 as Range<UInt64> {
            var random = SplitMix(seed: seed)
            // Some streams follow one protocol, most follow none.
            let isPlain = seed.isMultiple(of: 2)
            var fingers = Fingers(TouchDevice(axes: TouchAxes(x: -50...4399, y: 0...2399)))
            for _ in 0..<400 {
                let (type, choices) = codes[[0, 0, 0, 0, 1, 2, 2].randomElement(using: &random) ?? 0]
                let code = choices.randomElement(using: &random) ?? 0
                if isPlain, type == 0, code == 2 { continue }
                let values: [Int32] = [
                    0, 1, -1, .random(in: 0...20, using: &random), .random(in: -100...5000, using: &random),
                ]
                fingers.read(
                    InputReport(time: .zero, type: type, code: code, value: values.randomElement(using: &random) ?? 0))
            }
            fingers.unplug()
            var isDown = [Bool](repeating: false, count: Touch.contactsMax)
            for touch in fingers.touches {
                let isRight = isDown[touch.contact] == (touch.phase != .down)
                #expect(isRight, "seed \(seed), \(touch)")
                isDown[touch.contact] = touch.phase == .down || touch.phase == .move
                #expect((-0.5..<43.5).contains(touch.column) && (-0.5..<23.5).contains(touch.row), "seed \(seed)")
            }
            #expect(!isDown.contains(true), "seed \(seed)")
        }
    }
}
