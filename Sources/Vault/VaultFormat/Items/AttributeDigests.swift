/// The attribute digests of an item: at most nine, stored inline because there is one such value for each item.
package struct AttributeDigests: Sendable {
    package private(set) var count = 0
    private var digests = InlineArray<9, UInt64>(repeating: 0)

    package init() {}

    mutating func append(_ digest: UInt64) {
        digests[count] = digest
        count += 1
    }
}

extension AttributeDigests: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(position: Int) -> UInt64 { digests[position] }
}

extension AttributeDigests: Equatable {
    package static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }
}

extension AttributeDigests: ExpressibleByArrayLiteral {
    package init(arrayLiteral digests: UInt64...) {
        for digest in digests { append(digest) }
    }
}
