import Documents
import InputEvents
import Instrument
import Input
import Runtime
import Synchronization

/// A change of a contact on the simulated panel, in LED coordinates.
public struct ContactChange: Hashable, Sendable {
    /// Time of the change.
    public var time: Instant
    /// The contact's number, by any numbering of the caller.
    public var contact: Int
    /// Down, move, up or cancel.
    public var phase: Touch.Phase
    /// The column: LED c spans c − 0.5 to c + 0.5.
    public var x: Double
    /// The row, likewise.
    public var y: Double
    /// `Touch.delay` of its player; of a landing only.
    public var delay: Instant.Span

    /// The contact `contact` does `phase` at column `x` and row `y`.
    public init(
        time: Instant, contact: Int, phase: Touch.Phase, x: Double, y: Double, delay: Instant.Span = .milliseconds(0)
    ) {
        self.time = time
        self.contact = contact
        self.phase = phase
        self.x = x
        self.y = y
        self.delay = delay
    }
}

/// A touch overlay without hardware. Contacts from a page, a terminal or a script become reports of the kernel's
/// multi-touch protocol B, so that simulated touches take the same path as real ones. Each slot starts as the kernel's
/// does: no contact, at 0, 0, a finger.
public final class SimulatedOverlay: TouchSource, Sendable {
    /// Maximum contacts at once; later ones are ignored until one lifts.
    public static let contactsMax = 16
    /// Maximum unread reports: a quarter of a second of sixteen fingers moving at 1 kHz.
    public static let reportsMax = 4096
    /// Axis units per LED: multiples of 1/1024 LED are exact.
    public static let unitsPerLED: Int32 = 1024

    /// One overlay.
    public let portCount = 1
    /// The device: its axes have `unitsPerLED` per column and row and match the panel exactly.
    public var device: TouchDevice { TouchDevice(axes: axes) }

    private let axes: TouchAxes

    private let pad: Mutex<Pad>
    private let onPost: @Sendable () -> Void

    /// An overlay over `columns` × `rows` LEDs. `onPost` is called on the posting thread when there are new reports.
    public init(columns: Int, rows: Int, onPost: @escaping @Sendable () -> Void) {
        precondition((1...Int(UInt16.max)).contains(columns) && (1...Int(UInt16.max)).contains(rows))
        axes = TouchAxes(
            x: 0...Int32(columns) * Self.unitsPerLED - 1,
            y: 0...Int32(rows) * Self.unitsPerLED - 1)
        pad = Mutex(Pad(reportsMax: Self.reportsMax, slots: Self.contactsMax))
        self.onPost = onPost
    }

    /// Posts a change of a contact. From any thread.
    ///
    /// A second down of a contact lifts it first; a move or an up of a contact that is not down is ignored. Positions
    /// beyond the panel are clamped to its edge. After `reportsMax` unread reports all contacts are lifted and changes
    /// are ignored until the next read, so that a finger cannot stick.
    public func post(_ change: ContactChange) {
        let x = Self.axisValue(change.x, in: axes.x)
        let y = Self.axisValue(change.y, in: axes.y)
        let isNews = pad.withLock { $0.apply(change, x: x, y: y) }
        if isNews { onPost() }
    }

    /// Withdraws all contacts, whose player is gone. From any thread.
    public func cancelAll(at now: Instant) {
        pad.withLock { $0.withdrawAll(at: now) }
        onPost()
    }

    /// Lets something happen to the device. From any thread.
    public func perform(_ act: DeviceAct.OverlayAct, at now: Instant) { pad.withLock { $0.perform(act, at: now) } }

    /// Reads the device and the reports since the last call. From any thread.
    public func read(into ports: inout [TouchPort]) {
        pad.withLock { pad in
            ports[0].device = pad.attachment.map { TouchDevice(axes: axes, attachment: $0) }
            pad.drain(into: &ports[0])
        }
    }

