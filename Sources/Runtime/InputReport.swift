import Instrument

/// One report of an input device, as Linux's `struct input_event` carries it (kernel: input/event-codes).
public struct InputReport: Hashable, Sendable {
    /// When the device reported it.
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

/// The numbers of the multi-touch protocol B that PixelBoop reads and the simulated overlay writes
/// (kernel: Documentation/input/multi-touch-protocol.rst, include/uapi/linux/input-event-codes.h).
public enum InputCode {
    /// Event type: end of a packet, or overflow.
    public static let synchronisation: UInt16 = 0x00
    /// Event type: absolute axes.
    public static let absolute: UInt16 = 0x03
    /// `SYN_REPORT`: everything since the last one happened at once.
    public static let report: UInt16 = 0x00
    /// `ABS_MT_SLOT`: the slot that following values are about.
    public static let slot: UInt16 = 0x2f
    /// `ABS_MT_POSITION_X`.
    public static let positionX: UInt16 = 0x35
    /// `ABS_MT_POSITION_Y`.
    public static let positionY: UInt16 = 0x36
    /// `ABS_MT_TOOL_TYPE`.
    public static let toolType: UInt16 = 0x37
    /// `ABS_MT_TRACKING_ID`: a new contact in the slot, or −1 when it lifts.
    public static let trackingID: UInt16 = 0x39
    /// `MT_TOOL_FINGER`, a value of `ABS_MT_TOOL_TYPE`.
    public static let toolFinger: Int32 = 0
    /// `MT_TOOL_PALM`, a value of `ABS_MT_TOOL_TYPE`: the contact is withdrawn and means nothing.
    public static let toolPalm: Int32 = 2
}

/// The ranges of a touch device's axes, inclusive at both ends.
public struct TouchAxes: Hashable, Sendable {
    /// Range of `ABS_MT_POSITION_X`.
    public var x: ClosedRange<Int32>
    /// Range of `ABS_MT_POSITION_Y`.
    public var y: ClosedRange<Int32>

    /// Axes with these ranges.
    public init(x: ClosedRange<Int32>, y: ClosedRange<Int32>) {
        self.x = x
        self.y = y
    }
}
