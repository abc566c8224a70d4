import Documents

/// An address and a port to listen at, such as `127.0.0.1:4424`.
public struct ListenAddress: Hashable, Sendable {
    /// An IPv4 address, or "localhost".
    public let host: String
    /// The port; 0 for any free one.
    public let port: Int

    /// The address in `text`; nil if it has another form.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].allSatisfy(\.isASCIIDigit), let port = Int(parts[1]), port <= 65_535,
            parts[0] == "localhost" || String(parts[0]).ipv4Numbers.map({ $0[0] < 224 }) ?? false
        else { return nil }
        (host, self.port) = (String(parts[0]), port)
    }

    /// The problem of a `text` that has another form.
    public static func problem(_ text: String) -> String {
        "is \(JSONField(.string(text)).shown), should be an IPv4 address and a port such as 127.0.0.1:4424"
    }
}

/// The address of a page that others can reach, such as `https://box.example.org/music/`.
public struct PublicAddress: Hashable, Sendable {
    /// "http" or "https".
    public let scheme: String
    /// The host, lower case, and the port if it is not the scheme's own, as browsers send them.
    public let host: String
    /// The path, from the first slash to the last.
    public let path: String

    /// The address in `text`; nil if it has another form.
    public init?(_ text: String) {
        guard
            let match = text.wholeMatch(
                of: /(https?):\/\/([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(?::([0-9]{1,5}))?((?:\/[A-Za-z0-9._~-]+)*\/?)/)
        else { return nil }
        scheme = String(match.1)
        let usual = scheme == "https" ? 443 : 80
        let port = match.3.map { Int($0) ?? 0 } ?? usual
        guard (1...65_535).contains(port),
            !match.4.split(separator: "/").contains(where: { $0.allSatisfy { $0 == "." } })
        else { return nil }
        host = match.2.lowercased() + (port == usual ? "" : ":\(port)")
        let path = String(match.4)
        self.path = path.hasSuffix("/") ? path : path + "/"
    }

    /// The origin of its pages.
    public var origin: String { "\(scheme)://\(host)" }
    /// The address as text.
    public var text: String { origin + path }
}

extension JSONField {
    /// The address of this text, nil for null. `example` is one that the error shows.
    func address(such example: String) throws(FormatError) -> PublicAddress? {
        guard let text = try stringOrNull() else { return nil }
        guard let address = PublicAddress(text) else {
            throw refused("is \(shown), should be an address such as \(example)")
        }
        return address
    }
}
