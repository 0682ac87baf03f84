import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Files", .temporaryDirectory) struct FileTests {
    private let files = LinuxFileSystem()

    // MARK: - Content

    @Test func `reading ends where the file ends`() throws {
        let place = try Place()
        try place.make("file", "0123456789")
        let file = try files.open(place.path("file"))
        #expect(try file.bytes(in: 0..<4) == Array("0123".utf8))
        #expect(try file.bytes(in: 7..<20) == Array("789".utf8))
        #expect(try file.bytes(in: 10..<20) == [])
        #expect(try file.bytes(in: 1000..<1001) == [])
        #expect(try file.bytes(in: 3..<3) == [])
        var bytes: [UInt8] = [1, 2, 3, 4]
        var span = bytes.mutableSpan
        #expect(try file.read(filling: &span, at: 8) == 2)
        #expect(bytes == Array("89".utf8) + [3, 4])
    }

    @Test func `writing overwrites, and fills a gap with zeros`() throws {
        let place = try Place()
        let file = try files.create(place.path("file"))
        try file.write("0123456789")
        try file.write("ab", at: 4)
        #expect(try file.text == "0123ab6789")
        try file.write("end", at: 12)
        #expect(try file.text == "0123ab6789\0\0end")
        try file.write("", at: 100)
        #expect(try file.status().byteCount == 15)
        try file.sync()
    }

    @Test func `a file can be truncated and extended`() throws {
        let place = try Place()
        let file = try files.create(place.path("file"))
        try file.write("0123456789")
        try file.truncate(to: 4)
        #expect(try file.text == "0123")
        try file.truncate(to: 6)
        #expect(try file.text == "0123\0\0")
        try file.truncate(to: 0)
        #expect(try file.status().byteCount == 0)
    }

    @Test func `a file can be written through two descriptors`() throws {
        let place = try Place()
        let first = try files.create(place.path("file"))
        let second = try files.open(place.path("file"), for: .writing)
        try first.write("first")
        try second.write("second", at: 5)
        #expect(try first.text == "firstsecond")
    }

    // MARK: - Status

    @Test func `the status matches that of the system`() throws {
        let place = try Place()
        let file = try files.create(place.path("file"))
        try file.write("0123456789")
        var expected = stat()
        #expect(stat(place.path("file"), &expected) == 0)
        let status = try file.status()
        #expect(status.identity.device == expected.st_dev)
        #expect(status.identity.number == expected.st_ino)
        #expect(status.byteCount == 10)
        #expect(status.isRegular)
        #expect(status.linkCount == 1)
        #expect(status.owner == geteuid())
        #expect(status.group == expected.st_gid)
        #expect(status.permissions == 0o600)
        #expect(try place.directory().status(of: "file") == status)

        link(place.path("file"), place.path("second"))
        chmod(place.path("file"), 0o4647)
        #expect(try file.status().linkCount == 2)
        #expect(try file.status().permissions == 0o647)
        #expect(try place.directory().status(of: "second").identity == status.identity)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `the status includes the owner and the group`() throws {
        let place = try Place()
        let file = try files.create(place.path("file"))
        chown(place.path("file"), 1234, 5678)
        #expect(try file.status().owner == 1234)
        #expect(try file.status().group == 5678)
    }

    @Test func `a replaced file stays unchanged, without a name`() throws {
        let place = try Place()
        try place.make("file", "old")
        try place.make("new", "new")
        let old = try files.open(place.path("file"))
        let identity = try old.status().identity
        try place.directory().rename("new", to: "file")
        #expect(try old.text == "old")
        #expect(try old.status().linkCount == 0)
        #expect(try old.status().identity == identity)
        #expect(try place.directory().status(of: "file").identity != identity)
        #expect(try files.open(place.path("file")).text == "new")
    }

    // MARK: - Descriptors

    @Test func `started programs inherit no descriptors`() throws {
        let place = try Place()
        let file = try files.create(place.path("file"))
        let directory = try place.directory()
        let own = open(place.path("file"), O_RDONLY | O_CLOEXEC)
        defer { close(own) }
        let adopted = try files.adopt(descriptor: own)
        let flags = try withExtendedLifetime((file, directory, adopted)) {
            try [place.path, place.path("file")].map(Place.flags)
        }
        #expect(flags == [[FD_CLOEXEC], [FD_CLOEXEC, FD_CLOEXEC, FD_CLOEXEC]])
    }

    @Test func `a file is closed when its last reference goes`() throws {
        let place = try Place()
        var file: (any OpenFile)? = try files.create(place.path("file"))
        let flags = try withExtendedLifetime(file) { try Place.flags(ofDescriptorsFor: place.path("file")) }
        #expect(flags.count == 1)
        file = nil
        #expect(try Place.flags(ofDescriptorsFor: place.path("file")).isEmpty)
        #expect(try place.directory().names() == ["file"])
        #expect(try Place.flags(ofDescriptorsFor: place.path).isEmpty)
    }

    @Test func `an adopted file stays open when the caller closes its descriptor`() throws {
        let place = try Place()
        try place.make("file", "text")
        let own = open(place.path("file"), O_RDONLY | O_CLOEXEC)
        let file = try files.adopt(descriptor: own)
        close(own)
        #expect(try file.text == "text")
    }

    @Test func `a descriptor that is not a file is not adopted`() throws {
        #expect(try refusal { _ = try files.adopt(descriptor: 1_000_000) } == .notFound)
        #expect(try refusal { _ = try files.adopt(descriptor: -1) } == .notFound)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let pipe = try files.adopt(descriptor: ends[0])
        #expect(try !pipe.status().isRegular)
        #expect(try refusal { _ = try pipe.bytes(in: 0..<1) } == .notARegularFile)
    }

    @Test(arguments: [[0], [1], [2], [0, 1, 2]] as [[Int32]])
    func `the standard descriptors are never handed out`(closed: [Int32]) async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place, closed = closed as [Int32]] in
            Background.settle()
            let files = LinuxFileSystem()
            try place.make("own")
            let own = open(place.path("own"), O_RDONLY | O_CLOEXEC)
            for descriptor in closed { close(descriptor) }
            let file = try files.create(place.path("file"))
            let adopted = try files.adopt(descriptor: own)
            let directory = try files.makeDirectory(place.path("new"))
            let watcher = try FileWatcher(watching: "file", in: directory)
            let handedOut = closed.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }.filter { $0.hasPrefix(place.path) || $0.hasPrefix("anon_inode:") }
            #expect(handedOut == [])
            try file.write("text")
            #expect(try file.text == "text")
            #expect(try adopted.text == "")
            withExtendedLifetime((directory, watcher)) {}
        }
    }
}
