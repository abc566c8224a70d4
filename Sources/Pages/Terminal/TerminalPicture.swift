/// The newest content of the terminal.
struct TerminalPicture {
    /// R, G, B of each LED, row by row.
    var pixels: [UInt8]
    /// Figures of the panel.
    var status = ""
    /// Whether the panel asks for a name.
    var isNaming = false
}
