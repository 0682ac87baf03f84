internal import CofferBasics
internal import VaultCrypto

extension Put {
    /// Seals a revision and returns it with its match content.
    ///
    /// `secret` is the sealed secret box of the revision, or empty if the item has no data. Pass `digests` to avoid
    /// computing the digests of `attributes` again.
    package static func sealing(
        _ revision: Revision,
        descent: Descent,
        order: UInt64,
        attributes: ItemAttributes,
        digests: MatchDigests? = nil,
        secret: [UInt8],
        handle: KeyHandle,
        keys: (match: MatchKeys, data: DataKeys)
    ) throws(Fault) -> (put: Put, match: MatchContent) {
        let itemMetadata = try ItemMetadata(attributes)
        let metadata = Box.sealed(
            contentByteCount: itemMetadata.byteCount,
            key: keys.data.metadata,
            associatedData: revision.associatedData(.metadata, keys.data.cipher.vault).span,
            random: keys.data.cipher.random,
            writtenBy: itemMetadata.append
        )
        var put = Put(
            revision: revision,
            descent: descent,
            dataKey: handle,
            match: [],
            metadata: metadata,
            secret: secret
        )
        let match = ItemMatch(
            itemClass: attributes.itemClass,
            flags: MatchFlags(attributes),
            order: order,
            digests: digests ?? MatchDigests(attributes, keys: keys.match)
        )
        let content = put.sealMatch(match, keys: keys.match)
        return (put, content)
    }

    /// Returns the same revision with another descent, and its match content; the other boxes stay as they are.
    package func resealed(
        _ descent: Descent,
        match: ItemMatch,
        keys: MatchKeys
    ) -> (put: Put, match: MatchContent) {
        var put = self
        put.descent = descent
        let content = put.sealMatch(match, keys: keys)
        return (put, content)
    }

    /// Seals the match box, when everything else of the put is final.
    private mutating func sealMatch(_ match: ItemMatch, keys: MatchKeys) -> MatchContent {
        let content = MatchContent(
            itemClass: match.itemClass,
            flags: match.flags,
            order: match.order,
            digests: match.digests,
            recordHash: hash()
        )
        self.match = Box.sealed(
            contentByteCount: MatchContent.byteCount,
            key: keys.match,
            associatedData: revision.associatedData(.match, keys.cipher.vault).span,
            random: keys.cipher.random,
            writtenBy: content.append
        )
        return content
    }

    /// The sealed secret box of a revision.
    package static func sealedSecret(_ content: Span<UInt8>, of revision: Revision, keys: DataKeys) -> [UInt8] {
        Box.sealed(
            contentByteCount: content.count,
            key: keys.secret,
            associatedData: revision.associatedData(.secret, keys.cipher.vault).span,
            random: keys.cipher.random
        ) { $0.append(copying: content) }
    }

    /// The sealed secret box of a revision with `data` in the form `form`.
    package static func sealedSecret(
        _ data: Span<UInt8>,
        form: SecretForm,
        of revision: Revision,
        keys: DataKeys
    ) -> [UInt8] {
        Box.sealed(
            contentByteCount: 1 + data.count,
            key: keys.secret,
            associatedData: revision.associatedData(.secret, keys.cipher.vault).span,
            random: keys.cipher.random
        ) { output in
            output.append(form.rawValue)
            output.append(copying: data)
        }
    }

    /// The match content; its hash must be that of the rest of the record.
    package func openedMatch(keys: MatchKeys) throws(Fault) -> MatchContent {
        var box = match
        var span = box.mutableSpan
        let content = try Box.open(
            &span,
            key: keys.match,
            associatedData: revision.associatedData(.match, keys.cipher.vault).span
        )
        let match = try translating(\LocatedFault.fault, MatchContent(parsing: ByteReader(box, in: content)))
        let hash = hash()
        guard areEqual(hash.span, match.recordHash.span) else { throw .hashDiffers }
        return match
    }

    /// The metadata of the item.
    package func openedMetadata(keys: DataKeys) throws(Fault) -> ItemMetadata {
        let content = try Box.opened(
            metadata.span,
            key: keys.metadata,
            associatedData: revision.associatedData(.metadata, keys.cipher.vault).span
        )
        return try translating(\LocatedFault.fault, ItemMetadata(parsing: consume content))
    }
}

/// Secret boxes, which occur both in records and in sections.
package enum SecretBox {
    /// Opens the secret box of a revision in place and returns the form and the range of the data in it.
    package static func open(
        _ box: inout MutableSpan<UInt8>,
        of revision: Revision,
        keys: DataKeys
    ) throws(Fault) -> (form: SecretForm, content: Range<Int>) {
        let content = try Box.open(
            &box,
            key: keys.secret,
            associatedData: revision.associatedData(.secret, keys.cipher.vault).span
        )
        try Limit.secret.check(content.count, atMost: Limits.secretContentByteCount)
        guard !content.isEmpty, let form = SecretForm(rawValue: box[content.lowerBound]) else { throw .badValue }
        let data = content.lowerBound + 1..<content.upperBound
        if form == .data { try Limit.secret.check(data.count, atMost: Limits.secretByteCount) }
        return (form, data)
    }
}
