internal import VaultFormat
internal import VaultStore

extension Authentication {
    /// Whether a past revision may be read, by its own access control, and by that of the item as it is now; false if it
    /// is to be left out.
    ///
    /// Its application password is needed only for its data, unless there is no later revision.
    func allows(
        _ past: PastRevision,
        _ attributes: ItemAttributes,
        forData isForData: Bool = false,
        in vault: inout OpenGeneration
    ) throws -> Bool {
        guard try vault.hasConditions() else { return true }
        let current = try vault.currentItem(past.name)
        if let current, current.revision != past.revision, current.flags.contains(.hasConditions) {
            guard try allows(current, in: &vault) else { return false }
        }
        let isLast = current == nil || current?.revision == past.revision
        return try allows(attributes, isLast || isForData ? vault.sealedSecret(of: past, attributes) : nil)
    }

    /// Throws unless a past revision may be read.
    func check(
        _ past: PastRevision,
        _ attributes: ItemAttributes,
        forData isForData: Bool = false,
        in vault: inout OpenGeneration
    ) throws {
        guard try allows(past, attributes, forData: isForData, in: &vault) else {
            throw KeychainError.authenticationRequired
        }
    }

    private func allows(_ item: StoredItem, in vault: inout OpenGeneration) throws -> Bool {
        let attributes = try vault.attributes(of: item)
        return try allows(attributes, vault.sealedSecret(of: item, attributes))
    }

    /// Returns the data of a past revision, if it may be read; nil if it has none.
    func checkedSecret(
        of past: PastRevision,
        in vault: inout OpenGeneration
    ) throws -> Secret? {
        let attributes = try KeychainError.ofPast { try vault.attributes(of: past) }
        try check(past, attributes, forData: true, in: &vault)
        return try KeychainError.ofPast { try secret(of: past, in: &vault) }
    }
}

extension OpenGeneration {
    /// Whether there is, or was, an item whose access control has conditions.
    fileprivate mutating func hasConditions() throws -> Bool {
        for group in groupNames.keys {
            if try flags(of: group).contains(.hasConditions) { return true }
        }
        return false
    }
}
