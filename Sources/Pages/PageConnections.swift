import CWebSockets

/// Limits the page's connections, and chooses the one to close for a new one.
///
/// One machine cannot use all of them. Idle connections of many machines are closed for connections that send requests.
struct PageConnections {
    /// Maximum number of connections. It bounds the memory that other machines can use.
    static let countMax = 64
    /// Maximum number of connections from one address. A browser fetches the page over six and watches over one.
    static let shareMax = 32

    private struct Connection {
        /// The bits of the pointer to its `lws`.
        let bits: UInt
        let address: UInt32
        var isViewer = false
    }

    /// Oldest first.
    private var connections: [Connection] = []

    /// Whether `address` may open another connection.
    func admit(_ address: UInt32) -> Bool { connections.count { $0.address == address } < Self.shareMax }

    /// Adds a connection; returns the bits of the one to close for it, if there are too many.
    mutating func open(_ bits: UInt, from address: UInt32) -> UInt? {
        // The oldest that does not watch: it had the most time for a request.
        let oldest = connections.count < Self.countMax ? nil : connections.firstIndex { !$0.isViewer }
        let bitsOfOldest = oldest.map { connections.remove(at: $0).bits }
        connections.append(Connection(bits: bits, address: address))
        return bitsOfOldest
    }

    /// Marks a connection as watching: it is not closed for a new one.
    mutating func watch(_ bits: UInt) {
        guard let place = connections.firstIndex(where: { $0.bits == bits }) else { return }
        connections[place].isViewer = true
    }

    /// Removes a closed connection.
    mutating func close(_ bits: UInt) { connections.removeAll { $0.bits == bits } }

    /// Adds a connection of libwebsockets; closes the connection that has to make room for it.
    mutating func add(_ connection: OpaquePointer?) {
        let address = PageAddress.remote(of: lws_get_socket_fd(connection))
        let oldest = open(UInt(bitPattern: connection), from: address)
        if let oldest { lws_set_timeout(OpaquePointer(bitPattern: oldest), PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC) }
    }
}
