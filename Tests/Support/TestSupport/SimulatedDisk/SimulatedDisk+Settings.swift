internal import CofferBasics
import VaultFiles

/// Settings and observations of a test: none of them is a call, and none is in the trace.
///
/// The crash states of a trace include settings made before the first call; repeat later settings on their disks.
extension SimulatedDisk {
    /// The calls that programs made so far.
    package var trace: Trace { state.withLock { $0.trace } }

    /// The number of calls that programs made so far.
    package var callCount: Int { state.withLock { $0.trace.calls.count } }

    /// Records in the trace that something is known at this point, such as "the third item was acknowledged".
    package func mark(_ label: String) {
        state.withLock { $0.trace.marks.append(Trace.Mark(call: $0.trace.calls.count, label: label)) }
    }

    /// Makes a call fail or go wrong.
    package func inject(_ fault: SimulatedFault) {
        state.withLock { $0.faults.append(fault) }
    }

    /// Makes all calls succeed from now on.
    package func removeFaults() {
        state.withLock { $0.faults = [] }
    }

    // MARK: - Content

    /// Returns the content of the file as programs see it, or nil if none exists.
    package func content(of path: String) -> [UInt8]? {
        state.withLock { state in state.image.file(at: path).map { state.image.files[$0].live } }
    }

    /// Returns the sorted names of the files in the directory at `path`.
    package func fileNames(in path: String) -> [String] {
        state.withLock { state in
            state.image.directory(at: path).map { state.image.directories[$0].live.keys.sorted() } ?? []
        }
    }

    // MARK: - Setup

    /// Sets the user who opens files.
    package func setUser(_ user: UInt32) {
        state.withLock { $0.user = user }
    }

    /// Sets whether the file system is mounted read-only.
    package func setReadOnly(_ isReadOnly: Bool) {
        state.withLock { $0.isReadOnly = isReadOnly }
    }

    /// Sets the maximum number of bytes of all files together.
    package func setCapacity(_ byteCount: Int) {
        state.withLock { $0.capacity = byteCount }
    }

    /// Sets the process that is reported as the holder of locks.
    package func setLockHolder(_ process: Int32) {
        state.withLock { $0.lockHolder = process }
    }

    /// Makes the file at `path` available under a descriptor that others have opened.
    package func offer(_ path: String, asDescriptor descriptor: Int32) {
        state.withLock { $0.descriptors[descriptor] = path }
    }

    /// Sets the nine permission bits of a file or a directory.
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

    /// Moves a file to another device.
    package func setDevice(_ device: UInt64, of path: String) {
        arrange(path) { $0.device = device }
    }

    /// Sets whether a file is a regular file, and not a pipe or the like.
    package func setRegular(_ isRegular: Bool, of path: String) {
        arrange(path) { $0.isRegular = isRegular }
    }

    /// Gives a file a second name, `newPath`, in an existing directory.
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
