internal import CofferBasics
package import VaultFiles

/// A disk in memory that behaves like Linux, records each call, and can be crashed after any of them.
///
/// Paths begin with `/`. Files are opened by user 1000, who is subject to permissions.
package final class SimulatedDisk: FileSystem {
    static let user: UInt32 = 1000

    struct State: Sendable {
        var image: DiskImage
        var trace: Trace
        var faults: [SimulatedFault] = []
        var user = SimulatedDisk.user
        var newDevice: UInt64 = 1
        var isReadOnly = false
        var capacity = Int.max
        var lockHolder: Int32 = 1
        /// The opening that has the lock, by file.
        var locks: [Int: Int] = [:]
        /// The number of openings, by file.
        var openCounts: [Int: Int] = [:]
        /// The number of files opened so far; each opening gets its own number.
        var openingCount = 0
        var descriptors: [Int32: String] = [:]
        /// Whether a fault limits the current call to half of the bytes.
        var isHalved = false
        /// The number of calls; the trace has them only if it is kept.
        var callCount = 0
        var keepsTrace = true
    }

    let state: Guarded<State>

    init(_ image: DiskImage, keepsTrace: Bool = true) {
        let start = keepsTrace ? image : DiskImage()
        state = Guarded(State(image: image, trace: Trace(start: start), keepsTrace: keepsTrace))
    }

    /// Makes a disk with these files, by path, and their directories, all of it durable.
    ///
    /// One that keeps no trace needs less memory.
    package convenience init(files: [String: [UInt8]] = [:], keepsTrace: Bool = true) {
        var image = DiskImage()
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let (parent, name) = Self.split(path)
            let directory = image.addDirectory(at: parent)
            image.files.append(FileImage(bytes, owner: Self.user, permissions: 0o600, device: 1))
            image.directories[directory].settle(name, file: image.files.count - 1)
        }
        self.init(image, keepsTrace: keepsTrace)
    }

    /// Returns a disk, without a trace, as the machine may find it after a power failure now.
    ///
    /// Of the changes that are not durable, the first ones have reached it.
    package func afterPowerLoss(using generator: inout some RandomNumberGenerator) -> SimulatedDisk {
        let disk = UncertainDisk(state.withLock { $0.image })
        let loss = PowerLoss(
            reachedFileChangeCount: .random(in: 0...disk.fileItems.count, using: &generator),
            reachedNameChangeCount: .random(in: 0...disk.nameCalls.count, using: &generator)
        )
        return SimulatedDisk(disk.image(after: loss), keepsTrace: false)
    }

    // MARK: - File system

    package func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        let directory = try call(.open, path) { state throws(FileError.Reason.Thrown) in
            guard !path.isEmpty else { throw .init(.notFound) }
            let (parent, name) = Self.split(path)
            guard !name.isEmpty else { throw .init(.isDirectory) }
            return (nil, try state.directory(at: parent))
        }
        let (parent, name) = Self.split(path)
        return (SimulatedDirectory(disk: self, number: directory, path: parent), name)
    }

    package func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory {
        let path = Self.normalized(path)
        try call(.makeDirectory, path) { state throws(FileError.Reason.Thrown) in
            do throws(FileError.Reason.Thrown) {
                _ = try state.directory(at: path)
                return (nil, ())
            } catch  where error.reason == .notFound {
                guard !state.isReadOnly else { throw .init(.readOnlyFileSystem) }
                return (.makeDirectory(path: path), ())
            }
        }
        // Directories are never removed.
        let directory = state.withLock { $0.image.directory(at: path) } ?? 0
        return SimulatedDirectory(disk: self, number: directory, path: path)
    }

    package func adopt(descriptor: Int32) throws(FileError) -> any OpenFile {
        let name = "descriptor \(descriptor)"
        let opened = try call(.open, name) { state throws(FileError.Reason.Thrown) in
            guard let path = state.descriptors[descriptor], let file = state.image.file(at: path) else {
                throw .init(FileError.Reason(number: ErrorNumber.badDescriptor))
            }
            return (nil, state.open(file, for: .reading))
        }
        return SimulatedFile(disk: self, opened, path: name)
    }

    // MARK: - Paths

    /// Returns the path of the directory, and the name in it.
    static func split(_ path: String) -> (parent: String, name: String) {
        let names = path.split(separator: "/")
        return ("/" + names.dropLast().joined(separator: "/"), names.last.map(String.init) ?? "")
    }

    static func normalized(_ path: String) -> String { "/" + path.split(separator: "/").joined(separator: "/") }
}

/// Error numbers without their own case.
enum ErrorNumber {
    static let badDescriptor: Int32 = 9
    static let invalidArgument: Int32 = 22
}
