import TestSupport
import Testing
import VaultFiles

@Suite("Durable files", .temporaryDirectory) struct DurableFileTests {
    private static let bytes = Array("content".utf8)
    private static let temporary = ".file.00000000000a11ce.tmp"

    private func create(in directory: any OpenDirectory) throws(FileError) {
        try DurableFile.create("file", Self.bytes.span, in: directory, random: 0xA11CE)
    }

    @Test func `the file is there, for its owner only, and nothing else`() throws {
        let place = try Place()
        try create(in: place.directory())
        #expect(try place.text("file") == "content")
        #expect(place.mode("file") == 0o600)
        #expect(try place.directory().names() == ["file"])
        #expect(try place.directory().status(of: "file").linkCount == 1)
    }

    @Test func `the bytes are durable before the name, and the name at the end`() throws {
        let directory = FaultyDirectory(try Place().directory())
        try create(in: directory)
        #expect(
            directory.steps == [
                "create \(Self.temporary)", "write \(Self.temporary)", "write \(Self.temporary)",
                "syncFile \(Self.temporary)", "rename file", "syncDirectory ",
            ]
        )
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

    @Test func `a file that has the name is left as it is`() throws {
        let place = try Place()
        try place.make("file", "old")
        #expect(
            throws: FileError(.rename, place.path("file"), reason: .alreadyExists)
        ) { try create(in: place.directory()) }
        #expect(try place.text("file") == "old")
        #expect(try place.directory().names() == ["file"])
    }

    @Test func `a temporary file of somebody else is left as it is`() throws {
        let place = try Place()
        try place.make(Self.temporary, "other")
        #expect(
            throws: FileError(.create, place.path(Self.temporary), reason: .alreadyExists)
        ) { try create(in: place.directory()) }
        #expect(try place.text(Self.temporary) == "other")
        #expect(try place.directory().names() == [Self.temporary])
    }

    @Test(
        arguments: [
            (FaultyDirectory.Step.create, FileError.Operation.create, []), (.write, .write, []), (.syncFile, .sync, []),
            (.rename, .rename, []), (.syncDirectory, .sync, ["file"]),
        ] as [(FaultyDirectory.Step, FileError.Operation, [String])]
    )
    func `whatever fails leaves no temporary file`(
        fault: FaultyDirectory.Step,
        operation: FileError.Operation,
        names: [String]
    ) throws {
        let place = try Place()
        let directory = FaultyDirectory(try place.directory(), faults: [fault])
        let name = fault == .rename ? "file" : fault == .syncDirectory ? "" : Self.temporary
        #expect(throws: FileError(operation, name, reason: .inputOutput)) { try create(in: directory) }
        #expect(try place.directory().names() == names)
    }

    @Test func `the first error is told`() throws {
        let place = try Place()
        let directory = FaultyDirectory(try place.directory(), faults: [.write, .remove])
        #expect(throws: FileError(.write, Self.temporary, reason: .inputOutput)) { try create(in: directory) }
        #expect(try place.directory().names() == [Self.temporary])
    }
}
