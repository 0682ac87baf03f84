internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// The records that a transaction writes.
extension Transaction {
    /// Returns the data of an item after a change, sealed for its next revision.
    mutating func box(
        _ change: SecretChange,
        of item: StoredItem,
        as revision: Revision,
        _ passwords: ApplicationPasswords,
        _ keys: ItemKeys
    ) throws -> [UInt8] {
        switch change {
        case .remove: return []
        case .replace(let bytes): return try sealed(bytes, of: revision, passwords.next, keys)
        case .keep: return try sealed(vault.secret(of: item), of: revision, passwords, keys)
        }
    }

    /// Returns the data of an item, sealed for its next revision.
    func sealed(
        _ data: Span<UInt8>?,
        form: SecretForm = .data,
        of revision: Revision,
        _ password: ApplicationPasswordKey?,
        _ keys: ItemKeys
    ) throws -> [UInt8] {
        guard let data else { return [] }
        // Other forms have bytes of their own.
        guard form != .data || data.count <= Limits.secretByteCount else {
            throw StoreError.refused(.limitExceeded(.secret, value: UInt64(data.count)))
        }
        guard let password else { return Put.sealedSecret(data, form: form, of: revision, keys: keys.data) }
        let content = try password.sealed(data, form: form, of: revision, cipher: cipher)
        return Put.sealedSecret(content.span, form: .applicationPassword, of: revision, keys: keys.data)
    }

    /// Returns the data of an item, sealed for another revision or under another key.
    func sealed(
        _ secret: consuming Secret?,
        of revision: Revision,
        _ passwords: ApplicationPasswords,
        _ keys: ItemKeys
    ) throws -> [UInt8] {
        guard let opened = try secret.opened(withIfNeeded: passwords.current) else { return [] }
        let form = opened.form
        return try opened.withBytes { data in
            try sealed(data, form: form, of: revision, passwords.next, keys)
        }
    }

    /// Returns the place of the next revision in a group.
    mutating func nextPlace(in group: GroupID) throws -> UInt64 {
        try vault.loadSeen(of: group)
        let place = vault.seen.nextPlace(of: writer, in: group, at: time, after: newestPlace)
        guard place < Origin.placeLimit else { throw StoreError.refused(.outOfOrder) }
        return place
    }

    mutating func put(
        _ revision: Revision,
        replacing replaced: Revision?,
        _ attributes: ItemAttributes,
        _ digests: MatchDigests,
        secret: [UInt8],
        order: UInt64,
        written: Time? = nil,
        isNew: Bool = false,
        isPast: Bool = false,
        _ keys: ItemKeys
    ) throws {
        if let replaced { try checkLive(replaced, of: ItemName(group: keys.group.group, item: revision.item)) }
        newestPlace = try nextPlace(in: keys.group.group)
        let provenance = Provenance(
            origin: Origin(writer: writer, place: newestPlace),
            previousPlace: vault.seen[keys.group.group][writer],
            replacedSalt: replaced?.salt ?? 0,
            isPast: isPast
        )
        let (put, content) = try Put.sealing(
            revision,
            provenance: provenance,
            order: order,
            written: written ?? time,
            attributes: attributes,
            digests: digests,
            secret: secret,
            handle: keys.handle,
            keys: (match: keys.match, data: keys.data)
        )
        let name = ItemName(group: keys.group.group, item: revision.item)
        try append(put, ItemMatch(content), about: name, isNew: isNew, in: keys.group)
    }

    mutating func append(
        _ put: Put,
        _ match: ItemMatch,
        about name: ItemName,
        isNew: Bool = false,
        in group: GroupEpoch
    ) throws {
        let live = isNew ? LiveRevisions() : try vault.live(of: name)
        let number = try append(.put(put))
        formerStates.append((name, vault.apply(put, number, match, about: name, live: live, epoch: group.epoch)))
    }

    mutating func append(_ delete: Delete, about name: ItemName) throws {
        let live = try vault.live(of: name)
        let (number, ended) = (try append(.delete(delete)), live[salt: delete.revision.salt])
        formerStates.append((name, vault.log.count(number, about: name, adding: nil, ending: ended, live: live)))
    }

    /// Adds a record, which the vault has from now on, and returns its number in the log.
    @discardableResult
    mutating func append(_ record: Record) throws -> Int {
        let place = RecordPlace.frame(sequence: sequence, record: records.count)
        try vault.log.append(record, at: place, sequence: sequence, time: time)
        records.append(record)
        return vault.log.entries.count - 1
    }
}
