/// The reason that a page cannot be served. The description is one line with the fix.
public enum PageServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an IPv4 address in dotted form.
    case badAddress(String)
    /// Not a port number.
    case badPort(Int)
    /// Others could reach the address, and there is no token.
    case tokenNeeded(address: String)
    /// The token could be guessed, or is invalid in a URL.
    case badToken
    /// Another program listens there.
    case inUse(address: String, port: Int)
    /// This user may not listen there.
    case notPermitted(address: String, port: Int)
    /// This machine has no such address.
    case noSuchAddress(String)
    /// Another error, with the system's message.
    case unavailable(address: String, port: Int, reason: String)

    /// One line: the problem, its place and the fix.
    public var description: String {
        switch self {
        case .badAddress(let address):
            "cannot serve the page at \"\(address)\": give an IPv4 address such as 127.0.0.1"
        case .badPort(let port):
            "cannot serve the page on port \(port): give a port from 0 (any free one) to 65535"
        case .tokenNeeded(let address):
            "serving the panel at \(address) lets others on the network play it: "
                + "give it a token, or listen at 127.0.0.1"
        case .badToken:
            "the token should be \(PageToken.lengths.lowerBound) to \(PageToken.lengths.upperBound) letters, digits, "
                + "- . _ or ~, too long to guess; openssl rand -hex 16 prints one"
        case .inUse(let address, let port):
            "cannot serve the page at \(address):\(port): another program listens there; "
                + "stop it or choose another port with --listen"
        case .notPermitted(let address, let port):
            "cannot serve the page at \(address):\(port): not permitted; choose a port above 1023 with --listen"
        case .noSuchAddress(let address):
            "cannot serve the page at \(address): this machine has no such address; choose one of its own with --listen"
        case .unavailable(let address, let port, let reason):
            "cannot serve the page at \(address):\(port): \(reason); choose another address with --listen"
        }
    }
}
