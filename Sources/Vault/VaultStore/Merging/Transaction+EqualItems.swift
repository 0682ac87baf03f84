internal import CofferBasics
internal import VaultFormat

// Two machines that add the same, for example by importing one file, make two items with one primary key.
extension Transaction {
    /// Deletes the items of a group that say what the item that VF-72 names says, their dates aside.
    ///
    /// Copies that both do this agree, since the same one is named in both. An item stays if its data or that of the
    /// named one cannot be read here, or if it has conflicts.
    ///
    /// - Returns: The items that stay of those with one primary key, and the deleted ones.
    mutating func deleteEqualItems(
        in group: GroupID
    ) throws -> [(kept: [ItemID], deleted: [ItemID])] {
        var found: [(kept: [ItemID], deleted: [ItemID])] = []
        for duplicates in try vault.versions(in: vault.items(in: group)) {
            var (kept, deleted) = ([duplicates[0].name.item], [ItemID]())
            for item in duplicates.dropFirst() {
                if try vault.areEqual(item, duplicates[0]), try vault.live(of: item.name).all.count == 1 {
                    try delete(item)
                    deleted.append(item.name.item)
                } else {
                    kept.append(item.name.item)
                }
            }
            found.append((kept, deleted))
        }
        return found
    }
}

extension OpenGeneration {
    /// Whether two items can both be read, and have the same attributes, data and protection, their dates aside.
    fileprivate mutating func areEqual(_ one: StoredItem, _ other: StoredItem) throws -> Bool {
        let entries = opening.keyring.dataKeyEntries
        guard one.presence == .readable, other.presence == .readable, one.protection == other.protection,
            entries[one.dataKey]?.owner == entries[other.dataKey]?.owner, one.hasData == other.hasData
        else { return false }
        do {
            guard try attributes(of: one).areSame(as: attributes(of: other), except: ["cdat", "mdat"]) else {
                return false
            }
            return try secret(of: one).isSame(as: secret(of: other))
        } catch {
            // A damaged item stays, since it is unknown what it says.
            switch error {
            case StoreError.locked, StoreError.invalidItem: return false
            default:
                guard error.isAboutSnapshot else { throw error }
                return false
            }
        }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// Whether the data is readable and the same; that under an application password is not.
    fileprivate consuming func isSame(as other: consuming Secret?) -> Bool {
        switch consume self {
        case .none: true
        case .some(let secret):
            switch consume other {
            case .none: false
            case .some(let other):
                secret.form != .applicationPassword && secret.form == other.form
                    && secret.withBytes { one in other.withBytes { one.isSame(as: $0) } }
            }
        }
    }
}
