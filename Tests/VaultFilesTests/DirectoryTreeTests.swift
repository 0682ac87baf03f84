import Foundation
import TestSupport
import Testing
import VaultFiles

@Suite("Trees of directories", .temporaryDirectory) struct DirectoryTreeTests {
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

    /// Makes an empty file, with the directories that it is in.
    private func make(_ name: String) throws {
        let url = URL(filePath: root + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
    }

    private var isThere: Bool { FileManager.default.fileExists(atPath: root) }

    @Test func `a tree goes with all that is in it`() throws {
        for name in ["file", ".hidden", "a/file", "a/b/c/file"] { try make(name) }
        try FileManager.default.createDirectory(atPath: root + "/empty", withIntermediateDirectories: true)
        try DirectoryTree.remove(at: root) { _ in false }
        #expect(!isThere)
        // Nothing is gone already.
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

    @Test func `what is kept stays, and so do the directories that it is in`() throws {
        for name in ["a/file", "a/b/file", "a/b/keep", "c/file"] { try make(name) }
        try DirectoryTree.remove(at: root) { $0.name.elementsEqual("keep".utf8) }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: root).sorted() == ["a", "a/b", "a/b/keep"])
    }

    /// Deeper than a path can name; each directory takes a descriptor meanwhile.
    @Test func `a tree may be as deep as files can be open`() throws {
        let name = String(repeating: "d", count: 100)
        var directory = open(root, O_RDONLY)
        for _ in 0..<60 {
            try #require(mkdirat(directory, name, 0o700) == 0)
            let next = openat(directory, name, O_RDONLY)
            close(directory)
            directory = next
        }
        close(directory)
        try DirectoryTree.remove(at: root) { _ in false }
        #expect(!isThere)
    }

    @Test func `what cannot be removed is an error`() throws {
        try make("file")
        #expect(throws: FileError(.open, root + "/file", reason: .notADirectory)) {
            try DirectoryTree.remove(at: root + "/file") { _ in false }
        }
        #expect(isThere)
    }
}
