import Dispatch
import Foundation
import Glibc
import TestSupport
import VaultFiles

/// The temporary directory of the running test, with symbolic links resolved.
struct Place: Codable {
    let path: String

    init() throws {
        path = try TemporaryDirectory.current.resolvingSymlinksInPath().path
    }

    func path(_ name: String) -> String { path + "/" + name }

    func directory(_ files: any FileSystem = LinuxFileSystem()) throws -> any OpenDirectory {
        try files.locate(path("x")).directory
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func make(_ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    func makeDirectory(_ name: String, permissions: UInt32 = 0o755) {
        mkdir(path(name), 0o700)
        chmod(path(name), permissions)
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: path(name)), encoding: .utf8)
    }

    /// All permission bits.
    func mode(_ name: String) -> UInt32 {
        var status = stat()
        return lstat(path(name), &status) == 0 ? status.st_mode & 0o7777 : .max
    }

    /// The flags of each descriptor of this process that is open for `path`.
    static func flags(ofDescriptorsFor path: String) throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) == path
            else { return nil }
            return Int32(descriptor).map { fcntl($0, F_GETFD) }
        }
    }
}

/// Background activity in the process of the test.
enum Background {
    /// Returns when the descriptors for timers are open.
    ///
    /// The first timer opens them on its own thread and at its own time, with the lowest free numbers.
    static func settle() {
        let isOver = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { isOver.signal() }
        isOver.wait()
    }
}

extension FileSystem {
    func open(_ path: String, for access: FileAccess = .reading) throws -> any OpenFile {
        let (directory, name) = try locate(path)
        return try directory.open(name, for: access)
    }

    func create(_ path: String) throws -> any OpenFile {
        let (directory, name) = try locate(path)
        return try directory.create(name)
    }
}

extension OpenFile {
    /// The content, up to 64 KiB.
    var text: String { get throws { String(decoding: try bytes(in: 0..<65_536), as: UTF8.self) } }

    func write(_ text: String, at offset: Int = 0) throws {
        try writeAll(Array(text.utf8).span, at: offset)
    }
}

/// Why `body` was refused, or nil if it was not.
func refusal(_ body: () throws -> Void) throws -> FileError.Reason? {
    do {
        try body()
        return nil
    } catch let error as FileError {
        return error.reason
    }
}
