import Input
import InputEvents
import TestSupport
import Testing

@testable import Replay

private typealias Phase = Touch.Phase

/// A report as written in the tables.
private struct Line: Hashable, CustomStringConvertible {
    let code: UInt16?
    let value: Int32
    var description: String { code.map { "\(String($0, radix: 16))=\(value)" } ?? "SYN" }

    init(_ report: InputReport) {
        code = report.type == InputCode.absolute ? report.code : nil
        value = report.value
    }

    private init(_ code: UInt16?, _ value: Int32) {
        self.code = code
        self.value = value
    }

    static func slot(_ value: Int32) -> Line { Line(InputCode.slot, value) }
    static func id(_ value: Int32) -> Line { Line(InputCode.trackingID, value) }
    static func x(_ value: Int32) -> Line { Line(InputCode.positionX, value) }
    static func y(_ value: Int32) -> Line { Line(InputCode.positionY, value) }
    static func tool(_ value: Int32) -> Line { Line(InputCode.toolType, value) }
    static let syn = Line(nil, 0)
}

private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let changes: [(Phase, contact: Int, x: Double, y: Double)]
    let lines: [Line]
}

private let cases = [
    Case(
        testDescription: "a tap in the first slot selects no slot",
        changes: [(.down, 7, 4, 2), (.up, 7, 4, 2)],
        lines: [.id(0), .x(4608), .y(2560), .syn, .id(-1), .syn]),
    Case(
        testDescription: "a move sends only the axis that changed, and nothing when none did",
        changes: [(.down, 0, 1, 1), (.move, 0, 2, 1), (.move, 0, 2, 1), (.move, 0, 2, 1.25)],
        lines: [.id(0), .x(1536), .y(1536), .syn, .x(2560), .syn, .y(1792), .syn]),
    Case(
        testDescription: "slots are selected when they change",
        changes: [
            (.down, 0, 0, 0), (.down, 1, 1, 0), (.move, 1, 2, 0), (.move, 0, 3, 0), (.up, 0, 3, 0), (.up, 1, 2, 0),
        ],
        lines: [
            .id(0), .x(512), .y(512), .syn, .slot(1), .id(1), .x(1536), .y(512), .syn, .x(2560), .syn,
            .slot(0), .x(3584), .syn, .id(-1), .syn, .slot(1), .id(-1), .syn,
        ]),
    Case(
        testDescription: "a cancelled contact is a palm, and the next one in its slot a finger at its old place",
        changes: [(.down, 0, 1, 1), (.cancel, 0, 9, 9), (.down, 5, 1, 1)],
        lines: [.id(0), .x(1536), .y(1536), .syn, .tool(2), .id(-1), .syn, .id(1), .tool(0), .syn]),
    Case(
        testDescription: "landing again lifts first",
        changes: [(.down, 0, 1, 1), (.down, 0, 2, 1)],
        lines: [.id(0), .x(1536), .y(1536), .syn, .id(-1), .syn, .id(1), .x(2560), .syn]),
    Case(
        testDescription: "a lift elsewhere moves there first",
        changes: [(.down, 0, 1, 1), (.up, 0, 2, 1)],
        lines: [.id(0), .x(1536), .y(1536), .syn, .x(2560), .syn, .id(-1), .syn]),
    Case(
        testDescription: "moves and lifts of contacts that are not down mean nothing",
        changes: [(.move, 0, 1, 1), (.up, 0, 1, 1), (.cancel, 0, 1, 1)],
        lines: []),
    Case(
        testDescription: "places beyond the panel are its edge",
        changes: [(.down, 0, -3, 99), (.move, 0, 99, -.infinity), (.move, 0, .nan, 23.5)],
        lines: [
            .id(0), .y(24 * 1024 - 1), .syn, .x(44 * 1024 - 1), .y(0), .syn, .x(0), .y(24 * 1024 - 1), .syn,
        ]),
]

@Suite("The simulated overlay")
struct SimulatedOverlayTests {
    private func overlay(onPost: @escaping @Sendable () -> Void = {}) -> SimulatedOverlay {
        SimulatedOverlay(columns: 44, rows: 24, onPost: onPost)
    }

