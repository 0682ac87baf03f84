/// Section 5.5: the metadata of several items of one data key, sealed together.
package struct MetadataBlock: Equatable, Sendable {
    /// What a block says of one item.
    package struct Item: Equatable, Sendable {
        package var revision: Revision
        /// The transaction that wrote the revision, and when.
        package var sequence: UInt64
        package var time: Time
        package var metadata: ItemMetadata

        package init(revision: Revision, sequence: UInt64, time: Time, metadata: ItemMetadata) {
            self.revision = revision
            self.sequence = sequence
            self.time = time
            self.metadata = metadata
        }

        /// The size of the item in a block.
        package var byteCount: Int { Revision.byteCount + 20 + metadata.byteCount }
    }

    package var items: [Item]

    package init(items: [Item]) {
        self.items = items
    }

    /// The size that a writer aims at before compression.
    package static let aimedByteCount = 16 << 10

    private static let methodStored: UInt8 = 0
    private static let methodZlib: UInt8 = 1
}

// MARK: - Order

extension MetadataBlock.Item {
    /// Whether the item comes before `other` in a block.
    package func precedes(_ other: Self) -> Bool {
        let (mine, theirs) = (metadata, other.metadata)
        guard mine.itemClass == theirs.itemClass else { return mine.itemClass.rawValue < theirs.itemClass.rawValue }
        guard mine.firstColumn == theirs.firstColumn else {
            return mine.firstColumn.lexicographicallyPrecedes(theirs.firstColumn)
        }
        guard mine.secondColumn == theirs.secondColumn else {
            return mine.secondColumn.lexicographicallyPrecedes(theirs.secondColumn)
        }
        return revision.item < other.revision.item
    }
}

// MARK: - Writing

extension MetadataBlock {
    private var raw: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(items.count))
        for item in items {
            bytes += item.revision.bytes
            bytes.append(littleEndian: item.sequence)
            bytes.append(littleEndian: item.time.microseconds)
            let metadata = item.metadata.bytes
            bytes.append(littleEndian: UInt32(metadata.count))
            bytes += metadata
        }
        return bytes
    }

    /// The block in its box; with a compressor it is compressed if that makes it smaller, and a reader accepts it.
    package func sealed<Suite: CipherSuite>(
        handle: KeyHandle,
        keys: DataKeys<Suite>,
        vault: VaultID,
        compressor: (some Compressor)?,
        suite: Suite
    ) throws(CompressionError) -> [UInt8] {
        let raw = raw
        let stream = try compressor?.compressed(raw)
        return sealed(raw, Self.isAcceptable(stream, of: raw) ? stream : nil, handle, keys, vault, suite)
    }

    /// The items in as many blocks as it takes for a reader to accept them compressed: what repeats in a block costs
    /// next to nothing, and each block repeats it.
    package func sealedParts<Suite: CipherSuite>(
        handle: KeyHandle,
        keys: DataKeys<Suite>,
        vault: VaultID,
        compressor: (some Compressor)?,
        suite: Suite
    ) throws(CompressionError) -> [(box: [UInt8], itemCount: Int)] {
        let raw = raw
        let stream = try compressor?.compressed(raw)
        let isAcceptable = Self.isAcceptable(stream, of: raw)
        guard items.count > 1, stream != nil, !isAcceptable else {
            return [(sealed(raw, isAcceptable ? stream : nil, handle, keys, vault, suite), items.count)]
        }
        let halves = [items[..<(items.count / 2)], items[(items.count / 2)...]]
        var parts: [(box: [UInt8], itemCount: Int)] = []
        for half in halves {
            parts += try MetadataBlock(items: Array(half)).sealedParts(
                handle: handle,
                keys: keys,
                vault: vault,
                compressor: compressor,
                suite: suite
            )
        }
        return parts
    }

    /// Whether a reader accepts a stream in place of the raw bytes.
    private static func isAcceptable(_ stream: [UInt8]?, of raw: [UInt8]) -> Bool {
        guard let stream else { return false }
        return raw.count <= Limits.blockCompressionRatio * stream.count
    }

    private func sealed<Suite: CipherSuite>(
        _ raw: [UInt8],
        _ stream: [UInt8]?,
        _ handle: KeyHandle,
        _ keys: DataKeys<Suite>,
        _ vault: VaultID,
        _ suite: Suite
    ) -> [UInt8] {
        precondition(raw.count <= Limits.blockByteCount, "a block takes fewer items")
        let shorter = stream.flatMap { $0.count < raw.count ? $0 : nil }
        let method = shorter == nil ? Self.methodStored : Self.methodZlib
        let payload = shorter ?? raw
        var content: [UInt8] = [method, 0, 0, 0]
        content.append(littleEndian: UInt32(raw.count))
        content += payload
        return Box.sealed(
            content.span,
            key: keys.metadata,
            associatedData: Self.associatedData(handle, vault),
            suite: suite
        )
    }

    /// A block under another data key: its content is the same, and so is its size.
    package static func resealed<Suite: CipherSuite>(
        _ box: Span<UInt8>,
        handles: (old: KeyHandle, new: KeyHandle),
        keys: (old: DataKeys<Suite>, new: DataKeys<Suite>),
        vault: VaultID,
        suite: Suite
    ) throws(Fault) -> [UInt8] {
        let content = try Box.opened(
            box,
            key: keys.old.metadata,
            associatedData: associatedData(handles.old, vault),
            suite: suite
        )
        return Box.sealed(
            content.span,
            key: keys.new.metadata,
            associatedData: associatedData(handles.new, vault),
            suite: suite
        )
    }

    private static func associatedData(_ handle: KeyHandle, _ vault: VaultID) -> [UInt8] {
        Label.block.bytes + vault.bytes + handle.bytes
    }
}

