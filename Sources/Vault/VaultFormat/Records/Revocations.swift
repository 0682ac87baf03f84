internal import CofferBasics
internal import VaultCrypto

/// Section 8.7: who lost access to a vault, and in which groups keys were renewed for that.
package struct Revocations: Equatable, Sendable {
    /// Those who can lose access.
    package enum Kind: UInt8, Sendable {
        case grant = 1
        case device = 2
        case recipient = 3
    }

    /// Somebody who lost access, and a group whose keys they had.
    private struct Entry: Hashable {
        /// The group; `none` stands for all groups.
        let group: GroupID
        /// The kind, and the id of the grant or the removal.
        let holder: [UInt8]

        var bytes: [UInt8] { group.bytes + holder }
    }

    private static let entryByteCount = 29
    /// With more, the earliest are dropped, but for the newest of each group: a copy that lacks them lacks that, too.
    private static let mostEntries = 1_024

    /// The epoch of the keys that were renewed, of each entry.
    private var epochs: [Entry: UInt32] = [:]

    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { epochs.isEmpty }

    /// Whether a grant was revoked or has expired.
    package var hasGrants: Bool { epochs.keys.contains { $0.holder[0] == Kind.grant.rawValue } }

    /// Whether this grant was revoked or has expired: one that was issued again, under the same id, is another one.
    package func has(_ grant: GrantTerms) -> Bool {
        let holder = [Kind.grant.rawValue] + Self.id(of: grant)
        return epochs.keys.contains { $0.holder == holder }
    }

    private static func id(of grant: GrantTerms) -> [UInt8] {
        var input = grant.id.bytes
        input.append(littleEndian: UInt64(bitPattern: grant.created.microseconds))
        return Label.revoked.hash(16, input)
    }

    /// Notes that the keys of the groups of a grant were renewed to end it.
    package mutating func insert(_ grant: GrantTerms, epoch: UInt32) {
        for group in grant.groups { insert(.grant, Self.id(of: grant), of: group, epoch: epoch) }
    }

    /// Notes that keys of a group, or of all groups if it is `none`, were renewed to end somebody's access.
    package mutating func insert(_ kind: Kind, _ id: [UInt8], of group: GroupID, epoch: UInt32) {
        epochs[Entry(group: group, holder: [kind.rawValue] + id)] = epoch
    }

    package mutating func formUnion(_ other: Revocations) {
        epochs.merge(other.epochs, uniquingKeysWith: max)
    }

    /// Whether all entries of `other` are here, whatever their epochs.
    package func isSuperset(of other: Revocations) -> Bool { other.epochs.keys.allSatisfy { epochs[$0] != nil } }

    /// The revocations that concern one of some groups.
    package func concerning(_ groups: Set<GroupID>) -> Revocations {
        var concerned = self
        concerned.epochs = epochs.filter { $0.key.group == .none || groups.contains($0.key.group) }
        return concerned
    }

    /// Whether all who lost access by `other` lost it by these revocations, in whatever group.
    package func know(_ other: Revocations) -> Bool {
        let known = Set(epochs.keys.map(\.holder))
        return other.epochs.keys.allSatisfy { known.contains($0.holder) }
    }

    // MARK: - Bytes

    /// The entries in ascending order, each with its epoch.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (entry, epoch) in Self.ordered(bounded) {
            bytes += entry.bytes
            bytes.append(littleEndian: epoch)
        }
        return bytes
    }

    private static func ordered(_ epochs: [Entry: UInt32]) -> [(key: Entry, value: UInt32)] {
        epochs.map { (bytes: $0.key.bytes, entry: $0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            .map(\.entry)
    }

    /// As many entries as are written.
    private var bounded: [Entry: UInt32] {
        guard epochs.count > Self.mostEntries else { return epochs }
        let newest = Dictionary(epochs.map { ($0.key.group, $0.value) }, uniquingKeysWith: max)
        let needed = epochs.filter { newest[$0.key.group] == $0.value }
        if needed.count > Self.mostEntries, newest.count > 1 {
            // No group is forgotten, but the revocations hold for all.
            var all = Revocations()
            for (entry, epoch) in epochs {
                let entry = Entry(group: .none, holder: entry.holder)
                all.epochs[entry] = max(all.epochs[entry] ?? 0, epoch)
            }
            return all.bounded
        }
        let others = Self.ordered(epochs.filter { needed[$0.key] == nil }).sorted { $0.value > $1.value }
        let kept = (Self.ordered(needed) + others).prefix(Self.mostEntries)
        return Dictionary(kept.map { ($0.key, $0.value) }) { $1 }
    }

    /// Returns nil if `bytes` are not the bytes of revocations.
    package init?(bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: Self.entryByteCount), bytes.count <= Self.mostEntries * Self.entryByteCount
        else { return nil }
        var reader = ByteReader(bytes)
        do throws(Fault) {
            while reader.remainingByteCount > 0 {
                let entry = Entry(group: try reader.readShortIdentifier(), holder: try reader.readBytes(17))
                epochs[entry] = try reader.read()
            }
        } catch {
            return nil
        }
        guard self.bytes == bytes else { return nil }
    }
}
