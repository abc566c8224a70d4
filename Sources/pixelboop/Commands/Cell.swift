extension String {
    /// As a cell of a table: with spaces after it up to `width`.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
