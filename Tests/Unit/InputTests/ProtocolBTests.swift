import InputEvents
import Input
import Testing

@Suite("Protocol B")
struct ProtocolBTests {
    private let axes = TouchAxes(x: 0...4399, y: 0...2399)

    private func decode(_ reports: [(UInt16, Int32)], matrix: [Double] = [1, 0, 0, 0, 1, 0]) -> [Touch] {
        var settings = OverlaySettings()
        settings.matrix = matrix
        var fingers = Fingers(TouchDevice(axes: axes, settings: settings))
        fingers.read(reports)
        return fingers.touches
    }

    private let land: [(UInt16, Int32)] = [
        (InputCode.trackingID, 7), (InputCode.positionX, 450), (InputCode.positionY, 1250), (InputCode.report, 0),
    ]

    @Test("slot 0 is implicit; a finger lands, moves and lifts")
    func one() {
        let touches = decode(
            land + [
                (InputCode.positionX, 550), (InputCode.report, 0), (InputCode.trackingID, -1), (InputCode.report, 0),
            ])
        #expect(touches.map(\.phase) == [.down, .move, .up])
        #expect(touches.map(\.column) == [4, 5, 5])
        #expect(touches.map(\.row) == [12, 12, 12])
    }

    @Test("nothing is reported before the packet ends")
    func packets() { #expect(decode(Array(land.dropLast())).isEmpty) }

    @Test("a new tracking id without a lift is another finger")
    func replaced() {
        let touches = decode(land + [(InputCode.trackingID, 8), (InputCode.report, 0)])
        #expect(touches.map(\.phase) == [.down, .up, .down])
    }

    @Test("a palm cancels its contact, and is ignored while it rests there")
    func palm() {
        let palm = [(InputCode.toolType, InputCode.toolPalm), (InputCode.report, 0)]
        let touches = decode(land + palm + [(InputCode.positionX, 3), (InputCode.report, 0)])
        #expect(touches.map(\.phase) == [.down, .cancel])
    }

    @Test("seventeen fingers: sixteen are followed, and the next one to land after a lift replaces it")
    func many() {
        var reports: [(UInt16, Int32)] = []
        for slot in 0..<17 as Range<Int32> { reports += [(InputCode.slot, slot), (InputCode.trackingID, slot)] }
        reports += [(InputCode.report, 0), (InputCode.slot, 3), (InputCode.trackingID, -1), (InputCode.report, 0)]
        reports += [(InputCode.slot, 20), (InputCode.trackingID, 99), (InputCode.report, 0)]
        let touches = decode(reports)
        #expect(touches.prefix(16).map(\.contact) == Array(0..<16))
        #expect(touches.dropFirst(16).map(\.phase) == [.up, .down])
        #expect(touches.last?.contact == 3)
    }

    @Test("slots beyond those followed, and negative ones, are ignored", arguments: [256, 1000, -1])
    func strangeSlots(slot: Int32) { #expect(decode([(InputCode.slot, slot)] + land).isEmpty) }

    @Test(
        "the matrix rotates the panel",
        arguments: [
            ([0, -1, 1, 1, 0, 0], 20.75, 1.954), ([-1, 0, 1, 0, -1, 1], 39.5, 11.5), ([1, 0, 0, 0, 1, 0], 4, 12),
        ] as [([Double], Double, Double)])
    func matrix(matrix: [Double], column: Double, row: Double) {
        let touch = decode(land, matrix: matrix)[0]
        #expect(abs(Double(touch.column) - column) < 1)
        #expect(abs(Double(touch.row) - row) < 1)
    }

    @Test("a position beyond the edge is the LED at the edge")
    func edges() {
        let touch = decode(land, matrix: [1, 0, 0.905, 0, 1, -0.535])[0]
        #expect(touch.column < 43.5 && touch.column > 43)
        #expect(touch.row == -0.5)
    }

    @Test("when a device is removed every finger is cancelled")
    func gone() {
        var fingers = Fingers(TouchDevice(axes: axes))
        fingers.read(land)
        fingers.unplug()
        fingers.unplug()
        #expect(fingers.touches.map(\.phase) == [.down, .cancel])
    }
}
