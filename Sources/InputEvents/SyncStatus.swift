/// The signal of the chosen source in the last seconds, for the panel.
public struct SyncStatus: Hashable, Sendable {
    /// How far the box follows a source.
    public enum Lock: String, Hashable, Sendable {
        /// Nothing arrived yet; of Link: there is no other member. Also the state of the internal source.
        case waiting
        /// The first ticks, or the ticks after a change of tempo.
        case settling
        /// The source is followed.
        case locked
        /// The source was there, and nothing arrives any more.
        case lost
    }

    /// How far the box follows the source.
    public var lock = Lock.waiting
    /// The source's own tempo in beats per minute; nil as long as it is not known.
    public var tempo: Double?
    /// Number of errors of the last four seconds in each of `columns` columns of `columnWidth`: column x has errors
    /// about (x − 21.5) · 0.1 ms, and the outer columns also larger errors. Empty without errors. An error is the time
    /// of an arrival minus the time at which it was expected.
    public var errors: [UInt16] = []
    /// Root of the mean square of these errors, in milliseconds; nil without errors.
    public var rms: Double?
    /// Largest magnitude of these errors, in milliseconds; nil without errors.
    public var worst: Double?
    /// Ticks that did not arrive and were counted nevertheless, since the source was chosen.
    public var missing = 0
    /// Number of other members of a Link session.
    public var peers = 0

    /// The status before any signal.
    public init() {}

    /// Number of columns of `errors`: the columns of the panel without a menu.
    public static let columns = 44
    /// Width of a column of `errors`, in microseconds.
    public static let columnWidth = 100.0
}
