internal import CofferBasics
internal import KeyedArchive
package import VaultCrypto

/// Section 8.3: the metadata of an item, unsealed.
package struct ItemMetadata: Sendable {
    private let archive: Wiped<[UInt8]>

    /// The metadata of an item with `attributes`.
    package init(_ attributes: ItemAttributes) throws(Fault) {
        let archive: [UInt8]
        do throws(KeyedArchiveError) {
            archive = try ArchiveValue.dictionary(attributes.values).archived(limits: .record)
        } catch {
            guard error.exceedsLimit else { throw Fault(.archive) }
            let byteCount = attributes.values.reduce(0) { sum, entry in
                sum + (entry.value.string?.utf8.count ?? entry.value.data?.count ?? 0)
            }
            // Not more than the limit if it is the depth or the number of values that is too large, or the archive alone.
            throw Fault(.limitExceeded(.metadata, value: byteCount > Limits.metadataByteCount ? UInt64(byteCount) : 0))
        }
        self.init(archive: archive)
    }

    /// The metadata that an archive is, which may be invalid.
    package init(archive: consuming [UInt8]) { self.archive = Wiped(archive) }

    /// The size of the archive.
    package var byteCount: Int { archive.value.count }

    package func withArchive<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result {
        try body(archive.value)
    }

    /// The attributes; throws if the archive is too large, not canonical, or not that of an item of this class.
    package func attributes(of itemClass: ItemClass) throws(Fault) -> ItemAttributes {
        guard byteCount <= Limits.metadataByteCount else { throw Fault(.badLength) }
        guard let values = CanonicalDictionary(canonicalArchive: archive.value, limits: .record) else {
            throw Fault(.archive)
        }
        return try ItemAttributes(itemClass, values)
    }

    /// The attributes, which must agree with the match box or match entry.
    package func attributes(matching match: ItemMatch, keys: MatchKeys) throws(Fault) -> ItemAttributes {
        let attributes = try attributes(of: match.itemClass)
        guard MatchFlags(attributes) == match.flags, MatchDigests(attributes, keys: keys) == match.digests else {
            throw Fault(.disagrees)
        }
        return attributes
    }
}

extension ItemMetadata: Equatable {
    package static func == (one: ItemMetadata, other: ItemMetadata) -> Bool { one.archive.value == other.archive.value }
}

// MARK: - Boxes

extension ItemMetadata {
    /// The metadata box of a revision.
    package func sealed(of revision: Revision, keys: DataKeys) -> [UInt8] {
        Self.sealed(archive.value, .metadata, of: revision, keys)
    }

    /// The metadata box of a revision, deflated with a dictionary; nil if that does not make it smaller, or makes it so
    /// small that readers refuse it.
    package func deflated(
        of revision: Revision,
        _ dictionary: DictionaryID,
        _ compressor: Compressor,
        keys: DataKeys
    ) throws(CompressionError) -> [UInt8]? {
        // The stream contains the attributes in compressed form, so it is wiped too.
        try compressor.compressed(archive.value).wipedAfter { stream in
            guard stream.count < byteCount else { return nil }
            let box = Self.sealed(stream, .deflatedMetadata(dictionary), of: revision, keys)
            return byteCount <= Limits.deflationRatio * box.count ? box : nil
        }
    }

    private static func sealed(_ content: [UInt8], _ part: ItemPart, of revision: Revision, _ keys: DataKeys) -> [UInt8]
    {
        ItemBox.sealed(
            part,
            of: revision,
            contentByteCount: content.count,
            key: keys.metadata,
            cipher: keys.cipher
        ) { $0.append(copying: content.span) }
    }

    /// Opens the metadata box of a revision, deflated with `dictionary` unless that is nil.
    package init(
        opening box: Span<UInt8>,
        of revision: Revision,
        dictionary: MetadataDictionary? = nil,
        keys: DataKeys
    ) throws(Fault) {
        let part = dictionary.map { ItemPart.deflatedMetadata($0.id) } ?? .metadata
        let content = try ItemBox.opened(box, part, of: revision, key: keys.metadata, cipher: keys.cipher)
        guard let dictionary else {
            self.init(archive: consume content)
            return
        }
        let archive = try (consume content).wipedAfter { content throws(Fault) in
            try dictionary.inflated(content, boxByteCount: box.count)
        }
        self.init(archive: consume archive)
    }
}
