internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
package import VaultFormat

// Facts about a vault besides its content.
extension VaultStore {
    /// What followed the log when the file was opened, if it still does, and where the log ended.
    ///
    /// Bytes that another process is just writing look torn or damaged; they look different the second time, or that
    /// process holds the lock.
    package var tail: (verdict: TailVerdict, offset: Int) {
        let (first, offset) = state.withLock { ($0.file.tail, $0.file.firstOffset) }
        guard first != .clean else { return (.clean, offset) }
        let second = try? read { vault in try vault.tailVerdict(vault.source()) }
        let isWritten = state.withLock { state in
            if case .torn = first { state.file.handle.lockHolder() != nil } else { false }
        }
        return ((second ?? first) == first && !isWritten ? first : .clean, offset)
    }

    /// The position that the vault had reached when it was last used here, if an anchor remembers it.
    package var anchor: Anchor? { state.withLock { $0.remembered.anchors?.anchor } }

    /// Returns the size of the file.
    package func byteCount() throws -> Int {
        try serve {
            try state.withLock { state in
                try refresh(&state)
                return state.file.byteCount
            }
        }
    }

    /// Returns what anyone can see of the vault at `path` without a key.
    ///
    /// - Throws: `StoreError` if it cannot be read, or its header is invalid.
    package static func inspect(
        at path: String,
        environment: StoreEnvironment
    ) throws -> VaultInspection {
        try serve(path) {
            let source = try source(at: path, environment)
            return try VaultInspection(of: source)
        }
    }

    /// Returns the id of the vault at `path`, as its header says, and reads nothing else of the file.
    ///
    /// - Throws: `StoreError` if it cannot be read, or its header is invalid.
    package static func id(ofVaultAt path: String, environment: StoreEnvironment) throws -> VaultID {
        try serve(path) {
            let source = try source(at: path, environment)
            let bytes = try source.bytes(in: 0..<min(source.byteCount, Header.byteCount))
            return try Header(parsing: bytes, fileByteCount: source.byteCount).vault
        }
    }

    /// Returns the parts of the file at `path` that anyone can tell from each other without a key.
    ///
    /// - Throws: `StoreError` if it cannot be read, or is not a vault of this version.
    package static func parts(at path: String, environment: StoreEnvironment) throws -> VaultParts {
        try serve(path) {
            let source = try source(at: path, environment)
            return try VaultParts(of: source)
        }
    }

    private static func source(at path: String, _ environment: StoreEnvironment) throws -> FileSource {
        let (directory, name) = try environment.files.locate(path)
        let file = try directory.open(name, for: .reading)
        let status = try file.status()
        guard status.isRegular else { throw FileError(.read, path, reason: .notARegularFile) }
        return FileSource(file: file, byteCount: status.byteCount)
    }
}

extension OpenGeneration {
    /// When the last change was written; nil if that was before the snapshot, which does not say when.
    package var lastChangeTime: Time? {
        // The log has records of the past, too.
        guard let head = unreadLog.files.first?.head, log.lastSequence <= head.end.sequence else {
            return log.lastSequence == position.sequence ? log.lastTime : nil
        }
        return head.end.sequence == position.sequence ? head.lastTime : nil
    }
}
