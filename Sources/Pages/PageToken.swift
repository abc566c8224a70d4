/// The secret that a browser sends as `?token=` to see and play the page.
public struct PageToken: Hashable, Sendable {
    /// Lengths in characters. The shortest is 128 random bits in hexadecimal digits.
    static let lengths = 32...128

    /// The token's characters: RFC 3986's unreserved ones, which need no escape in a URL.
    public let text: String

    /// Parses a token. Throws `badToken` if it could be guessed, or is invalid in a URL.
    public init(_ text: String) throws(PageServerError) {
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy(Self.isUnreserved) else { throw .badToken }
        self.text = text
    }

    private init(digits: String) { text = digits }

    /// A new token of 128 random bits from the kernel.
    public static func random() -> PageToken {
        var source = SystemRandomNumberGenerator()
        let digits = (0..<lengths.lowerBound).map { _ in
            String(UInt8.random(in: 0..<16, using: &source), radix: 16)
        }
        return PageToken(digits: digits.joined())
    }

    /// RFC 3986, 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
