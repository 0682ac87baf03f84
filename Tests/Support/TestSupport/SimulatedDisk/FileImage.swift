/// A change to the bytes of a file.
enum FileChange: Sendable {
    case write(offset: Int, bytes: [UInt8])
    case truncate(byteCount: Int)
}

/// A file of a simulated disk, independent of its names.
struct FileImage: Sendable {
    /// The content that programs see.
    private(set) var live: [UInt8]
    /// The content that a power loss is certain to leave, without the changes in `log`.
    private(set) var durable: FileContent
    private(set) var log = ChangeLog<FileChange>()
    var owner: UInt32
    var permissions: UInt32
    var device: UInt64
    var isRegular = true

    /// Makes a file with durable content.
    init(_ bytes: [UInt8], owner: UInt32, permissions: UInt32, device: UInt64) {
        live = bytes
        durable = FileContent(bytes)
        self.owner = owner
        self.permissions = permissions
        self.device = device
    }

    mutating func write(_ bytes: [UInt8], at offset: Int, call: Int) {
        if live.count < offset + bytes.count { live.resize(to: offset + bytes.count) }
        live.overwrite(at: offset, with: bytes, in: 0..<bytes.count)
        log.append(.write(offset: offset, bytes: bytes), call: call)
    }

    mutating func truncate(to byteCount: Int, call: Int) {
        live.resize(to: byteCount)
        log.append(.truncate(byteCount: byteCount), call: call)
    }

    mutating func sync() {
        for change in log.sync() {
            switch change {
            case .write(let offset, let bytes): durable.write(bytes, at: offset)
            case .truncate(let byteCount): durable.resize(to: byteCount)
            }
        }
    }

    /// Marks the pages clean; the length is in the journal, so the next sync still makes it durable.
    mutating func failSync() {
        log.failSync { change in
            if case .write = change { true } else { false }
        }
    }

    /// Returns the same file with different content, all of it durable.
    func settled(_ bytes: [UInt8]) -> FileImage {
        var file = FileImage(bytes, owner: owner, permissions: permissions, device: device)
        file.isRegular = isRegular
        return file
    }
}
