/// A kind of output of the box in a browser.
package enum Output: Int32 {
    /// A message as the box sends it to its page (`BoxMessage`).
    case message = 1
    /// Sound: frames of interleaved stereo, 32-bit floating-point numbers.
    case sound = 2
    /// A document to keep: its name, a line feed, and its text; without a text it is to be removed.
    case document = 3
    /// A line about what was asked, for people.
    case line = 4
    /// A line of the log of events of a replay.
    case event = 5
    /// Bytes on the wire of the panel, of a replay.
    case wire = 6
    /// A document in the exchange format: the music after a replay, or the tune to share.
    case music = 7
    /// A picture: R, G, B of each LED, row by row.
    case picture = 8
}

/// Gives outputs to the page. The bytes are valid during the call.
package typealias OutputHandler = (Output, UnsafeRawBufferPointer) -> Void

/// Gives `text` in UTF-8 to `output`.
func give(_ text: String, as kind: Output, to output: OutputHandler) {
    Array(text.utf8).withUnsafeBytes { output(kind, $0) }
}
