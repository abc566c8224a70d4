import Display

/// Facts about the box that the instrument cannot know itself. The caller provides them; the about sheet and the menu
/// show them.
public struct Facts: Hashable, Sendable {
    /// Software version.
    public var version = ""
    /// Network address, or a text that there is none.
    public var address = ""
    /// The box's own Wi-Fi, by which a phone sets it up; nil while it is closed.
    public var accessPoint: AccessPoint?
    /// Whether there are walls of lights to send to.
    public var hasWalls = false
    /// The last problem that still exists; nil for none.
    public var problem: String?
    /// Parts that have failed.
    public var faults: Faults = []

    /// The address of a box that is in no network.
    public static let noNetwork = "NO NETWORK"

    /// Empty facts.
    public init() {}

    /// A box of this `version` that is in no network.
    public init(version: String) {
        self.version = version
        address = Self.noNetwork
    }

    /// A Wi-Fi network that the box itself opens.
    public struct AccessPoint: Hashable, Sendable {
        /// The name that phones list.
        public var name: String
        /// The password that they ask for.
        public var password: String

        /// The access point `name` with `password`.
        public init(name: String, password: String) {
            self.name = name
            self.password = password
        }

        /// The lines of its sheet.
        var lines: [TextLine] {
            [name, password, "JOIN THIS WI-FI WITH A PHONE: ITS PAGE SETS THE BOX UP"].map { TextLine($0) }
        }
    }

    /// Parts of the box that can fail.
    public struct Faults: OptionSet, Hashable, Sendable {
        /// One bit per part.
        public let rawValue: UInt8

        /// The parts whose bits are `rawValue`.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Music is not being saved.
        public static let library = Faults(rawValue: 1)
        /// There is no sound.
        public static let sound = Faults(rawValue: 2)
        /// The panel or the touch overlay.
        public static let hardware = Faults(rawValue: 4)
    }

    /// The lines of the about sheet.
    var lines: [TextLine] {
        let kept = faults.contains(.library) ? "NOT SAVED" : "SAVED"
        let reached = accessPoint.map { "WI-FI \($0.name) PASSWORD \($0.password)" } ?? address
        return ["V\(version) \(kept)", reached, problem ?? "ALL WELL"].map { TextLine($0) }
    }
}
