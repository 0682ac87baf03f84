internal import CofferBasics
import VaultFiles

/// An open file of a simulated disk.
final class SimulatedFile: OpenFile {
    /// The number of the file and of this opening.
    struct Opening: Sendable {
        let file: Int
        let number: Int
        let access: FileAccess
    }

    let path: String
    private let disk: SimulatedDisk
    private let opening: Opening

    init(disk: SimulatedDisk, _ opening: Opening, path: String) {
        self.disk = disk
        self.opening = opening
        self.path = path
    }

    deinit { disk.state.withLock { $0.close(opening) } }

    private var file: Int { opening.file }

    func status() throws(FileError) -> FileStatus {
        try disk.call(.examine, path) { state throws(FileError.Reason.Thrown) in
            (nil, state.image.status(of: self.file))
        }
    }

    // MARK: - Content

    func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        let askedByteCount = buffer.count
        let (bytes, byteCount) = try disk.call(.read, path) { state throws(FileError.Reason.Thrown) in
            guard offset >= 0 else { throw .init(FileError.Reason(number: ErrorNumber.invalidArgument)) }
            let bytes = state.image.files[self.file].live
            return (nil, (bytes, state.byteCount(of: min(askedByteCount, max(0, bytes.count - offset)))))
        }
        guard byteCount > 0 else { return 0 }
        buffer.copy(from: bytes.span.extracting(offset..<offset + byteCount))
        return byteCount
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int {
        let bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        let file = file
        return try disk.call(
            .write,
            path,
            failed: { effect in
                guard case .failureHalfway = effect, bytes.count > 1 else { return nil }
                return .write(file: file, offset: offset, bytes: Array(bytes[..<(bytes.count / 2)]))
            },
            { state throws(FileError.Reason.Thrown) in
                try self.requireWritable(state)
                guard offset >= 0 else { throw .init(FileError.Reason(number: ErrorNumber.invalidArgument)) }
                guard !bytes.isEmpty else { return (nil, 0) }
                let length = state.image.files[file].live.count
                // For a disk without a limit, the sum would overflow.
                let roomByteCount = max(0, length - offset + min(state.availableByteCount, Int.max / 4))
                let byteCount = min(state.byteCount(of: bytes.count), roomByteCount)
                guard byteCount > 0 else { throw .init(.diskFull) }
                let written = byteCount == bytes.count ? bytes : Array(bytes[..<byteCount])
                return (.write(file: file, offset: offset, bytes: written), byteCount)
            }
        )
    }

    /// The new access takes effect at once, and survives a power failure.
    func copyAccess(of other: FileStatus) throws(FileError) {
        try disk.call(.changeAccess, path) { state throws(FileError.Reason.Thrown) in
            try self.requireWritable(state)
            state.image.files[self.file].owner = other.owner
            state.image.files[self.file].permissions = other.permissions
            return (nil, ())
        }
    }

    func truncate(to byteCount: Int) throws(FileError) {
        try disk.call(.truncate, path) { state throws(FileError.Reason.Thrown) in
            guard self.opening.access == .writing, byteCount >= 0 else {
                throw .init(FileError.Reason(number: ErrorNumber.invalidArgument))
            }
            try self.requireWritable(state)
            return (.truncate(file: self.file, byteCount: byteCount), ())
        }
    }

    func sync() throws(FileError) {
        let file = file
        try disk.call(
            .sync,
            path,
            failed: { effect in effect == .failure(.interrupted) ? nil : .failSync(file: file) },
            { _ throws(FileError.Reason.Thrown) in (.sync(file: file), ()) }
        )
    }

    private func requireWritable(_ state: borrowing SimulatedDisk.State) throws(FileError.Reason.Thrown) {
        guard opening.access == .writing else { throw .init(FileError.Reason(number: ErrorNumber.badDescriptor)) }
        guard !state.isReadOnly else { throw .init(.readOnlyFileSystem) }
    }

    // MARK: - Lock

    // One lock stands for all: a vault has only one, and the file beside it is locked alone.
    func tryLock(at offset: FileLockOffset) throws(FileError) -> Bool {
        try disk.call(.lock, path) { state throws(FileError.Reason.Thrown) in
            // A lock for writing needs a file that is open for writing.
            guard self.opening.access == .writing else {
                throw .init(FileError.Reason(number: ErrorNumber.badDescriptor))
            }
            guard state.locks[self.file, default: self.opening.number] == self.opening.number else {
                return (nil, false)
            }
            state.locks[self.file] = self.opening.number
            return (nil, true)
        }
    }

    func unlock(at offset: FileLockOffset) throws(FileError) {
        try disk.call(.lock, path) { state throws(FileError.Reason.Thrown) in
            if state.locks[self.file] == self.opening.number { state.locks[self.file] = nil }
            return (nil, ())
        }
    }

    func lockHolder(at offset: FileLockOffset) -> Int32? {
        disk.state.withLock { $0.locks[file] == nil ? nil : $0.lockHolder }
    }
}
