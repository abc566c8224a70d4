extension Array {
    /// The elements in the order of `precedes`; those of which neither precedes the other keep theirs.
    ///
    /// One sort serves the elements of all types: `sorted(by:)` is compiled for each anew, which is two kilobytes of the box
    /// for browsers.
    public func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
        indicesInOrder(of: count) { precedes(self[$0], self[$1]) }.map { self[$0] }
    }
}

/// The numbers below `count` in the order of `precedes`.
///
/// For browsers without optimisation, which would compile it anew for each order: fifty kilobytes.
#if hasFeature(Embedded)
    @_optimize(none)
#endif
@inline(never) public func indicesInOrder(of count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted { precedes($0, $1) || !precedes($1, $0) && $0 < $1 }
}
