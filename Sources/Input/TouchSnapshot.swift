/// The state of a touch device. The kernel does not repeat values that have not changed, so after opening a device or
/// losing reports the state is read at once.
public enum TouchSnapshot: Hashable, Sendable {
    /// A device with slots (protocol B): its slots, the selected slot, and `BTN_TOUCH`, nil if it must not count.
    case slots([Contact], selected: Int, isTouched: Bool?)
    /// A device of one contact without a tracking id.
    case single(Contact, isTouched: Bool?)
    /// A device without state (protocol A): its next packet has all contacts, and until then there are none.
    case unknown

    /// Values of a contact; nil for an axis that the device does not have.
    public struct Contact: Hashable, Sendable {
        /// Tracking id; −1 for no contact, nil for a device without slots.
        public var trackingID: Int32?
        /// Position along the x axis.
        public var x: Int32?
        /// Position along the y axis.
        public var y: Int32?
        /// Value of `ABS_MT_TOOL_TYPE`.
        public var toolType: Int32?
        /// Distance from the surface.
        public var distance: Int32?

        /// A contact with these values.
        public init(
            trackingID: Int32? = nil, x: Int32? = nil, y: Int32? = nil, toolType: Int32? = nil, distance: Int32? = nil
        ) {
            self.trackingID = trackingID
            self.x = x
            self.y = y
            self.toolType = toolType
            self.distance = distance
        }
    }
}
