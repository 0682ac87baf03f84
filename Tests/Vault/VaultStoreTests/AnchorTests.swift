import Foundation
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// The verdicts of this machine's anchor on a vault: section 11.
@Suite("Anchors of the store") struct AnchorTests {
    /// Whether the place of the vault has an anchor, too, which counts then.
    private var anchorsLocations = true

    private func options() throws -> StoreOptions {
        var options = StoreOptions()
        options.anchorsLocations = anchorsLocations
        options.anchorDirectory = try TemporaryDirectory.current.appending(path: "state/coffer").path
        return options
    }

    private func sample() throws -> StoreSample {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        return try StoreSample(at: path, options: try options())
    }

    private func anchorNames() throws -> [String] {
        let path = try #require(try options().anchorDirectory)
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Options for reading a vault although it was rolled back.
    private func accepting() throws -> StoreOptions {
        var options = try options()
        options.acceptsRollback = true
        return options
    }

    /// Expects that the vault does not open, and that accepting it for reading changes nothing.
    private func expect(_ verdict: AnchorVerdict, of sample: StoreSample, passwords: [String]) throws {
        #expect(throws: StoreError.rolledBack(.anchor(verdict), path: sample.path)) {
            try sample.reopened(options: try options())
        }
        let bytes = try sample.bytes()
        let store = try sample.reopened(options: try accepting())
        #expect(store.readOnlyReason == .anchor(verdict))
        #expect(try store.passwords() == passwords, "the vault can be read")
        let error = StoreError.readOnly(.anchor(verdict), path: sample.path)
        #expect(throws: error) { try store.add("late", "mail", "x") }
        #expect(throws: error) { try store.compact() }
        #expect(try sample.bytes() == bytes)
        #expect(throws: StoreError.self, "nothing was accepted permanently") {
            try sample.reopened(options: try options())
        }
        try expectAcceptance(of: sample, passwords: passwords)
    }

    private func expectAcceptance(of sample: StoreSample, passwords: [String]) throws {
        let store = try sample.reopened(options: try accepting())
        let refused = try sample.bytes()
        let generation = try store.read { vault in vault.header.generation }
        let report = try store.acceptHistory()
        #expect(report.generation == generation + 1_048_576)
        try store.add("late", "mail", "x")
        let expected = passwords + ["late mail x"]
        #expect(try sample.reopened(options: try options()).passwords() == expected)
        #expect(try sample.reopened(options: try options()).readOnlyReason == nil)
        // The anchor has moved on: the file that was refused before would be a rollback now.
        try sample.replaceFile(with: refused)
        try expectRollback(of: sample)
    }

    private func expectRollback(of sample: StoreSample) throws {
        #expect(throws: StoreError.rolledBack(.anchor(.rollback), path: sample.path)) {
            try sample.reopened(options: try options())
        }
    }

    @Test(.temporaryDirectory) func `only writing creates an anchor`() throws {
        let sample = try sample()
        _ = try sample.reopened(options: try options()).passwords()
        #expect(try anchorNames() == [])
        try sample.store.add("kim", "mail", "x")
        #expect(try anchorNames().count == 2, "of the vault and of its place")
    }

    @Test(.temporaryDirectory) func `an older copy of the file is a rollback`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        try sample.store.add("kim", "shop", "x")
        try sample.replaceFile(with: old)
        try expect(.rollback, of: sample, passwords: ["kim mail x"])
    }

    @Test(.temporaryDirectory) func `a copy from before a compaction is a rollback`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        try sample.store.compact()
        try sample.replaceFile(with: old)
        try expect(.rollback, of: sample, passwords: ["kim mail x"])
    }

    @Test(.temporaryDirectory) func `another history of the same length is a fork`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        try sample.store.add("kim", "shop", "x")
        try sample.replaceFile(with: old)
        try sample.reopened().add("kim", "other", "x")
        try expect(.forked, of: sample, passwords: ["kim mail x", "kim other x"])
    }

    @Test(.temporaryDirectory) func `an acknowledged change that is torn is a lost commit`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        try sample.store.add("kim", "shop", "x")
        let bytes = try sample.bytes()
        let end = bytes.count - bytes.reversed().prefix { $0 == 0 }.count
        try sample.replaceFile(with: Array(bytes[..<(end / 64 * 64 - 64)]))
        #expect(throws: StoreError.rolledBack(.anchor(.lostCommit), path: sample.path)) {
            try sample.reopened(options: try options())
        }
        let store = try sample.reopened(options: try accepting())
        #expect(store.readOnlyReason == .anchor(.lostCommit))
        #expect(throws: StoreError.readOnly(.anchor(.lostCommit), path: sample.path)) {
            try store.add("late", "mail", "x")
        }
        try expectAcceptance(of: sample, passwords: ["kim mail x"])
    }

    /// Only the missing changes were reported, and accepting that failed for another reason.
    @Test(.temporaryDirectory) func `an inconsistency is reported instead of the missing changes`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let end = try #require(try sample.bytes().lastIndex { $0 != 0 }) / 64 * 64 + 64
        try sample.store.add("kim", "shop", "x")
        try sample.store.add("kim", "bank", "x")
        var bytes = try sample.bytes()
        bytes[end + 100] ^= 1
        try sample.replaceFile(with: bytes)
        let store = try sample.reopened(options: try accepting())
        guard case .inconsistent(let offset, let sequence) = store.tail.verdict else {
            Issue.record("the end is \(store.tail.verdict)")
            return
        }
        #expect(store.tail.offset == end)
        #expect(store.readOnlyReason == .inconsistent(offset: offset, sequence: sequence))
        let refusal = StoreError.rolledBack(.inconsistent(offset: offset, sequence: sequence), path: sample.path)
        #expect(throws: refusal) { try sample.reopened(options: try options()) }
        #expect(throws: StoreError.readOnly(.inconsistent(offset: offset, sequence: sequence), path: sample.path)) {
            try store.acceptHistory()
        }
    }

    @Test(.temporaryDirectory) func `compactions and changes by others do not contradict the anchor`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let other = try sample.reopened()
        try other.add("kim", "shop", "x")
        try other.compact()
        try other.add("kim", "late", "x")
        #expect(try sample.reopened(options: try options()).readOnlyReason == nil)
        try sample.store.add("kim", "last", "x")
        #expect(try sample.reopened(options: try options()).readOnlyReason == nil)
    }

    /// Each process kept what it had read of the anchor and counted on from there, so an update with a lower count had
    /// no effect, and the anchor stayed behind.
    @Test(.temporaryDirectory) func `the anchor follows two processes that write in turn`() throws {
        let sample = try sample()
        let other = try sample.reopened(options: try options())
        try sample.store.add("0", "mail", "x")
        try other.add("1", "mail", "x")
        for number in 2..<9 { try sample.store.add("\(number)", "mail", "x") }
        let old = try sample.bytes()
        try other.add("9", "mail", "x")
        try sample.replaceFile(with: old)
        try expectRollback(of: sample)
    }

    @Test(.temporaryDirectory) func `an anchor that cannot be written is not an error, and it still counts`()
        throws
    {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files, options: try options())
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        files.setHook { operation, path throws(FileError) in
            guard path.contains("/state/"), operation == .write else { return }
            throw FileError(operation, path, reason: .diskFull)
        }
        try sample.store.add("kim", "shop", "x")
        #expect(try sample.reopened(options: try options()).passwords().count == 2)
        files.setHook { _, _ throws(FileError) in }
        try sample.store.add("kim", "late", "x")
        try sample.replaceFile(with: old)
        try expectRollback(of: sample)
    }

    /// Of two programs that started at the same time, one mistook what the other had just written for a rollback.
    ///
    /// The anchor that it read was newer than the length of the file that it had read before, so it wrote nothing more
    /// until it ended.
    @Test(.temporaryDirectory, arguments: [false, true])
    func `a change written while the vault is being opened is not a rollback`(isCompacted: Bool) throws {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files, options: try options())
        try sample.store.add("kim", "mail", "x")
        files.setHook { operation, path throws(FileError) in
            guard path.contains("/state/"), operation == .open else { return }
            files.setHook { _, _ throws(FileError) in }
            #expect(throws: Never.self) {
                // The anchor does not follow every change.
                for number in 0..<20 { try sample.store.add("kim", "shop \(number)", "x") }
                if isCompacted { try sample.store.compact() }
            }
        }
        let store = try sample.reopened(options: try options())
        #expect(store.readOnlyReason == nil)
        #expect(throws: Never.self) { try store.add("kim", "late", "x") }
        #expect(try store.passwords().count == 22)
    }

    // MARK: - While the vault is open

    /// A process that had the vault open continued with an older file that had taken its place.
    @Test(.temporaryDirectory) func `an open vault whose file is replaced by an older one is not read`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        try sample.store.add("kim", "shop", "x")
        let new = try sample.bytes()
        let accepting = try sample.reopened(options: try accepting())
        try sample.replaceFile(with: old)
        let refusal = StoreError.rolledBack(.anchor(.rollback), path: sample.path)
        for _ in 0..<2 { #expect(throws: refusal) { try sample.store.passwords() } }
        #expect(throws: StoreError.readOnly(.anchor(.rollback), path: sample.path)) {
            try sample.store.add("late", "mail", "x")
        }
        #expect(try accepting.passwords() == ["kim mail x"])
        try sample.replaceFile(with: new)
        #expect(try sample.store.passwords() == ["kim mail x", "kim shop x"], "the newer file is back")
    }

    @Test(.temporaryDirectory) func `an open vault whose last change is cut off is not read`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let end = try #require(try sample.bytes().lastIndex { $0 != 0 }) / 64 * 64 + 64
        try sample.store.add("kim", "shop", "x")
        var bytes = try sample.bytes()
        for index in end..<bytes.count { bytes[index] = 0 }
        let file = try FileHandle(forUpdating: URL(filePath: sample.path))
        try file.write(contentsOf: Data(bytes))
        try file.close()
        #expect(throws: StoreError.rolledBack(.anchor(.rollback), path: sample.path)) { try sample.store.passwords() }
    }

    @Test(.temporaryDirectory) func `accepting a rollback in another process lets this one continue`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        try sample.store.add("kim", "shop", "x")
        try sample.replaceFile(with: old)
        #expect(throws: StoreError.self) { try sample.store.passwords() }
        try sample.reopened(options: try accepting()).acceptHistory()
        #expect(try sample.store.passwords() == ["kim mail x"])
        try sample.store.add("late", "mail", "x")
    }

    /// On a network file system, a reader may see the former length of a file for some seconds.
    ///
    /// The anchor was newer than that, so the vault was taken for one that was rolled back. Opening the file again asks
    /// the server.
    @Test(.temporaryDirectory) func `a late file length is not a rollback, and roots are asked for once`() throws {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files, options: try options())
        try sample.store.add("kim", "mail", "x")
        let old = try sample.bytes()
        try sample.store.add("kim", "shop", "x")
        let new = try sample.bytes()
        try sample.replaceFile(with: old)
        files.setHook { operation, path throws(FileError) in
            guard path.contains("/state/"), operation == .open else { return }
            files.setHook { operation, path throws(FileError) in
                // Only opening the file again shows its current content.
                guard path.hasSuffix("vault.coffer"), operation == .open else { return }
                files.setHook { _, _ throws(FileError) in }
                #expect(throws: Never.self) { try sample.replaceFile(with: new) }
            }
        }
        var askedCount = 0
        let store = try VaultStore.open(at: path, environment: sample.environment, options: try options()) { _ in
            askedCount += 1
            return sample.roots
        }
        #expect(try store.passwords() == ["kim mail x", "kim shop x"])
        #expect(askedCount == 1)
    }

    @Test(.temporaryDirectory) func `a reader sees no rollback while others write and compact`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let options = try options()
        let open = try sample.reopened(options: options)
        try inThreads(4) { number in
            guard number > 1 else {
                let writer = try sample.reopened(options: options)
                for change in 0..<12 {
                    try writer.add("\(change)", "shop \(number)", "x")
                    // If two compact at once, one may find the file replaced.
                    if change % 4 == 3 { _ = try? writer.compact() }
                }
                return
            }
            for _ in 0..<12 {
                let store = number == 2 ? open : try sample.reopened(options: options)
                #expect(try store.passwords().first == "kim mail x")
                #expect(store.rollback == nil)
            }
        }
        #expect(try open.passwords().count == 25)
    }

    // MARK: - Anchors that cannot be read

    /// Such a vault could not even be read.
    @Test(.temporaryDirectory, arguments: [FileError.Reason.permissionDenied, .inputOutput, .notARegularFile])
    func `an unreadable anchor prevents writing, but not reading`(reason: FileError.Reason) throws {
        let files = HookedFiles()
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        let sample = try StoreSample(at: path, files: files, options: try options())
        try sample.store.add("kim", "mail", "x")
        let bytes = try sample.bytes()
        files.setHook { operation, path throws(FileError) in
            guard path.contains("/state/"), operation == .open else { return }
            throw FileError(operation, path, reason: reason)
        }
        let store = try sample.reopened(options: try options())
        #expect(store.anchorFailure?.reason == reason)
        #expect(try store.passwords() == ["kim mail x"])
        let failure = try #require(store.anchorFailure)
        let refusal = StoreError.readOnly(.anchorUnreadable(failure), path: path)
        #expect(throws: refusal) { try store.add("late", "mail", "x") }
        #expect(throws: refusal) { try store.compact() }
        #expect(throws: refusal) { try store.acceptHistory() }
        #expect(try sample.bytes() == bytes)
        files.setHook { _, _ throws(FileError) in }
        try sample.reopened(options: try options()).add("late", "mail", "x")
    }

    /// A read-only state directory made the vault unreadable.
    @Test func `an anchor in a read-only directory is compared but not written`() throws {
        let disk = SimulatedDisk(files: ["/home/other": []])
        var options = StoreOptions()
        options.anchorDirectory = "/state"
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, user: 1000, options: options)
        try sample.store.add("kim", "mail", "x")
        let name = try #require(disk.fileNames(in: "/state").first)
        disk.setPermissions(0o400, of: "/state/\(name)")
        disk.setPermissions(0o500, of: "/state")
        let store = try sample.reopened(options: options)
        try store.add("kim", "shop", "x")
        #expect(try sample.reopened(options: options).passwords() == ["kim mail x", "kim shop x"])
    }

    @Test func `a vault without a place for its anchor can still be written`() throws {
        let disk = SimulatedDisk(files: ["/home/other": [], "/state/other": []])
        disk.setPermissions(0o500, of: "/state")
        var options = StoreOptions()
        options.anchorDirectory = "/state/coffer"
        let sample = try StoreSample(at: "/home/vault.coffer", files: disk, user: 1000, options: options)
        try sample.store.add("kim", "mail", "x")
        #expect(try sample.reopened(options: options).passwords() == ["kim mail x"])
    }

    // MARK: - Other files in its place

    /// The path of the anchor that counts, of a sample that has one.
    private func anchorPath() throws -> String {
        let directory = try #require(try options().anchorDirectory)
        return try directory + "/" + #require(try anchorNames().max())
    }

    /// Replaces the anchor with something else, then opens and writes the vault.
    ///
    /// - Returns: Whether the vault could be written.
    private func writes(_ sample: StoreSample, after replace: (_ path: String) throws -> Void) throws -> Bool {
        try sample.store.add("kim", "mail", "x")
        let path = try anchorPath()
        try FileManager.default.removeItem(atPath: path)
        try replace(path)
        // That may or may not be an error, but the other file is never changed.
        guard let store = try? sample.reopened(options: try options()) else { return false }
        return (try? store.add("kim", "shop", "x")) != nil
    }

    // `set` overwrote 512 bytes of a file to which a link with the name of an anchor led.
    @Test(.temporaryDirectory, arguments: [0, 20, 512, 1024, 5000])
    func `the target of a link in place of an anchor is left unchanged`(byteCount: Int) throws {
        let target = try TemporaryDirectory.current.appending(path: "target")
        let content = Data(repeating: UInt8(ascii: "x"), count: byteCount)
        try content.write(to: target)
        _ = try writes(try sample()) { path in
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target.path)
        }
        #expect(try Data(contentsOf: target) == content)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: anchorPath()) == target.path)
    }

    @Test(.temporaryDirectory) func `a link in place of an anchor does not create its target`() throws {
        let target = try TemporaryDirectory.current.appending(path: "target").path
        _ = try writes(try sample()) { path in
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(.temporaryDirectory, arguments: [1, 20, 512, 1024, 5000])
    func `a file that is not an anchor is never overwritten`(byteCount: Int) throws {
        let content = Data(repeating: UInt8(ascii: "x"), count: byteCount)
        let sample = try sample()
        #expect(try !writes(sample) { try content.write(to: URL(filePath: $0)) })
        #expect(try Data(contentsOf: URL(filePath: anchorPath())) == content)
        // The vault could have been rolled back, so this does not count as a machine without an anchor.
        let failure = try sample.reopened(options: try options()).anchorFailure
        #expect(try failure == FileError(.read, anchorPath(), reason: .unknownContent))
    }

    @Test(.temporaryDirectory) func `a dangling link to the anchors does not count as a missing anchor`() throws {
        let sample = try sample()
        try sample.store.add("kim", "first", "x")
        let directory = try #require(try options().anchorDirectory)
        try FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createSymbolicLink(atPath: directory, withDestinationPath: "/missing/anchors")
        let store = try sample.reopened(options: try options())
        #expect(store.anchorFailure == FileError(.open, directory, reason: .danglingLink("/missing")))
        #expect(throws: StoreError.self) { try store.add("kim", "late", "x") }
    }

    @Test(.temporaryDirectory) func `a file that starts like an anchor but is too long is not one`() throws {
        let sample = try sample()
        try sample.store.add("kim", "first", "x")
        let content = try Data(contentsOf: URL(filePath: anchorPath())) + Data(repeating: 7, count: 1024)
        #expect(try !writes(sample) { try content.write(to: URL(filePath: $0)) })
        #expect(try Data(contentsOf: URL(filePath: anchorPath())) == content)
    }

    /// A power failure leaves an empty file, or one of zeros, of a new anchor, and a slot may be damaged.
    @Test(.temporaryDirectory, arguments: [0, 512, 1024, -1], [true, false])
    func `the remains of an anchor are overwritten`(byteCount: Int, anchorsLocations: Bool) throws {
        var tests = self
        tests.anchorsLocations = anchorsLocations
        try tests.expectRemainsToBeOverwritten(byteCount)
    }

    private func expectRemainsToBeOverwritten(_ byteCount: Int) throws {
        let sample = try sample()
        try sample.store.add("kim", "first", "x")
        var content = Data(repeating: 0, count: max(byteCount, 0))
        if byteCount < 0 {
            content = try Data(contentsOf: URL(filePath: anchorPath()))
            content[100] ^= 1
        }
        #expect(try writes(sample) { try content.write(to: URL(filePath: $0)) })
        let old = try sample.bytes()
        try sample.reopened(options: try options()).add("kim", "late", "x")
        try sample.replaceFile(with: old)
        #expect(try sample.reopened(options: try accepting()).readOnlyReason == .anchor(.rollback))
    }

    @Test(.temporaryDirectory) func `a pipe in place of an anchor does not block`() throws {
        _ = try writes(try sample()) { try #require(mkfifo($0, 0o600) == 0) }
    }

    @Test(.temporaryDirectory, .enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's anchor is not written`() throws {
        let sample = try sample()
        try sample.store.add("kim", "first", "x")
        let content = try Data(contentsOf: URL(filePath: anchorPath()))
        _ = try writes(sample) { path in
            try content.write(to: URL(filePath: path))
            chown(path, 1001, 1001)
        }
        #expect(try Data(contentsOf: URL(filePath: anchorPath())) == content)
    }

    @Test(.temporaryDirectory, .enabled(if: geteuid() == 0, "only root can give a file away"))
    func `no anchor is created in another user's directory`() throws {
        let sample = try sample()
        let directory = try #require(try options().anchorDirectory)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        chown(directory, 1001, 1001)
        _ = try? sample.reopened(options: try options()).add("kim", "shop", "x")
        try sample.store.add("kim", "mail", "x")
        #expect(try anchorNames() == [])
    }
}
