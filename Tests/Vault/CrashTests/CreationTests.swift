import TestSupport
import Testing
import VaultStore

/// A vault is complete or missing, whenever its creation is interrupted.
@Suite("Crashes of a creation", .countingCrashes([.killPoints: 14, .powerLossStates: 180]))
struct CreationTests {
    private static func makeDisk() -> SimulatedDisk { SimulatedDisk(files: ["/vaults/other": []]) }

    @Test(arguments: CrashScale.slices)
    func `the vault is complete, or another one can be created`(slice: Int) throws {
        let vault = try CrashVault(hasAnchor: false)
        let creation = InterruptedWork(on: Self.makeDisk()) { disk, process, acknowledge in
            _ = try CrashVault(hasAnchor: false, on: disk, by: process)
            acknowledge()
        }
        let complaints = try creation.complaints(slice: slice, sample: 5) { rest in
            do {
                return try complaint(rest, vault)
            } catch {
                return "\(error)"
            }
        }
        complaints.record()
    }

    private func complaint(_ rest: InterruptedWork.Rest, _ made: CrashVault) throws -> String? {
        var vault = made
        if rest.disk.content(of: CrashVault.path) == nil {
            guard rest.acknowledgedCount == 0 else { return "the vault is gone" }
            vault = try CrashVault(hasAnchor: false, on: rest.disk, seed: "another vault")
        }
        let aftermath = Aftermath(of: vault, on: rest.disk, models: [VaultModel()], mayBeDamaged: false)
        if let complaint = aftermath.complaint { return complaint }
        try vault.open(on: rest.disk, seed: "sweeper").compact()
        let names = rest.disk.fileNames(in: "/vaults").filter { $0 != "other" }
        return names.count == 1 ? nil : "a compaction leaves \(names)"
    }
}
