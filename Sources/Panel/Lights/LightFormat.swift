/// Writes and reads the packets of a light protocol. A class: Embedded Swift has no other values of a protocol's type.
protocol LightFormat: AnyObject, Sendable {
    /// A packet with dark light for `part` of a picture.
    func packet(_ part: LightPart) -> [UInt8]

    /// The content of `packet`; nil if it is no light of this protocol, or is cut short.
    func read(_ packet: UnsafeRawBufferPointer) -> LightPacket?
}

/// The part of a picture that one packet brings.
struct LightPart {
    /// The part's first byte in the picture.
    var offset: Int
    /// Bytes of light.
    var size: Int
    /// Whether it is the picture's last part.
    var isLast: Bool
    /// The universe, for protocols that have universes.
    var universe: Int
    /// The sender's identity, 16 bytes.
    var identity: [UInt8]
    /// The sender's name.
    var name: String
}

extension UnsafeRawBufferPointer {
    /// The number in `count` bytes at `offset`, the highest first.
    func big(_ offset: Int, _ count: Int) -> Int {
        self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
}

extension [UInt8] {
    /// `value` in `count` bytes, the highest first.
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// `count` bytes of dark light.
    static func dark(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
