/// One report of one finger.
public struct Touch: Hashable, Sendable {
    /// Maximum number of simultaneous fingers: ten of two hands, and some of a second player.
    public static let contactsMax = 16

    /// Contact number, 0 to `contactsMax` − 1; reused after the finger has lifted.
    public var contact: Int
    /// The phase of the touch.
    public var phase: Phase
    /// Column in LEDs from the panel's left; LED *n* spans n − ½ to n + ½.
    public var column: Float
    /// Row in LEDs from the panel's top.
    public var row: Float
    /// How much earlier a recording counts a landing: a page's sound is late, and an overlay may report late. Zero for
    /// other phases.
    public var delay: Instant.Span

    /// Phase of a contact.
    public enum Phase: String, Hashable, Sendable {
        /// The finger lands.
        case down
        /// The finger moves or rests.
        case move
        /// The finger lifts.
        case up
        /// The contact is withdrawn: it was a palm, or the device vanished.
        case cancel
    }

    /// Maximum of `delay`.
    public static let delayMax = Instant.Span.milliseconds(2000)

    /// A report of `contact` at `column`, `row`.
    public init(contact: Int, phase: Phase, column: Float, row: Float, delay: Instant.Span = .milliseconds(0)) {
        self.contact = contact
        self.phase = phase
        self.column = column
        self.row = row
        self.delay = delay
    }
}
