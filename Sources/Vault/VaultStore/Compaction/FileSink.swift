internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// Writes a generation to a file.
struct FileSink: GenerationSink {
    private static let bufferByteCount = 1 << 20
    /// After how many bytes the file is synced: the sync of a writer that comes after that of a large file waits long.
    private static let unsyncedByteCount = 16 << 20

    private let file: any OpenFile
    private let path: String
    private var buffer: [UInt8] = []
    private var bufferOffset = 0
    private(set) var byteCount = 0
    private var syncedByteCount = 0
    /// Called with the number of bytes written; throws to cancel.
    private let progress: (Int) throws -> Void

    init(_ file: any OpenFile, path: String, progress: @escaping (Int) throws -> Void) {
        self.file = file
        self.path = path
        self.progress = progress
    }

    mutating func write(_ bytes: Span<UInt8>, at offset: Int) throws {
        if offset != bufferOffset + buffer.count { try flush() }
        if buffer.isEmpty { bufferOffset = offset }
        guard offset + bytes.count <= Limits.fileByteCount else {
            throw StoreError.refused(.limitExceeded(.file, value: UInt64(offset + bytes.count)))
        }
        buffer.reserveCapacity(Self.bufferByteCount)
        buffer.append(copying: bytes)
        byteCount = max(byteCount, offset + bytes.count)
        if buffer.count >= Self.bufferByteCount { try flush() }
    }

    /// Writes the rest of the buffer.
    mutating func flush() throws {
        guard !buffer.isEmpty else { return }
        try file.writeAll(buffer.span, at: bufferOffset)
        if byteCount - syncedByteCount > Self.unsyncedByteCount {
            try file.sync()
            syncedByteCount = byteCount
        }
        bufferOffset += buffer.count
        buffer.removeAll(keepingCapacity: true)
        try progress(byteCount)
    }
}
