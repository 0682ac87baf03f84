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
