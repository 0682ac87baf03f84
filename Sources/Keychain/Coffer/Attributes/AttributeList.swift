/// The values of a few attributes, of which comparing the names is faster than hashing them.
package struct AttributeList: Sendable {
    /// The names, each once, and their values.
    private(set) var entries: [(name: AttributeName, value: ItemValue)] = []

    /// The value of an attribute.
    package subscript(name: AttributeName) -> ItemValue? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append((name, newValue)) }
        }
    }

    /// The attributes whose names meet a condition.
    func filter(_ isIncluded: (AttributeName) -> Bool) -> AttributeList {
        var list = self
        list.entries.removeAll { !isIncluded($0.name) }
        return list
    }
}
