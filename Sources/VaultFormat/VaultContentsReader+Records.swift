extension VaultContentsReader {
    /// Applies one record of the log or of a run; one that is not valid is noted and changes nothing.
    mutating func apply(
        _ record: Record,
        at place: VaultContents.Place,
        sequence: UInt64,
        time: Time
    ) throws(VaultFormatError) {
        do throws(RecordProblem) {
            switch record {
            case .put(let put): try apply(put, sequence: sequence, time: time)
            case .delete(let delete): try apply(delete)
            case .key(let entry): try apply(entry)
            case .settings(let body): try check(settings: body)
            case .unknown: break
            case .malformed(_, let error): throw .invalid(error.fault)
            }
        } catch {
            switch error {
            case .invalid(let fault): contents.failures.append(.init(place: place, fault: fault))
            case .vault(let error): throw error
            }
        }
    }

    private mutating func apply(_ put: Put, sequence: UInt64, time: Time) throws(RecordProblem) {
        guard let key = opening.keyring.dataKeyEntries[put.dataKey] else { return }
        let presence = opening.keyring.presence(of: put.dataKey)
        guard let matchKeys = try keys({ () throws(VaultFormatError) in try matchKeys(of: key.group) }) else { return }
        let vault = vault
        let match = try valid { () throws(Fault) in
            try put.openedMatch(keys: matchKeys, vault: vault, suite: suite)
        }
        let name = VaultContents.Name(group: key.group.group, item: put.revision.item)
        try checkSuccession(of: put.revision, name: name)

        var item = VaultContents.Item(
            revision: put.revision,
            group: key.group,
            dataKey: put.dataKey,
            protection: key.protection,
            isOfOtherDevice: presence == .otherDevice,
            match: .init(match),
            sequence: sequence,
            time: time,
            attributes: nil,
            secretBox: put.secret
        )
        if let dataKeys = try keys({ () throws(VaultFormatError) in try dataKeys(of: put.dataKey) }) {
            let metadata = try valid { () throws(Fault) in
                try put.openedMetadata(keys: dataKeys, vault: vault, suite: suite)
            }
            item.attributes = try valid { () throws(Fault) in
                try metadata.attributes(matching: item.match, keys: matchKeys, suite: suite)
            }
            try valid { () throws(Fault) in
                try translating(\.fault) { () throws(SecretFault) in try checkSecret(of: item, keys: dataKeys) }
            }
        }
        contents.items[name] = item
        try valid { () throws(Fault) in try Limit.items.check(contents.items.count, atMost: Limits.itemCount) }
    }

    private func checkSuccession(of revision: Revision, name: VaultContents.Name) throws(RecordProblem) {
        if let current = contents.items[name], current.revision.number >= revision.number {
            throw .invalid(.outOfOrder)
        }
    }

    private mutating func apply(_ delete: Delete) throws(RecordProblem) {
        guard let matchKeys = try keys({ () throws(VaultFormatError) in try matchKeys(of: delete.group) }) else {
            return
        }
        guard delete.isAuthentic(keys: matchKeys, vault: vault, suite: suite) else { throw .invalid(.notAuthentic) }
        let name = VaultContents.Name(group: delete.group.group, item: delete.revision.item)
        guard let item = contents.items[name], item.group == delete.group else { return }
        guard item.revision.number < delete.revision.number else { throw .invalid(.outOfOrder) }
        contents.items[name] = nil
    }

    private mutating func apply(_ entry: KeybagEntry) throws(RecordProblem) {
        do throws(Fault) {
            try opening.append(entry)
        } catch {
            if case .cipher(let error) = error { throw .vault(VaultFormatError(error)) }
            throw .invalid(error)
        }
    }

    /// Settings count only for who has the user root: others cannot tell whose team key it is.
    private func check(settings body: [UInt8]) throws(RecordProblem) {
        guard opening.keyring.isOwner else { return }
        try valid { () throws(Fault) in
            _ = try Settings(body: body, teamKey: opening.teamKey, vault: vault, suite: suite)
        }
    }

    // MARK: - Items

    /// Throws unless the secret of `item`, if it has one, opens and is what its form demands.
    func checkSecret(of item: VaultContents.Item, keys: DataKeys<Suite>) throws(SecretFault) {
        let box = item.secretBox
        guard !box.isEmpty else { return }
        try suite.withSecretBytes(byteCount: box.count) { bytes throws(SecretFault) in
            for index in box.indices { bytes[index] = box[index] }
            let form: SecretForm
            let content: Range<Int>
            do throws(Fault) {
                (form, content) = try SecretBox.open(
                    &bytes,
                    of: item.revision,
                    keys: keys,
                    vault: vault,
                    suite: suite
                )
            } catch {
                throw .box(error)
            }
            do throws(Fault) {
                try SecretContent.check(bytes.span.extracting(content), form: form)
            } catch {
                throw .content(error)
            }
        }
    }
}

/// What is wrong with a secret: the box itself, or what lies in it.
enum SecretFault: Error {
    case box(Fault)
    case content(Fault)

    var fault: Fault {
        switch self {
        case .box(let fault), .content(let fault): fault
        }
    }
}

extension VaultContents.Match {
    package init(_ content: MatchContent) {
        self.init(
            itemClass: content.itemClass,
            flags: content.flags,
            order: content.order,
            digests: content.digests
        )
    }
}

/// Why a record does not count, or why reading cannot go on at all.
private enum RecordProblem: Error {
    case invalid(Fault)
    case vault(VaultFormatError)
}

/// Runs `body`; what is wrong concerns one record.
private func valid<Result>(_ body: () throws(Fault) -> Result) throws(RecordProblem) -> Result {
    do throws(Fault) {
        return try body()
    } catch {
        if case .cipher(let error) = error { throw .vault(VaultFormatError(error)) }
        throw .invalid(error)
    }
}

/// Runs `body`; what is wrong concerns the vault.
private func keys<Result>(_ body: () throws(VaultFormatError) -> Result) throws(RecordProblem) -> Result {
    try translating(RecordProblem.vault, body)
}
