/// On which lines of an XML document the values of a property list begin, as far as error messages need it: the root,
/// the values of a dictionary at the root, and the elements of arrays among them.
///
/// Lines count from 1. An element that continues over several lines is on the line of its start tag.
package struct XMLLines: Sendable {
    /// The line of the value at the root.
    package let root: Int
    private let values: CanonicalDictionary<String, Value>

    fileprivate struct Value {
        let line: Int
        let elements: [Int]
    }

    /// The line of the value for `key` in the dictionary at the root, if it has one.
    package subscript(key: String) -> Int? { values[key]?.line }

    /// The line of the element at `index` of the array for `key` in the dictionary at the root, if there is one.
    package subscript(key: String, index: Int) -> Int? {
        guard let elements = values[key]?.elements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

extension XMLLines {
    /// Counts the lines of `starts`, which a reader has noted in `document`.
    init(_ starts: XMLStarts, in document: XMLDocument) {
        var counter = LineCounter(document: document)
        root = counter.line(at: starts.root)
        let entries = starts.values.map { start in
            let line = counter.line(at: start.offset)
            return (start.key, Value(line: line, elements: start.elements.map { counter.line(at: $0) }))
        }
        // A document in which a key stands twice is not read.
        values = CanonicalDictionary(entries) ?? CanonicalDictionary()
    }
}

/// Counts lines from one offset to the next, so that all of them take no longer than the document is.
private struct LineCounter {
    let document: XMLDocument
    private var offset = 0
    private var line = 1

    init(document: XMLDocument) {
        self.document = document
    }

    /// The line of an offset that is not before the last one that was asked for.
    mutating func line(at next: Int) -> Int {
        line += document.bytes[offset..<next].count { $0 == UInt8(ascii: "\n") }
        offset = next
        return line
    }
}

/// Where the values of a property list begin, in their order.
struct XMLStarts {
    private(set) var root = 0
    private(set) var values: [(key: String, offset: Int, elements: [Int])] = []

    /// Notes the value that `tag` starts, in the element `parent`, with `key` the innermost one around it.
    mutating func note(_ tag: XMLTag, in parent: XMLTag?, key: String?, depth: Int) {
        switch (depth, parent?.name, key) {
        case (1, _, _): root = tag.offset
        case (2, .value(.dict), let key?): values.append((key, tag.offset, []))
        // With a key around it, the array is a value of the dictionary at the root, and the one that was read last.
        case (3, .value(.array), .some): values[values.endIndex - 1].elements.append(tag.offset)
        default: break
        }
    }
}
