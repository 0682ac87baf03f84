import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Directory trees", .temporaryDirectory) struct DirectoryTreeTests {
    private let root: String
    private let outside: String

    init() throws {
        let directory = try TemporaryDirectory.current.path
        (root, outside) = (directory + "/root", directory + "/outside")
        for path in [root, outside] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Data("kept".utf8).write(to: URL(filePath: outside + "/file"))
    }

    /// Creates an empty file and its parent directories.
    private func make(_ name: String) throws {
        let url = URL(filePath: root + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
    }

    private var isThere: Bool { FileManager.default.fileExists(atPath: root) }

    @Test func `a tree is removed with all its contents`() throws {
        for name in ["file", ".hidden", "a/file", "a/b/c/file"] { try make(name) }
        try FileManager.default.createDirectory(atPath: root + "/empty", withIntermediateDirectories: true)
        try DirectoryTree.remove(at: root) { _ in false }
        #expect(!isThere)
        // Removing a missing tree is not an error.
        try DirectoryTree.remove(at: root) { _ in false }
    }

    @Test func `names need not be UTF-8`() throws {
        let name = Array(root.utf8) + [UInt8(ascii: "/"), 0xFF, 0xFE, 0]
        try #require(mkdir(name.map { CChar(bitPattern: $0) }, 0o700) == 0)
        let file = name.dropLast() + [UInt8(ascii: "/"), 0x80, 0]
        let descriptor = open(file.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        var names: [[UInt8]] = []
        try DirectoryTree.remove(at: root) { entry in
            names.append(entry.name)
            return false
        }
        #expect(names == [[0x80]])
        #expect(!isThere)
    }

    @Test func `links are removed, and not followed`() throws {
        for (name, target) in [("directory", outside), ("file", outside + "/file"), ("nowhere", "/nonexistent")] {
            try FileManager.default.createSymbolicLink(atPath: root + "/" + name, withDestinationPath: target)
        }
        try DirectoryTree.remove(at: root) { _ in false }
        #expect(!isThere)
        #expect(try Data(contentsOf: URL(filePath: outside + "/file")) == Data("kept".utf8))
    }

    @Test func `a link to the tree itself stays, and what it leads to is emptied`() throws {
        try make("a/file")
        let link = outside + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: root)
        try DirectoryTree.remove(at: link) { _ in false }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == root)
    }

    @Test func `a kept file stays, and so do its parent directories`() throws {
        for name in ["a/file", "a/b/file", "a/b/keep", "c/file"] { try make(name) }
        try DirectoryTree.remove(at: root) { $0.name.elementsEqual("keep".utf8) }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: root).sorted() == ["a", "a/b", "a/b/keep"])
    }

    // `AppContainer.remove` held a descriptor for each level, so it could not remove a tree deeper than the limit on
    // open files. Each test runs in its own process, since the limit is per process.
    @Test(arguments: [2_000, 10_000]) func `a tree may be deeper than the open-file limit`(depth: Int) async throws {
        let deep = DeepTree(root: root, depth: depth)
        defer { deep.removeWhatIsLeft() }
        try deep.make()
        await #expect(processExitsWith: .success) { [root = root as String] in
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try DirectoryTree.remove(at: root) { _ in false }
        }
        #expect(!isThere)
    }

    @Test func `a kept file at the bottom of a deep tree stays, and its neighbors are removed`() throws {
        let deep = DeepTree(root: root, depth: 300)
        defer { deep.removeWhatIsLeft() }
        try deep.make(files: ["keep", "file"])
        for name in ["a/file", "z/file"] { try make(name) }
        try DirectoryTree.remove(at: root) { $0.name.elementsEqual("keep".utf8) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [DeepTree.name])
        #expect(try deep.filesAtTheBottom() == ["keep"])
    }

    /// The way back up from a directory must not lead out of the tree, where files may have the same names.
    @Test func `a directory that is moved out of the tree meanwhile does not lead outside`() throws {
        for name in ["a/b/x", "a/c/x", "a/d/x"] { try make(name) }
        for name in ["b", "c", "d"] {
            try FileManager.default.createDirectory(atPath: outside + "/" + name, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: outside + "/" + name + "/x"))
        }
        var isMoved = false
        try DirectoryTree.remove(at: root) { entry in
            if !isMoved {
                isMoved = true
                let directory = entry.path.dropLast(2)
                #expect(rename(String(directory), outside + "/moved") == 0)
            }
            return false
        }
        #expect(isMoved)
        #expect(!isThere)
        let left = try FileManager.default.subpathsOfDirectory(atPath: outside).sorted()
        #expect(left == ["b", "b/x", "c", "c/x", "d", "d/x", "file", "moved"])
    }

    @Test func `a directory that another process removes meanwhile is not an error`() throws {
        for name in ["a/b/c/x", "a/d/x", "e/x"] { try make(name) }
        var isRemoved = false
        try DirectoryTree.remove(at: root) { entry in
            if !isRemoved, entry.path.hasSuffix("a/b/c/x") {
                isRemoved = true
                #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: root + "/a/b") }
            }
            return false
        }
        #expect(isRemoved)
        #expect(!isThere)
    }

    @Test func `a path that cannot be removed is an error`() throws {
        try make("file")
        #expect(throws: FileError(.open, root + "/file", reason: .notADirectory)) {
            try DirectoryTree.remove(at: root + "/file") { _ in false }
        }
        #expect(isThere)
    }
}

/// A tree of nested directories, too deep for any but the first to be reached by a path.
private struct DeepTree {
    static let name = "d"
    let root: String
    let depth: Int

    /// Creates the directories, and these files in the innermost one.
    func make(files: [String] = []) throws {
        var directory = open(root, O_RDONLY)
        defer { close(directory) }
        for _ in 0..<depth {
            try #require(mkdirat(directory, Self.name, 0o700) == 0)
            try enter(&directory)
        }
        for file in files { close(openat(directory, file, O_CREAT | O_WRONLY, 0o600)) }
    }

    func filesAtTheBottom() throws -> [String] {
        var directory = open(root, O_RDONLY)
        defer { close(directory) }
        for _ in 0..<depth { try enter(&directory) }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(directory)")
    }

    /// Cleans up after a failed test, with a program that can handle deep trees.
    func removeWhatIsLeft() {
        guard FileManager.default.fileExists(atPath: root) else { return }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/rm")
        process.arguments = ["-rf", root]
        try? process.run()
        process.waitUntilExit()
    }

    private func enter(_ directory: inout Int32) throws {
        let next = openat(directory, Self.name, O_RDONLY | O_DIRECTORY)
        close(directory)
        directory = next
        try #require(next >= 0)
    }
}
