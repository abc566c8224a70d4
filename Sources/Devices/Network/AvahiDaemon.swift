import CSystemd

/// The system's Avahi daemon, which answers multicast DNS (RFC 6762), called by D-Bus: `org.freedesktop.Avahi.Server`
/// and `.EntryGroup` of Avahi 0.8, described in `/usr/share/dbus-1/interfaces`. The daemon is not started, and forgets
/// the services when the connection ends. For one thread.
final class AvahiDaemon: ServiceRegistry {
    private var bus: OpaquePointer?
    /// The D-Bus object that holds the services; nil without one.
    private var group: String?

    /// Limit of an answer's time, in microseconds.
    private static let patience: UInt64 = 2_000_000
    private static let name = "org.freedesktop.Avahi"
    private static let server = ("/", "org.freedesktop.Avahi.Server")
    private static let groupInterface = "org.freedesktop.Avahi.EntryGroup"
    /// Avahi's numbers for all interfaces, and for IPv4 (avahi-common/address.h).
    private static let (everyInterface, ipv4) = (Int32(-1), Int32(0))
    /// The states of a group (avahi-common/defs.h).
    private enum GroupState: Int32 { case uncommitted, registering, established, collision, failure }

    /// Why a call fails.
    private enum CallFailure: Error {
        /// A name is taken.
        case collision
        case other(String)

        var reason: String {
            switch self {
            case .collision: "the name is taken"
            case .other(let reason): reason
            }
        }

        var state: AnnouncementState {
            if case .collision = self { .nameTaken } else { .unannounced }
        }
    }

    /// No connection yet.
    init() {}

    deinit { withdraw() }

    func announce(_ services: [PlacedService]) -> AnnouncementState {
        do throws(CallFailure) {
            let group = try emptyGroup()
            for service in services { try add(service, to: group) }
            try call(group, Self.groupInterface, "Commit")
            return .announced
        } catch {
            withdraw()
            return error.state
        }
    }

    func state() -> AnnouncementState {
        guard let bus, let group else { return .unannounced }
        // Signals that wait are dropped: the state says the same.
        while sd_bus_process(bus, nil) > 0 {}
        var number: Int32 = 0
        do throws(CallFailure) {
            try call(
                group, Self.groupInterface, "GetState", read: { sd_bus_message_read_basic($0, Self.int32, &number) })
        } catch {
            return error.state
        }
        return switch GroupState(rawValue: number) {
        case .registering, .established: .announced
        case .collision: .nameTaken
        case .uncommitted, .failure, nil: .unannounced
        }
    }

    /// The daemon's name and version, such as `avahi 0.8`; else why it cannot be reached.
    func version() -> Result<String, DeviceFailure> {
        do throws(CallFailure) {
            try connect()
            return .success(try text(Self.string, Self.server.0, Self.server.1, "GetVersionString"))
        } catch {
            return .failure(
                DeviceFailure(
                    "not announced by name: \(error.reason)",
                    fix: "to be found without the address: sudo apt install avahi-daemon"))
        }
    }

    func withdraw() {
        if let bus { sd_bus_flush_close_unref(bus) }
        (bus, group) = (nil, nil)
    }

    // MARK: Calls

    // Types of D-Bus.
    private static let (int32, uint16, uint32) = (CChar(0x69), CChar(0x71), CChar(0x75))
    private static let (string, object) = (CChar(0x73), CChar(0x6f))
    private static let (byte, array) = (CChar(0x79), CChar(0x61))

    private func connect() throws(CallFailure) {
        guard bus == nil else { return }
        let result = sd_bus_open_system(&bus)
        guard result >= 0 else { throw .other("no D-Bus: \(SystemError(errno: -result))") }
    }

    /// A group without services.
    private func emptyGroup() throws(CallFailure) -> String {
        if let group {
            try call(group, Self.groupInterface, "Reset")
            return group
        }
        try connect()
        let new = try text(Self.object, Self.server.0, Self.server.1, "EntryGroupNew")
        group = new
        return new
    }

    private func add(_ placed: PlacedService, to group: String) throws(CallFailure) {
        let service = placed.service
        try call(
            group, Self.groupInterface, "AddService",
            with: { message in
                var results = [
                    Self.append(
                        message, Self.int32, placed.interface == 0 ? Self.everyInterface : Int32(placed.interface)),
                    Self.append(message, Self.int32, Self.ipv4), Self.append(message, Self.uint32, UInt32(0)),
                ]
                // No domain and no host: this machine's own.
                for text in [service.name, service.type, "", ""] {
                    results.append(text.withCString { sd_bus_message_append_basic(message, Self.string, $0) })
                }
                results.append(Self.append(message, Self.uint16, service.port))
                results.append(sd_bus_message_open_container(message, Self.array, "ay"))
                for attribute in service.attributes {
                    let bytes = Array(attribute.utf8)
                    results.append(sd_bus_message_append_array(message, Self.byte, bytes, bytes.count))
                }
                results.append(sd_bus_message_close_container(message))
                return results.min() ?? 0
            })
    }

    private static func append<Value>(_ message: OpaquePointer?, _ type: CChar, _ value: Value) -> Int32 {
        withUnsafePointer(to: value) { sd_bus_message_append_basic(message, type, $0) }
    }

    /// Calls a method whose answer is a text of this D-Bus type.
    private func text(
        _ type: CChar, _ path: String, _ interface: String, _ method: String
    ) throws(CallFailure) -> String {
        var result = ""
        try call(
            path, interface, method,
            read: { reply in
                var text: UnsafePointer<CChar>?
                let status = sd_bus_message_read_basic(reply, type, &text)
                if let text { result = String(cString: text) }
                return status
            })
        return result
    }

    /// Calls a method of the object at `path`, with what `arguments` appends; `read` reads the answer. Both return a
    /// negative errno if they fail.
    private func call(
        _ path: String, _ interface: String, _ method: String,
        with arguments: (OpaquePointer?) -> Int32 = { _ in 0 }, read: (OpaquePointer?) -> Int32 = { _ in 0 }
    ) throws(CallFailure) {
        var message: OpaquePointer?
        defer { sd_bus_message_unref(message) }
        var result = sd_bus_message_new_method_call(bus, &message, Self.name, path, interface, method)
        if result >= 0 { result = sd_bus_message_set_auto_start(message, 0) }
        if result >= 0 { result = arguments(message) }
        guard result >= 0 else { throw .other("\(method): \(SystemError(errno: -result))") }
        var error = sd_bus_error()
        var reply: OpaquePointer?
        defer {
            sd_bus_error_free(&error)
            sd_bus_message_unref(reply)
        }
        result = sd_bus_call(bus, message, Self.patience, &error, &reply)
        if result >= 0 { result = read(reply) }
        guard result < 0 else { return }
        if error.name.map({ String(cString: $0) }) == Self.name + ".CollisionError" { throw .collision }
        throw .other(
            "Avahi does not answer: " + (error.message.map { String(cString: $0) } ?? "\(SystemError(errno: -result))"))
    }
}
