internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Where a revision is that a rewrite takes over.
struct RevisionSource: Hashable, Sendable {
    enum Kind {
        /// An entry of a leaf of a section that is open.
        case leaf(section: Int, list: PageList, leaf: Int, number: Int)
        /// A put of the log.
        case put(Int)
        /// A revision of another copy.
        case foreign(Int)
    }

    // A million of them are in memory.
    private let number: UInt64

    private static let putBits: UInt64 = 2
    private static let foreignBits: UInt64 = 3

    init(_ kind: Kind) {
        number =
            switch kind {
            case .leaf(let section, let list, let leaf, let number):
                UInt64(section) << 40 | UInt64(leaf) << 8 | UInt64(number) << 2 | (list == .past ? 1 : 0)
            case .put(let put): UInt64(put) << 2 | Self.putBits
            case .foreign(let foreign): UInt64(foreign) << 2 | Self.foreignBits
            }
    }

    var kind: Kind {
        switch number & 3 {
        case Self.putBits: .put(Int(number >> 2))
        case Self.foreignBits: .foreign(Int(number >> 2))
        default:
            .leaf(
                section: Int(number >> 40),
                list: number & 1 == 1 ? .past : .live,
                leaf: Int(number >> 8 & 0xFFFF_FFFF),
                number: Int(number >> 2 & 63)
            )
        }
    }
}

/// A revision that a rewrite takes over, as it is sealed.
struct SealedRevision: Sendable {
    var entry: MatchEntry
    var handle: KeyHandle
    var metadata: [UInt8]
    /// Empty if the item has no data.
    var secret: [UInt8]
    /// The dictionary with which the metadata are deflated.
    var dictionary: DictionaryID?

    /// What the data key of the item opens of it.
    func openedMetadata(_ dictionary: MetadataDictionary?, keys: DataKeys) throws(Fault) -> ItemMetadata {
        try ItemMetadata(opening: metadata.span, of: entry.revision, dictionary: dictionary, keys: keys)
    }
}
