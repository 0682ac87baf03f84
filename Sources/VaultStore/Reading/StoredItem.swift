internal import VaultCrypto
package import VaultFormat

/// An item as it was found: enough to tell it from others, while its attributes and data stay sealed.
///
/// It may be kept as long as one likes. Who asks for its attributes or data when the item has become another one, or is
/// gone, is told so.
package struct StoredItem: Equatable, Sendable {
    /// Where the rest of the item is.
    enum Place: Equatable, Sendable {
        /// A put of the log, by its number in it.
        case log(Int)
        /// An entry of a digest page.
        case snapshot(BlockPlace, secret: SectionPart?)
    }

    package let name: ItemName
    package let group: GroupEpoch
    package let revision: Revision
    package let itemClass: ItemClass
    package let flags: MatchFlags
    /// Which item is older: the one with the lower number.
    package let order: UInt64
    package let dataKey: KeyHandle
    package let protection: ProtectionClass
    /// Whether the item can be read here.
    package let presence: Keyring.Presence
    /// Whether there are data, which may be empty.
    package let hasData: Bool
    package let digests: MatchDigests
    let place: Place
    /// The generation that the place is in.
    let generation: GenerationMark
}
