import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Directories", .temporaryDirectory) struct DirectoryTests {
    private let files = LinuxFileSystem()

    // MARK: - Making directories

    @Test func `each directory that is made is for its owner only`() throws {
        let place = try Place()
        place.makeDirectory("old", permissions: 0o755)
        let made = try files.makeDirectory(place.path("old/a/b/c"))
        #expect(place.mode("old") == 0o755)
        for name in ["old/a", "old/a/b", "old/a/b/c"] { #expect(place.mode(name) == 0o700) }
        _ = try made.create("file")
        #expect(FileManager.default.fileExists(atPath: place.path("old/a/b/c/file")))
    }

    @Test(arguments: ["a/b/", "a/b//", "a//b", "a/./b", "a/b/.", "x/../a/b"])
    func `a path may be written in many ways`(path: String) throws {
        let place = try Place()
        _ = try files.makeDirectory(place.path(path))
        #expect(place.mode("a/b") == 0o700)
    }

    @Test func `a directory that exists is left alone`() throws {
        let place = try Place()
        place.makeDirectory("old", permissions: 0o751)
        try place.make("old/file", "kept")
        try place.link("link", to: "old")
        #expect(try files.makeDirectory(place.path("old")).names() == ["file"])
        #expect(try files.makeDirectory(place.path("link")).names() == ["file"])
        #expect(place.mode("old") == 0o751)
        #expect(try files.makeDirectory("/").path == "/")
    }

    @Test func `what is no directory is not made one`() throws {
        let place = try Place()
        try place.make("file")
        try place.link("nowhere", to: "missing")
        func made(_ path: String) throws -> FileError.Reason? {
            try refusal { _ = try files.makeDirectory(path) }
        }
        #expect(try made(place.path("file")) == .notADirectory)
        #expect(try made(place.path("file/below")) == .notADirectory)
        #expect(try made(place.path("nowhere")) == .danglingLink(place.path("missing")))
        #expect(try made("") == .notFound)
        #expect(try made("zero\0byte") == .invalidName)
        #expect(try place.directory().names().sorted() == ["file", "nowhere"])
    }

    // MARK: - Directories of other users

    // A program that root ran with the HOME of another user was led anywhere by that user's links.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a link of another user is not followed on the way to a directory of one's own`() throws {
        let place = try Place()
        place.makeDirectory("real")
        place.makeDirectory("theirs")
        try place.link("theirs/link", to: place.path("real"))
        try place.link("own", to: "theirs/link")
        try place.link("given", to: "real")
        for name in ["theirs", "theirs/link", "given"] { lchown(place.path(name), 1001, 1001) }
        func refused(_ name: String) -> FileError? {
            do throws(FileError) {
                _ = try files.makeDirectory(place.path(name))
                return nil
            } catch {
                return error
            }
        }
        for name in ["theirs/link", "theirs/link/new", "own", "given", "given/new"] {
            let error = try #require(refused(name), "\(name)")
            #expect(error.description.contains("it belongs to user 1001, not to user 0"), "\(name)")
        }
        // Not even where root has made the link, in a directory in which its owner can make it another one.
        lchown(place.path("theirs/link"), 0, 0)
        #expect(refused("theirs/link") != nil)
        // Root made a vault where the last link in its path led.
        try place.link("theirs/vault", to: place.path("real/vault"))
        try place.link("theirs/whole", to: place.path("real"))
        for name in ["theirs/vault", "theirs/whole"] { lchown(place.path(name), 1001, 1001) }
        for name in ["theirs/vault", "theirs/whole", "theirs/whole/vault", "own/vault", "given/vault"] {
            let reason = try refusal {
                _ = try files.locateForCreating(place.path(name), makesDirectories: true)
            }
            #expect(reason == .foreignOwner(1001, user: 0), "\(name)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("real")) == [])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a directory of another user is not one's own, and one can be made in it`() throws {
        let place = try Place()
        place.makeDirectory("theirs")
        chown(place.path("theirs"), 1001, 1001)
        #expect(throws: FileError.self) { try files.makeDirectory(place.path("theirs")) }
        #expect(try files.locateForCreating(place.path("theirs/new"), makesDirectories: false).name == "new")
        // Such as in a container whose HOME is a directory of the machine that it runs on.
        _ = try files.makeDirectory(place.path("theirs/state/coffer"))
        #expect(place.mode("theirs/state/coffer") == 0o700)
    }

    @Test func `links of one's own are followed, also in a circle no longer than forty`() throws {
        let place = try Place()
        place.makeDirectory("real")
        try place.link("first", to: "second/.")
        try place.link("second", to: place.path("x/../real/"))
        place.makeDirectory("x")
        _ = try files.makeDirectory(place.path("first/made"))
        #expect(place.mode("real/made") == 0o700)
        try place.link("circle", to: "circle")
        #expect(try refusal { _ = try files.makeDirectory(place.path("circle/made")) } == .tooManySymbolicLinks)
    }

    @Test func `directories on the way need not be readable`() async throws {
        let place = try Place()
        place.makeDirectory("closed")
        place.makeDirectory("closed/open", permissions: 0o777)
        chmod(place.path("closed"), 0o711)
        chmod(place.path, 0o711)
        await #expect(processExitsWith: .success) { [place = place as Place] in
            if geteuid() == 0 { try #require(setuid(65534) == 0) }
            _ = try LinuxFileSystem().makeDirectory(place.path("closed/open/new"))
        }
        #expect(place.mode("closed/open/new") == 0o700)
        chmod(place.path, 0o700)
    }

    // MARK: - Making and opening files

    @Test func `a new file is for its owner only, and new`() throws {
        let place = try Place()
        let file = try files.create(place.path("new"))
        #expect(place.mode("new") == 0o600)
        try file.write("first")
        #expect(try refusal { _ = try files.create(place.path("new")) } == .alreadyExists)
        #expect(try place.text("new") == "first")
    }

    @Test func `a file opened for reading cannot be written`() throws {
        let place = try Place()
        try place.make("file", "kept")
        let file = try files.open(place.path("file"))
        #expect(throws: FileError.self) { try file.write("lost") }
        #expect(throws: FileError.self) { try file.truncate(to: 0) }
        #expect(try refusal { _ = try file.tryLock() } == .permissionDenied)
        #expect(try place.text("file") == "kept")
    }

    @Test func `a missing file is not made by opening it`() throws {
        let place = try Place()
        for access in [FileAccess.reading, .writing] {
            #expect(try refusal { _ = try files.open(place.path("missing"), for: access) } == .notFound)
        }
        #expect(try refusal { _ = try place.directory().status(of: "missing") } == .notFound)
        #expect(try refusal { _ = try place.directory().remove("missing") } == .notFound)
        #expect(try place.directory().names() == [])
    }

    @Test(arguments: ["", ".", "..", "../file", "/etc/passwd", "a/b", "zero\0byte"])
    func `a name that leads elsewhere is refused`(name: String) throws {
        let directory = try Place().directory()
        _ = try directory.create("file")
        #expect(try refusal { _ = try directory.open(name, for: .reading) } == .invalidName)
        #expect(try refusal { _ = try directory.create(name) } == .invalidName)
        #expect(try refusal { _ = try directory.status(of: name) } == .invalidName)
        #expect(try refusal { _ = try directory.remove(name) } == .invalidName)
        for operation in [directory.rename, directory.renameWithoutReplacing] {
            #expect(try refusal { try operation("file", name) } == .invalidName)
            #expect(try refusal { try operation(name, "file") } == .invalidName)
        }
        #expect(try directory.names() == ["file"])
    }

    // MARK: - What is no regular file

    @Test func `a directory is no file`() throws {
        let place = try Place()
        place.makeDirectory("directory")
        #expect(try refusal { _ = try files.open(place.path("directory"), for: .writing) } == .isDirectory)
        let opened = try files.open(place.path("directory"))
        #expect(try !opened.status().isRegular)
        #expect(try refusal { _ = try opened.bytes(in: 0..<1) } == .isDirectory)
        #expect(try refusal { try place.directory().remove("directory") } == .isDirectory)
    }

    @Test(arguments: [FileAccess.reading, .writing])
    func `nobody waits for the other end of a pipe`(access: FileAccess) throws {
        let place = try Place()
        #expect(mkfifo(place.path("pipe"), 0o600) == 0)
        let pipe = try files.open(place.path("pipe"), for: access)
        #expect(try !pipe.status().isRegular)
        #expect(try refusal { _ = try pipe.bytes(in: 0..<1) } == .notARegularFile)
        #expect(try !place.directory().status(of: "pipe").isRegular)
    }

    @Test func `a socket cannot be opened`() throws {
        let place = try Place()
        #expect(mknod(place.path("socket"), S_IFSOCK | 0o600, 0) == 0)
        #expect(try refusal { _ = try files.open(place.path("socket")) } == .notARegularFile)
        #expect(try !place.directory().status(of: "socket").isRegular)
    }

    @Test func `a device is no regular file`() throws {
        let device = try files.open("/dev/null")
        #expect(try !device.status().isRegular)
        #expect(try device.bytes(in: 0..<8) == [])
    }

    @Test func `a link is examined itself`() throws {
        let place = try Place()
        try place.make("file")
        try place.link("link", to: "file")
        let directory = try place.directory()
        #expect(try directory.status(of: "file").isRegular)
        #expect(try !directory.status(of: "link").isRegular)
    }

    // MARK: - Names

    @Test func `a rename replaces the file that has the name`() throws {
        let place = try Place()
        try place.make("old", "old")
        try place.make("new", "new")
        let directory = try place.directory()
        try directory.rename("new", to: "old")
        #expect(try place.text("old") == "new")
        #expect(try directory.names() == ["old"])
        #expect(try refusal { try directory.rename("missing", to: "old") } == .notFound)
    }

    @Test(arguments: [true, false])
    func `a rename without replacing replaces nothing`(isKnown: Bool) throws {
        let place = try Place()
        let directory = try place.directory(LinuxFileSystem(renamesWithoutReplacing: isKnown))
        try place.make("new", "new")
        try place.make("old", "old")
        place.makeDirectory("directory")
        try place.link("link", to: "missing")
        for name in ["old", "directory", "link"] {
            #expect(try refusal { try directory.renameWithoutReplacing("new", to: name) } == .alreadyExists)
        }
        #expect(try place.text("old") == "old")
        #expect(try place.text("new") == "new")
        #expect(try directory.status(of: "new").linkCount == 1)

        try directory.renameWithoutReplacing("new", to: "third")
        #expect(try place.text("third") == "new")
        #expect(try directory.status(of: "third").linkCount == 1)
        #expect(try directory.names().sorted() == ["directory", "link", "old", "third"])
        #expect(try refusal { try directory.renameWithoutReplacing("missing", to: "fourth") } == .notFound)
    }

    @Test func `all names are listed, as often as one likes`() throws {
        let place = try Place()
        let directory = try place.directory()
        #expect(try directory.names() == [])
        let names = (0..<500).map { "name \($0)" }
        for name in names { try place.make(name) }
        for _ in 0..<2 { #expect(try directory.names().sorted() == names.sorted()) }
    }

    @Test func `a directory that is gone is empty and takes no file`() throws {
        let place = try Place()
        place.makeDirectory("gone")
        let directory = try files.locate(place.path("gone/file")).directory
        rmdir(place.path("gone"))
        #expect(try refusal { _ = try directory.create("file") } == .notFound)
        #expect(try directory.names() == [])
    }

    @Test func `a directory is made durable and tells what the disk takes`() throws {
        let directory = try Place().directory()
        try directory.sync()
        #expect(try directory.availableByteCount() > 0)
    }
}
