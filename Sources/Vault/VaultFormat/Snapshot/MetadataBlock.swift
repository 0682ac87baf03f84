internal import CofferBasics
package import VaultCrypto

/// Section 5.5: the metadata of several items of one data key, sealed together.
package struct MetadataBlock: Equatable, Sendable {
    /// One item of a block.
    package struct Item: Equatable, Sendable {
        package var revision: Revision
        package var metadata: ItemMetadata

        package init(revision: Revision, metadata: ItemMetadata) {
            self.revision = revision
            self.metadata = metadata
        }

        /// The size of the item in a block.
        package var byteCount: Int { Revision.byteCount + 4 + metadata.byteCount }
    }

    package var items: [Item]

    package init(items: [Item]) {
        self.items = items
    }

    /// The size that a writer aims at before compression.
    package static let targetByteCount = 16 << 10
    /// Takes half of the time of level 6, for a snapshot that is 1.5 % larger.
    package static let compressionLevel: Int32 = 3

    private static let headByteCount = 8
    private static let methodStored: UInt8 = 0
    private static let methodZlib: UInt8 = 1
}

// MARK: - Order

extension MetadataBlock.Item {
    /// Whether the item comes before `other` in a block.
    package func precedes(_ other: Self) -> Bool {
        let (mine, theirs) = (metadata, other.metadata)
        guard mine.classNumber == theirs.classNumber else { return mine.classNumber < theirs.classNumber }
        guard mine.firstColumn == theirs.firstColumn else {
            return mine.firstColumn.lexicographicallyPrecedes(theirs.firstColumn)
        }
        guard mine.secondColumn == theirs.secondColumn else {
            return mine.secondColumn.lexicographicallyPrecedes(theirs.secondColumn)
        }
        guard revision.item == other.revision.item else { return revision.item < other.revision.item }
        return revision.precedes(other.revision)
    }
}

// MARK: - Writing

extension MetadataBlock {
    private var raw: [UInt8] {
        [UInt8](byteCount: 4 + items.reduce(0) { $0 + $1.byteCount }) { output in
            output.append(littleEndian: UInt32(items.count))
            for item in items {
                output.append(copying: item.revision.bytes.span)
                output.append(littleEndian: UInt32(item.metadata.byteCount))
                item.metadata.append(to: &output)
            }
        }
    }

    /// The block in its box, compressed if `mayCompress`, if that makes it smaller and if a reader accepts it.
    package func sealed(
        handle: KeyHandle,
        keys: DataKeys,
        mayCompress: Bool
    ) throws(CompressionError) -> [UInt8] {
        try sealing(handle, keys, mayCompress ? Compressor() : nil).box
    }

    /// The items in one or more boxes, split until a reader accepts each of them compressed.
    ///
    /// Each further block needs a copy of what repeats, so smaller blocks compress less.
    package func sealedParts(
        handle: KeyHandle,
        keys: DataKeys,
        _ compressor: Compressor?
    ) throws(CompressionError) -> [(box: [UInt8], itemCount: Int)] {
        let (box, isTooCompressible) = try sealing(handle, keys, compressor)
        guard isTooCompressible, items.count > 1 else { return [(box, items.count)] }
        let halves = [items[..<(items.count / 2)], items[(items.count / 2)...]]
        var parts: [(box: [UInt8], itemCount: Int)] = []
        for half in halves {
            parts += try MetadataBlock(items: Array(half)).sealedParts(handle: handle, keys: keys, compressor)
        }
        return parts
    }

