internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// A live revision, by its digest in the new file.
struct LiveCandidate: Sendable {
    let digest: PrimaryKeyDigest
    let source: RevisionSource
}

/// A past revision, and what decides whether it is kept.
struct PastCandidate: Sendable {
    let source: RevisionSource
    let revision: Revision
    let ended: Run.Ending
    let byteCount: Int
}

/// What goes into a section of the new file.
struct SectionPlan {
    let group: GroupEpoch
    var live: [LiveCandidate] = []
    var past: [PastCandidate] = []
    /// Those that are kept, of each item the newest first.
    var kept: [[PastCandidate]] = []
    /// The dictionaries that copied revisions need.
    var dictionaries: Set<DictionaryID> = []
    /// How many live revisions an item has that may have several.
    var contested: [ItemID: Int] = [:]
    /// The live revisions by their data keys in the new file.
    var samples: [KeyHandle: DictionarySamples] = [:]

    init(_ group: GroupEpoch) { self.group = group }
}

/// Some of the items of a data key, chosen at random, of whose metadata a dictionary is made.
struct DictionarySamples {
    private(set) var count = 0
    /// The revisions with the least salts, which are random: up to twice as many as are needed.
    private(set) var sources: [(source: RevisionSource, salt: UInt64)] = []

    private static let mostSamples = 8
    /// With so many items, a dictionary of the most samples pays.
    static let manyItems = 64

    mutating func note(_ source: RevisionSource, salt: UInt64) {
        count += 1
        let isFull = sources.count == 2 * Self.mostSamples
        if isFull, let last = sources.last, salt >= last.salt { return }
        if isFull { sources.removeLast() }
        sources.append((source, salt))
        sources.sort { $0.salt < $1.salt }
    }

    /// Returns as many of the metadata as pay for the number of items; each costs as much as it saves of some items.
    ///
    /// An archive ends with the offsets of its objects, which repeat those of an archive whose texts are as long.
    func chosen(of metadata: [ItemMetadata]) -> [ItemMetadata] {
        guard count > 1 else { return [] }
        var lengths: Set<Int> = []
        var chosen: [ItemMetadata] = []
        var others: [ItemMetadata] = []
        for metadata in metadata {
            if lengths.insert(metadata.byteCount).inserted { chosen.append(metadata) } else { others.append(metadata) }
        }
        return Array((chosen + others).prefix(count < Self.manyItems ? 1 + count / 16 : Self.mostSamples))
    }
}

/// What the log says about the items of a group that a rewrite folds in.
struct FoldedGroup {
    /// The puts that are live.
    var puts: [Int] = []
    /// The puts that have ended or are past.
    var endedPuts: [(put: Int, ended: Run.Ending)] = []
    /// What ended revisions of the snapshot.
    var endedEntries: [EntryName: Run.Ending] = [:]

    /// What the whole log says, by group.
    static func groups(of vault: OpenGeneration) -> [GroupID: FoldedGroup] {
        var groups: [GroupID: FoldedGroup] = [:]
        let log = vault.wholeLog
        for (name, state) in log.items {
            let puts = state.live.all.compactMap(\.put)
            if !puts.isEmpty { groups[name.group, default: FoldedGroup()].puts += puts }
        }
        for (number, entry) in log.entries.enumerated() where entry.standing == .valid {
            guard let name = vault.name(of: entry.record) else { continue }
            let ending = Run.Ending(sequence: entry.sequence, time: entry.time)
            if case .put(let put) = entry.record, put.provenance.isPast {
                groups[name.group, default: FoldedGroup()].endedPuts.append((number, ending))
            }
            guard let ended = log.ended(byEntry: number) else { continue }
            if let put = ended.put {
                groups[name.group, default: FoldedGroup()].endedPuts.append((put, ending))
            } else {
                let entry = EntryName(item: name.item, salt: ended.salt, epoch: ended.epoch)
                groups[name.group, default: FoldedGroup()].endedEntries[entry] = ending
            }
        }
        return groups
    }
}

/// The name of an entry of a live leaf.
struct EntryName: Hashable {
    let item: ItemID
    let salt: UInt64
    let epoch: UInt32
}

extension OpenGeneration {
    /// Returns the item that a put or delete is about.
    func name(of record: Record) -> ItemName? {
        guard let item = record.item, let group = group(of: record) else { return nil }
        return ItemName(group: group.group, item: item)
    }

    /// Returns the group and epoch of a put, delete or seen record: of a put, those of its data key.
    func group(of record: Record) -> GroupEpoch? {
        switch record {
        case .put(let put): keyring.dataKeyEntries[put.dataKey]?.group
        case .delete(let delete): delete.group
        case .seen(let seen): seen.group
        case .key, .settings, .unknown, .malformed: nil
        }
    }

    /// Whether the log leaves a revision of the snapshot live.
    func keeps(_ revision: Revision, of group: GroupEpoch) -> Bool {
        guard let state = wholeLog.items[ItemName(group: group.group, item: revision.item)] else { return true }
        return state.live.all.contains { $0.isEntry(revision, of: group) }
    }
}
