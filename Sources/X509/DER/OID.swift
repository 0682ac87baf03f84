/// An object identifier, which names an algorithm, an attribute or a kind of extension.
package struct OID: Hashable, Sendable {
    /// The content of the element, without tag and length; not necessarily well-formed.
    package let content: ArraySlice<UInt8>

    init(content: ArraySlice<UInt8>) {
        self.content = content
    }

    /// Makes the identifier with these numbers, of which there must be at least two.
    package init(_ arcs: [Int]) {
        precondition(arcs.count >= 2, "an object identifier has at least two numbers")
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2...] {
            let digitCount = max(1, (Int.bitWidth - arc.leadingZeroBitCount + 6) / 7)
            for index in (0..<digitCount).reversed() {
                content.append(UInt8(arc >> (7 * index) & 0x7F) | (index > 0 ? 0x80 : 0))
            }
        }
        self.content = content[...]
    }
}

extension OID: ExpressibleByArrayLiteral {
    package init(arrayLiteral arcs: Int...) {
        self.init(arcs)
    }
}