    private func sealing(
        _ handle: KeyHandle,
        _ keys: DataKeys,
        _ compressor: Compressor?
    ) throws(CompressionError) -> (box: [UInt8], isTooCompressible: Bool) {
        try raw.wipedAfter { raw throws(CompressionError) in
            precondition(raw.count <= Limits.blockByteCount, "too many items for one block")
            let stream = try compressor?.compressed(raw)
            // The stream contains the attributes in compressed form, so it is wiped too.
            return (consume stream ?? []).wipedAfter { stream in
                let isTooCompressible = compressor != nil && raw.count > Limits.blockCompressionRatio * stream.count
                let isCompressed = compressor != nil && stream.count < raw.count && !isTooCompressible
                let payload = isCompressed ? stream : raw
                let box = Box.sealed(
                    contentByteCount: Self.headByteCount + payload.count,
                    key: keys.metadata,
                    associatedData: Self.associatedData(handle, keys).span,
                    random: keys.cipher.random
                ) { output in
                    output.append(isCompressed ? Self.methodZlib : Self.methodStored)
                    output.append(zeroByteCount: 3)
                    output.append(littleEndian: UInt32(raw.count))
                    output.append(copying: payload.span)
                }
                return (box, isTooCompressible)
            }
        }
    }

    /// The block sealed again under another data key, with the same content and size.
    package static func resealed(
        _ box: Span<UInt8>,
        handles: (old: KeyHandle, new: KeyHandle),
        keys: (old: DataKeys, new: DataKeys)
    ) throws(Fault) -> [UInt8] {
        try Box.opened(
            box,
            key: keys.old.metadata,
            associatedData: associatedData(handles.old, keys.old)
        ).wipedAfter { content in
            Box.sealed(
                content.span,
                key: keys.new.metadata,
                associatedData: associatedData(handles.new, keys.new),
                cipher: keys.new.cipher
            )
        }
    }

    private static func associatedData(_ handle: KeyHandle, _ keys: DataKeys) -> [UInt8] {
        Label.block.bytes + keys.cipher.vault.bytes + handle.bytes
    }
}

// MARK: - Reading

extension MetadataBlock {
    /// Opens a block sealed under the data key with the given handle.
    package init(opening box: Span<UInt8>, handle: KeyHandle, keys: DataKeys) throws(Fault) {
        let associatedData = Self.associatedData(handle, keys)
        let content = try Box.opened(box, key: keys.metadata, associatedData: associatedData)
        // Shared by all items, and wiped with the last of them.
        let raw = Wiped(try (consume content).wipedAfter { content throws(Fault) in try Self.raw(content) })
        items = try Self.items(in: raw)
    }

    private static func items(in raw: Wiped<[UInt8]>) throws(Fault) -> [Item] {
        var reader = ByteReader(raw.value)
        let count = try reader.readCount()
        guard count > 0 else { throw Fault(.badValue) }
        var items: [Item] = []
        for _ in 0..<count {
            let start = reader.offset
            let item = try Item(from: &reader, of: raw)
            guard items.last?.precedes(item) ?? true else { throw Fault(.outOfOrder, at: start) }
            items.append(item)
        }
        try reader.expectEnd()
        return items
    }

    private static func raw(_ content: [UInt8]) throws(Fault) -> [UInt8] {
        var reader = ByteReader(content)
        let method = try reader.read(UInt8.self)
        try reader.readZeros(3)
        let byteCount = try reader.readCount()
        try Limit.block.check(byteCount, atMost: Limits.blockByteCount, at: 4)
        let start = reader.offset
        switch method {
        case methodStored:
            guard reader.remainingByteCount == byteCount else { throw Fault(.badLength, at: 4) }
            return try reader.readBytes(byteCount)
        case methodZlib:
            try Limit.compression.check(
                byteCount,
                atMost: Limits.blockCompressionRatio * reader.remainingByteCount,
                at: 4
            )
            return try translating(
                { Fault(.compression($0), at: start) },
                Zlib.inflated(content.span.extracting(start...), byteCount: byteCount)
            )
        default: throw Fault(.badValue)
        }
    }
}

extension MetadataBlock.Item {
    fileprivate init(from reader: inout ByteReader, of raw: Wiped<[UInt8]>) throws(Fault) {
        revision = try Revision(from: &reader)
        metadata = try ItemMetadata(parsing: reader.readPart(reader.readCount()), of: raw)
    }
}
