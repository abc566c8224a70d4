/// A kind of output of the box in a browser.
package enum Output: Int32 {
    /// A message as the box sends it to its page (`BoxMessage`).
    case message = 1
    /// Sound: frames of interleaved stereo, 32-bit floating-point numbers.
    case sound = 2
    /// A document to keep: its name, a line feed, and its bytes; without any it is to be removed.
    case document = 3
    /// A line about what was asked, for people.
    case line = 4
    /// A line of the log of events of a replay.
    case event = 5
    /// Bytes on the wire of the panel, of a replay.
    case wire = 6
    /// A document in the exchange format: the music after a replay, or the tune to share; or that tune as a MIDI file.
    case music = 7
    /// A picture: R, G, B of each LED, row by row.
    case picture = 8
    /// The beginning of a file for the player: its name, a line feed, and its size in decimal digits.
    case file = 9
    /// The next bytes of that file.
    case part = 10
    /// A frame of a film: its time in milliseconds, a 64-bit floating-point number, and a picture.
    case frame = 11
}

/// Gives outputs to the page. The bytes are valid during the call.
package typealias OutputHandler = (Output, UnsafeRawBufferPointer) -> Void

/// Gives the document `name` to keep, or to remove without `bytes`, to `output`.
func giveDocument(_ name: String, _ bytes: [UInt8], to output: OutputHandler) {
    (Array((name + "\n").utf8) + bytes).withUnsafeBytes { output(.document, $0) }
}

/// Gives `text` in UTF-8 to `output`.
func give(_ text: String, as kind: Output, to output: OutputHandler) {
    Array(text.utf8).withUnsafeBytes { output(kind, $0) }
}