    @Test("speaks protocol B like a kernel", arguments: cases)
    fileprivate func protocolB(_ example: Case) {
        let overlay = overlay()
        for (number, change) in example.changes.enumerated() {
            overlay.post(
                ContactChange(
                    time: Instant(milliseconds: Int64(number)), contact: change.contact, phase: change.0, x: change.x,
                    y: change.y))
        }
        var reports: [InputReport] = []
        overlay.read(into: &reports)
        #expect(reports.map(Line.init) == example.lines)
    }

    @Test(
        "has 1024 units for each LED and keeps that fraction exactly",
        arguments: [0, 1.0 / 1024, -0.5, 17.25, 43.375])
    func fractions(x: Double) {
        let overlay = overlay()
        #expect(overlay.device.axes == TouchAxes(x: 0...45055, y: 0...24575))
        overlay.post(ContactChange(time: .zero, contact: 0, phase: .down, x: 1, y: 1))
        overlay.post(ContactChange(time: .zero, contact: 0, phase: .move, x: x, y: 1))
        var reports: [InputReport] = []
        overlay.read(into: &reports)
        let value = reports.last { $0.code == InputCode.positionX }?.value ?? 0
        #expect(Double(value) / 1024 - 0.5 == x)
    }

    @Test("tells how much later each player hears the sound, once for each landing that differs")
    func delays() {
        let overlay = overlay()
        var numbers = ContactNumbers()
        var decoder = OverlayDecoder(overlay.device, columns: 44, rows: 24)
        var touches: [Touch] = []
        for (contact, delay) in [(0, 0), (1, 60), (2, 250), (1, 60), (0, 9000)] as [(Int, Int64)] {
            for phase in [Touch.Phase.down, .move, .up] {
                overlay.post(
                    ContactChange(
                        time: .zero, contact: contact, phase: phase, x: phase == .down ? 1 : 2, y: 1,
                        delay: .milliseconds(delay)))
            }
        }
        var (reports, fingers): ([InputReport], [FingerReport]) = ([], [])
        overlay.read(into: &reports)
        for report in reports { decoder.decode(report, &numbers, into: &fingers) }
        touches = fingers.map(\.touch)
        let landings = touches.filter { $0.phase == .down }.map(\.delay)
        #expect(landings == [0, 60, 250, 60, 2000].map { Instant.Span.milliseconds($0) })
        #expect(touches.allSatisfy { $0.phase == .down || $0.delay == .milliseconds(0) })
    }

    @Test("stamps every report with the change's time, and wakes the reader once per actual change")
    func times() {
        let counter = Counter()
        let overlay = overlay { counter.add() }
        overlay.post(ContactChange(time: Instant(microseconds: 12_345), contact: 0, phase: .down, x: 1, y: 1))
        overlay.post(ContactChange(time: Instant(microseconds: 12_346), contact: 0, phase: .move, x: 1, y: 1))
        overlay.post(ContactChange(time: Instant(microseconds: 12_347), contact: 9, phase: .up, x: 1, y: 1))
        var reports: [InputReport] = []
        overlay.read(into: &reports)
        #expect(reports.allSatisfy { $0.time == Instant(microseconds: 12_345) })
        #expect(counter.value == 1)
        overlay.read(into: &reports)
        #expect(reports.count == 4)
    }

    @Test("holds sixteen contacts and accepts another when one lifts")
    func sixteen() {
        let overlay = overlay()
        var decoder = Decoder()
        for contact in 0..<17 {
            overlay.post(ContactChange(time: .zero, contact: contact, phase: .down, x: Double(contact), y: 0))
        }
        overlay.post(ContactChange(time: .zero, contact: 16, phase: .move, x: 20, y: 0))
        decoder.read(overlay)
        #expect(decoder.places.count == 16)
        overlay.post(ContactChange(time: .zero, contact: 3, phase: .up, x: 3, y: 0))
        overlay.post(ContactChange(time: .zero, contact: 17, phase: .down, x: 30, y: 0))
        decoder.read(overlay)
        #expect(decoder.places.count == 16)
        #expect(decoder.places.contains(Place(x: 30 * 1024 + 512, y: 512)))
    }

