internal import KeyedArchive

extension Put {
    /// Seals a revision, and tells how it is found.
    ///
    /// `secret` is its sealed secret box, or empty if the item has no data. Who has computed the digests of `attributes`
    /// already hands them in.
    package static func sealing<Suite: CipherSuite>(
        _ revision: Revision,
        order: UInt64,
        attributes: ItemAttributes,
        digests: MatchDigests? = nil,
        secret: [UInt8],
        handle: KeyHandle,
        keys: (match: MatchKeys<Suite>, data: DataKeys<Suite>),
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> (put: Put, match: MatchContent) {
        let itemMetadata = try ItemMetadata(attributes)
        let metadata = Box.sealed(
            contentByteCount: itemMetadata.byteCount,
            key: keys.data.metadata,
            associatedData: revision.associatedData(part: .metadata, vault: vault),
            suite: suite,
            writtenBy: itemMetadata.append
        )
        var put = Put(revision: revision, dataKey: handle, match: [], metadata: metadata, secret: secret)
        let content = MatchContent(
            itemClass: attributes.itemClass,
            flags: MatchFlags(attributes),
            order: order,
            digests: digests ?? MatchDigests(attributes, keys: keys.match, suite: suite),
            recordHash: put.hash(suite: suite)
        )
        put.match = Box.sealed(
            contentByteCount: MatchContent.byteCount,
            key: keys.match.match,
            associatedData: revision.associatedData(part: .match, vault: vault),
            suite: suite,
            writtenBy: content.append
        )
        return (put, content)
    }

    /// The secret box of a revision.
    package static func sealedSecret<Suite: CipherSuite>(
        _ content: Span<UInt8>,
        of revision: Revision,
        keys: DataKeys<Suite>,
        vault: VaultID,
        suite: Suite
    ) -> [UInt8] {
        Box.sealed(
            content,
            key: keys.secret,
            associatedData: revision.associatedData(part: .secret, vault: vault),
            suite: suite
        )
    }

    /// The secret box of a revision whose data are `data`, in the form `form`.
    package static func sealedSecret<Suite: CipherSuite>(
        _ data: Span<UInt8>,
        form: SecretForm,
        of revision: Revision,
        keys: DataKeys<Suite>,
        vault: VaultID,
        suite: Suite
    ) -> [UInt8] {
        Box.sealed(
            contentByteCount: 1 + data.count,
            key: keys.secret,
            associatedData: revision.associatedData(part: .secret, vault: vault),
            suite: suite
        ) { output in
            output.append(form.rawValue)
            output.append(copying: data)
        }
    }

    /// How the item is found; the rest of the record must be what it was sealed with.
    package func openedMatch<Suite: CipherSuite>(
        keys: MatchKeys<Suite>,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> MatchContent {
        var box = match
        var span = box.mutableSpan
        let content = try Box.open(
            &span,
            key: keys.match,
            associatedData: revision.associatedData(part: .match, vault: vault),
            suite: suite
        )
        let match = try translating(\.fault) { () throws(LocatedFault) in
            try MatchContent(parsing: ByteReader(box, in: content))
        }
        let hash = hash(suite: suite)
        guard suite.areEqual(hash.span, match.recordHash.span) else { throw .hashDiffers }
        return match
    }

    /// What is known about the item beside its data.
    package func openedMetadata<Suite: CipherSuite>(
        keys: DataKeys<Suite>,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> ItemMetadata {
        try Box.opened(
            metadata.span,
            key: keys.metadata,
            associatedData: revision.associatedData(part: .metadata, vault: vault),
            suite: suite
        ).wipedAfter { content throws(Fault) in
            try translating(\.fault) { () throws(LocatedFault) in
                var reader = ByteReader(content)
                return try ItemMetadata(parsing: &reader)
            }
        }
    }
}

/// Secret boxes, which lie in records and in sections alike.
package enum SecretBox {
    /// Opens the secret box of a revision in place, and tells where in it the data lie and in which form.
    package static func open<Suite: CipherSuite>(
        _ box: inout MutableSpan<UInt8>,
        of revision: Revision,
        keys: DataKeys<Suite>,
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> (form: SecretForm, content: Range<Int>) {
        let content = try Box.open(
            &box,
            key: keys.secret,
            associatedData: revision.associatedData(part: .secret, vault: vault),
            suite: suite
        )
        try Limit.secret.check(content.count, atMost: Limits.secretContentByteCount)
        guard !content.isEmpty, let form = SecretForm(rawValue: box[content.lowerBound]) else { throw .badValue }
        let data = content.lowerBound + 1..<content.upperBound
        if form == .data { try Limit.secret.check(data.count, atMost: Limits.secretByteCount) }
        return (form, data)
    }
}
