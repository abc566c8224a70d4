// Dictionary's own functions with these names cast errors dynamically, which Embedded Swift cannot.
extension Dictionary {
    /// A dictionary of `pairs`; of several with the same key the last counts.
    init(pairs: some Sequence<(Key, Value)>) {
        self.init()
        for (key, value) in pairs { self[key] = value }
    }

    /// Adds the pairs of `other`, which replace its own.
    mutating func merge(_ other: Self) {
        for (key, value) in other { self[key] = value }
    }

    /// The dictionary with the pairs of `other`, which replace its own.
    func merging(_ other: Self) -> Self {
        var sum = self
        sum.merge(other)
        return sum
    }
}