    @Test("cancels every finger rather than lose a lift when nobody reads")
    func overrun() {
        let overlay = overlay()
        for contact in 0..<16 {
            overlay.post(ContactChange(time: .zero, contact: contact, phase: .down, x: Double(contact), y: 0))
        }
        for step in 0..<10_000 {
            overlay.post(ContactChange(time: .zero, contact: step % 16, phase: .move, x: Double(step % 44), y: 5))
        }
        var decoder = Decoder()
        decoder.read(overlay)
        #expect(decoder.places.isEmpty)
        #expect(decoder.reportsRead <= SimulatedOverlay.reportsMax)
        #expect(decoder.palms == 16)
        overlay.post(ContactChange(time: .zero, contact: 0, phase: .down, x: 2, y: 2))
        decoder.read(overlay)
        #expect(decoder.places == [Place(x: 2560, y: 2560)])
    }

    @Test("for any touches, an independent reader sees the same contacts and every one lifts")
    func property() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let overlay = overlay()
        var decoder = Decoder()
        var model: [Int: Place] = [:]
        for number in 0..<20_000 {
            let contact = Int.random(in: 0..<20, using: &random)
            let phase = [Phase.down, .move, .move, .move, .up, .cancel].randomElement(using: &random) ?? .move
            let place = Place(
                x: Int32.random(in: 0..<44 * 1024, using: &random), y: Int32.random(in: 0..<24 * 1024, using: &random))
            overlay.post(
                ContactChange(
                    time: Instant(milliseconds: Int64(number)), contact: contact, phase: phase,
                    x: Double(place.x) / 1024 - 0.5, y: Double(place.y) / 1024 - 0.5))
            switch phase {
            case .down where model[contact] != nil || model.count < 16: model[contact] = place
            case .move where model[contact] != nil: model[contact] = place
            case .up, .cancel: model[contact] = nil
            default: break
            }
            guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
            decoder.read(overlay)
            #expect(decoder.places.sorted() == model.values.sorted(), "seed \(seed), change \(number)")
        }
        for contact in model.keys {
            overlay.post(ContactChange(time: .zero, contact: contact, phase: .up, x: 0, y: 0))
        }
        decoder.read(overlay)
        #expect(decoder.places.isEmpty, "seed \(seed)")
        #expect(decoder.faults.isEmpty, "seed \(seed)")
    }
}

private struct Place: Hashable, Comparable {
    let x: Int32
    let y: Int32
    static func < (lhs: Place, rhs: Place) -> Bool { (lhs.x, lhs.y) < (rhs.x, rhs.y) }
}

/// A reader of protocol B independent of the overlay's code; it collects errors.
private struct Decoder {
    private var slots = Array(repeating: (id: Int32(-1), x: Int32(0), y: Int32(0)), count: 16)
    private var selected = 0
    private var lastID: Int32 = -1
    private var isPacketEmpty = true
    var reportsRead = 0
    var palms = 0
    var faults: [String] = []

    var places: [Place] { slots.filter { $0.id >= 0 }.map { Place(x: $0.x, y: $0.y) } }

    mutating func read(_ source: SimulatedOverlay) {
        var reports: [InputReport] = []
        source.read(into: &reports)
        reportsRead += reports.count
        for report in reports {
            if report.type == InputCode.synchronisation {
                if isPacketEmpty { faults.append("an empty packet") }
                isPacketEmpty = true
                continue
            }
            isPacketEmpty = false
            switch report.code {
            case InputCode.slot:
                if selected == Int(report.value) { faults.append("a slot selected twice") }
                selected = Int(report.value)
            case InputCode.trackingID:
                if report.value >= 0 {
                    if slots[selected].id >= 0 { faults.append("a contact over another") }
                    if report.value != (lastID + 1) & 0xffff { faults.append("id \(report.value) after \(lastID)") }
                    lastID = report.value
                }
                slots[selected].id = report.value
            case InputCode.positionX: slots[selected].x = report.value
            case InputCode.positionY: slots[selected].y = report.value
            case InputCode.toolType: palms += report.value == InputCode.toolPalm ? 1 : 0
            default: faults.append("code \(report.code)")
            }
        }
        if !isPacketEmpty { faults.append("half a packet") }
    }
}
