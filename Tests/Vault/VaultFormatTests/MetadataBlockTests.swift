import CofferBasics
import KeyedArchive
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.5.
@Suite("Metadata block") struct MetadataBlockTests {
    private let sample: ItemSample

    init() throws {
        sample = try ItemSample()
    }

    private func item(_ id: Int, service: String = "a", account: String = "b") throws -> MetadataBlock.Item {
        let attributes = try ItemAttributes(
            .genericPassword,
            [
                "svce": .string(service), "acct": .string(account),
                "labl": "the same in all of them, so that it compresses",
            ]
        )
        return MetadataBlock.Item(
            revision: sample.revision(id),
            metadata: try ItemMetadata(attributes)
        )
    }

    private func sealed(_ items: [MetadataBlock.Item], compressed: Bool = false) throws -> [UInt8] {
        try MetadataBlock(items: items).sealed(
            handle: sample.handle,
            keys: sample.data,
            mayCompress: compressed
        )
    }

    private func opened(_ box: [UInt8], handle: KeyHandle? = nil, keys: DataKeys? = nil) throws -> MetadataBlock {
        try MetadataBlock(
            opening: box.span,
            handle: handle ?? sample.handle,
            keys: keys ?? sample.data
        )
    }

    private var associatedData: [UInt8] { Label.block.bytes + VaultID.sample.bytes + sample.handle.bytes }

    private func content(_ box: [UInt8]) throws -> [UInt8] {
        try Box.opened(box.span, key: sample.data.metadata, associatedData: associatedData)
    }

    /// A block with arbitrary content.
    private func forged(_ content: [UInt8]) -> [UInt8] {
        Box.sealed(content.span, key: sample.data.metadata, associatedData: associatedData, cipher: sample.cipher)
    }

    private func raw(_ items: [MetadataBlock.Item], count: Int? = nil) -> [UInt8] {
        var bytes = littleEndian(UInt32(count ?? items.count))
        for item in items {
            let metadata = item.metadata.bytes
            bytes += item.revision.item.bytes + littleEndian(item.revision.number) + littleEndian(item.revision.salt)
            bytes += littleEndian(UInt32(metadata.count)) + metadata
        }
        return bytes
    }

    private func stored(_ raw: [UInt8], byteCount: Int? = nil) -> [UInt8] {
        [0, 0, 0, 0] + littleEndian(UInt32(byteCount ?? raw.count)) + raw
    }

