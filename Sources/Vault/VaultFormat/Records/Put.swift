internal import CofferBasics
internal import VaultCrypto

/// Section 8.1: a sealed revision of an item.
package struct Put: Equatable, Sendable {
    package static let matchByteCount = ItemBox.byteCount(.match, contentByteCount: MatchContent.byteCount)

    package var revision: Revision
    package var dataKey: KeyHandle
    package var provenance: Provenance
    package var match: [UInt8]
    package var metadata: [UInt8]
    /// Empty if the item has no data.
    package var secret: [UInt8]

    package init(
        revision: Revision,
        provenance: Provenance,
        dataKey: KeyHandle,
        match: [UInt8],
        metadata: [UInt8],
        secret: [UInt8]
    ) {
        self.revision = revision
        self.dataKey = dataKey
        self.provenance = provenance
        self.match = match
        self.metadata = metadata
        self.secret = secret
    }

    /// Appends the fields before the boxes.
    private func appendHead(to output: inout OutputSpan<UInt8>) {
        revision.append(to: &output)
        dataKey.append(to: &output)
        provenance.origin.append(to: &output)
        output.append(littleEndian: provenance.previousPlace)
        output.append(littleEndian: provenance.replacedSalt)
        output.append(littleEndian: UInt32(Self.matchByteCount))
        output.append(littleEndian: UInt32(metadata.count))
        output.append(littleEndian: UInt32(secret.count))
        output.append(littleEndian: UInt32(provenance.isPast ? 1 : 0))
    }

    private static let headByteCount = 88

    /// The size of the body.
    var bodyByteCount: Int { Self.headByteCount + match.count + metadata.count + secret.count }

    /// Appends the body of the record.
    func appendBody(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: bodyByteCount) { output in
            appendHead(to: &output)
            output.append(copying: match.span)
            output.append(copying: metadata.span)
            output.append(copying: secret.span)
        }
    }

    /// The hash for the match box, with which no part of the record can be removed or exchanged unnoticed.
    package func hash() -> [UInt8] {
        let hashed = [UInt8](byteCount: Self.headByteCount + metadata.count + secret.count) { output in
            appendHead(to: &output)
            output.append(copying: metadata.span)
            output.append(copying: secret.span)
        }
        return Label.file.hash(32, hashed)
    }

    init(body reader: inout ByteReader) throws(Fault) {
        revision = try Revision(from: &reader)
        guard revision.salt != 0 else { throw Fault(.badValue, at: reader.offset - 8) }
        dataKey = try reader.readShortIdentifier()
        provenance = Provenance(
            origin: try Origin(from: &reader),
            previousPlace: try reader.read(),
            replacedSalt: try reader.read()
        )
        let start = reader.offset
        let matchByteCount = try reader.readCount()
        let metadataByteCount = try reader.readCount()
        let secretByteCount = try reader.readCount()
        let sizes = BoxSizes(metadata: metadataByteCount, secret: secretByteCount)
        guard matchByteCount == Self.matchByteCount, sizes.areValid else { throw Fault(.badLength, at: start) }
        let past = try reader.read(UInt32.self)
        guard past <= 1 else { throw Fault(.badValue, at: reader.offset - 4) }
        provenance.isPast = past == 1
        match = try reader.readBytes(matchByteCount)
        metadata = try reader.readBytes(metadataByteCount)
        secret = try reader.readBytes(secretByteCount)
    }

    /// The sizes of the boxes that go into a section.
    package var sizes: BoxSizes { BoxSizes(metadata: metadata.count, secret: secret.count) }
}

/// Section 8.1: what a revision follows, in its copy of the vault and in its item.
package struct Provenance: Equatable, Sendable {
    package var origin: Origin
    /// The place of the last put of the same writer in the group before this one, or 0.
    package var previousPlace: UInt64
    /// The salt of the revision that this one replaces, or 0.
    package var replacedSalt: UInt64
    /// Whether the revision had ended in the copy that it comes from.
    package var isPast: Bool

    package init(origin: Origin, previousPlace: UInt64, replacedSalt: UInt64, isPast: Bool = false) {
        self.origin = origin
        self.previousPlace = previousPlace
        self.replacedSalt = replacedSalt
        self.isPast = isPast
    }
}

