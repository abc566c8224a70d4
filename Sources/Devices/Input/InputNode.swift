import InputEvents
import CEvdev
import Glibc
import Input

/// An open input device. libevdev keeps the device's state. Deinitialisation closes the device.
final class InputNode {
    /// The device node, such as /dev/input/event0.
    let path: String
    /// Descriptor, readable while reports wait.
    let descriptor: Int32
    /// Whether the kernel stamps the reports with CLOCK_MONOTONIC.
    private(set) var isMonotonic = false
    private let device: OpaquePointer
    /// Set when libevdev logs a problem.
    private let complaint = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    private let calls: InputCalls
    private var hasLost = false

    /// Maximum attempts to read the device's state while reports keep coming.
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

    /// Opens the device at `path`. Throws ENOTTY or EINVAL if it is not an input device. Calls `open` and
    /// `libevdev_set_fd`.
    static func open(_ path: String, _ calls: InputCalls) throws(SystemError) -> InputNode {
        let descriptor = try calls.open(path).get()
        guard let device = libevdev_new() else {
            calls.close(descriptor)
            throw SystemError(errno: ENOMEM)
        }
        let node = InputNode(path, descriptor, device, calls)
        // By default libevdev logs reports that it does not understand to standard error.
        cevdev_note_complaints(device, node.complaint)
        let status = libevdev_set_fd(device, descriptor)
        guard status == 0 else { throw SystemError(errno: abs(status)) }
        // libevdev_set_fd resets the log function.
        cevdev_note_complaints(device, node.complaint)
        return node
    }

    // MARK: Identity and capabilities

    /// The device's name.
    var name: String { String(cString: libevdev_get_name(device)) }
    /// Vendor number.
    var vendor: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)) }
    /// Product number.
    var product: UInt16 { UInt16(truncatingIfNeeded: libevdev_get_id_product(device)) }

    /// Whether the device reports `code` of `type`.
    func has(_ type: UInt16, _ code: UInt16) -> Bool {
        libevdev_has_event_code(device, UInt32(type), UInt32(code)) == 1
    }

    /// Whether the device has a property such as `INPUT_PROP_DIRECT`.
    func hasProperty(_ property: Int32) -> Bool { libevdev_has_property(device, UInt32(property)) == 1 }

    /// Minimum and maximum of an axis, as the driver reports them: the maximum need not be above the minimum.
    func range(_ axis: UInt16) -> (first: Int32, last: Int32) {
        (libevdev_get_abs_minimum(device, UInt32(axis)), libevdev_get_abs_maximum(device, UInt32(axis)))
    }

    /// Number of multi-touch slots; nil for a device without them.
    var slots: Int? {
        let count = libevdev_get_num_slots(device)
        return count < 0 ? nil : Int(count)
    }

    // MARK: State as of the last report read

    /// The value of `code` of `type`.
    func value(_ type: UInt16, _ code: UInt16) -> Int32 { libevdev_get_event_value(device, UInt32(type), UInt32(code)) }

    /// The value of `axis` in one slot.
    func value(_ axis: UInt16, slot: Int) -> Int32 { libevdev_get_slot_value(device, UInt32(slot), UInt32(axis)) }

    /// The current slot: reports of contacts apply to it until the next ABS_MT_SLOT.
    var slot: Int { Int(libevdev_get_current_slot(device)) }

    // MARK: Set-up

    /// Grabs the device from all other programs. Throws EBUSY if another has grabbed it. Calls `libevdev_grab`.
    func grab() throws(SystemError) {
        let status = libevdev_grab(device, LIBEVDEV_GRAB)
        guard status == 0 else { throw SystemError(errno: -status) }
    }

    /// Sets the kernel's timestamps to CLOCK_MONOTONIC. If it refuses, reports get the time at which they are read.
    /// Calls `libevdev_set_clock_id`.
    func setClock() { isMonotonic = libevdev_set_clock_id(device, CLOCK_MONOTONIC) == 0 }

    // MARK: Reading

    /// The end of a read.
    enum End: Hashable {
        /// No more reports wait.
        case drained
        /// More reports wait.
        case bound
        /// The kernel has dropped reports: call `synchronise`.
        case loss
        /// The device cannot be read any more.
        case failure
    }

    /// Reads at most `count` reports. Calls `libevdev_next_event`.
    func read(_ count: Int, at now: Instant, _ handle: (InputReport) -> Void) -> End {
        var event = input_event()
        for _ in 0..<count {
            switch libevdev_next_event(device, LIBEVDEV_READ_FLAG_NORMAL.rawValue, &event) {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                let time =
                    Instant(microseconds: Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec))
                handle(
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

    /// Whether libevdev's state may be wrong, as it has ignored a report. It does so when a tracking id follows another
    /// in a slot without −1 between them, which means the next finger (1.13.0 to 1.13.4).
    var isInDoubt: Bool { complaint.pointee }

    /// Discards all waiting reports and reads the device's state.
    ///
    /// The events that libevdev returns while it synchronises are ignored: for a device without BTN_TOOL_FINGER and the
    /// like it miscounts them and includes the device's next reports (1.13.0 to 1.13.4). Its state afterwards is right.
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
            // Reports that came meanwhile are in the state already, and would be applied to the wrong slot.
            if libevdev_has_event_pending(device) == 0 { break }
        }
    }
}
