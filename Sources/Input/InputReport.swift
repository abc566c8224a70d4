import InputEvents

/// One report of an input device, as Linux's `struct input_event` carries it (kernel: input/event-codes).
public struct InputReport: Hashable, Sendable {
    /// Time of the report.
    public var time: Instant
    /// Event type (`EV_SYN`, `EV_ABS`, …).
    public var type: UInt16
    /// Code within the type (`ABS_MT_SLOT`, …).
    public var code: UInt16
    /// The value reported.
    public var value: Int32

    /// A report of `value` for `code` of `type` at `time`.
    public init(time: Instant, type: UInt16, code: UInt16, value: Int32) {
        self.time = time
        self.type = type
        self.code = code
        self.value = value
    }
}

/// The numbers of Linux's input protocols that PixelBoop reads and the simulated overlay writes
/// (kernel: Documentation/input/multi-touch-protocol.rst, include/uapi/linux/input-event-codes.h).
public enum InputCode {
    /// Event type: end of a packet, or overflow.
    public static let synchronisation: UInt16 = 0x00
    /// Event type: keys and buttons; 1 is pressed, 0 is released.
    public static let key: UInt16 = 0x01
    /// Event type: absolute axes.
    public static let absolute: UInt16 = 0x03

    /// Event type of what only a simulated overlay reports; `EV_MAX`, which no device has.
    public static let simulated: UInt16 = 0x1f
    /// Of a simulated overlay, before a contact lands in the slot: `Touch.delay` of its player, in microseconds.
    public static let soundDelay: UInt16 = 0x00

    /// `SYN_REPORT`: end of a packet of simultaneous events.
    public static let report: UInt16 = 0x00
    /// `SYN_MT_REPORT`: protocol A's end of one contact.
    public static let contactReport: UInt16 = 0x02
    /// `SYN_DROPPED`: reports were lost.
    public static let dropped: UInt16 = 0x03

    /// `BTN_TOUCH`: something touches the surface.
    public static let touch: UInt16 = 0x14a

    /// `ABS_X`: position of the only or the oldest contact.
    public static let x: UInt16 = 0x00
    /// `ABS_Y`.
    public static let y: UInt16 = 0x01
    /// `ABS_DISTANCE`: distance of the only contact from the surface.
    public static let distance: UInt16 = 0x19
    /// `ABS_MT_SLOT`: the slot of the following values.
    public static let slot: UInt16 = 0x2f
    /// `ABS_MT_POSITION_X`.
    public static let positionX: UInt16 = 0x35
    /// `ABS_MT_POSITION_Y`.
    public static let positionY: UInt16 = 0x36
    /// `ABS_MT_TOOL_TYPE`.
    public static let toolType: UInt16 = 0x37
    /// `ABS_MT_TRACKING_ID`: a new contact in the slot, or −1 when it lifts.
    public static let trackingID: UInt16 = 0x39
    /// `ABS_MT_DISTANCE`: distance of the contact from the surface.
    public static let contactDistance: UInt16 = 0x3b

    /// `MT_TOOL_FINGER`, a value of `ABS_MT_TOOL_TYPE`.
    public static let toolFinger: Int32 = 0
    /// `MT_TOOL_PALM`, a value of `ABS_MT_TOOL_TYPE`: a contact to ignore.
    public static let toolPalm: Int32 = 2
}
