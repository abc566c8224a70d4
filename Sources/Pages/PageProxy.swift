/// A server of the maker's own that passes the page on to others, under another name and path, and with TLS.
public struct PageProxy: Hashable, Sendable {
    /// The origin of its pages: `https://box.example.org`, without the scheme's own port, in lower case.
    public let origin: String
    /// The same without the scheme.
    let host: String
    /// The address of the page.
    public let url: String
    /// The origin of its WebSockets.
    let socketOrigin: String

    /// The proxy at the `scheme` http or https, a `host` with its port if that is not the scheme's own, and a `path`
    /// that ends with a slash.
    public init(scheme: String, host: String, path: String) {
        self.host = host
        origin = "\(scheme)://\(host)"
        url = origin + path
        socketOrigin = (scheme == "https" ? "wss://" : "ws://") + host
    }
}
