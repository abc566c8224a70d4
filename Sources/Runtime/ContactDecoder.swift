import Instrument

/// From the reports of a multi-touch protocol-B device to what fingers do on the panel (kernel:
/// Documentation/input/multi-touch-protocol.rst).
///
/// A device keeps what it does not repeat: slots, positions and tracking ids are remembered, and what has changed
/// becomes known at its SYN_REPORT. Slots of any number are followed up to `slotsMax`, and as many fingers as the
/// instrument follows.
public struct ContactDecoder {
    /// Slots that are followed; optical frames announce up to 60.
    public static let slotsMax = 64

    private let axes: TouchAxes
    private let columns: Double
    private let rows: Double
    private let matrix: [Double]

    private var slots = [Slot](repeating: Slot(), count: slotsMax)
    private var slot = 0
    private var isContactUsed = [Bool](repeating: false, count: Touch.contactsMax)

    private struct Slot {
        /// The finger in it as the device has reported it; −1 for none.
        var trackingID: Int32 = -1
        var x: Int32 = 0
        var y: Int32 = 0
        var isPalm = false
        /// The finger has been replaced by another since the last packet.
        var isReplaced = false
        /// Something about it has changed since the last packet.
        var isChanged = false
        /// The contact that the instrument knows it as.
        var contact: Int?
    }

    /// A decoder for a device with `axes` over a panel of `columns` × `rows`, calibrated by `matrix`: 2 × 3, row by row, on
    /// 0…1 coordinates.
    public init(axes: TouchAxes, columns: Int, rows: Int, matrix: [Double]) {
        precondition(matrix.count == 6)
        self.axes = axes
        self.columns = Double(columns)
        self.rows = Double(rows)
        self.matrix = matrix
    }

    /// Takes in one report; appends what it says of fingers, if it ends a packet, to `touches`.
    public mutating func take(_ report: InputReport, into touches: inout [Touch]) {
        switch (report.type, report.code) {
        case (InputCode.synchronisation, InputCode.report):
            for index in slots.indices where slots[index].isChanged { settle(index, into: &touches) }
        case (InputCode.absolute, InputCode.slot):
            slot = Int(report.value)
        case (InputCode.absolute, let code) where slots.indices.contains(slot):
            take(code, report.value)
        default:
            break
        }
    }

    private mutating func take(_ code: UInt16, _ value: Int32) {
        switch code {
        case InputCode.trackingID:
            if slots[slot].trackingID >= 0, value >= 0, value != slots[slot].trackingID {
                slots[slot].isReplaced = true
            }
            if value >= 0 { slots[slot].isPalm = false }
            slots[slot].trackingID = value
        case InputCode.positionX: slots[slot].x = value
        case InputCode.positionY: slots[slot].y = value
        case InputCode.toolType: slots[slot].isPalm = value == InputCode.toolPalm
        default: return
        }
        slots[slot].isChanged = true
    }

    /// Says what a packet has changed about one slot.
    private mutating func settle(_ index: Int, into touches: inout [Touch]) {
        let (column, row) = place(slots[index].x, slots[index].y)
        func say(_ contact: Int, _ phase: Touch.Phase) {
            touches.append(Touch(contact: contact, phase: phase, column: column, row: row))
        }
        if let contact = slots[index].contact {
            let hasLifted = slots[index].trackingID < 0
            if slots[index].isPalm || hasLifted || slots[index].isReplaced {
                say(contact, slots[index].isPalm ? .cancel : .up)
                slots[index].contact = nil
                isContactUsed[contact] = false
            } else {
                say(contact, .move)
            }
        }
        let isNew = slots[index].contact == nil && slots[index].trackingID >= 0 && !slots[index].isPalm
        if isNew, let contact = isContactUsed.firstIndex(of: false) {
            slots[index].contact = contact
            isContactUsed[contact] = true
            say(contact, .down)
        }
        slots[index].isReplaced = false
        slots[index].isChanged = false
    }

    /// Lifts every finger, for a device that has gone: each is withdrawn, for nobody knows what it meant.
    public mutating func cancelAll(into touches: inout [Touch]) {
        for index in slots.indices {
            if let contact = slots[index].contact {
                touches.append(Touch(contact: contact, phase: .cancel, column: 0, row: 0))
            }
            slots[index] = Slot()
        }
        isContactUsed = Array(repeating: false, count: Touch.contactsMax)
        slot = 0
    }

    /// Where on the panel the device's `x`, `y` is, in LEDs.
    private func place(_ x: Int32, _ y: Int32) -> (column: Float, row: Float) {
        func part(_ value: Int32, of range: ClosedRange<Int32>) -> Double {
            (Double(value) - Double(range.lowerBound)) / (Double(range.upperBound) - Double(range.lowerBound) + 1)
        }
        let u = part(x, of: axes.x)
        let v = part(y, of: axes.y)
        let across = matrix[0] * u + matrix[1] * v + matrix[2]
        let down = matrix[3] * u + matrix[4] * v + matrix[5]
        // LED n spans n − ½ to n + ½. A finger just over the edge means the LED at the edge.
        return (
            Float(min(max(across * columns - 0.5, -0.5), columns - 0.500_01)),
            Float(min(max(down * rows - 0.5, -0.5), rows - 0.500_01))
        )
    }
}
