extension String {
    /// A table cell: padded with spaces up to `width`.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
