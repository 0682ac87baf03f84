internal import VaultCrypto
package import VaultFormat

/// An item as it was found: enough to identify it, while its attributes and data stay sealed.
///
/// It may be kept for any time. Reading the attributes or data throws if the item has changed or is gone.
package struct StoredItem: Equatable, Sendable {
    /// Where the rest of the item is.
    enum Place: Equatable, Sendable {
        /// A put of the log, by its number in the log.
        case log(Int)
        /// A put of a frame that only the index of the log names.
        case frame(FramePlace)
        /// An entry of a digest page.
        case snapshot(BlockPlace, secret: SectionPart?)
    }

    package let name: ItemName
    package let group: GroupEpoch
    package let revision: Revision
    /// Where the revision was written first.
    let origin: Origin
    package let itemClass: ItemClass
    package let flags: MatchFlags
    /// The creation order: the item with the lower number is older.
    package let order: UInt64
    package let dataKey: KeyHandle
    package let protection: ProtectionClass
    /// Whether the item can be read here.
    package let presence: Keyring.Presence
    /// Whether it has data, which may be empty.
    package let hasData: Bool
    package let digests: MatchDigests
    let place: Place
    /// The generation to which the place refers.
    let generation: GenerationMark

    /// The values by which it was found.
    var match: ItemMatch { ItemMatch(itemClass: itemClass, flags: flags, order: order, digests: digests) }
}