    /// Appends the reports since the last call. From any thread.
    public func read(into reports: inout [InputReport]) {
        var port = TouchPort()
        pad.withLock { $0.drain(into: &port) }
        reports += port.reports
    }

    /// The axis value for a position in LEDs; NaN counts as the low edge.
    private static func axisValue(_ place: Double, in range: ClosedRange<Int32>) -> Int32 {
        let value = ((place + 0.5) * Double(unitsPerLED)).rounded(.down)
        guard value > Double(range.lowerBound) else { return range.lowerBound }
        guard value < Double(range.upperBound) else { return range.upperBound }
        return Int32(value)
    }
}

/// The state that a driver and the kernel would have: the last report of each slot, and the unread reports.
private struct Pad {
    private struct Slot {
        var contact: Int?
        var x: Int32 = 0
        var y: Int32 = 0
        var tool = InputCode.toolFinger
        var delay = Instant.Span.milliseconds(0)
        /// The tracking id; −1 without a contact.
        var id: Int32 = -1
    }

    /// Number of times that the device was connected before; nil while it is unplugged.
    private(set) var attachment: Int? = 0
    private var attachments = 0
    /// Whether reports wait.
    private var isStalled = false
    /// The time at which unread reports were lost.
    private var lossTime: Instant?

    private let reportsMax: Int
    private var slots: [Slot]
    private var selectedSlot = 0
    private var nextTrackingID: Int32 = 0
    private var unread: [InputReport] = []
    private var isOverrun = false

    /// Maximum reports of a change: a packet for a lift (3) and one with slot, delay, id, tool, x, y and SYN_REPORT
    /// (7).
    private static let reportsPerChangeMax = 10
    /// Reports of a cancelled contact: slot, tool and id.
    private static let reportsPerWithdrawal = 3

    init(reportsMax: Int, slots count: Int) {
        self.reportsMax = reportsMax
        slots = Array(repeating: Slot(), count: count)
        unread.reserveCapacity(reportsMax)
    }

    /// Returns whether there are new reports.
    mutating func apply(_ change: ContactChange, x: Int32, y: Int32) -> Bool {
        guard !isOverrun else { return false }
        let roomToWithdraw = slots.count * Self.reportsPerWithdrawal + 1
        if unread.count + Self.reportsPerChangeMax + roomToWithdraw > reportsMax {
            withdrawAll(at: change.time)
            isOverrun = true
            return true
        }
        let countBefore = unread.count
        let slot = slots.firstIndex { $0.contact == change.contact }
        switch (change.phase, slot) {
        case (.down, let landed):
            if let landed { lift(landed, at: change.time) }
            if let free = slots.firstIndex(where: { $0.contact == nil }) {
                land(change, in: free, x: x, y: y)
            }
        case (.move, let slot?):
            move(slot, x: x, y: y, at: change.time)
        case (.up, let slot?):
            move(slot, x: x, y: y, at: change.time)
            lift(slot, at: change.time)
        case (.cancel, let slot?):
            withdraw(slot, at: change.time)
            endPacket(at: change.time)
        case (.move, nil), (.up, nil), (.cancel, nil):
            break
        }
        return unread.count > countBefore
    }

    mutating func drain(into port: inout TouchPort) {
        guard !isStalled else { return }
        if attachment != nil { port.reports.append(contentsOf: unread) }
        unread.removeAll(keepingCapacity: true)
        isOverrun = false
        if let lossTime { port.snapshot = (.slots(contacts, selected: selectedSlot, isTouched: nil), lossTime) }
        lossTime = nil
    }

    private var contacts: [TouchSnapshot.Contact] {
        slots.map { TouchSnapshot.Contact(trackingID: $0.id, x: $0.x, y: $0.y, toolType: $0.tool) }
    }

