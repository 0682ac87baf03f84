import TestSupport
import Testing
import VaultFiles

@Suite("Simulated disk") struct SimulatedDiskTests {
    // MARK: - Content

    @Test func `written bytes are read back, and a gap reads as zeros`() throws {
        let disk = SimulatedDisk()
        let file = try disk.create("v")
        try file.writeAll([1, 2].span, at: 3)
        #expect(try file.bytes(in: 0..<9) == [0, 0, 0, 1, 2])
        #expect(try file.bytes(in: 5..<9) == [])
        try file.truncate(to: 4)
        try file.truncate(to: 6)
        #expect(try file.bytes(in: 0..<9) == [0, 0, 0, 1, 0, 0])
    }

    @Test func `a replaced or removed file lives as long as it is open`() throws {
        let disk = SimulatedDisk(files: ["/v": [1], "/w": [2]])
        let old = try disk.open("v")
        let identity = try old.status().identity
        try disk.root.rename("w", to: "v")
        #expect(disk.content(of: "/v") == [2])
        #expect(try old.bytes(in: 0..<9) == [1])
        #expect(try old.status().linkCount == 0)
        #expect(try disk.root.status(of: "v").identity != identity)
        try disk.root.remove("v")
        #expect(disk.content(of: "/v") == nil)
        try old.writeAll([3].span, at: 1)
        #expect(try old.bytes(in: 0..<9) == [1, 3])
        #expect(try old.status().identity == identity)
    }

    @Test func `a file opened for reading cannot be written`() throws {
        let disk = SimulatedDisk(files: ["/v": [1]])
        let file = try disk.open("v", for: .reading)
        #expect(throws: FileError(.write, "/v", reason: .other(9))) { try file.writeAll([2].span, at: 0) }
        #expect(throws: FileError(.truncate, "/v", reason: .other(22))) { try file.truncate(to: 0) }
        #expect(throws: FileError(.lock, "/v", reason: .other(9))) { try file.tryLock() }
    }

    @Test func `a full disk takes as much as fits`() throws {
        let disk = SimulatedDisk(files: ["/v": [1, 2], "/w": [3]])
        disk.setCapacity(6)
        let file = try disk.open("v")
        #expect(try disk.root.availableByteCount() == 3)
        #expect(try file.write([7, 8, 9].span, at: 4) == 1)
        #expect(disk.content(of: "/v") == [1, 2, 0, 0, 7])
        #expect(throws: FileError(.write, "/v", reason: .diskFull)) { try file.write([8, 9].span, at: 5) }
        try disk.root.remove("w")
        #expect(try file.write([8, 9].span, at: 5) == 1)
        #expect(try disk.root.availableByteCount() == 0)
    }

    @Test func `a removed file takes up space until it is closed`() throws {
        let disk = SimulatedDisk(files: ["/v": [1, 2], "/w": [3]])
        disk.setCapacity(3)
        var file: (any OpenFile)? = try disk.open("w")
        try disk.root.remove("w")
        #expect(try disk.root.availableByteCount() == 0)
        #expect(try file?.status().byteCount == 1)
        file = nil
        #expect(try disk.root.availableByteCount() == 1)
    }

    // MARK: - Names

    @Test func `a file is created only if none exists`() throws {
        let disk = SimulatedDisk(files: ["/v": [1]])
        #expect(throws: FileError(.create, "/v", reason: .alreadyExists)) { try disk.create("v") }
        #expect(throws: FileError(.open, "/w", reason: .notFound)) { try disk.open("w") }
        let status = try disk.create("w").status()
        #expect(status.permissions == 0o600 && status.linkCount == 1 && status.isRegular && status.byteCount == 0)
    }

