import Display
import Testing

@testable import Panel

@Suite("Launchpads")
struct LaunchpadTests {
    private static let dark = Launchpad.Buttons(
        scenes: [RGB](repeating: .black, count: 8), tracks: [RGB](repeating: .black, count: 4))
    /// A picture whose LED at a place has twice its column as red, and twice its row as green.
    private static func picture(columns: Int = 44) -> [RGB] {
        (0..<columns * 24).map { (led: Int) -> RGB in
            RGB(red: UInt8(2 * (led % columns)), green: UInt8(2 * (led / columns)), blue: 254)
        }
    }

    /// The lights in `messages`: red, green and blue by number.
    private func lights(_ messages: [[UInt8]], model: UInt8 = 0x0d) -> [Int: [UInt8]] {
        var lights: [Int: [UInt8]] = [:]
        for message in messages {
            #expect(
                message.count <= 64 && message.prefix(7) == [0xf0, 0, 0x20, 0x29, 2, model, 3] && message.last == 0xf7)
            let body = Array(message.dropFirst(7).dropLast())
            for place in stride(from: 0, to: body.count, by: 5) {
                #expect(body[place] == 3 && body[place..<place + 5].allSatisfy { $0 < 128 })
                lights[Int(body[place + 1])] = Array(body[place + 2..<place + 5])
            }
        }
        return lights
    }

    @Test("the two kinds are known by their names")
    func models() {
        #expect(Launchpad.Model(name: "Launchpad Mini MK3") == .mini && Launchpad.Model(name: "Launchpad X") == .x)
        for other in ["Launchpad Pro MK3", "Launchpad", "Launchkey Mini MK3", "launchpad x"] {
            #expect(Launchpad.Model(name: other) == nil)
        }
        let pad = Launchpad(.x, columns: 44)
        #expect(pad.mode(isOn: true) == [0xf0, 0x00, 0x20, 0x29, 0x02, 0x0c, 0x0e, 0x01, 0xf7])
        #expect(pad.mode(isOn: false) == [0xf0, 0x00, 0x20, 0x29, 0x02, 0x0c, 0x0e, 0x00, 0xf7])
    }

    @Test("each pad is a place of the window, which the arrows move within the panel", arguments: [44, 46, 50])
    func pads(columns: Int) {
        var pad = Launchpad(.mini, columns: columns)
        let first = columns - 40
        #expect(pad.window == (first, 14))
        #expect(pad.handle(11, isDown: true) == .land(pad: 11, column: first, row: 21))
        #expect(pad.handle(11, isDown: true) == nil)
        #expect(pad.handle(88, isDown: true) == .land(pad: 88, column: first + 7, row: 14))
        for _ in 1...20 { #expect(pad.handle(94, isDown: true) == nil && pad.handle(94, isDown: false) == nil) }
        #expect(pad.window.column == columns - 8)
        for _ in 1...20 { _ = pad.handle(91, isDown: true) }
        #expect(pad.window == (columns - 8, 0))
        // A pressed pad stays where it is until it is lifted.
        #expect(pad.handle(11, isDown: false) == .lift(pad: 11) && pad.handle(11, isDown: false) == nil)
        #expect(pad.handle(11, isDown: true) == .land(pad: 11, column: columns - 8, row: 7))
        for _ in 1...20 { _ = pad.handle(93, isDown: true) }
        for _ in 1...20 { _ = pad.handle(92, isDown: true) }
        #expect(pad.window == (0, 16))
        #expect(pad.liftAll() == [.lift(pad: 11), .lift(pad: 88)] && pad.liftAll().isEmpty)
    }

    @Test("the right column is the scenes, and the end of the top row the tracks")
    func buttons() {
        var pad = Launchpad(.mini, columns: 44)
        #expect((1...8).map { pad.handle(10 * $0 + 9, isDown: true) } == (0..<8).reversed().map { .scene($0) })
        #expect((95...98).map { pad.handle($0, isDown: true) } == (0..<4).map { .mute($0) })
        for number in [89, 95, 19] { #expect(pad.handle(number, isDown: false) == nil) }
        for number in [-1, 0, 9, 10, 20, 80, 90, 99, 127] {
            #expect(pad.handle(number, isDown: true) == nil && pad.handle(number, isDown: false) == nil, "\(number)")
        }
    }

    @Test("its lights are the window's, then only what changes")
    func window() {
        var pad = Launchpad(.mini, columns: 44)
        var buttons = Self.dark
        buttons.scenes[0] = .white
        buttons.tracks[3] = RGB(0x020406)
        var shown = lights(pad.lights(Self.picture(), buttons))
        #expect(
            shown.count == 80 && shown[11] == [4, 21, 127] && shown[88] == [11, 14, 127] && shown[18] == [11, 21, 127])
        #expect(
            shown[89] == [127, 127, 127] && shown[79] == [0, 0, 0] && shown[98] == [1, 2, 3]
                && shown[91] == [24, 24, 24])
        #expect(pad.lights(Self.picture(), buttons).isEmpty)
        _ = pad.handle(94, isDown: true)
        shown = lights(pad.lights(Self.picture(), buttons))
        #expect(shown.count == 64 && shown[11] == [8, 21, 127])
        for _ in 1...20 { _ = pad.handle(93, isDown: true) }
        shown = lights(pad.lights(Self.picture(), Self.dark))
        #expect(
            shown[93] == [0, 0, 0] && shown[89] == [0, 0, 0] && shown[98] == [0, 0, 0] && shown[11] == [0, 21, 127])
    }
}
