/// Status of the input devices of one kind.
public struct InputStatus: Hashable, Sendable {
    /// The devices that are present, in the order in which they came.
    public var present: [InputPresence] = []
    /// Why a selected device is missing, and what to do.
    public var problem: DeviceFailure?
}

/// An input device that is present.
public struct InputPresence: Hashable, Sendable {
    /// The device's name and path.
    public var what: String
    /// Further details for the log; may be empty.
    public var details: String
    /// Serial number: counts the times that a device was plugged in.
    public var number: Int
}
