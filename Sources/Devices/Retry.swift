import Instrument

extension Instant.Span {
    /// From one attempt to open what is missing or failed to the next: whoever plugs it in waits no longer, and it costs nothing.
    static let retry = milliseconds(1000)
}
