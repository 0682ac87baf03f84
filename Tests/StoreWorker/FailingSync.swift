import Glibc
import VaultFiles

/// The files of this machine, where the next sync of a file fails, but not before a file `go` is there.
struct FailingSync: FileSystem {
    let directory: String
    private let files = LinuxFileSystem()

    func locate(_ path: String) throws(FileError) -> (directory: any OpenDirectory, name: String) {
        let (found, name) = try files.locate(path)
        return (Directory(found, waitingIn: directory), name)
    }

    func makeDirectory(_ path: String) throws(FileError) -> any OpenDirectory { try files.makeDirectory(path) }

    func adopt(descriptor: Int32) throws(FileError) -> any OpenFile { try files.adopt(descriptor: descriptor) }

    private final class Directory: OpenDirectory {
        private let directory: any OpenDirectory
        private let place: String
        var path: String { directory.path }

        init(_ directory: any OpenDirectory, waitingIn place: String) {
            self.directory = directory
            self.place = place
        }

        func open(_ name: String, for access: FileAccess) throws(FileError) -> any OpenFile {
            File(try directory.open(name, for: access), waitingIn: place)
        }
        func create(_ name: String) throws(FileError) -> any OpenFile { try directory.create(name) }
        func status(of name: String) throws(FileError) -> FileStatus { try directory.status(of: name) }
        func rename(_ name: String, to newName: String) throws(FileError) { try directory.rename(name, to: newName) }
        func renameWithoutReplacing(_ name: String, to newName: String) throws(FileError) {
            try directory.renameWithoutReplacing(name, to: newName)
        }
        func remove(_ name: String) throws(FileError) { try directory.remove(name) }
        func names() throws(FileError) -> [String] { try directory.names() }
        func sync() throws(FileError) { try directory.sync() }
        func availableByteCount() throws(FileError) -> Int { try directory.availableByteCount() }
    }

    private final class File: OpenFile {
        private let file: any OpenFile
        private let place: String
        var path: String { file.path }

        init(_ file: any OpenFile, waitingIn place: String) {
            self.file = file
            self.place = place
        }

        func sync() throws(FileError) {
            // What others have left is synced before; only the frame of this process fails.
            guard access(place + "/armed", F_OK) == 0 else { return try file.sync() }
            while access(place + "/go", F_OK) != 0 { usleep(1000) }
            throw FileError(.sync, path, reason: .inputOutput)
        }

        func status() throws(FileError) -> FileStatus { try file.status() }
        func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
            try file.read(into: &buffer, at: offset)
        }
        func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) -> Int { try file.write(bytes, at: offset) }
        func truncate(to byteCount: Int) throws(FileError) { try file.truncate(to: byteCount) }
        func takeAccess(of other: FileStatus) throws(FileError) { try file.takeAccess(of: other) }
        func tryLock() throws(FileError) -> Bool { try file.tryLock() }
        func unlock() throws(FileError) { try file.unlock() }
        func lockHolder() -> Int32? { file.lockHolder() }
    }
}
