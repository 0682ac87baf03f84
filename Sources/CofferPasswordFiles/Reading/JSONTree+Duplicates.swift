internal import CofferBasics

extension JSONTree {
    /// Where the first key is that occurs twice in its object; nil if there is none.
    package var duplicateKeyOffset: Int? {
        for index in nodes.indices where nodes[index].kind == .object {
            var keys: [JSONNode] = []
            JSONNode(tree: self, index: index).forEachMember { key, _ in keys.append(key) }
            if let key = duplicate(among: keys) { return key.offset }
        }
        return nil
    }

    private func duplicate(among keys: [JSONNode]) -> JSONNode? {
        // Most objects are small, and most keys differ in their length.
        guard keys.count > 32 || keys.contains(where: { nodes[$0.index].hasEscapes }) else {
            return keys.indices.first { index in
                keys[..<index].contains { bytes.isSame(nodes[$0.index].range, nodes[keys[index].index].range) }
            }
            .map { keys[$0] }
        }
        var names: Set<String> = []
        return keys.first { !names.insert($0.keyName).inserted }
    }
}

extension FileBytes {
    fileprivate func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && withSpan { $0.extracting(one).hasSameBytes(as: $0.extracting(other)) }
    }
}
