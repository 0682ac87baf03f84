internal import VaultFormat

/// Items by digest: mostly one for each digest, sometimes several.
struct NameIndex<Digest: Hashable & Sendable>: Sendable {
    private var firsts: [Digest: ItemName] = [:]
    /// Further items with the same digest.
    private var others: [Digest: Set<ItemName>] = [:]

    /// The items with this digest.
    subscript(digest: Digest) -> [ItemName] {
        guard let first = firsts[digest] else { return [] }
        guard !others.isEmpty, let rest = others[digest] else { return [first] }
        return [first] + rest
    }

    mutating func insert(_ name: ItemName, for digest: Digest) {
        if !Self.isFirst(name, &firsts[digest]) { others[digest, default: []].insert(name) }
    }

    /// Whether an item is the first with a digest; it becomes the first if none exists.
    private static func isFirst(_ name: ItemName, _ first: inout ItemName?) -> Bool {
        if first == nil { first = name }
        return first == name
    }

    mutating func remove(_ name: ItemName, for digest: Digest) {
        guard firsts[digest] == name else {
            others[digest]?.remove(name)
            if others[digest]?.isEmpty == true { others[digest] = nil }
            return
        }
        firsts[digest] = others[digest]?.popFirst()
        if others[digest]?.isEmpty == true { others[digest] = nil }
    }
}