// MARK: - Reading

extension MetadataBlock {
    /// Opens a block of the data key with the given handle.
    package init<Suite: CipherSuite>(
        opening box: Span<UInt8>,
        handle: KeyHandle,
        keys: DataKeys<Suite>,
        vault: VaultID,
        compressor: some Compressor,
        suite: Suite
    ) throws(LocatedFault) {
        let content = try translating({ LocatedFault($0, at: 0) }) { () throws(Fault) in
            let associatedData = Self.associatedData(handle, vault)
            return try Box.opened(box, key: keys.metadata, associatedData: associatedData, suite: suite)
        }
        var reader = ByteReader(try Self.raw(content, compressor: compressor))
        let count = try reader.readCount()
        guard count > 0 else { throw LocatedFault(.badValue, at: 0) }
        items = []
        for _ in 0..<count {
            let start = reader.offset
            let item = try Item(from: &reader)
            guard items.last?.precedes(item) ?? true else { throw LocatedFault(.outOfOrder, at: start) }
            items.append(item)
        }
        try reader.expectEnd()
    }

    private static func raw(_ content: [UInt8], compressor: some Compressor) throws(LocatedFault) -> [UInt8] {
        var reader = ByteReader(content)
        let method = try reader.read(UInt8.self)
        try reader.readZeros(3)
        let byteCount = try reader.readCount()
        guard byteCount <= Limits.blockByteCount else {
            throw LocatedFault(.limitExceeded(.block, value: UInt64(byteCount)), at: 4)
        }
        let start = reader.offset
        switch method {
        case methodStored:
            guard reader.remainingByteCount == byteCount else { throw LocatedFault(.badLength, at: 4) }
            return try reader.readBytes(byteCount)
        case methodZlib:
            guard byteCount <= Limits.blockCompressionRatio * reader.remainingByteCount else {
                throw LocatedFault(.limitExceeded(.compression, value: UInt64(byteCount)), at: 4)
            }
            return try translating({ LocatedFault(.compression($0), at: start) }) { () throws(CompressionError) in
                try compressor.inflated(content.span.extracting(start...), byteCount: byteCount)
            }
        default: throw LocatedFault(.badValue, at: 0)
        }
    }
}

extension MetadataBlock.Item {
    fileprivate init(from reader: inout ByteReader) throws(LocatedFault) {
        revision = try Revision(from: &reader)
        sequence = try reader.read()
        time = Time(microseconds: try reader.read())
        var part = try reader.readPart(try reader.readCount())
        metadata = try ItemMetadata(parsing: &part)
    }
}
