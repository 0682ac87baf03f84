import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Paths", .temporaryDirectory) struct LocateTests {
    private let files = LinuxFileSystem()

    private func located(_ path: String) throws -> String {
        let (directory, name) = try files.locate(path)
        return directory.path == "/" ? "/" + name : directory.path + "/" + name
    }

    // MARK: - Names

    @Test(arguments: [
        "plain", "with space", "ключ-鍵-🔑", "e\u{301}", "\u{301}accent", ".hidden", "-", "~", "new\nline", "a'b\"c\\d",
        "...",
    ])
    func `any name is accepted`(name: String) throws {
        let place = try Place()
        for exists in [false, true] {
            if exists { try place.make(name, "here") }
            let (directory, found) = try files.locate(place.path(name))
            #expect(directory.path == place.path)
            #expect(Array(found.utf8) == Array(name.utf8))
        }
        #expect(try files.open(place.path(name)).text == "here")
        #expect(try place.directory().names().map { Array($0.utf8) } == [Array(name.utf8)])
    }

    @Test func `dots and slashes are resolved`() throws {
        let place = try Place()
        place.makeDirectory("a")
        place.makeDirectory("a/b")
        try place.make("a/file")
        for path in ["a/b/../file", "a/./file", "a//file", "./a/file", "a/b/../../a/file"] {
            #expect(try located(place.path(path)) == place.path("a/file"))
        }
        #expect(try located(place.path("a/b/..")) == place.path("a"))
        #expect(try located(place.path("a/b/")) == place.path("a/b"))
        #expect(try located("/missing") == "/missing")
        #expect(try located("/tmp/..//missing") == "/missing")
    }

    @Test func `a path without a slash is in the current directory`() throws {
        #expect(try located("missing-name") == FileManager.default.currentDirectoryPath + "/missing-name")
    }

    @Test(arguments: [
        ("", FileError.Reason.notFound), ("/", .isDirectory), ("//", .isDirectory), ("/tmp/missing/", .notFound),
        ("/missing/file", .notFound), ("/missing/..", .notFound), ("/dev/null/", .notADirectory),
        ("/dev/null/file", .notADirectory), ("/tmp/zero\0byte", .invalidName), ("\0", .invalidName),
    ])
    func `a path that does not end in a name is refused`(path: String, reason: FileError.Reason) throws {
        #expect(try refusal { _ = try files.locate(path) } == reason)
    }

    @Test func `a name may have 255 bytes and no more`() throws {
        let place = try Place()
        let longest = String(repeating: "n", count: 255)
        _ = try files.create(place.path(longest))
        #expect(try refusal { _ = try files.create(place.path(longest + "n")) } == .nameTooLong)
    }

    @Test func `a name that is not UTF-8 is refused, not repaired`() throws {
        let place = try Place()
        #expect(
            (place.path + "/\u{1}").withCString { path in
                // Replace "\u{1}" with a byte that starts no character.
                var bytes = Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
                bytes[bytes.count - 2] = CChar(bitPattern: 0xFF)
                return mkdir(bytes, 0o700) == 0 && symlink(bytes, place.path("link")) == 0
            }
        )
        #expect(try refusal { _ = try files.locate(place.path("link")) } == .invalidName)
        #expect(try refusal { _ = try files.locate(place.path("link/file")) } == .invalidName)
        #expect(try place.directory().names() == ["link"])
        _ = place.path.withCString { path in
            var bytes = Array(UnsafeBufferPointer(start: path, count: strlen(path))) + [CChar(UInt8(ascii: "/"))]
            bytes += [CChar(bitPattern: 0xFF), 0]
            return rmdir(bytes)
        }
        // Now it leads nowhere, and its target is read.
        #expect(try refusal { _ = try files.locate(place.path("link")) } == .invalidName)
    }

    // MARK: - Symbolic links

    @Test func `links are followed`() throws {
        let place = try Place()
        place.makeDirectory("real")
        try place.make("real/file")
        try place.link("relative", to: "real/file")
        try place.link("absolute", to: place.path("real/file"))
        try place.link("chain", to: "relative")
        try place.link("parent", to: "real")
        try place.link("real/up", to: "../chain")
        for path in ["relative", "absolute", "chain", "parent/file", "parent/up", "real/up"] {
            #expect(try located(place.path(path)) == place.path("real/file"))
        }
        #expect(try located(place.path("parent/new")) == place.path("real/new"))
    }

    @Test func `a link to a missing file leads to the file that is created`() throws {
        let place = try Place()
        place.makeDirectory("real")
        try place.link("first", to: "second")
        try place.link("second", to: place.path("third"))
        try place.link("third", to: "real/file")
        let (directory, name) = try files.locate(place.path("first"))
        #expect(directory.path == place.path("real"))
        #expect(name == "file")
        try directory.create(name).write("made")
        #expect(try place.text("real/file") == "made")
        #expect(try place.text("first") == "made")
    }

    /// A file behind such a link is not known to be absent: its disk may be unmounted.
    @Test(arguments: [
        "file", "slash", "directory/file", "directory/sub/file", "directory/../file", "chain/file", "outer",
    ])
    func `a link into a missing directory is refused as dangling`(path: String) throws {
        let place = try Place()
        try place.link("file", to: "missing/file")
        try place.link("slash", to: "missing/")
        try place.link("directory", to: "missing")
        try place.link("chain", to: "directory")
        try place.link("outer", to: "directory/file")
        func isDangling(_ reason: FileError.Reason?) -> Bool {
            if case .danglingLink = reason { true } else { false }
        }
        #expect(isDangling(try refusal { _ = try files.locate(place.path(path)) }))
        let reason = try refusal { _ = try files.locateForCreating(place.path(path), makesDirectories: true) }
        #expect(isDangling(reason))
        #expect(!FileManager.default.fileExists(atPath: place.path("missing")))
    }

    @Test func `a missing directory behind a valid link is not found`() throws {
        let place = try Place()
        place.makeDirectory("real")
        try place.link("link", to: "real")
        #expect(try refusal { _ = try files.locate(place.path("link/missing/file")) } == .notFound)
    }

    @Test func `a loop of links is refused`() throws {
        let place = try Place()
        try place.link("a", to: "b")
        try place.link("b", to: "a")
        try place.link("self", to: "self")
        for path in ["a", "b", "self", "a/file"] {
            #expect(try refusal { _ = try files.locate(place.path(path)) } == .tooManySymbolicLinks)
        }
    }

    @Test(arguments: [(40, true), (41, false)])
    func `links to a missing file are followed as far as the kernel does`(count: Int, isFollowed: Bool) throws {
        let place = try Place()
        for number in 1...count { try place.link("\(number)", to: "\(number + 1)") }
        var end: String?
        let reason = try refusal { end = try located(place.path("1")) }
        #expect(reason == (isFollowed ? nil : .tooManySymbolicLinks))
        #expect(end == (isFollowed ? place.path("\(count + 1)") : nil))
    }

    @Test func `a link that is changed later still leads to its first target`() throws {
        let place = try Place()
        for name in ["first", "second"] {
            place.makeDirectory(name)
            try place.make("\(name)/file", name)
        }
        try place.link("link", to: "first")
        let (directory, name) = try files.locate(place.path("link/file"))
        unlink(place.path("link"))
        try place.link("link", to: "second")
        #expect(try directory.open(name, for: .reading).text == "first")
        #expect(try files.open(place.path("link/file")).text == "second")
    }

    @Test func `a link that replaces the file is not followed`() throws {
        let place = try Place()
        try place.make("file", "mine")
        try place.make("other", "other")
        let (directory, name) = try files.locate(place.path("file"))
        unlink(place.path("file"))
        try place.link("file", to: "other")
        #expect(try refusal { _ = try directory.open(name, for: .reading) } == .notARegularFile)
        #expect(try refusal { _ = try directory.open(name, for: .writing) } == .notARegularFile)
        #expect(try refusal { _ = try directory.create(name) } == .alreadyExists)
        #expect(try !directory.status(of: name).isRegular)
    }

    @Test func `a moved directory stays the same`() throws {
        let place = try Place()
        place.makeDirectory("before")
        try place.make("before/file", "first")
        let (directory, name) = try files.locate(place.path("before/file"))
        rename(place.path("before"), place.path("after"))
        place.makeDirectory("before")
        try place.make("before/file", "second")
        #expect(try directory.open(name, for: .reading).text == "first")
    }
}
