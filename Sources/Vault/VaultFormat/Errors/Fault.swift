package import VaultCrypto

/// Why bytes are not a valid structure of the format.
package enum Fault: Error, Equatable, Sendable {
    /// The bytes end before the structure does.
    case tooShort
    /// A reserved byte is not zero.
    case reservedNotZero
    /// A length or offset does not fit the structure around it.
    case badLength
    /// A field has an invalid value.
    case badValue
    /// Padding is missing, too long or not zero.
    case badPadding
    /// Entries that must ascend do not.
    case outOfOrder
    /// Something that must be unique occurs twice.
    case duplicate
    /// Something that another part refers to is missing.
    case missing
    /// A hash or checksum does not match the bytes.
    case hashDiffers
    /// A MAC, a tag or a signature is not genuine.
    case notAuthentic
    /// A key does not match its commitment.
    case commitmentDiffers
    /// Two values that must agree differ.
    case disagrees
    /// Compressing or inflating failed.
    case compression(CompressionError)
    /// An archive is invalid or not canonical.
    case archive
    /// A number exceeds a limit of section 14.
    case limitExceeded(Limit, value: UInt64)
    /// A newer version wrote this.
    case unsupported(UnsupportedFeature)
    /// The cryptography library failed or had no memory.
    case cipher(CipherError)
}

/// A fault and its offset from the start of the structure that is parsed.
package struct LocatedFault: Error, Equatable, Sendable {
    package let fault: Fault
    package let offset: Int

    package init(_ fault: Fault, at offset: Int) {
        self.fault = fault
        self.offset = offset
    }

    /// A fault of the structure as a whole.
    static func atStart(_ fault: Fault) -> LocatedFault { LocatedFault(fault, at: 0) }

    /// The same fault in a structure that begins at `offset` of a larger one.
    func moved(by offset: Int) -> LocatedFault {
        LocatedFault(fault, at: self.offset + offset)
    }
}