    @Test(arguments: [false, true]) func `items are read back`(compressed: Bool) throws {
        // Each item has its own account: identical items compress further than a reader accepts.
        let items = try (0..<40).map {
            try item($0, account: String(UInt64($0 + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 36))
        }
        .sorted { $0.precedes($1) }
        let box = try sealed(items, compressed: compressed)
        #expect(try opened(box).items == items)
        #expect(try content(box)[0] == (compressed ? 1 : 0))
        let size = 4 + items.reduce(0) { $0 + $1.byteCount }
        #expect(try content(box)[4..<8] == littleEndian(UInt32(size))[...])
        if compressed { #expect(box.count < Box.byteCount(contentByteCount: size)) }
    }

    // MARK: - Compression

    @Test func `a stream may inflate to 16 times its size and no more`() throws {
        for (byteCount, isAccepted) in [(1600, true), (1601, false)] {
            let content: [UInt8] = [1, 0, 0, 0] + littleEndian(UInt32(byteCount)) + [UInt8](repeating: 0, count: 100)
            let error = #expect(throws: Fault.self) { try opened(forged(content)) }
            let refusal = Fault(.limitExceeded(.compression, value: UInt64(byteCount)), at: 4)
            // The accepted one fails later, because its stream is invalid.
            #expect((error == refusal) == !isAccepted)
        }
    }

    @Test func `items that compress too well go into smaller blocks, and a single one is stored`() throws {
        let note = String(repeating: "the same note in each item ", count: 40)
        let items = try (0..<40).map { try item($0, service: "service \($0 + 10)", account: note) }
        let parts = try MetadataBlock(items: items).sealedParts(
            handle: sample.handle,
            keys: sample.data,
            Compressor()
        )
        #expect(parts.count > 1)
        #expect(parts.reduce(0) { $0 + $1.itemCount } == 40)
        #expect(try parts.flatMap { try opened($0.box).items } == items)
        #expect(try parts.allSatisfy { try content($0.box)[0] == 1 }, "each is compressed")

        let letters = try item(1, account: String(repeating: "a", count: 20_000))
        let box = try sealed([letters], compressed: true)
        #expect(try content(box)[0] == 0, "stored")
        #expect(try opened(box).items == [letters])
    }

    @Test func `a stored block is laid out as the table says`() throws {
        let items = try [item(1), item(2)]
        #expect(try content(sealed(items)) == stored(raw(items)))
        #expect(try opened(forged(stored(raw(items)))).items == items)
    }

    @Test func `a block that compression would enlarge is stored`() throws {
        let one = [try item(1, service: "", account: "")]
        let box = try sealed(one, compressed: true)
        let method = try content(box)[0]
        let isSmaller = try Zlib.compressed(raw(one)).count < raw(one).count
        #expect(method == (isSmaller ? 1 : 0))
        #expect(try opened(box).items == one)
    }

    // MARK: - Order

    @Test func `items are ordered by class, columns and id, byte by byte`() throws {
        let key = MetadataBlock.Item(
            revision: sample.revision(0),
            metadata: try ItemMetadata(ItemAttributes(.key, [:]))
        )
        let ordered = try [
            item(9, service: "", account: "z"), item(8, service: "a", account: ""), item(7, service: "a", account: "b"),
            item(1, service: "a", account: "b\0"), item(2, service: "a", account: "ba"),
            item(3, service: "a", account: "ba"),
            item(1, service: "a", account: "bb"),
            item(0, service: "aa", account: "a"), item(0, service: "b", account: "a"),
            item(0, service: "é", account: "a"),
            key,
        ]
        #expect(try opened(sealed(ordered)).items == ordered)
        for (first, second) in zip(ordered, ordered.dropFirst()) {
            #expect(first.precedes(second) && !second.precedes(first))
            let box = try sealed([second, first])
            #expect(throws: Fault.self) { try opened(box) }
        }
        #expect(!key.precedes(key))
        let twice = try sealed([key, key])
        #expect(throws: Fault(.outOfOrder, at: 4 + key.byteCount)) { try opened(twice) }
    }

    // MARK: - Binding

    @Test func `a block is bound to its vault and data key, but not to a place`() throws {
        let box = try sealed([item(1)])
        #expect(throws: Fault(.notAuthentic, at: 0)) { try opened(box, keys: ItemSample(vault: .none).data) }
        #expect(throws: Fault(.notAuthentic, at: 0)) { try opened(box, handle: KeyHandle.none) }
    }

    // MARK: - Invalid blocks

    @Test func `content that is not a valid block is rejected`() throws {
        let items = [try item(1)]
        let raw = raw(items)
        let stream = try Zlib.compressed(raw)
        let head = littleEndian(UInt32(raw.count))
        func expect(_ fault: Fault.Reason, _ content: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
            let error = #expect(throws: Fault.self, sourceLocation: sourceLocation) {
                try opened(forged(content))
            }
            #expect(error?.reason == fault, sourceLocation: sourceLocation)
        }
        expect(.tooShort, [])
        expect(.badValue, [2, 0, 0, 0] + head + raw)
        expect(.reservedNotZero, [0, 0, 0, 1] + head + raw)
        expect(.badLength, stored(raw + [0], byteCount: raw.count))
        expect(.badLength, stored(raw, byteCount: raw.count + 1))
        expect(.limitExceeded(.block, value: 262_145), stored(raw, byteCount: 262_145))
        expect(.limitExceeded(.block, value: 4_294_967_295), stored(raw, byteCount: 4_294_967_295))
        expect(.badValue, stored(littleEndian(UInt32(0))))
        expect(.tooShort, stored(self.raw(items, count: 2)))
        expect(.tooShort, stored(self.raw(items, count: 0xFFFF_FFFF)))
        expect(.badLength, stored(raw + [0]))
        expect(.badLength, stored(self.raw(items + items, count: 1)))
        expect(.compression(.tooShort), [1, 0, 0, 0] + head + stream.dropLast())
        expect(.compression(.trailingBytes), [1, 0, 0, 0] + head + stream + [0])
        expect(.compression(.tooLong), [1, 0, 0, 0] + littleEndian(UInt32(raw.count - 1)) + stream)
        expect(.compression(.tooShort), [1, 0, 0, 0] + littleEndian(UInt32(raw.count + 1)) + stream)
        expect(.compression(.malformed), [1, 0, 0, 0] + head + raw)
    }
}
