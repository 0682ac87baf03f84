import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Write access") struct AccessTests {
    private let path = "/home/vault.coffer"
    private let disk = SimulatedDisk(files: ["/home/other": []])

    /// A vault with one item, on a simulated disk whose user is 1000.
    private func sample() throws -> StoreSample {
        let sample = try StoreSample(at: path, files: disk, user: 1000)
        try sample.store.add("kim", "mail", "sesame")
        return sample
    }

    private func expectReadOnly(_ store: VaultStore, _ reason: ReadOnlyReason, in place: String? = nil) throws {
        let error = StoreError.readOnly(reason, path: place ?? path)
        #expect(try store.passwords() == ["kim mail sesame"])
        #expect(throws: error) { try store.add("kim", "shop", "x") }
        #expect(throws: error) { try store.compact() }
        #expect(try store.passwords() == ["kim mail sesame"])
    }

    @Test func `a vault opened for reading is not written`() throws {
        let sample = try sample()
        var options = StoreOptions()
        options.mayWrite = false
        let store = try sample.reopened(options: options)
        try expectReadOnly(store, .asked)
        try sample.store.add("kim", "shop", "x")
        #expect(try store.passwords() == ["kim mail sesame", "kim shop x"], "changes by others are seen")
    }

    @Test func `a file without write permission can be read`() throws {
        let sample = try sample()
        disk.setPermissions(0o400, of: path)
        let denial = FileError(.open, path, reason: .permissionDenied)
        try expectReadOnly(try sample.reopened(), .denied(denial))
    }

    @Test func `a file on a read-only file system can be read`() throws {
        let sample = try sample()
        disk.setReadOnly(true)
        let calls = disk.callCount
        let store = try sample.reopened()
        let denial = FileError(.open, path, reason: .readOnlyFileSystem)
        try expectReadOnly(store, .denied(denial))
        let operations = disk.trace.calls[calls...].map(\.operation)
        for operation in [FileError.Operation.lock, .write, .create, .truncate] {
            #expect(!operations.contains(operation))
        }
    }

    @Test func `a vault that others can write is read-only, and a warning says what to do`() throws {
        let sample = try sample()
        disk.setPermissions(0o666, of: path)
        let store = try sample.reopened()
        try expectReadOnly(store, .writableByOthers)
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("chmod 600 /home/vault.coffer") == true)
    }

    @Test(arguments: [0o644 as UInt32, 0o640]) func `a vault that others can read is written, with a warning`(
        permissions: UInt32
    ) throws {
        let sample = try sample()
        disk.setPermissions(permissions, of: path)
        let store = try sample.reopened()
        try store.add("kim", "shop", "x")
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("chmod 600 /home/vault.coffer") == true)
    }

    @Test func `a vault with another owner or several names is read, with a warning`() throws {
        let sample = try sample()
        disk.link(path, to: "/home/second")
        #expect(try sample.reopened().warnings.contains { $0.contains("has 2 names") })
        disk.setOwner(1001, of: path)
        disk.setPermissions(0o644, of: path)
        let store = try sample.reopened()
        #expect(try store.passwords() == ["kim mail sesame"])
        #expect(store.warnings.contains { $0.contains("belongs to user 1001, not to user 1000") })
    }

    @Test func `a new vault is accessible only to its owner, without warnings`() throws {
        let sample = try sample()
        let (directory, name) = try disk.locate(path)
        #expect(try directory.status(of: name).permissions == 0o600)
        #expect(sample.store.warnings == [])
        #expect(sample.store.readOnlyReason == nil)
    }

    @Test func `a new vault never replaces a file`() throws {
        let sample = try sample()
        let before = disk.content(of: path)
        let new = try NewVault(environment: sample.environment)
        let error = StoreError.file(FileError(.rename, path, reason: .alreadyExists))
        let found = #expect(throws: StoreError.self) {
            try VaultStore.create(new, at: path, environment: sample.environment)
        }
        guard case .file(let failure) = found, failure.reason == .alreadyExists else {
            Issue.record("\(String(describing: found)), not \(error)")
            return
        }
        #expect(disk.content(of: path) == before)
        #expect(disk.fileNames(in: "/home") == ["other", "vault.coffer"])
    }

    @Test func `a file that is not regular is not read`() throws {
        let sample = try sample()
        disk.setRegular(false, of: path)
        #expect(throws: StoreError.file(FileError(.open, path, reason: .notARegularFile))) { try sample.reopened() }
    }

    @Test func `an empty file is not a vault`() throws {
        let sample = try sample()
        let error = StoreError.vault(.notAVault, path: "/home/other")
        #expect(throws: error) {
            try VaultStore.open(at: "/home/other", environment: sample.environment) { _ in sample.roots }
        }
    }

    @Test func `a vault opened from a descriptor is read, and follows what is appended`() throws {
        let sample = try sample()
        disk.offer(path, asDescriptor: 7)
        let roots = sample.roots
        let store = try VaultStore.open(descriptor: 7, environment: sample.environment) { _ in roots }
        #expect(try store.passwords() == ["kim mail sesame"])
        #expect(throws: StoreError.readOnly(.asked, path: store.path)) { try store.add("kim", "shop", "x") }
        #expect(throws: StoreError.compactionUnavailable(.noDirectory, path: store.path)) { try store.compact() }
        try sample.store.add("kim", "shop", "x")
        #expect(try store.passwords() == ["kim mail sesame", "kim shop x"])
        try sample.store.compact()
        try sample.store.add("kim", "late", "x")
        #expect(try store.passwords() == ["kim mail sesame", "kim shop x"], "the store stays with the given file")
    }

    @Test(.temporaryDirectory) func `a symbolic link to a vault is followed once, and stays a link`() throws {
        let directory = try TemporaryDirectory.current
        let sample = try StoreSample(at: directory.appending(path: "vault.coffer").path)
        let link = directory.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "vault.coffer")
        let store = try VaultStore.open(at: link, environment: sample.environment) { _ in sample.roots }
        try store.add("kim", "mail", "sesame")
        try store.compact()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "vault.coffer")
        #expect(try sample.store.passwords() == ["kim mail sesame"])
        try FileManager.default.removeItem(atPath: link)
        try store.add("kim", "shop", "x")
        #expect(try sample.reopened().passwords() == ["kim mail sesame", "kim shop x"])
    }

    @Test(.temporaryDirectory) func `a file with features of a newer version is read but not written`() throws {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let vector = try #require(try VaultVector.all().first { $0.name == "header_read_only_feature" })
        try Data(vector.bytes).write(to: URL(filePath: path))
        let store = try vector.opened(at: path)
        let reason = try #require(store.readOnlyReason)
        guard case .unsupportedFeatures = reason else {
            Issue.record("\(reason)")
            return
        }
        #expect(throws: StoreError.readOnly(reason, path: path)) { try store.add("kim", "shop", "x") }
        #expect(throws: StoreError.readOnly(reason, path: path)) { try store.compact() }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(vector.bytes))
    }

    /// While it was being created, its file was mistaken for the remains of an interrupted compaction.
    @Test(.temporaryDirectory) func `a vault that another process creates first, sweeping this one, already exists`()
        throws
    {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        files.setHook { operation, temporaryPath throws(FileError) in
            guard operation == .rename else { return }
            let (directory, name) = try LinuxFileSystem().locate(temporaryPath)
            try directory.remove(name)
            _ = try directory.create("vault.coffer")
        }
        let environment = StoreEnvironment(files: files, random: try SystemRandom())
        let new = try NewVault(environment: environment)
        #expect(throws: StoreError.file(FileError(.create, path, reason: .alreadyExists))) {
            try VaultStore.create(new, at: path, environment: environment)
        }
    }
}
