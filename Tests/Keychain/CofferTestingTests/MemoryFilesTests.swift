import CofferTesting
import Testing
import VaultFiles

@Suite("Files in memory") struct MemoryFilesTests {
    private let files = MemoryFiles()

    private func directory() throws -> any OpenDirectory { try files.makeDirectory("/a/b") }

    private func file(_ name: String, _ text: String) throws -> any OpenFile {
        let file = try directory().create(name)
        try file.writeAll(Array(text.utf8).span, at: 0)
        return file
    }

    private func text(_ name: String) throws -> String {
        let file = try directory().open(name, for: .reading)
        return String(decoding: try file.bytes(in: 0..<100), as: UTF8.self)
    }

    /// The reason why `body` fails.
    private func reason(_ body: () throws -> some Any) -> FileError.Reason? {
        do {
            _ = try body()
        } catch {
            return (error as? FileError)?.reason
        }
        return nil
    }

    @Test func `written bytes are read back at their offset`() throws {
        let file = try file("one", "hello")
        try file.writeAll(Array("y!".utf8).span, at: 4)
        #expect(try text("one") == "helly!")
        try file.writeAll([1].span, at: 8)
        #expect(try file.bytes(in: 5..<20) == [0x21, 0, 0, 1])
        try file.truncate(to: 2)
        #expect(try text("one") == "he")
        try file.truncate(to: 4)
        #expect(try file.bytes(in: 0..<9) == [0x68, 0x65, 0, 0])
        #expect(try file.status().byteCount == 4)
        #expect(try file.bytes(in: 100..<101) == [])
    }

    @Test func `missing files and directories are not found`() throws {
        #expect(reason { try files.locate("/none/one") } == .notFound)
        #expect(reason { try files.locate("relative") } == .notFound)
        let directory = try directory()
        #expect(reason { try directory.open("one", for: .reading) } == .notFound)
        #expect(reason { try directory.status(of: "one") } == .notFound)
        #expect(reason { try directory.remove("one") } == .notFound)
        #expect(reason { try directory.rename("one", to: "two") } == .notFound)
        #expect(reason { try files.makeDirectory("/a").open("b", for: .reading) } == .isDirectory)
        #expect(reason { try files.adopt(descriptor: 0) } == .notSupported)
    }

    @Test func `creating a file or directory that exists fails`() throws {
        _ = try file("one", "1")
        #expect(reason { try directory().create("one") } == .alreadyExists)
        #expect(reason { try files.makeDirectory("/a").create("b") } == .alreadyExists)
        #expect(try text("one") == "1")
    }

    @Test func `renaming replaces another file only if allowed`() throws {
        let (one, two) = (try file("one", "1"), try file("two", "2"))
        let directory = try directory()
        #expect(reason { try directory.renameWithoutReplacing("one", to: "two") } == .alreadyExists)
        #expect(try [text("one"), text("two")] == ["1", "2"])
        try directory.renameWithoutReplacing("one", to: "three")
        #expect(try directory.names() == ["three", "two"])
        try directory.rename("three", to: "two")
        #expect(try directory.names() == ["two"])
        #expect(try text("two") == "1")
        // The replaced file stays readable while it is open.
        #expect(try two.bytes(in: 0..<9) == Array("2".utf8))
        #expect(try [one.status().linkCount, two.status().linkCount] == [1, 0])
        #expect(try directory.status(of: "two").identity == one.status().identity)
        #expect(try one.status().identity != two.status().identity)
    }

    @Test func `a removed file stays readable while it is open`() throws {
        let file = try file("one", "1")
        try directory().remove("one")
        #expect(try directory().names() == [])
        #expect(try file.bytes(in: 0..<9) == Array("1".utf8))
    }

    @Test func `one open file holds the lock until it releases it or is closed`() throws {
        let first = try file("one", "1")
        var second: (any OpenFile)? = try directory().open("one", for: .writing)
        #expect(try first.tryLock())
        #expect(try first.tryLock())
        #expect(try second?.tryLock() == false)
        // Only the holder can release the lock.
        try second?.unlock()
        #expect(try second?.tryLock() == false)
        try first.unlock()
        #expect(try second?.tryLock() == true)
        #expect(try !first.tryLock())
        second = nil
        #expect(try first.tryLock())
    }

    @Test func `a file opened for reading cannot be written`() throws {
        _ = try file("one", "1")
        let reader = try directory().open("one", for: .reading)
        #expect(reason { try reader.writeAll([2].span, at: 0) } == .other(9))
        #expect(reason { try reader.truncate(to: 0) } == .other(9))
        #expect(reason { try reader.tryLock() } == .other(9))
        #expect(try text("one") == "1")
    }

    @Test func `a full disk stores nothing`() throws {
        let file = try file("one", "1")
        files.isFull = true
        #expect(reason { try file.writeAll([2].span, at: 0) } == .diskFull)
        #expect(try directory().availableByteCount() == 0)
        #expect(try text("one") == "1")
        files.isFull = false
        try file.writeAll(Array("2".utf8).span, at: 0)
        #expect(try text("one") == "2")
    }

    @Test func `a replaced file is a different file`() throws {
        let file = try file("one", "1")
        try files.replace("/a/b/one") { $0 = Array("22".utf8) }
        #expect(try text("one") == "22")
        #expect(try file.bytes(in: 0..<9) == Array("1".utf8))
        #expect(try directory().status(of: "one").identity != file.status().identity)
    }
}
