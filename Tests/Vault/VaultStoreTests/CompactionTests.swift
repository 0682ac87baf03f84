import CofferBasics
import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Compaction") struct CompactionTests {
    private func sample(_ files: any FileSystem = LinuxFileSystem()) throws -> StoreSample {
        try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path, files: files)
    }

    /// A vault with one item on a simulated disk whose user is 1000.
    private func sample(on disk: SimulatedDisk) throws -> StoreSample {
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, user: 1000)
        try sample.store.add("kim", "mail", "x")
        return sample
    }

    private func parts(_ sample: StoreSample) throws -> SnapshotParts {
        try SnapshotParts(of: sample.bytes(), roots: sample.roots)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.path).sorted()
    }

    @Test(.temporaryDirectory) func `a compaction keeps every item, and its order`() throws {
        let sample = try sample()
        // Few enough that no compaction is due before.
        for number in 0..<150 {
            _ = try sample.store.transaction(durability: .relaxed) { transaction in
                try transaction.addLogin("account \(number)", "service \(number % 7)", "secret \(number)")
            }
        }
        let before = try sample.store.passwords()
        let report = try sample.store.compact()
        #expect(report.generation == 2)
        #expect(try sample.store.passwords() == before)
        #expect(try sample.reopened().passwords() == before)
        #expect(try sample.store.password("account 5", "service 5") == "secret 5")
        _ = try sample.store.transaction { transaction in
            try transaction.addLogin("late", "service", "x")
        }
        try sample.store.compact()
        #expect(try sample.reopened().passwords() == before + ["late service x"])
    }

    @Test(.temporaryDirectory) func `an empty vault can be compacted`() throws {
        let sample = try sample()
        let report = try sample.store.compact()
        #expect(report.carriedRecordCount == 0)
        #expect(report.droppedRevisionCount == 0)
        try sample.store.add("kim", "mail", "x")
        #expect(try sample.reopened().passwords() == ["kim mail x"])
    }

    // MARK: - Copying

    @Test(.temporaryDirectory) func `boxes are copied byte for byte once they are deflated`() throws {
        let sample = try sample()
        try sample.store.transaction { transaction in
            for number in 0..<400 {
                let secret = Array("secret \(number)".utf8)
                let label = String(repeating: "label \(number) ", count: 20)
                _ = try transaction.add(
                    try loginAttributes("account \(number)", "mail", label: label),
                    secret: secret.span,
                    group: StoreSample.group,
                    protection: .whenUnlocked
                )
            }
        }
        try sample.store.compact()
        let before = try parts(sample)
        #expect(before.metadata.count == 400)
        #expect(before.metadata.allSatisfy { $0.count < 200 }, "labels of 200 bytes and more are deflated")
        let item = try #require(try sample.store.item("account 7", "mail"))
        try sample.store.delete(item)
        try sample.store.add("late", "mail", "x")
        try sample.store.compact()
        let after = try parts(sample)
        #expect(before.metadata.subtracting(after.metadata).count == 1)
        #expect(before.secrets.subtracting(after.secrets).count == 1)
        #expect(try sample.reopened().passwords().count == 400)
    }

    @Test(.temporaryDirectory) func `keys from records are in the keybag afterwards`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        func dataKeyCount() throws -> Int {
            try parts(sample).keybag.entries.filter { if case .dataKey = $0 { true } else { false } }.count
        }
        #expect(try dataKeyCount() == 0)
        try sample.store.compact()
        #expect(try dataKeyCount() == 1)
        try sample.store.add("kim", "shop", "x")
        try sample.store.compact()
        #expect(try dataKeyCount() == 1)
    }

    @Test(.temporaryDirectory) func `settings are kept, and the newest ones count`() throws {
        let sample = try sample()
        for days in [10, 20] {
            try sample.store.transaction { transaction in
                var settings = Settings(revision: 0, values: [.string("later"): .bool(true)])
                settings.historyDays = days
                settings.isCompressing = false
                try transaction.change(settings)
            }
        }
        for _ in 0..<2 {
            try sample.store.compact()
            let settings = try sample.reopened().read { vault in vault.settings }
            #expect(settings?.historyDays == 20)
            #expect(settings?.isCompressing == false)
            #expect(settings?.values[.string("later")] == .bool(true), "unknown values are kept")
            #expect(settings?.revision == 2)
        }
    }

    @Test(.temporaryDirectory, arguments: ["unknown_record", "run_of_group_without_match_key", "put_revision_same"])
    func `records that cannot be judged are carried each time`(name: String) throws {
        let vectors = try VaultVector.all().filter { $0.name == name }
        for vector in vectors {
            let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
            try Data(vector.bytes).write(to: URL(filePath: path))
            let store = try vector.opened(at: path)
            let report = try store.compact()
            let again = try store.compact()
            #expect(again.carriedRecordCount == report.carriedRecordCount)
            #expect(report.carriedRecordCount > 0 || name == "put_revision_same")
        }
    }

    @Test(.temporaryDirectory) func `a vault with a damaged part is not compacted`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        try sample.store.compact()
        var bytes = try sample.bytes()
        let secret = try #require(try parts(sample).secrets.first)
        let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: secret) })
        bytes[offset + 20] ^= 1
        try sample.replaceFile(with: bytes)
        let store = try sample.reopened()
        #expect(throws: StoreError.self) { try store.compact() }
        #expect(try sample.bytes() == bytes)
        #expect(try names() == ["vault.coffer"])
    }

    // MARK: - Where it is impossible

    @Test func `in a directory without write permission, a vault is appended to but not compacted`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try sample(on: disk)
        disk.setPermissions(0o500, of: "/home")
        let error = #expect(throws: StoreError.self) { try sample.store.compact() }
        guard case .compactionUnavailable(.file(let failure), sample.path) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .permissionDenied)
        try sample.store.add("kim", "shop", "x")
        #expect(try sample.reopened().passwords() == ["kim mail x", "kim shop x"])
    }

    @Test func `a vault that is a mount point is appended to but not compacted`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try sample(on: disk)
        disk.inject(SimulatedFault(.failure(.busy), of: .rename))
        let error = #expect(throws: StoreError.self) { try sample.store.compact() }
        guard case .compactionUnavailable(.file(let failure), sample.path) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .busy)
        #expect(disk.fileNames(in: "/home") == ["other", "vault.coffer"])
        try sample.store.add("kim", "shop", "x")
        #expect(try sample.reopened().passwords() == ["kim mail x", "kim shop x"])
    }

    @Test func `without disk space for another file, the old one is left unchanged`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try sample(on: disk)
        let before = try #require(disk.content(of: sample.path))
        disk.setCapacity(before.count + 100)
        #expect(
            throws: StoreError.compactionUnavailable(
                .noSpace(neededByteCount: 2 * before.count, availableByteCount: 100),
                path: sample.path
            )
        ) { try sample.store.compact() }
        #expect(disk.content(of: sample.path) == before)
        #expect(disk.fileNames(in: "/home") == ["other", "vault.coffer"])
    }

    @Test(arguments: [FileError.Operation.write, .sync, .create, .list, .examine, .read, .lock, .open], [1, 2, 3])
    func `if creating the new file fails, the old one is left unchanged`(
        operation: FileError.Operation,
        number: Int
    ) throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        let sample = try sample(on: disk)
        let before = try #require(disk.content(of: sample.path))
        disk.inject(SimulatedFault(.failureHalfway(.inputOutput), atCall: number, of: operation))
        let calls = disk.callCount
        // An operation that happens less often does not fail.
        let report = try? sample.store.compact()
        disk.removeFaults()
        let isReplaced = disk.trace.calls[calls...].contains { $0.operation == .rename && $0.failure == nil }
        let isUnchanged = disk.content(of: sample.path) == before
        #expect(isUnchanged == !isReplaced)
        #expect(report == nil || isReplaced)
        #expect(disk.fileNames(in: "/home") == ["other", "vault.coffer"])
        #expect(try sample.store.passwords() == ["kim mail x"])
        // Nothing may be appended to a file that might lose its name.
        let isSynced = disk.trace.calls[calls...].contains {
            $0.operation == .sync && $0.path == "/home" && $0.failure == nil
        }
        guard isSynced || !isReplaced else {
            #expect(throws: StoreError.self) { try sample.store.add("kim", "shop", "x") }
            return
        }
        try sample.store.add("kim", "shop", "x")
        #expect(try sample.reopened().passwords() == ["kim mail x", "kim shop x"])
    }

    @Test(.temporaryDirectory) func `a compaction can be canceled, and nothing has changed`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let before = try sample.bytes()
        #expect(throws: StoreError.cancelled) { try sample.store.compact { _ in false } }
        #expect(try sample.bytes() == before)
        #expect(try names() == ["vault.coffer"])
    }

    // MARK: - Other processes

    /// Compacts a vault, and calls `change` once while it is read.
    private func compact(_ store: VaultStore, meanwhile change: @escaping () -> Void) throws {
        let hasChanged = Guarded(false)
        try store.compact { _ in
            let isFirst = hasChanged.withLock { hasChanged in
                defer { hasChanged = true }
                return !hasChanged
            }
            if isFirst { change() }
            return true
        }
    }

    @Test(.temporaryDirectory) func `changes appended meanwhile are carried over, with order and time`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let other = try sample.reopened()
        try compact(sample.store) {
            _ = try? other.add("kim", "shop", "y")
            _ = try? other.transaction { transaction in
                try transaction.addLogin("kim", "bank", "z", group: Array("new".utf8), protection: .always)
            }
        }
        for store in [sample.store, other, try sample.reopened()] {
            #expect(try store.passwords() == ["kim mail x", "kim shop y"])
            #expect(try store.text(of: #require(try store.item("kim", "bank", group: Array("new".utf8)))) == "z")
            #expect(try store.read { vault in vault.header.generation } == 2)
        }
        try other.add("kim", "late", "x")
        #expect(try sample.store.passwords().count == 3)
    }

    /// So many that most are carried before writers have to wait.
    @Test(.temporaryDirectory) func `so are many changes`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let other = try sample.reopened()
        try compact(sample.store) {
            for number in 100..<200 { _ = try? other.add("kim", "shop \(number)", "y") }
        }
        let expected = ["kim mail x"] + (100..<200).map { "kim shop \($0) y" }
        for store in [sample.store, other, try sample.reopened()] { #expect(try store.passwords() == expected) }
        let sequence = try other.read { vault in vault.position.sequence }
        #expect(try sample.reopened().verify().isIntact && sequence == 101)
    }

    @Test(.temporaryDirectory) func `a file that another process replaces meanwhile is left unchanged`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let other = try sample.reopened()
        let hasCompacted = Guarded(false)
        #expect(throws: StoreError.replacedMeanwhile(path: sample.path)) {
            try sample.store.compact { _ in
                hasCompacted.withLock { hasCompacted in
                    if !hasCompacted { _ = try? other.compact() }
                    hasCompacted = true
                }
                return true
            }
        }
        #expect(try names() == ["vault.coffer"])
        #expect(try sample.store.read { vault in vault.header.generation } == 2)
        #expect(try sample.store.passwords() == ["kim mail x"])
        try sample.store.add("kim", "shop", "x")
        #expect(try other.passwords() == ["kim mail x", "kim shop x"])
    }

    @Test(.temporaryDirectory) func `only the remains of an interrupted compaction are removed by the next`()
        throws
    {
        let sample = try sample()
        let directory = try TemporaryDirectory.current
        let kept = [".other.coffer.0123456789abcdef.tmp", ".vault.coffer.backup.tmp", "vault.coffer.tmp"]
        for name in kept + [".vault.coffer.0123456789abcdef.tmp"] {
            try Data([1]).write(to: directory.appending(path: name))
        }
        try sample.store.compact()
        #expect(try names() == (kept + ["vault.coffer"]).sorted())
    }

    /// Between creating its file and locking it, a compaction was taken for an abandoned one, and failed.
    @Test(.temporaryDirectory, arguments: [false, true])
    func `a file that another process sweeps before it is locked is created again`(isRemoved: Bool) throws {
        let files = HookedFiles()
        let sample = try sample(files)
        try sample.store.add("kim", "mail", "x")
        let sweeper = Guarded<(any OpenFile)?>(nil)
        files.setHook { operation, path throws(FileError) in
            guard operation == .lock, path.hasSuffix(".tmp") else { return }
            guard sweeper.withLock({ $0 == nil }) else { return }
            let (directory, name) = try LinuxFileSystem().locate(path)
            let file = try directory.open(name, for: .writing)
            // Like a process that sweeps: it has the lock, or has removed the file and is gone.
            if isRemoved { try directory.remove(name) } else { _ = try file.tryLock() }
            sweeper.withLock { $0 = file }
        }
        try sample.store.compact()
        #expect(sweeper.withLock { $0 != nil })
        #expect(try sample.reopened().passwords() == ["kim mail x"])
        #expect(try sample.store.read { vault in vault.header.generation } == 2)
    }

    @Test(.temporaryDirectory, arguments: [0o600, 0o640, 0o644])
    func `the new file has the permissions of the old one`(permissions: Int) throws {
        let sample = try sample()
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: sample.path)
        try sample.store.compact()
        let attributes = try FileManager.default.attributesOfItem(atPath: sample.path)
        #expect(attributes[.posixPermissions] as? Int == permissions)
    }

    // MARK: - Purging

    @Test(.temporaryDirectory) func `a superseded revision is in the file until a compaction, not afterwards`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "sesame")
        try sample.store.compact()
        let box = try #require(try parts(sample).secrets.first)
        let item = try #require(try sample.store.item("kim", "mail"))
        try sample.store.update(item, "kim", "mail", secret: "changed")
        #expect(try sample.bytes().contains(bytes: box))
        let report = try sample.store.compact()
        #expect(report.droppedRevisionCount == 1)
        #expect(try !sample.bytes().contains(bytes: box))
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `a purge drops the past of some items, or of all, whatever the settings keep`(ofAll: Bool) throws {
        let sample = try sample()
        try sample.store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyDays = 30
            try transaction.change(settings)
        }
        let names = try ["mail", "shop"].map { try sample.store.add("kim", $0, "first") }
        try sample.store.compact()
        for service in ["mail", "shop"] {
            let item = try #require(try sample.store.item("kim", service))
            try sample.store.update(item, "kim", service, secret: "second")
        }
        try sample.store.compact()
        func counts() throws -> [Int] {
            try sample.reopened().read { vault in
                var counts: [Int] = []
                for name in names { counts.append(try vault.revisions(of: name).count) }
                return counts
            }
        }
        #expect(try counts() == [2, 2])
        let report = try sample.store.compact(.purging(ofAll ? .everything : .items([names[0]])))
        #expect(try counts() == (ofAll ? [1, 1] : [1, 2]))
        #expect(report.droppedRevisionCount == (ofAll ? 2 : 1))
        #expect(try sample.reopened().passwords() == ["kim mail second", "kim shop second"])
    }
}
