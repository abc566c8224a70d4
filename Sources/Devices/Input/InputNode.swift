import CEvdev
import Glibc
import Instrument
import Overlay

/// An input device that is open, through libevdev, which knows what state the device is in. Closed when it is let go.
final class InputNode {
    /// Its device node, /dev/input/event0.
    let path: String
    /// Readable while there are reports.
    let descriptor: Int32
    /// The kernel stamps its reports with CLOCK_MONOTONIC.
    private(set) var isMonotonic = false
    private let device: OpaquePointer
    /// Set by libevdev's complaints.
    private let complaint = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    private let calls: InputCalls
    private var hasLost = false

    /// Attempts to read the device's state while reports keep coming.
    private static let attemptsMax = 4

    private init(_ path: String, _ descriptor: Int32, _ device: OpaquePointer, _ calls: InputCalls) {
        self.path = path
        self.descriptor = descriptor
        self.device = device
        self.calls = calls
        complaint.initialize(to: false)
    }

    deinit {
        libevdev_free(device)
        complaint.deallocate()
        calls.close(descriptor)
    }

    /// Opens the device at `path`. Throws ENOTTY or EINVAL for what is no input device. Stands for `open` and
    /// `libevdev_set_fd`.
    static func open(_ path: String, _ calls: InputCalls) throws(SystemError) -> InputNode {
        let descriptor = try calls.open(path).get()
        guard let device = libevdev_new() else {
            calls.close(descriptor)
            throw SystemError(errno: ENOMEM)
        }
        let node = InputNode(path, descriptor, device, calls)
        // It would write its complaints, of reports that make no sense to it, on the terminal.
        cevdev_note_complaints(device, node.complaint)
        let status = libevdev_set_fd(device, descriptor)
        guard status == 0 else { throw SystemError(errno: abs(status)) }
        // Setting the descriptor has forgotten where they go.
        cevdev_note_complaints(device, node.complaint)
        return node
    }

    // MARK: What it is

    /// What the device calls itself.
    var name: String { String(cString: libevdev_get_name(device)) }
    /// The number of its maker.
    var vendor: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)) }
    /// The maker's number of it.
    var product: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_product(device)) }

    /// Whether it reports `code` of `type`.
    func has(_ type: UInt16, _ code: UInt16) -> Bool {
        libevdev_has_event_code(device, UInt32(type), UInt32(code)) == 1
    }

    /// Whether it has a property, `INPUT_PROP_DIRECT`.
    func hasProperty(_ property: Int32) -> Bool { libevdev_has_property(device, UInt32(property)) == 1 }

    /// The ends of an axis's range, the second of which should be above the first.
    func range(_ axis: UInt16) -> (first: Int32, last: Int32) {
        (libevdev_get_abs_minimum(device, UInt32(axis)), libevdev_get_abs_maximum(device, UInt32(axis)))
    }

    /// Its slots; nil for a device without them.
    var slots: Int? {
        let count = libevdev_get_num_slots(device)
        return count < 0 ? nil : Int(count)
    }

    // MARK: What state it is in, as of the last report that was read

    /// The value of `code` of `type`.
    func value(_ type: UInt16, _ code: UInt16) -> Int32 { libevdev_get_event_value(device, UInt32(type), UInt32(code)) }

    /// The value of `axis` in one slot.
    func value(_ axis: UInt16, slot: Int) -> Int32 { libevdev_get_slot_value(device, UInt32(slot), UInt32(axis)) }

    /// The slot that reports of contacts are about until another is named.
    var slot: Int { Int(libevdev_get_current_slot(device)) }

    // MARK: Having it

    /// Takes the device away from all other programs. Throws EBUSY where another has done so. Stands for `libevdev_grab`.
    func grab() throws(SystemError) {
        let status = libevdev_grab(device, LIBEVDEV_GRAB)
        guard status == 0 else { throw SystemError(errno: -status) }
    }

    /// Has the kernel stamp reports with CLOCK_MONOTONIC. Where it refuses, they have the time at which they are read. Stands
    /// for `libevdev_set_clock_id`.
    func setClock() { isMonotonic = libevdev_set_clock_id(device, CLOCK_MONOTONIC) == 0 }

    // MARK: Reading

    /// How a reading ended.
    enum End: Hashable {
        /// There is nothing more, …
        case drained
        /// … there is more, …
        case bound
        /// … the kernel has lost reports: `synchronise` is wanted, …
        case loss
        /// … or the device is not to be read any more.
        case failure
    }

    /// Takes what the device has reported, at most `count` reports. Stands for `libevdev_next_event`.
    func read(_ count: Int, at now: Instant, _ take: (InputReport) -> Void) -> End {
        var event = input_event()
        for _ in 0..<count {
            switch libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL.rawValue, &event) {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                let time =
                    Instant(microseconds: Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec))
                take(
                    InputReport(
                        time: isMonotonic ? time : now, type: event.type, code: event.code, value: event.value))
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue):
                hasLost = true
                return .loss
            case -EAGAIN, -EINTR: return .drained
            default: return .failure
            }
        }
        return .bound
    }

    /// What libevdev knows may not be so: it has passed over a report. It does so where a tracking id follows another one in a
    /// slot without −1 between, which is the next finger (1.13.0 to 1.13.4).
    var isInDoubt: Bool { complaint.pointee }

    /// Lets go of all reports that wait and reads the state that the device is in.
    ///
    /// What libevdev hands out while it synchronises is not taken: it miscounts that where the device lacks BTN_TOOL_FINGER
    /// and the like, passing off the device's next reports as part of it (1.13.0 to 1.13.4). What it knows afterwards is so.
    func synchronise() throws(SystemError) {
        var event = input_event()
        complaint.pointee = false
        for _ in 0..<Self.attemptsMax {
            var status = Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue)
            if !hasLost { status = libevdev_next_event(device, LIBEVDEV_READ_FLAG_FORCE_SYNC.rawValue, &event) }
            hasLost = status == LIBEVDEV_READ_STATUS_SYNC.rawValue
            while status == LIBEVDEV_READ_STATUS_SYNC.rawValue {
                status = libevdev_next_event(device, LIBEVDEV_READ_FLAG_SYNC.rawValue, &event)
            }
            if status == -EINTR { continue }
            guard status == -EAGAIN else { throw SystemError(errno: -status) }
            hasLost = false
            // Reports that came meanwhile are in the state already, and about another slot than seems so.
            if libevdev_has_event_pending(device) == 0 { break }
        }
    }
}
