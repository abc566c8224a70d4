import InputEvents

/// What happens to a device of a virtual box.
public enum DeviceAct: Hashable, Sendable {
    /// The touch overlay.
    case overlay(OverlayAct)
    /// The LEDs of the chain with this number get nothing from now on, or all again.
    case chain(Int, fails: Bool)
    /// The sound device is there or not: without it time goes on, and nothing is heard.
    case sound(isThere: Bool)
    /// The sound stops for a while, and goes on later by as much.
    case stumble(Instant.Span)
    /// The MIDI port of this name is unplugged.
    case unplug(port: String)
    /// The disk with the library fails from now on, or is well again.
    case disk(DiskFault?)

    /// What happens to a touch overlay.
    public enum OverlayAct: String, CaseIterable, Sendable {
        /// It is gone, with the fingers on it.
        case unplug
        /// It is there again, and reports the fingers that are on it.
        case replug
        /// It reports nothing until it goes on.
        case stall
        /// It goes on, with all that happened since.
        case go
        /// The reports that nobody has read are lost, as in a kernel's buffer that overflows.
        case lose
    }
}

/// How the disk with the library fails.
public enum DiskFault: Hashable, Sendable {
    /// Nothing more can be written.
    case full
    /// It is neither read nor written.
    case fail
}

extension DeviceAct {
    /// The longest time for which the sound stumbles, in milliseconds.
    private static let stumbleMax = 10_000.0
    /// The highest number of a chain.
    private static let chainMax = 63

    /// The act of a script's line that has the keys in `common` too; nil for a line of another kind.
    init?(_ field: JSONField, _ common: [String]) throws(FormatError) {
        if let overlay = try field.part("overlay") {
            try field.only(common + ["overlay"])
            self = .overlay(try overlay.choice())
        } else if let state = try field.part("spi") {
            try field.only(common + ["spi", "chain"])
            let number = try field.part("chain")?.integer(in: 0...Self.chainMax) ?? 0
            self = .chain(number, fails: try state.choice([("fail", true), ("good", false)]))
        } else if let sound = try field.part("sound") {
            try field.only(common + ["sound", "for"])
            switch try sound.string() {
            case "unplug": self = .sound(isThere: false)
            case "replug": self = .sound(isThere: true)
            case "stumble":
                let milliseconds = try field.needed("for").number(in: 0...Self.stumbleMax)
                self = .stumble(Instant.Span(milliseconds: milliseconds))
            default: throw sound.refused("is \(sound.shown), should be one of unplug, replug, stumble")
            }
        } else if let disk = try field.part("disk") {
            try field.only(common + ["disk"])
            self = .disk(try disk.choice([("full", .full), ("fail", .fail), ("good", nil)]))
        } else if let plug = try field.part("plug") {
            try field.only(common + ["port", "plug"])
            let _: Bool = try plug.choice([("out", true)])
            self = .unplug(port: try field.part("port")?.string() ?? "")
        } else {
            return nil
        }
    }
}
