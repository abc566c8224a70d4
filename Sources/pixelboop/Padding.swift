extension String {
    /// With spaces after it up to `width`: a column of a table.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
