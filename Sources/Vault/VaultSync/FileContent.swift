internal import CofferBasics
internal import VaultCrypto
package import VaultFiles
internal import VaultFormat

/// A vault file as it is carried: its bytes without the zeros at its end.
package struct FileContent: Sendable {
    static let chunkByteCount = 1 << 20

    let file: any OpenFile
    /// The number of bytes, without the zeros at the end.
    package let byteCount: Int
    /// The size of the file.
    package let fileByteCount: Int

    /// The size of the file, without zeros that no writer has added.
    var carriedByteCount: Int { min(fileByteCount, byteCount + FileAssembly.zeroByteCountLimit) }

    /// The content that a file has now.
    package init(_ file: any OpenFile) throws(FileError) {
        self.file = file
        fileByteCount = try file.status().byteCount
        var end = fileByteCount
        while end > 0 {
            let start = max(0, end - 65_536)
            let bytes = try file.bytes(in: start..<end)
            if let last = bytes.span.lastNonZeroIndex {
                end = start + last + 1
                break
            }
            end = start
        }
        byteCount = end
    }

    /// Calls `body` with the bytes of a range, piece by piece.
    func forEachChunk(
        in range: Range<Int>,
        of chunkByteCount: Int = Self.chunkByteCount,
        _ body: (Span<UInt8>) throws -> Void
    ) throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(offset + chunkByteCount, range.upperBound)
            let bytes = try file.bytes(in: offset..<end)
            guard bytes.count == end - offset else {
                throw FileError(.read, file.path, reason: .inputOutput)
            }
            try body(bytes.span)
            offset = end
        }
    }

    /// Returns the digest of the first `byteCount` bytes.
    func known(first byteCount: Int) throws -> KnownContent {
        var digest = ContentDigest()
        try forEachChunk(in: 0..<byteCount) { bytes in digest.update(bytes) }
        return digest.finished()
    }

    /// Returns the digest of the content.
    package func known() throws -> KnownContent { try known(first: byteCount) }
}

// What anyone can tell of a vault without a key.
extension FileContent {
    private var inspection: VaultInspection? { try? VaultInspection(of: ContentSource(content: self)) }

    /// Whether the file is a vault from its header to its end.
    var isWholeVault: Bool {
        guard let inspection else { return false }
        return inspection.damage.isEmpty && !inspection.parts.contains(where: \.isDamaged)
    }

    /// Whether the file begins with all of another one but its reserve, so that whoever opens this one reads the other
    /// one, too.
    func extends(_ other: FileContent) throws -> Bool {
        // Not with its content: zeros at the end of a frame or of the snapshot are part of it.
        let end = other.inspection?.parts.last { $0.kind != .reserve }?.range.upperBound
        guard let end, end <= fileByteCount else { return false }
        return try known(first: end) == other.known(first: end)
    }
}

/// The bytes of a content as those of a vault.
private struct ContentSource: ByteSource {
    let content: FileContent

    var byteCount: Int { content.fileByteCount }

    func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try content.file.bytes(in: range)
        } catch {
            throw .file(code: error.reason.number, offset: range.lowerBound)
        }
        guard bytes.count == range.count else { throw .fileShrank(offset: range.lowerBound + bytes.count) }
        return bytes
    }
}

/// What changes whenever a file of a vault does.
package struct FileMark: Equatable, Sendable {
    let identity: FileStatus.Identity
    let byteCount: Int

    /// The mark of a file as it is now.
    package init(_ file: any OpenFile) throws(FileError) {
        identity = try file.status().identity
        byteCount = try FileContent(file).byteCount
    }
}

/// The length and digest of a content, by which both sides recognise it.
package struct KnownContent: Equatable, Sendable {
    static let digestByteCount = 32

    package let byteCount: Int
    package let digest: [UInt8]

    init(byteCount: Int, digest: [UInt8]) {
        (self.byteCount, self.digest) = (byteCount, digest)
    }

    /// The digest of a content, or of nothing, with a tail behind it.
    init(of base: FileContent?, with tail: [UInt8]) throws {
        var digest = ContentDigest()
        try base?.forEachChunk(in: 0..<(base?.byteCount ?? 0)) { bytes in digest.update(bytes) }
        digest.update(tail.span)
        self = digest.finished()
    }
}

/// Computes the digest of a content from its bytes in order: the hash of the hashes of its chunks.
struct ContentDigest {
    private var chunk: [UInt8] = []
    private var hashes: [UInt8] = []
    private var byteCount = 0

    mutating func update(_ bytes: Span<UInt8>) {
        byteCount += bytes.count
        var offset = 0
        while offset < bytes.count {
            let count = min(bytes.count - offset, FileContent.chunkByteCount - chunk.count)
            chunk.append(copying: bytes.extracting(offset..<offset + count))
            offset += count
            if chunk.count == FileContent.chunkByteCount { endChunk() }
        }
    }

    private mutating func endChunk() {
        hashes += Label.piece.hash(KnownContent.digestByteCount, chunk)
        chunk.removeAll(keepingCapacity: true)
    }

    consuming func finished() -> KnownContent {
        if !chunk.isEmpty { endChunk() }
        return KnownContent(
            byteCount: byteCount,
            digest: Label.piece.hash(KnownContent.digestByteCount, hashes)
        )
    }
}
