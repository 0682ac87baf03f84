import TestSupport
import Testing
import VaultFormat
import VaultStore

/// The owner accepts a file that contradicts the anchor, and is interrupted.
@Suite("Crashes of an acceptance", .countingCrashes([.killPoints: 250, .powerLossStates: 2000]))
struct AcceptanceTests {
    private static let change = Change.add("late", "a secret that follows")

    /// A vault that is rejected, and its disk.
    private struct Refused {
        let vault: CrashVault
        let bytes: [UInt8]
        let anchors: [String: [UInt8]]

        init(_ verdict: AnchorVerdict) throws {
            vault = try CrashVault(hasAnchor: true)
            let disk = vault.makeDisk()
            let store = try vault.open(on: disk, seed: "store")
            try store.make([.add("first", "one")])
            let old = disk.content(of: CrashVault.path) ?? []
            try store.make([.add("second", "two")])
            anchors = vault.anchors(on: disk)
            #expect(anchors.count == 2)
            let new = disk.content(of: CrashVault.path) ?? []
            switch verdict {
            case .forked:
                let fork = vault.makeDisk(old, anchors: [:])
                try vault.open(on: fork, seed: "fork").make([.add("third", "three")])
                bytes = fork.content(of: CrashVault.path) ?? []
            case .lostCommit:
                let end = (new.lastIndex { $0 != 0 } ?? 0) / 64 * 64
                bytes = Array(new[..<end])
            default: bytes = old
            }
        }

        func makeDisk() -> SimulatedDisk { vault.makeDisk(bytes, anchors: anchors) }
    }

    @Test(arguments: [AnchorVerdict.rollback, .forked, .lostCommit], CrashScale.slices)
    func `an interrupted acceptance can be repeated or has taken effect, and no change is lost`(
        verdict: AnchorVerdict,
        slice: Int
    ) throws {
        let refused = try Refused(verdict)
        let store = try refused.vault.open(on: refused.makeDisk(), seed: "look", acceptsRollback: true)
        #expect(store.readOnlyReason == .anchor(verdict))
        let start = try store.contents()
        let models = [start, try #require(start.after([Self.change]))]
        let acceptance = InterruptedWork(on: refused.makeDisk()) { _, process, acknowledge in
            let store = try refused.vault.open(on: process, seed: "owner", acceptsRollback: true)
            try store.acceptHistory()
            acknowledge()
            try store.make([Self.change])
            acknowledge()
        }
        let complaints = try acceptance.complaints(slice: slice, sample: 60) { rest in
            do {
                return try complaint(rest, refused.vault, models)
            } catch {
                return "\(error)"
            }
        }
        complaints.record()
    }

    private func complaint(
        _ rest: InterruptedWork.Rest,
        _ vault: CrashVault,
        _ models: [VaultModel]
    ) throws -> String? {
        let count = rest.acknowledgedCount
        // Accepting a history includes deciding about its tail, which a power failure may have damaged.
        let store = try vault.open(
            on: rest.disk,
            seed: "owner again",
            discardsDamagedTail: rest.hasPowerFailed,
            acceptsRollback: true
        )
        if case .anchor(let verdict) = store.readOnlyReason {
            guard count == 0 else { return "\(verdict) although it was accepted" }
            try store.acceptHistory()
        }
        let aftermath = Aftermath(
            of: vault,
            on: rest.disk,
            models: Array(models[max(0, count - 1)...min(count, 1)]),
            mayBeDamaged: rest.hasPowerFailed
        )
        if let complaint = aftermath.complaint { return complaint }
        try vault.open(on: rest.disk, seed: "sweeper").compact()
        let names = rest.disk.fileNames(in: "/vaults")
        return names.count == 1 ? nil : "a compaction leaves \(names)"
    }
}
