package import VaultCrypto

/// What is wrong with bytes that claim to be a structure of the format.
package enum Fault: Error, Equatable, Sendable {
    /// The bytes end before the structure does.
    case tooShort
    /// A reserved byte is not zero.
    case reservedNotZero
    /// A length, or a place, does not fit what it lies in.
    case badLength
    /// A field has a value that it cannot have here.
    case badValue
    /// Padding is missing, too much, or not zero.
    case badPadding
    /// What must ascend does not.
    case outOfOrder
    /// What must be unique is there twice.
    case duplicate
    /// Something that something else refers to is not there.
    case missing
    /// A hash or checksum is not that of the bytes.
    case hashDiffers
    /// A MAC, a tag or a signature is not genuine.
    case notAuthentic
    /// A key is not the one that was committed to.
    case commitmentDiffers
    /// Two places that must say the same do not.
    case disagrees
    /// The compressed bytes are not what they should be.
    case compression(CompressionError)
    /// An archive cannot be read.
    case archive
    /// A number is beyond a limit of section 14.
    case limitExceeded(Limit, value: UInt64)
    /// A newer version made this.
    case unsupported(UnsupportedFeature)
    /// The memory that a key needs was not to be had.
    case cipher(CipherError)
}

/// A fault, and where it lies, counted from the start of the structure that is parsed.
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
