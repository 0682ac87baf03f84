import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// A vault may be shared between users, so each replacement of its file keeps owner and permissions, or is refused.
@Suite("Replacing a shared vault", .temporaryDirectory, .enabled(if: geteuid() == 0, "only root can give a file away"))
struct ReplacementTests {
    enum Replacement: CaseIterable {
        case compaction, acceptance, rotation, slotAddition

        func perform(on store: VaultStore) throws {
            switch self {
            case .compaction: try store.compact()
            case .acceptance: try store.acceptHistory()
            case .rotation: try store.changePassphrase(to: "second passphrase")
            case .slotAddition:
                var addition = try store.slotAddition(argon2Limits: .weak)
                try addition.add(passphrase: [1].span, parameters: RotationSample.weak)
                try store.add(addition)
            }
        }
    }

    private let files = HookedFiles()
    private static let (owner, group): (uid_t, gid_t) = (1001, 1002)

    /// A vault of another user and group; an older copy of it if the replacement is the acceptance of a rollback.
    private func shared(_ replacement: Replacement) throws -> (sample: RotationSample, store: VaultStore) {
        let sample = try RotationSample(files: files)
        var options = StoreOptions()
        options.writerGroupIDs = [Self.group]
        if replacement == .acceptance {
            options.anchorDirectory = try TemporaryDirectory.current.appending(path: "anchors").path
            let copy = try Data(contentsOf: URL(filePath: sample.path))
            try sample.opened(options: options).add("kim", "mail", "x")
            try copy.write(to: URL(filePath: sample.path))
            options.acceptsRollback = true
        }
        chmod(sample.path, 0o660)
        chown(sample.path, Self.owner, Self.group)
        return (sample, try sample.opened(options: options))
    }

    private func status(of path: String) throws -> FileStatus {
        let (directory, name) = try LinuxFileSystem().locate(path)
        return try directory.status(of: name)
    }

    @Test(arguments: Replacement.allCases)
    func `the new file has the owner, the group and the permissions of the old one`(replacement: Replacement) throws {
        let (sample, store) = try shared(replacement)
        let before = try status(of: sample.path)
        try replacement.perform(on: store)
        let after = try status(of: sample.path)
        #expect(after.identity != before.identity)
        #expect([after.owner, after.group, after.permissions] == [Self.owner, Self.group, 0o660])
    }

    @Test(arguments: Replacement.allCases)
    func `if that is not permitted, the old file stays`(replacement: Replacement) throws {
        let (sample, store) = try shared(replacement)
        let (status, content) = (try status(of: sample.path), try Data(contentsOf: URL(filePath: sample.path)))
        files.setHook { operation, path throws(FileError) in
            if operation == .changeAccess { throw FileError(operation, path, reason: .permissionDenied) }
        }
        #expect(throws: StoreError.self) { try replacement.perform(on: store) }
        #expect(try self.status(of: sample.path) == status)
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == content)
    }
}
