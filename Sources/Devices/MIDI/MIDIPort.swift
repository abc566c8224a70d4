import InputEvents
import Input

/// A port of a device or program that the box is connected to.
struct MIDIPort {
    /// Connection of the input.
    enum Input: Hashable {
        /// The port sends nothing, or does not connect yet.
        case none
        /// The raw device with this handle, and the kernel's time stamps.
        case raw(Int)
        /// Events of the sequencer, with its time stamps.
        case sequencer
    }

    let details: MIDIPortDetails
    /// Counts the connections since the start; the number of the port as a clock.
    let number: Int
    /// Whether its clock may be followed.
    let mayClock: Bool
    /// Until this time the raw device is opened again if that fails, as udev may still set its permissions.
    let patience: Instant
    var input = Input.none
    var isFed = false
    var cable = MIDICable()

    /// Whether a connection is missing.
    var isPending: Bool { details.isSource && input == .none || details.isDestination && !isFed }

    /// Name and address, for messages.
    var title: String { "\(details.name) (\(details.address.client):\(details.address.port))" }

    var presence: InputPresence {
        let directions = [way, isFed ? "out" : nil].compactMap(\.self)
        return InputPresence(
            what: title, details: isPending ? "not connected yet" : directions.joined(separator: ", "), number: number)
    }

    private var way: String? {
        switch input {
        case .none: nil
        case .raw: "in with the kernel's time stamps"
        case .sequencer: "in through the sequencer"
        }
    }
}
