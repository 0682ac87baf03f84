/// The values of a JSON document, as positions in its bytes.
///
/// The document is strictly JSON in UTF-8, with at most 64 levels. Values are decoded only when they are asked for.
package final class JSONTree {
    /// How deeply objects and arrays may be nested.
    package static let depthLimit = 64
    /// How many values and keys a document may have: they take 256 MiB.
    package static let nodeCountLimit = 1 << 24

    package let bytes: HeldSecret
    let nodes: [Node]

    /// Reads a document, with nothing but white space around it.
    ///
    /// - Parameter bytes: The document; a byte-order mark is skipped.
    /// - Throws: `TextError` with the position of the error, and no part of the document.
    package init(_ bytes: HeldSecret) throws(TextError) {
        try bytes.checkUTF8()
        var parser = JSONParser(offset: bytes.textStart)
        try bytes.withSpan { span throws(TextError) in try parser.parse(span) }
        self.bytes = bytes
        nodes = parser.nodes
    }

    /// The outermost value.
    package var root: JSONNode { JSONNode(tree: self, index: 0) }

    /// A value, or the key before a value.
    struct Node {
        /// The bytes of the value; for a string or a key, those between the quotes.
        let start: UInt32
        var end: UInt32
        /// The index of the node after this one and all that is in it.
        var next: UInt32
        let kind: JSONNode.Kind
        /// Whether the string or key has escape sequences.
        let hasEscapes: Bool

        var range: Range<Int> { Int(start)..<Int(end) }
    }
}

/// A value of a JSON document.
package struct JSONNode {
    /// What a value is.
    package enum Kind: UInt8 {
        case object, array, string, number, bool, null
        /// The key of the value that follows; never the kind of a value.
        case key
    }

    package let tree: JSONTree
    /// The number of the value in its document.
    package let index: Int

    private var node: JSONTree.Node { tree.nodes[index] }

    /// What the value is.
    package var kind: Kind { node.kind }

    /// Where the value begins in the document.
    package var offset: Int { node.range.lowerBound }

    /// Whether the value is null, an empty string, an empty object or an empty array.
    package var isEmpty: Bool {
        switch kind {
        case .null: true
        case .string: node.start == node.end
        case .object, .array: Int(node.next) == index + 1
        default: false
        }
    }

    // MARK: - Parts

    /// The value of a key, if this is an object that has it and it is not null.
    ///
    /// Of several values with one key the last one counts: the programs that write and read such files in JavaScript do
    /// the same. `JSONTree.duplicateKeyOffset` finds them.
    package subscript(name: String) -> JSONNode? {
        var found: JSONNode?
        forEachMember { key, value in if key.isKey(name) { found = value } }
        return found.flatMap { $0.kind == .null ? nil : $0 }
    }

    /// The names and values of an object, in the order of the document; empty for other values.
    package var members: [(name: String, value: JSONNode)] {
        var members: [(name: String, value: JSONNode)] = []
        forEachMember { key, value in members.append((key.keyName, value)) }
        return members
    }

    /// The elements of an array; empty for other values.
    package var elements: [JSONNode] {
        guard kind == .array else { return [] }
        var elements: [JSONNode] = []
        var position = index + 1
        while position < Int(node.next) {
            elements.append(JSONNode(tree: tree, index: position))
            position = Int(tree.nodes[position].next)
        }
        return elements
    }

    /// Calls `body` with each key and value of an object; not at all for other values.
    package func forEachMember(_ body: (_ key: JSONNode, _ value: JSONNode) -> Void) {
        guard kind == .object else { return }
        var position = index + 1
        while position < Int(node.next) {
            body(JSONNode(tree: tree, index: position), JSONNode(tree: tree, index: position + 1))
            position = Int(tree.nodes[position + 1].next)
        }
    }

    /// The name that this key is.
    package var keyName: String { decoded.text }

    private func isKey(_ name: String) -> Bool {
        guard !node.hasEscapes else { return keyName == name }
        return node.range.count == name.utf8.count && tree.bytes.has(name.utf8, at: node.range.lowerBound)
    }

    // MARK: - Values

    /// The value as text: that of a string, or a number or Boolean as it is written; nil for other values.
    package var secret: HeldSecret? {
        switch kind {
        case .string, .number, .bool: decoded
        default: nil
        }
    }

    /// The same as `secret`, for what is not secret.
    package var text: String? { secret?.text }

    /// The value as it is written, whatever it is.
    package var source: HeldSecret {
        let range = node.range
        return tree.bytes.secret(in: kind == .string ? range.lowerBound - 1..<range.upperBound + 1 : range)
    }

    /// The integer that the value is, as a number or in a string.
    package var integer: Int64? { text.flatMap { Int64($0) ?? Double($0).flatMap { Int64(exactly: $0) } } }

    /// Whether the value is true, as a Boolean, as a number other than zero, or as `true` or `1` in a string.
    package var isTrue: Bool {
        guard let text else { return false }
        return text.lowercased() == "true" || (Double(text) ?? 0) != 0
    }

    private var decoded: HeldSecret {
        let (range, hasEscapes) = (node.range, node.hasEscapes)
        guard hasEscapes else { return tree.bytes.secret(in: range) }
        return tree.bytes.withSpan { bytes in
            HeldSecret(capacity: range.count) { JSONParser.decode(bytes.extracting(range), to: &$0) }
        }
    }
}

extension JSONTree {
    /// The offset of the first key that occurs twice in its object; nil if all keys differ.
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

extension HeldSecret {
    fileprivate func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && withSpan { $0.extracting(one).hasSameBytes(as: $0.extracting(other)) }
    }
}