    mutating func perform(_ act: DeviceAct.OverlayAct, at now: Instant) {
        switch act {
        case .unplug:
            attachment = nil
            isStalled = false
        case .replug:
            guard attachment == nil else { return }
            attachments += 1
            attachment = attachments
            connect(at: now)
        case .stall: isStalled = true
        case .go: isStalled = false
        case .lose:
            guard !unread.isEmpty else { return }
            unread.removeAll(keepingCapacity: true)
            isOverrun = false
            lossTime = now
        }
    }

    /// A new device begins without contacts and reports those that are on it.
    private mutating func connect(at now: Instant) {
        let before = slots
        slots = Array(repeating: Slot(), count: before.count)
        (selectedSlot, nextTrackingID, lossTime) = (0, 0, nil)
        unread.removeAll(keepingCapacity: true)
        for (slot, held) in before.enumerated() {
            guard let contact = held.contact else { continue }
            let change = ContactChange(time: now, contact: contact, phase: .down, x: 0, y: 0)
            land(change, in: slot, x: held.x, y: held.y)
        }
    }

    private mutating func land(_ change: ContactChange, in slot: Int, x: Int32, y: Int32) {
        let time = change.time
        select(slot, at: time)
        slots[slot].contact = change.contact
        if slots[slot].delay != change.delay {
            slots[slot].delay = change.delay
            unread.append(
                InputReport(
                    time: time, type: InputCode.simulated, code: InputCode.soundDelay,
                    value: Int32(clamping: change.delay.microseconds)))
        }
        slots[slot].id = nextTrackingID
        report(InputCode.trackingID, nextTrackingID, at: time)
        // Ids wrap at the kernel's TRKID_MAX, 16 bits.
        nextTrackingID = (nextTrackingID + 1) & 0xffff
        if slots[slot].tool != InputCode.toolFinger {
            slots[slot].tool = InputCode.toolFinger
            report(InputCode.toolType, InputCode.toolFinger, at: time)
        }
        place(slot, x: x, y: y, at: time)
        endPacket(at: time)
    }

    private mutating func move(_ slot: Int, x: Int32, y: Int32, at time: Instant) {
        guard slots[slot].x != x || slots[slot].y != y else { return }
        select(slot, at: time)
        place(slot, x: x, y: y, at: time)
        endPacket(at: time)
    }

    private mutating func lift(_ slot: Int, at time: Instant) {
        select(slot, at: time)
        (slots[slot].contact, slots[slot].id) = (nil, -1)
        report(InputCode.trackingID, -1, at: time)
        endPacket(at: time)
    }

    private mutating func withdraw(_ slot: Int, at time: Instant) {
        select(slot, at: time)
        (slots[slot].contact, slots[slot].id) = (nil, -1)
        slots[slot].tool = InputCode.toolPalm
        report(InputCode.toolType, InputCode.toolPalm, at: time)
        report(InputCode.trackingID, -1, at: time)
    }

    mutating func withdrawAll(at time: Instant) {
        let held = slots.indices.filter { slots[$0].contact != nil }
        for slot in held { withdraw(slot, at: time) }
        if !held.isEmpty { endPacket(at: time) }
    }

    private mutating func select(_ slot: Int, at time: Instant) {
        guard slot != selectedSlot else { return }
        selectedSlot = slot
        report(InputCode.slot, Int32(slot), at: time)
    }

    /// Appends the axes that changed, as the kernel does.
    private mutating func place(_ slot: Int, x: Int32, y: Int32, at time: Instant) {
        if slots[slot].x != x {
            slots[slot].x = x
            report(InputCode.positionX, x, at: time)
        }
        if slots[slot].y != y {
            slots[slot].y = y
            report(InputCode.positionY, y, at: time)
        }
    }

    private mutating func endPacket(at time: Instant) {
        unread.append(
            InputReport(time: time, type: InputCode.synchronisation, code: InputCode.report, value: 0))
    }

    private mutating func report(_ code: UInt16, _ value: Int32, at time: Instant) {
        unread.append(InputReport(time: time, type: InputCode.absolute, code: code, value: value))
    }
}