/// Section 8.4: the form of an item's data in its secret box.
package enum SecretForm: UInt8, Sendable {
    /// The data itself.
    case data = 0
    /// An archive of several data values.
    case archive = 1
    /// One of the other forms, sealed under an application password.
    case applicationPassword = 2
}

extension Put {
    /// Seals a revision and returns it with its match content.
    ///
    /// `secret` is the sealed secret box of the revision, or empty if the item has no data. Pass `digests` to avoid
    /// computing the digests of `attributes` again.
    package static func sealing(
        _ revision: Revision,
        provenance: Provenance,
        order: UInt64,
        written: Time,
        attributes: ItemAttributes,
        digests: MatchDigests? = nil,
        secret: [UInt8],
        handle: KeyHandle,
        keys: (match: MatchKeys, data: DataKeys)
    ) throws(Fault) -> (put: Put, match: MatchContent) {
        let metadata = try ItemMetadata(attributes).sealed(of: revision, keys: keys.data)
        var put = Put(
            revision: revision,
            provenance: provenance,
            dataKey: handle,
            match: [],
            metadata: metadata,
            secret: secret
        )
        let match = ItemMatch(
            itemClass: attributes.itemClass,
            flags: MatchFlags(attributes),
            order: order,
            written: written,
            digests: digests ?? MatchDigests(attributes, keys: keys.match)
        )
        let content = put.sealMatch(match, keys: keys.match)
        return (put, content)
    }

    /// Returns the same revision with another provenance, and its match content; the other boxes stay as they are.
    package func resealed(
        _ provenance: Provenance,
        match: ItemMatch,
        keys: MatchKeys
    ) -> (put: Put, match: MatchContent) {
        var put = self
        put.provenance = provenance
        let content = put.sealMatch(match, keys: keys)
        return (put, content)
    }

    /// Seals the match box, when everything else of the put is final.
    private mutating func sealMatch(_ match: ItemMatch, keys: MatchKeys) -> MatchContent {
        let content = MatchContent(
            itemClass: match.itemClass,
            flags: match.flags,
            order: match.order,
            written: match.written,
            digests: match.digests,
            recordHash: hash()
        )
        self.match = ItemBox.sealed(
            .match,
            of: revision,
            contentByteCount: MatchContent.byteCount,
            key: keys.match,
            cipher: keys.cipher,
            writtenBy: content.append
        )
        return content
    }

    /// The sealed secret box of a revision.
    package static func sealedSecret(_ content: Span<UInt8>, of revision: Revision, keys: DataKeys) -> [UInt8] {
        ItemBox.sealed(
            .secret,
            of: revision,
            contentByteCount: content.count,
            key: keys.secret,
            cipher: keys.cipher
        ) { $0.append(copying: content) }
    }

    /// The sealed secret box of a revision with `data` in the form `form`.
    package static func sealedSecret(
        _ data: Span<UInt8>,
        form: SecretForm,
        of revision: Revision,
        keys: DataKeys
    ) -> [UInt8] {
        ItemBox.sealed(
            .secret,
            of: revision,
            contentByteCount: 1 + data.count,
            key: keys.secret,
            cipher: keys.cipher
        ) { output in
            output.append(form.rawValue)
            output.append(copying: data)
        }
    }

    /// The match content; its hash must be that of the rest of the record.
    package func openedMatch(keys: MatchKeys) throws(Fault) -> MatchContent {
        var box = match
        var span = box.mutableSpan
        let content = try ItemBox.open(&span, .match, of: revision, key: keys.match, cipher: keys.cipher)
        let match = try MatchContent(parsing: ByteReader(box, in: content))
        let hash = hash()
        guard areEqual(hash.span, match.recordHash.span) else { throw Fault(.hashDiffers) }
        return match
    }

    /// The metadata of the item.
    package func openedMetadata(keys: DataKeys) throws(Fault) -> ItemMetadata {
        try ItemMetadata(opening: metadata.span, of: revision, keys: keys)
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
        let content = try ItemBox.open(&box, .secret, of: revision, key: keys.secret, cipher: keys.cipher)
        try Limit.secret.check(content.count, atMost: Limits.secretContentByteCount)
        guard !content.isEmpty, let form = SecretForm(rawValue: box[content.lowerBound]) else { throw Fault(.badValue) }
        let data = content.lowerBound + 1..<content.upperBound
        if form == .data { try Limit.secret.check(data.count, atMost: Limits.secretByteCount) }
        return (form, data)
    }
}
