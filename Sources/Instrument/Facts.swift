import Display

/// What the box knows of itself and the instrument cannot: told by whoever runs it, shown by the about sheet and the menu.
public struct Facts: Hashable, Sendable {
    /// The version of the software.
    public var version = ""
    /// Where the box can be reached on the network, or that it cannot.
    public var address = ""
    /// What went wrong last, and still is; nil for nothing.
    public var problem: String?
    /// Parts that do not work.
    public var faults: Faults = []

    /// Nothing known.
    public init() {}

    /// Parts of the box that can fail.
    public struct Faults: OptionSet, Hashable, Sendable {
        /// Bit by bit.
        public let rawValue: UInt8

        /// The parts whose bits are `rawValue`.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// What is played is not kept.
        public static let library = Faults(rawValue: 1)
        /// Nothing is heard.
        public static let sound = Faults(rawValue: 2)
        /// The panel or the touch overlay.
        public static let hardware = Faults(rawValue: 4)
    }

    /// The lines of the about sheet.
    var lines: [TextLine] {
        let kept = faults.contains(.library) ? "NOT SAVED" : "SAVED"
        return ["V\(version) \(kept)", address, problem ?? "ALL WELL"].map { TextLine($0) }
    }
}
