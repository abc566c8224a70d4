/// How input devices of a kind fare.
public struct InputStatus: Hashable, Sendable {
    /// Those that are there, in the order in which they came.
    public var present: [InputPresence] = []
    /// Why something that is wished for is not there, with what to do.
    public var problem: DeviceFailure?
}

/// An input device that is there.
public struct InputPresence: Hashable, Sendable {
    /// Its name, and where it is.
    public var what: String
    /// What else is worth telling of it; empty for nothing.
    public var details: String
    /// Counts the devices, and the times that one was plugged in.
    public var number: Int
}
