import InputEvents

extension Instant.Span {
    /// Interval between attempts to open a missing or failed device.
    static let retry = milliseconds(1000)
}
