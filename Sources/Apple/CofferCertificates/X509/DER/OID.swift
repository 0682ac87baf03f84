internal import CofferBasics

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

extension OID: CustomStringConvertible {
    /// The numbers, separated by dots; content that is not well-formed in hexadecimal digits.
    package var description: String {
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        for byte in content {
            guard arc >> 57 == 0, !(arc == 0 && byte == 0x80) else { return malformedDescription }
            arc = arc << 7 | UInt64(byte & 0x7F)
            guard byte & 0x80 == 0 else { continue }
            if arcs.isEmpty { arcs.append(min(arc / 40, 2)) }
            arcs.append(arcs.count == 1 ? arc - 40 * arcs[0] : arc)
            arc = 0
        }
        guard let last = content.last, last & 0x80 == 0 else { return malformedDescription }
        return arcs.map(String.init).joined(separator: ".")
    }

    private var malformedDescription: String {
        "#" + content.hexDigits
    }
}

extension OID: ExpressibleByArrayLiteral {
    package init(arrayLiteral arcs: Int...) {
        self.init(arcs)
    }
}