    @Test func `a rename without replacing fails if the name exists`() throws {
        let disk = SimulatedDisk(files: ["/v": [1], "/w": [2]])
        #expect(throws: FileError(.rename, "/w", reason: .alreadyExists)) {
            try disk.root.renameWithoutReplacing("v", to: "w")
        }
        try disk.root.renameWithoutReplacing("v", to: "x")
        #expect(disk.fileNames(in: "/") == ["w", "x"])
        #expect(throws: FileError(.rename, "/y", reason: .notFound)) { try disk.root.rename("v", to: "y") }
    }

    @Test func `directories contain files and directories`() throws {
        let disk = SimulatedDisk(files: ["/home/me/v": [1]])
        let (directory, name) = try disk.locate("/home/me/v")
        #expect(name == "v")
        #expect(directory.path == "/home/me")
        #expect(try directory.names() == ["v"])
        #expect(try disk.locate("/home/x").directory.names() == ["me"])
        #expect(throws: FileError(.open, "/home/me", reason: .isDirectory)) {
            try disk.locate("/home/me").directory.open("me", for: .reading)
        }
        #expect(throws: FileError(.open, "/none/v", reason: .notFound)) { try disk.locate("/none/v") }
        #expect(throws: FileError(.open, "/home/me/v/w", reason: .notADirectory)) { try disk.locate("/home/me/v/w") }
        let made = try disk.makeDirectory("/home/me/new/one/")
        _ = try made.create("w")
        #expect(disk.fileNames(in: "/home/me/new/one") == ["w"])
        #expect(try disk.makeDirectory("/home/me").names() == ["new", "v"])
        #expect(throws: FileError(.makeDirectory, "/home/me/v", reason: .notADirectory)) {
            try disk.makeDirectory("/home/me/v")
        }
    }

    @Test func `a second name refers to the same file`() throws {
        let disk = SimulatedDisk(files: ["/v": [1]])
        disk.link("/v", to: "/w")
        #expect(try disk.root.status(of: "v") == disk.root.status(of: "w"))
        #expect(try disk.root.status(of: "v").linkCount == 2)
        try disk.root.rename("v", to: "w")
        #expect(disk.fileNames(in: "/") == ["v", "w"], "renaming one to the other does nothing, as in POSIX")
        try disk.root.remove("v")
        #expect(try disk.root.status(of: "w").linkCount == 1)
    }

    @Test func `a descriptor opened by others is adopted`() throws {
        let disk = SimulatedDisk(files: ["/v": [1]])
        disk.offer("/v", asDescriptor: 5)
        #expect(try disk.adopt(descriptor: 5).bytes(in: 0..<9) == [1])
        #expect(throws: FileError(.open, "descriptor 6", reason: .other(9))) { try disk.adopt(descriptor: 6) }
    }

    // MARK: - Permissions

    @Test func `permissions are enforced`() throws {
        let disk = SimulatedDisk(files: ["/v": [1], "/w": [2]])
        disk.setPermissions(0o400, of: "/v")
        #expect(throws: FileError(.open, "/v", reason: .permissionDenied)) { try disk.open("v") }
        #expect(try disk.open("v", for: .reading).bytes(in: 0..<9) == [1])
        disk.setOwner(0, of: "/v")
        #expect(throws: FileError(.open, "/v", reason: .permissionDenied)) { try disk.open("v", for: .reading) }
        #expect(try disk.root.status(of: "v").owner == 0)

        disk.setPermissions(0o500, of: "/")
        #expect(throws: FileError(.create, "/x", reason: .permissionDenied)) { try disk.create("x") }
        #expect(throws: FileError(.rename, "/x", reason: .permissionDenied)) { try disk.root.rename("w", to: "x") }
        #expect(throws: FileError(.remove, "/w", reason: .permissionDenied)) { try disk.root.remove("w") }
        _ = try disk.open("w")
    }

    @Test func `a read-only file system cannot be changed`() throws {
        let disk = SimulatedDisk(files: ["/v": [1]])
        let file = try disk.open("v")
        disk.setReadOnly(true)
        #expect(throws: FileError(.open, "/v", reason: .readOnlyFileSystem)) { try disk.open("v") }
        #expect(throws: FileError(.create, "/x", reason: .readOnlyFileSystem)) { try disk.create("x") }
        #expect(throws: FileError(.rename, "/x", reason: .readOnlyFileSystem)) { try disk.root.rename("v", to: "x") }
        #expect(throws: FileError(.write, "/v", reason: .readOnlyFileSystem)) { try file.writeAll([2].span, at: 0) }
        #expect(try disk.open("v", for: .reading).bytes(in: 0..<9) == [1])
    }

    // MARK: - Locks

    @Test func `one opening holds the lock until it unlocks or is closed`() throws {
        let disk = SimulatedDisk(files: ["/v": []])
        var first: (any OpenFile)? = try disk.open("v")
        let second = try disk.open("v")
        disk.setLockHolder(42)
        #expect(second.lockHolder() == nil)
        #expect(try first?.tryLock() == true)
        #expect(try first?.tryLock() == true)
        #expect(try second.tryLock() == false)
        #expect(second.lockHolder() == 42)
        try second.unlock()
        #expect(try second.tryLock() == false, "an opening cannot unlock for another")
        first = nil
        #expect(try second.tryLock())
        try second.unlock()
        #expect(try disk.open("v").tryLock())
    }

    @Test func `the lock belongs to the file and not to its name`() throws {
        let disk = SimulatedDisk(files: ["/v": [], "/w": []])
        let old = try disk.open("v")
        #expect(try old.tryLock())
        try disk.root.rename("w", to: "v")
        let new = try disk.open("v")
        #expect(try new.tryLock())
    }
}
