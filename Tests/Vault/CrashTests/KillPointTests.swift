import TestSupport
import Testing
import VaultFiles
import VaultStore

/// A process is killed before, after or halfway through each of its calls; the machine and other processes go on.
@Suite("Killed processes", .countingCrashes([.killPoints: 1800]))
struct KillPointTests {
    @Test(arguments: Workload.all(), CrashScale.slices)
    func `acknowledged changes survive, and other processes go on`(workload: Workload, slice: Int) throws {
        let vault = try CrashVault(for: workload)
        var complaints = Complaints()
        var number = 0
        for victim in workload.processes {
            let operations = try operations(of: victim, in: workload, on: vault)
            for call in operations.indices {
                for isHalfway in operations[call] == .write ? [false, true] : [false] {
                    number += 1
                    guard CrashScale.picks(number, in: slice, sample: 200) else { continue }
                    let death = SimulatedProcess.Death(afterCall: call, halfwayThroughNext: isHalfway)
                    let killing = Killing(of: victim, death, workload, on: vault)
                    TrialCount.note(.killPoints)
                    complaints.add(killing.complaint.map { "process \(victim), \(death): \($0)" })
                }
            }
        }
        complaints.record()
    }

    /// The calls of a process that is not killed.
    private func operations(
        of process: Int,
        in workload: Workload,
        on vault: CrashVault
    ) throws -> [FileError.Operation] {
        let disk = vault.makeDisk()
        let watched = SimulatedProcess(on: disk)
        let run = WorkloadRun(on: vault, seed: "workload") { $0 == process ? watched : SimulatedProcess(on: disk) }
        for step in workload.steps { if let failure = run.perform(step).failure { throw failure } }
        return watched.operations
    }
}

/// A process is killed, and another one goes on where it stopped; then the power fails.
private struct Killing {
    private static let addition = Change.add("survivor", "a secret of who goes on")
    private static let laterChange = Change.update("survivor", "another secret of who goes on")

    private let vault: CrashVault
    private let workload: Workload
    private let disk: SimulatedDisk
    private var acknowledgedCount = 0
    private(set) var complaint: String?

    init(of victim: Int, _ death: SimulatedProcess.Death, _ workload: Workload, on vault: CrashVault) {
        self.vault = vault
        self.workload = workload
        disk = vault.makeDisk()
        let mortal = SimulatedProcess(on: disk, death: death)
        let run = WorkloadRun(on: vault, seed: "workload") { [disk] in
            $0 == victim ? mortal : SimulatedProcess(on: disk)
        }
        var count = 0
        for step in workload.steps where !mortal.isDead {
            let outcome = run.perform(step) { count += 1 }
            if let failure = outcome.failure, !mortal.isDead { complaint = "\(failure) before" }
        }
        acknowledgedCount = count
        run.end(victim)
        do {
            // Another owner's process of the workload that has the vault open, if there is one, else a new process.
            run.end(CrashVault.holder)
            try goOn(try run.store(run.stores.keys.first ?? CrashVault.newcomer))
        } catch {
            complaint = complaint ?? "\(error)"
        }
    }

    private var models: [VaultModel] { workload.models }

    private mutating func goOn(_ survivor: VaultStore) throws {
        let found = try contents(of: survivor)
        let afterKill = models[acknowledgedCount...min(acknowledgedCount + 1, models.count - 1)]
        guard afterKill.contains(found) else { return complain("found", found, Array(afterKill)) }
        guard let added = found.after([Self.addition]), let expected = added.after([Self.laterChange]) else { return }

        let firstCall = disk.callCount
        try survivor.make([Self.addition])
        let lastCall = disk.callCount
        try expect(added, try vault.open(on: disk, seed: "first witness"))
        try survivor.compact()
        try survivor.make([Self.laterChange])
        try expect(expected, survivor)
        try expect(expected, try vault.open(on: disk, seed: "second witness"))
        let names = disk.fileNames(in: "/vaults")
        if names.count > 1 { complaint = complaint ?? "a compaction leaves \(names)" }
        failPower(calls: firstCall...lastCall, found: found, added: added)
    }

    /// The content that a process finds, which may have to unlock again because the victim has changed the keys.
    private func contents(of survivor: VaultStore) throws -> VaultModel {
        do {
            return try survivor.contents()
        } catch let error as StoreError {
            guard case .keysChanged = error else { throw error }
            try vault.unlock(survivor)
            return try survivor.contents()
        }
    }

    /// The power fails while the next process writes, or just afterwards.
    private mutating func failPower(calls: ClosedRange<Int>, found: VaultModel, added: VaultModel) {
        let durableCount = workload.durableCount(of: acknowledgedCount)
        let before = models[durableCount...min(acknowledgedCount + 1, models.count - 1)] + [added]
        for call in calls where call == calls.upperBound || disk.trace.calls[call].isChange {
            let states = disk.trace.powerLossStates(after: call, randomSubsets: 2)
            for index in stride(from: 0, to: states.count, by: max(1, states.count / (CrashScale.isFull ? 3 : 2))) {
                let aftermath = Aftermath(
                    of: vault,
                    on: states[index].makeDisk(),
                    models: call == calls.upperBound ? [added] : Array(before),
                    mayBeDamaged: true
                )
                TrialCount.note(.compoundStates)
                if aftermath.isDamaged { TrialCount.note(.damagedVerdicts) }
                if let other = aftermath.complaint { complaint = complaint ?? "then \(states[index]): \(other)" }
            }
        }
    }

    private mutating func expect(_ model: VaultModel, _ store: VaultStore) throws {
        let contents = try store.contents()
        if contents != model { complain("later", contents, [model]) }
    }

    private mutating func complain(_ word: String, _ found: VaultModel, _ models: [VaultModel]) {
        let expected = models.map { "[\($0)]" }.joined(separator: " or ")
        complaint = complaint ?? "\(word) [\(found)], not \(expected)"
    }
}
