import Coffer
import Foundation
import TestSupport

/// Copies of one vault, each on a machine of its own.
struct VaultCopies {
    private static let ladder = UnlockLadder.passphrase("right")

    private let machines: [VaultSample]
    let vaults: [Vault]

    /// Makes a vault and its copies, after `fill` has added the items that all of them have.
    init(_ count: Int, _ fill: (Keychain) throws -> Void = { _ in }) throws {
        machines = try (0..<count).map { try VaultSample(machine: "machine \($0)") }
        let first = try machines[0].created(VaultProtection(passphrase: Passphrase("right")))
        try fill(first.keychain)
        let others = try machines.dropFirst().map { machine in
            let path = machine.directory.appending(path: "copy.coffer").path
            try FileManager.default.createDirectory(at: machine.directory, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: first.path, toPath: path)
            return try Vault.open(at: path, with: Self.ladder, options: machine.options)
        }
        vaults = [first] + others
    }

    subscript(number: Int) -> Keychain { vaults[number].keychain }

    /// Merges another copy into one.
    func merge(_ other: Int, into one: Int) async throws {
        let copy = try Vault.openCopy(at: vaults[other].path, with: Self.ladder, options: machines[one].options)
        _ = try await vaults[one].merge(with: copy).report()
    }
}

extension Keychain {
    /// The secrets of the versions of each item with a conflict, the one that counts first.
    func versions() throws -> [[String]] {
        try conflicts(GenericPassword.self).map { history in
            try history.revisions.filter { $0.ended == nil }.map { version in
                String(decoding: try secret(of: version) ?? [], as: UTF8.self)
            }
        }
    }
}
