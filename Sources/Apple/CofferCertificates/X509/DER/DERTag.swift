internal import CofferBasics

/// The tag of an element: its class, its number, and whether it is constructed, that is, contains other elements.
package struct DERTag: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let boolean = DERTag(rawValue: 0x01)
    package static let integer = DERTag(rawValue: 0x02)
    package static let bitString = DERTag(rawValue: 0x03)
    package static let octetString = DERTag(rawValue: 0x04)
    package static let null = DERTag(rawValue: 0x05)
    package static let objectIdentifier = DERTag(rawValue: 0x06)
    package static let utf8String = DERTag(rawValue: 0x0C)
    package static let printableString = DERTag(rawValue: 0x13)
    package static let t61String = DERTag(rawValue: 0x14)
    package static let videotexString = DERTag(rawValue: 0x15)
    package static let ia5String = DERTag(rawValue: 0x16)
    package static let utcTime = DERTag(rawValue: 0x17)
    package static let generalizedTime = DERTag(rawValue: 0x18)
    package static let visibleString = DERTag(rawValue: 0x1A)
    package static let generalString = DERTag(rawValue: 0x1B)
    package static let universalString = DERTag(rawValue: 0x1C)
    package static let bmpString = DERTag(rawValue: 0x1E)
    package static let sequence = DERTag(rawValue: 0x30)
    package static let set = DERTag(rawValue: 0x31)

    /// Returns the context-specific tag of a primitive element; `number` is at most 30.
    package static func context(_ number: UInt8) -> DERTag { DERTag(rawValue: 0x80 | number) }

    /// Returns the context-specific tag of a constructed element; `number` is at most 30.
    package static func contextConstructed(_ number: UInt8) -> DERTag { DERTag(rawValue: 0xA0 | number) }

    /// The number; 31 means that it is in the following bytes.
    package var number: UInt8 { rawValue & 0x1F }
}

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
