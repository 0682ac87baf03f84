internal import VaultCrypto
package import VaultFormat

/// A past or current state of an item.
package struct PastRevision: Sendable {
    /// Where the rest of it is.
    indirect enum Content: Sendable {
        /// A put of the log.
        case put(Put, ItemMatch)
        /// The snapshot has it, as a live revision or a past one.
        case snapshot(StoredItem)
    }

    package let name: ItemName
    package let group: GroupEpoch
    package let revision: Revision
    package let itemClass: ItemClass
    package let order: UInt64
    package let dataKey: KeyHandle
    /// The transaction that wrote it into this copy of the vault, and when it was written first.
    package let written: Moment
    /// The transaction that superseded or deleted it, if any.
    package internal(set) var ended: Moment?
    let content: Content

    /// Whether it had data, which may have been empty.
    package var hasData: Bool {
        switch content {
        case .put(let put, _): !put.secret.isEmpty
        case .snapshot(let item): item.hasData
        }
    }

    /// Whether this revision comes before `other`, one of the same item: live ones first, then the greater one.
    ///
    /// After a merge, a past revision can be greater than the live ones.
    package func isNewer(than other: PastRevision) -> Bool {
        guard (ended == nil) == (other.ended == nil) else { return ended == nil }
        return other.revision.precedes(revision)
    }

    /// The digest of its primary key.
    package var primaryKey: PrimaryKeyDigest {
        switch content {
        case .put(_, let match): match.digests.primaryKey
        case .snapshot(let item): item.digests.primaryKey
        }
    }

    /// Where it was written first.
    var origin: Origin {
        switch content {
        case .put(let put, _): put.provenance.origin
        case .snapshot(let item): item.origin
        }
    }

    /// A transaction, and its time.
    package struct Moment: Equatable, Sendable {
        package let sequence: UInt64
        package let time: Time
    }
}

/// A point in the past of a vault.
package enum PastPoint: Equatable, Sendable {
    /// After the transaction with this number.
    case sequence(UInt64)
    /// At this time, by the clocks of the writers.
    case time(Time)

    /// Whether a transaction had happened by then.
    func includes(_ moment: PastRevision.Moment) -> Bool {
        switch self {
        case .sequence(let sequence): moment.sequence <= sequence
        case .time(let time): moment.time <= time
        }
    }
}

/// What a group held at a point in the past.
package struct PastState: Sendable {
    /// The items, oldest first.
    package let items: [PastRevision]
    /// Whether nothing that existed then has been dropped since.
    package let isComplete: Bool
}

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
        /// An entry of a leaf.
        case snapshot(SnapshotPlace)

        init(of entry: MatchEntry) {
            self =
                if case .frame(let place) = entry.tail {
                    .frame(place)
                } else {
                    .snapshot(
                        SnapshotPlace(metadata: entry.metadata, dictionary: entry.dictionary, secret: entry.secret)
                    )
                }
        }
    }

    /// Where the boxes of an item are in its section.
    struct SnapshotPlace: Equatable, Sendable {
        let metadata: SectionPart
        /// The number of the dictionary with which the metadata are deflated, from 1; 0 if they are not.
        let dictionary: Int
        let secret: SectionPart?

        var sizes: BoxSizes { BoxSizes(metadata: metadata.byteCount, secret: secret?.byteCount ?? 0) }
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
    /// The transaction that wrote it into this copy of the vault, and when it was written first.
    package let written: PastRevision.Moment
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
    var match: ItemMatch {
        ItemMatch(itemClass: itemClass, flags: flags, order: order, written: written.time, digests: digests)
    }
}
