import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

/// The state that the next process finds on a disk after a crash, and whether it can go on.
struct Aftermath {
    /// The content of the vault.
    private(set) var found: VaultModel?
    /// Whether the log ends with complete bytes that do not verify.
    private(set) var isDamaged = false
    /// The first problem.
    private(set) var complaint: String?

    private static let probe = Change.add("probe", "a secret of the next process")

    /// Opens the vault, which may hold one of `models`, adds an item, and opens it again.
    ///
    /// Its tail may be damaged if the power failed: then new sectors may show what a former file left there.
    init(of vault: CrashVault, on disk: SimulatedDisk, models: [VaultModel], mayBeDamaged: Bool) {
        do {
            try recover(vault, disk, models, mayBeDamaged)
        } catch {
            complaint = complaint ?? "\(error)"
        }
    }

    private mutating func recover(
        _ vault: CrashVault,
        _ disk: SimulatedDisk,
        _ models: [VaultModel],
        _ mayBeDamaged: Bool
    ) throws {
        var store = try vault.open(on: disk, seed: "next")
        let found = try store.contents()
        self.found = found
        guard models.contains(found) else { return complain(found, models) }
        do {
            try store.make([Self.probe])
        } catch let error as StoreError {
            guard mayBeDamaged, case .readOnly(.damagedTail, _) = error else { throw error }
            isDamaged = true
            store = try vault.open(on: disk, seed: "who decides", discardsDamagedTail: true)
            try store.make([Self.probe])
        }
        let expected = found.after([Self.probe]) ?? found
        for store in [store, try vault.open(on: disk, seed: "last")] {
            let contents = try store.contents()
            guard contents == expected else { return complain(contents, [expected]) }
        }
        if vault.hasHolder { try checkHolder(vault, disk, expected) }
    }

    /// Checks that the holder sees the same if its grant is there, and nothing otherwise.
    private mutating func checkHolder(
        _ vault: CrashVault,
        _ disk: SimulatedDisk,
        _ expected: VaultModel
    ) throws {
        do {
            let contents = try vault.open(on: disk, seed: "holder", as: .holder).contents()
            if contents != expected { complain(contents, [expected]) }
        } catch StoreError.vault(.noMatch, _) where !expected.isGranted {
            return
        }
    }

    private mutating func complain(_ found: VaultModel, _ models: [VaultModel]) {
        complaint = "found [\(found)], not \(models.map { "[\($0)]" }.joined(separator: " or "))"
    }
}
