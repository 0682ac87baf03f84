import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Directories", .temporaryDirectory) struct DirectoryTests {
    private let files = LinuxFileSystem()

    // MARK: - Creating directories

    @Test func `each new directory is accessible only to its owner`() throws {
        let place = try Place()
        place.makeDirectory("old", permissions: 0o755)
        let made = try files.makeDirectory(place.path("old/a/b/c"))
        #expect(place.mode("old") == 0o755)
        for name in ["old/a", "old/a/b", "old/a/b/c"] { #expect(place.mode(name) == 0o700) }
        _ = try made.create("file")
        #expect(FileManager.default.fileExists(atPath: place.path("old/a/b/c/file")))
    }

    @Test(arguments: ["a/b/", "a/b//", "a//b", "a/./b", "a/b/.", "x/../a/b"])
    func `a path may be written in different ways`(path: String) throws {
        let place = try Place()
        _ = try files.makeDirectory(place.path(path))
        #expect(place.mode("a/b") == 0o700)
    }

    @Test func `an existing directory is left unchanged`() throws {
        let place = try Place()
        place.makeDirectory("old", permissions: 0o751)
        try place.make("old/file", "kept")
        try place.link("link", to: "old")
        #expect(try files.makeDirectory(place.path("old")).names() == ["file"])
        #expect(try files.makeDirectory(place.path("link")).names() == ["file"])
        #expect(place.mode("old") == 0o751)
        #expect(try files.makeDirectory("/").path == "/")
    }

    @Test func `a path that is not a directory is not turned into one`() throws {
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

    // A program that root ran with another user's HOME could be led anywhere by that user's links.
    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's link is not followed on the way to the user's own directory`() throws {
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
        // Not even if root created the link, in a directory whose owner can replace it.
        lchown(place.path("theirs/link"), 0, 0)
        #expect(refused("theirs/link") != nil)
        // Root created a vault where the last link in its path led.
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
    func `another user's directory is not accepted, but one can be created in it`() throws {
        let place = try Place()
        place.makeDirectory("theirs")
        chown(place.path("theirs"), 1001, 1001)
        #expect(throws: FileError.self) { try files.makeDirectory(place.path("theirs")) }
        #expect(try files.locateForCreating(place.path("theirs/new"), makesDirectories: false).name == "new")
        // As in a container whose HOME is a directory of the host.
        _ = try files.makeDirectory(place.path("theirs/state/coffer"))
        #expect(place.mode("theirs/state/coffer") == 0o700)
    }

    @Test func `the user's own links are followed, at most forty of them`() throws {
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

    // MARK: - Creating and opening files

    @Test func `a new file is accessible only to its owner, and must not exist yet`() throws {
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

    @Test func `opening does not create a missing file`() throws {
        let place = try Place()
        for access in [FileAccess.reading, .writing] {
            #expect(try refusal { _ = try files.open(place.path("missing"), for: access) } == .notFound)
        }
        #expect(try refusal { _ = try place.directory().status(of: "missing") } == .notFound)
        #expect(try refusal { _ = try place.directory().remove("missing") } == .notFound)
        #expect(try place.directory().names() == [])
    }

    @Test(arguments: ["", ".", "..", "../file", "/etc/passwd", "a/b", "zero\0byte"])
    func `a name that leads out of the directory is refused`(name: String) throws {
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

    // MARK: - Files that are not regular

    @Test func `a directory is not a file`() throws {
        let place = try Place()
        place.makeDirectory("directory")
        #expect(try refusal { _ = try files.open(place.path("directory"), for: .writing) } == .isDirectory)
        let opened = try files.open(place.path("directory"))
        #expect(try !opened.status().isRegular)
        #expect(try refusal { _ = try opened.bytes(in: 0..<1) } == .isDirectory)
        #expect(try refusal { try place.directory().remove("directory") } == .isDirectory)
    }

    @Test(arguments: [FileAccess.reading, .writing])
    func `opening a pipe does not wait for its other end`(access: FileAccess) throws {
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

    @Test func `a device is not a regular file`() throws {
        let device = try files.open("/dev/null")
        #expect(try !device.status().isRegular)
        #expect(try device.bytes(in: 0..<8) == [])
    }

    @Test func `the status of a link is its own`() throws {
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

    @Test func `all names are listed, each time`() throws {
        let place = try Place()
        let directory = try place.directory()
        #expect(try directory.names() == [])
        let names = (0..<500).map { "name \($0)" }
        for name in names { try place.make(name) }
        for _ in 0..<2 { #expect(try directory.names().sorted() == names.sorted()) }
    }

    @Test func `a removed directory is empty, and no file can be created in it`() throws {
        let place = try Place()
        place.makeDirectory("gone")
        let directory = try files.locate(place.path("gone/file")).directory
        rmdir(place.path("gone"))
        #expect(try refusal { _ = try directory.create("file") } == .notFound)
        #expect(try directory.names() == [])
    }

    @Test func `a directory can be synced, and reports the available space`() throws {
        let directory = try Place().directory()
        try directory.sync()
        #expect(try directory.availableByteCount() > 0)
    }
}
