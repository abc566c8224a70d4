/// Access control of the page: three checks of each request.
///
/// The list of hosts stops a foreign site whose name resolves to this machine (DNS rebinding); the origin stops a
/// foreign site's script from opening the WebSocket; the token stops anyone else who can reach the port.
struct PageAccess: Sendable {
    private let names: [String]
    private let port: Int
    private let proxy: PageProxy?
    private let token: [UInt8]?

    /// Access by any of `names`, lower case and without a port, at `port`, and through `proxy`. No token is needed if
    /// `token` is nil.
    init(names: [String], port: Int, proxy: PageProxy? = nil, token: PageToken?) {
        self.names = names
        self.port = port
        self.proxy = proxy
        self.token = token.map { Array($0.text.utf8) }
    }

    /// The origins of this server's WebSockets, for a request to `host`.
    func socketOrigins(host: String) -> [String] { ["ws://\(host)"] + (proxy.map { [$0.socketOrigin] } ?? []) }

    /// The query of an address of this server, with the token if there is one. Its letters need no escape.
    var query: String { token.map { "?token=" + String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Whether a request's Host header names this server. `localAddress` is the connection's local address.
    func allows(host: String, localAddress: String) -> Bool {
        let host = host.lowercased()
        if host == proxy?.host { return true }
        return (names + [localAddress]).contains { name in
            host == "\(name):\(port)" || (port == 80 && host == name)
        }
    }

    /// Whether a WebSocket's Origin header is this server's own page.
    func allows(origin: String, host: String) -> Bool {
        let origin = origin.lowercased()
        return origin == "http://" + host.lowercased() || origin == proxy?.origin
    }

    /// Whether a request has the right token. Constant time, wherever a wrong token differs.
    func allows(token given: [UInt8]?) -> Bool {
        guard let token else { return true }
        guard let given else { return false }
        var difference = token.count ^ given.count
        for index in 0..<PageToken.lengths.upperBound {
            let expected = index < token.count ? token[index] : 0
            let actual = index < given.count ? given[index] : 0
            difference |= Int(expected ^ actual)
        }
        return difference == 0
    }
}
