internal import VaultCrypto
package import VaultFormat

/// A state that an item had, or has.
package struct PastRevision: Sendable {
    /// Where the rest of it is.
    enum Content: Sendable {
        /// A put of the log or of history.
        case put(Put, ItemMatch)
        /// The snapshot still has it as the current one.
        case snapshot(StoredItem)
    }

    package let name: ItemName
    package let group: GroupEpoch
    package let revision: Revision
    package let itemClass: ItemClass
    package let order: UInt64
    package let dataKey: KeyHandle
    /// The transaction that wrote it, if that is known: an item that is locked does not tell.
    package let written: Moment?
    /// The transaction that superseded or deleted it, if one has.
    package let ended: Moment?
    let content: Content

    /// Whether there were data, which may have been empty.
    package var hasData: Bool {
        switch content {
        case .put(let put, _): !put.secret.isEmpty
        case .snapshot(let item): item.hasData
        }
    }

    /// A transaction, and when it was.
    package struct Moment: Equatable, Sendable {
        package let sequence: UInt64
        package let time: Time
    }
}

/// A place in the past of a vault.
package enum PastPoint: Equatable, Sendable {
    /// After the transaction with this number.
    case sequence(UInt64)
    /// At this time, as the clocks of those who wrote had it.
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
    /// The items, the oldest first.
    package let items: [PastRevision]
    /// Items that are there now and of which it cannot be told since when, because they are locked.
    package let undecided: [ItemName]
    /// Whether nothing that was there then has been dropped since.
    package let isWhole: Bool
}
