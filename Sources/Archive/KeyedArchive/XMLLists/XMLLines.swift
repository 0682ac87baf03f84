/// The line numbers that error messages about a property list in XML need.
///
/// These are the lines of the root, of the values of a root dictionary, and of the elements of arrays among them. Lines
/// count from 1. An element that spans several lines is on the line of its start tag.
package struct XMLLines: Sendable {
    /// The line of the root value.
    package let root: Int
    private let values: CanonicalDictionary<String, Value>

    fileprivate struct Value {
        let line: Int
        let elements: [Int]
    }

    /// The line of the value for `key` in the root dictionary, if any.
    package subscript(key: String) -> Int? { values[key]?.line }

    /// The line of the element at `index` of the array for `key` in the root dictionary, if any.
    package subscript(key: String, index: Int) -> Int? {
        guard let elements = values[key]?.elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension XMLLines {
    /// Computes the lines of `starts`, which a reader has recorded in `document`.
    init(_ starts: XMLValueOffsets, in document: XMLDocument) {
        var counter = LineCounter(document: document)
        root = counter.line(at: starts.root)
        let entries = starts.values.map { start in
            let line = counter.line(at: start.offset)
            return (start.key, Value(line: line, elements: start.elements.map { counter.line(at: $0) }))
        }
        // A document with a duplicate key is rejected before this point.
        values = CanonicalDictionary(entries) ?? CanonicalDictionary()
    }
}

/// Counts lines from one offset to the next, so that the whole takes time linear in the size of the document.
private struct LineCounter {
    let document: XMLDocument
    private var offset = 0
    private var line = 1

    init(document: XMLDocument) {
        self.document = document
    }

    /// Returns the line of an offset, which must not precede the one requested before.
    mutating func line(at next: Int) -> Int {
        line += document.bytes[offset..<next].count { $0 == UInt8(ascii: "\n") }
        offset = next
        return line
    }
}

/// The offsets at which the values of a property list begin, in document order.
struct XMLValueOffsets {
    private(set) var root = 0
    private(set) var values: [(key: String, offset: Int, elements: [Int])] = []

    /// Records the value that `tag` starts in the element `parent`; `key` is the innermost enclosing key.
    mutating func note(_ tag: XMLTag, in parent: XMLTag?, key: String?, depth: Int) {
        switch (depth, parent?.name, key) {
        case (1, _, _): root = tag.offset
        case (2, .value(.dict), let key?): values.append((key, tag.offset, []))
        // An array with an enclosing key is a value of the root dictionary: the one read last.
        case (3, .value(.array), .some): values[values.endIndex - 1].elements.append(tag.offset)
        default: break
        }
    }
}
