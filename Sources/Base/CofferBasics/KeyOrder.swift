extension Dictionary where Key: Comparable {
    /// The elements in the order of their keys.
    package var inKeyOrder: [(key: Key, value: Value)] {
        keys.sorted().compactMap { key in self[key].map { (key, $0) } }
    }
}

extension Sequence where Element: Hashable {
    /// The elements in their order, each once.
    package var withoutRepetition: [Element] {
        var found: Set<Element> = []
        return filter { found.insert($0).inserted }
    }
}
