import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

// Each limit applies to a whole process, so each test has a process of its own.
@Suite("Limits of the system", .temporaryDirectory) struct FileLimitTests {
    // MARK: - Limits

    @Test func `a file that would exceed the size limit is refused`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let file = try LinuxFileSystem().create(place.path("file"))
            // Otherwise the system ends the process.
            signal(SIGXFSZ, SIG_IGN)
            Limit.set(RLIMIT_FSIZE, to: 10)
            #expect(try refusal { try file.write("0123456789abcdef") } == .fileTooLarge)
            #expect(try file.text == "0123456789")
            #expect(try refusal { try file.write("x", at: 10) } == .fileTooLarge)
            #expect(try refusal { try file.truncate(to: 11) } == .fileTooLarge)
        }
    }

    @Test func `more open files than allowed are refused`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            Background.settle()
            let files = LinuxFileSystem()
            let directory = try place.directory()
            try place.make("file")
            let file = try directory.open("file", for: .writing)
            Limit.set(RLIMIT_NOFILE, to: 3)
            #expect(try refusal { _ = try directory.open("file", for: .reading) } == .tooManyOpenFiles)
            #expect(try refusal { _ = try directory.create("new") } == .tooManyOpenFiles)
            #expect(try refusal { _ = try directory.names() } == .tooManyOpenFiles)
            #expect(try refusal { _ = try files.locate(place.path("file")) } == .tooManyOpenFiles)
            #expect(try refusal { _ = try files.makeDirectory(place.path("new")) } == .tooManyOpenFiles)
            #expect(try refusal { _ = try FileWatcher(watching: "file", in: directory) } == .tooManyOpenFiles)
            // Open files stay open.
            try file.write("text")
            #expect(try directory.status(of: "file").byteCount == 4)
            #expect(try file.tryLock())
            #expect(file.lockHolder() == nil, "finding out requires a file")
        }
        #expect(try place.directory().names() == ["file"])
    }

    // MARK: - Permissions

    @Test func `operations without permission are refused`() async throws {
        let place = try Place()
        try place.make("secret")
        chmod(place.path("secret"), 0)
        try place.make("readable", "text")
        chmod(place.path("readable"), 0o444)
        place.makeDirectory("closed", permissions: 0)
        place.makeDirectory("fixed", permissions: 0o555)
        chmod(place.path, 0o555)
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let directory = try place.directory()
            // Root may do everything.
            if geteuid() == 0 { try #require(setuid(65534) == 0) }
            let files = LinuxFileSystem()
            for access in [FileAccess.reading, .writing] {
                #expect(try refusal { _ = try directory.open("secret", for: access) } == .permissionDenied)
            }
            #expect(try files.open(place.path("readable")).text == "text")
            #expect(try refusal { _ = try directory.open("readable", for: .writing) } == .permissionDenied)
            #expect(try refusal { _ = try files.locate(place.path("closed/file")) } == .permissionDenied)
            #expect(try refusal { _ = try files.makeDirectory(place.path("fixed/new")) } == .permissionDenied)
            #expect(try refusal { _ = try directory.create("new") } == .permissionDenied)
            #expect(try refusal { try directory.remove("secret") } == .permissionDenied)
            #expect(try refusal { try directory.rename("secret", to: "new") } == .permissionDenied)
            #expect(try refusal { try directory.renameWithoutReplacing("secret", to: "new") } == .permissionDenied)
            #expect(
                try refusal { try DurableFile.create("new", [1, 2, 3].span, in: directory, random: 1) }
                    == .permissionDenied
            )
        }
        chmod(place.path, 0o700)
    }

    // MARK: - Disks

    @Test func `a device without space reports a full disk`() throws {
        #expect(try refusal { try LinuxFileSystem().open("/dev/full", for: .writing).write("text") } == .diskFull)
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "mounting takes the rights of an administrator"))
    func `a full disk accepts no more, and a failed durable file leaves nothing behind`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let disk = try SmallDisk(at: place, byteCount: 65_536)
            let directory = disk.directory
            let available = try directory.availableByteCount()
            #expect(available > 0 && available <= 65_536)
            let bytes = [UInt8](repeating: 1, count: 100_000)
            #expect(try refusal { try DurableFile.create("large", bytes.span, in: directory, random: 1) } == .diskFull)
            #expect(try directory.names() == [])
            #expect(try directory.availableByteCount() == available)
            let file = try directory.create("file")
            #expect(try refusal { try file.writeAll(bytes.span, at: 0) } == .diskFull)
            #expect(try directory.availableByteCount() == 0)
            #expect(try file.bytes(in: 0..<100_000).count == available, "as much as fits is written")
        }
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "mounting takes the rights of an administrator"))
    func `a read-only disk can be read`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let disk = try SmallDisk(at: place, byteCount: 65_536) { try place.make("file", "text") }
            let directory = disk.directory
            #expect(try directory.open("file", for: .reading).text == "text")
            #expect(try refusal { _ = try directory.open("file", for: .writing) } == .readOnlyFileSystem)
            #expect(try refusal { _ = try directory.create("new") } == .readOnlyFileSystem)
            #expect(try refusal { try directory.remove("file") } == .readOnlyFileSystem)
            #expect(try refusal { try directory.rename("file", to: "new") } == .readOnlyFileSystem)
            #expect(try refusal { try directory.renameWithoutReplacing("file", to: "new") } == .readOnlyFileSystem)
        }
    }

    @Test(.enabled(if: SmallDisk.canBeMounted, "mounting takes the rights of an administrator"))
    func `a file that is a mount point cannot be replaced`() async throws {
        let place = try Place()
        try place.make("file")
        try place.make("new", "new")
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let directory = try place.directory()
            try #require(mount(place.path("new"), place.path("file"), "", UInt(MS_BIND), nil) == 0)
            defer { umount2(place.path("file"), Int32(MNT_DETACH)) }
            #expect(try refusal { try directory.rename("new", to: "file") } == .busy)
            #expect(try refusal { try directory.remove("file") } == .busy)
            #expect(try refusal { try directory.renameWithoutReplacing("new", to: "file") } == .alreadyExists)
        }
    }
}

/// A limit of this process.
private enum Limit {
    static func set(_ limit: __rlimit_resource, to value: rlim_t) {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(limit.rawValue), &limits)
        limits.rlim_cur = value
        setrlimit(__rlimit_resource_t(limit.rawValue), &limits)
    }
}

/// A disk in memory that exists as long as its directory is open.
private struct SmallDisk {
    let directory: any OpenDirectory

    /// Whether this process may mount anything.
    static let canBeMounted: Bool = {
        let path = FileManager.default.temporaryDirectory.appending(path: "coffer-\(UUID().uuidString)").path
        mkdir(path, 0o700)
        defer { rmdir(path) }
        guard mount("none", path, "tmpfs", 0, "size=4096") == 0 else { return false }
        return umount2(path, Int32(MNT_DETACH)) == 0
    }()

    /// A disk of `byteCount` bytes, which becomes read-only once `prepare` has put something there.
    init(at place: Place, byteCount: Int, readOnlyAfter prepare: (() throws -> Void)? = nil) throws {
        try #require(mount("none", place.path, "tmpfs", 0, "size=\(byteCount)") == 0)
        // It vanishes when the last file that is open there is closed, even if the process is killed.
        defer { umount2(place.path, Int32(MNT_DETACH)) }
        if let prepare {
            try prepare()
            try #require(mount("none", place.path, "", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        }
        directory = try place.directory()
    }
}
