extension Dictionary where Key: Comparable {
    /// The elements in the order of their keys.
    package var inKeyOrder: [(key: Key, value: Value)] {
        keys.sorted().compactMap { key in self[key].map { (key, $0) } }
    }
}
