internal import CofferBasics
import VaultFiles

/// What a test arranges and looks at: none of it is a call, and none is in the trace.
///
/// The crash states of a trace have what was arranged before the first call; later, arrange it on their disks again.
extension SimulatedDisk {
    /// What programs did so far.
    package var trace: Trace { state.withLock { $0.trace } }

    /// How many calls programs made so far.
    package var callCount: Int { state.withLock { $0.trace.calls.count } }

    /// Notes in the trace that something is known at this point, as "the third item was acknowledged".
    package func mark(_ label: String) {
        state.withLock { $0.trace.marks.append(Trace.Mark(call: $0.trace.calls.count, label: label)) }
    }

    /// Lets a call go wrong.
    package func inject(_ fault: SimulatedFault) {
        state.withLock { $0.faults.append(fault) }
    }

    /// Lets all calls go well from now on.
    package func removeFaults() {
        state.withLock { $0.faults = [] }
    }

    // MARK: - Content

    /// What programs see in the file, or nil if there is none.
    package func content(of path: String) -> [UInt8]? {
        state.withLock { state in state.image.file(at: path).map { state.image.files[$0].live } }
    }

    /// The names of the files in the directory at `path`, in their order.
    package func fileNames(in path: String) -> [String] {
        state.withLock { state in
            state.image.directory(at: path).map { state.image.directories[$0].live.keys.sorted() } ?? []
        }
    }

    // MARK: - Arrangements

    /// Who opens files.
    package func setUser(_ user: UInt32) {
        state.withLock { $0.user = user }
    }

    /// Whether the file system is mounted without writing.
    package func setReadOnly(_ isReadOnly: Bool) {
        state.withLock { $0.isReadOnly = isReadOnly }
    }

    /// How many bytes all files together may have.
    package func setCapacity(_ byteCount: Int) {
        state.withLock { $0.capacity = byteCount }
    }

    /// The process that is said to have the lock of a locked file.
    package func setLockHolder(_ process: Int32) {
        state.withLock { $0.lockHolder = process }
    }

    /// Lets others have opened the file at `path` with this descriptor.
    package func offer(_ path: String, asDescriptor descriptor: Int32) {
        state.withLock { $0.descriptors[descriptor] = path }
    }

    /// Sets the nine bits of who may do what with a file or a directory.
    package func setPermissions(_ permissions: UInt32, of path: String) {
        let isDirectory = state.withLock { $0.image.directory(at: Self.normalized(path)) != nil }
        guard isDirectory else { return arrange(path) { $0.permissions = permissions } }
        arrange { image in
            guard let directory = image.directory(at: Self.normalized(path)) else { return }
            image.directories[directory].permissions = permissions
        }
    }

    /// Sets the owner of a file.
    package func setOwner(_ owner: UInt32, of path: String) {
        arrange(path) { $0.owner = owner }
    }

    /// Puts a file on another device.
    package func setDevice(_ device: UInt64, of path: String) {
        arrange(path) { $0.device = device }
    }

    /// Sets whether a file has content, and is not a pipe or the like.
    package func setRegular(_ isRegular: Bool, of path: String) {
        arrange(path) { $0.isRegular = isRegular }
    }

    /// Gives a file a second name, at `newPath`, in a directory that exists.
    package func link(_ path: String, to newPath: String) {
        let (parent, name) = Self.split(newPath)
        arrange { image in
            guard let file = image.file(at: path), let directory = image.directory(at: parent) else {
                preconditionFailure("\(path) or \(parent) does not exist")
            }
            image.directories[directory].settle(name, file: file)
        }
    }

    private func arrange(_ path: String, _ change: (inout FileImage) -> Void) {
        arrange { image in
            guard let file = image.file(at: path) else { preconditionFailure("\(path) does not exist") }
            change(&image.files[file])
        }
    }

    private func arrange(_ change: (inout DiskImage) -> Void) {
        state.withLock { state in
            change(&state.image)
            if state.trace.calls.isEmpty { state.trace = Trace(start: state.image, marks: state.trace.marks) }
        }
    }
}
