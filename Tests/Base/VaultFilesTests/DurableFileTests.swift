import TestSupport
import Testing
import VaultFiles

@Suite("Durable files", .temporaryDirectory) struct DurableFileTests {
    private static let bytes = Array("content".utf8)
    private static let temporary = ".file.00000000000a11ce.tmp"

    private func create(in directory: any OpenDirectory) throws(FileError) {
        try DurableFile.create("file", Self.bytes.span, in: directory, random: 0xA11CE)
    }

    @Test func `the file exists, only for its owner, and nothing else does`() throws {
        let place = try Place()
        try create(in: place.directory())
        #expect(try place.text("file") == "content")
        #expect(place.mode("file") == 0o600)
        #expect(try place.directory().names() == ["file"])
        #expect(try place.directory().status(of: "file").linkCount == 1)
    }

    @Test func `the bytes are durable before the rename, and the name at the end`() throws {
        let (files, place) = (HookedFiles(longestWrite: 3), try Place())
        try create(in: place.directory(files))
        #expect(files.calls.map(\.operation) == [.create, .write, .write, .write, .sync, .rename, .sync])
        let temporary = [String](repeating: place.path(Self.temporary), count: 6)
        #expect(files.calls.map(\.path) == temporary + [place.path("")])
    }

    @Test func `a file may be empty`() throws {
        let place = try Place()
        try DurableFile.create("file", [UInt8]().span, in: place.directory(), random: 0)
        #expect(try place.text("file") == "")
    }

    @Test(
        arguments: [
            (0, ".a b.0000000000000000.tmp"), (.max, ".a b.ffffffffffffffff.tmp"),
            (0x0123_4567, ".a b.0000000001234567.tmp"),
        ] as [(UInt64, String)]
    )
    func `a temporary name has 16 digits`(random: UInt64, name: String) {
        #expect(DurableFile.temporaryName(for: "a b", random: random) == name)
    }

    @Test func `an existing file with the name is left unchanged`() throws {
        let place = try Place()
        try place.make("file", "old")
        #expect(
            throws: FileError(.rename, place.path("file"), reason: .alreadyExists)
        ) { try create(in: place.directory()) }
        #expect(try place.text("file") == "old")
        #expect(try place.directory().names() == ["file"])
    }

    @Test func `an existing temporary file is left unchanged`() throws {
        let place = try Place()
        try place.make(Self.temporary, "other")
        #expect(
            throws: FileError(.create, place.path(Self.temporary), reason: .alreadyExists)
        ) { try create(in: place.directory()) }
        #expect(try place.text(Self.temporary) == "other")
        #expect(try place.directory().names() == [Self.temporary])
    }

    /// A directory in which the calls with these numbers fail; the third is a write, with one before it.
    private func directory(of place: Place, failingAt calls: Set<Int>) throws -> any OpenDirectory {
        let files = HookedFiles(longestWrite: 3)
        files.setHook { [unowned files] operation, path throws(FileError) in
            guard calls.contains(files.calls.count) else { return }
            throw FileError(operation, path, reason: .inputOutput)
        }
        return try place.directory(files)
    }

    @Test(
        arguments: [
            (1, .create, Self.temporary, []), (3, .write, Self.temporary, []), (5, .sync, Self.temporary, []),
            (6, .rename, Self.temporary, []), (7, .sync, "", ["file"]),
        ] as [(Int, FileError.Operation, String, [String])]
    )
    func `no failure leaves a temporary file`(
        call: Int,
        operation: FileError.Operation,
        name: String,
        names: [String]
    ) throws {
        let place = try Place()
        let failure = FileError(operation, place.path(name), reason: .inputOutput)
        #expect(throws: failure) { try create(in: directory(of: place, failingAt: [call])) }
        #expect(try place.directory().names() == names)
    }

    @Test func `the first error is reported`() throws {
        let place = try Place()
        let failure = FileError(.write, place.path(Self.temporary), reason: .inputOutput)
        // The fourth call removes the file.
        #expect(throws: failure) { try create(in: directory(of: place, failingAt: [3, 4])) }
        #expect(try place.directory().names() == [Self.temporary])
    }
}
