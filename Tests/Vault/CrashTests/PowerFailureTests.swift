import TestSupport
import Testing
import VaultFiles
import VaultStore

/// The power fails after each call, and any part of what was not durable may be there.
@Suite("Power failures", .countingCrashes([.killPoints: 500, .powerLossStates: 30_000]))
struct PowerFailureTests {
    @Test(arguments: Workload.all(), CrashScale.slices)
    func `acknowledged changes survive, and the vault is writable`(workload: Workload, slice: Int) throws {
        let vault = try CrashVault(for: workload)
        let recorded = try RecordedWorkload(workload, on: vault, vault.makeDisk())
        #expect(recorded.trace.overwrites(exceptIn: vault.anchorNames) == [])
        complaints(recorded, slice: slice, sample: 250).record()
    }

    @Test(arguments: [14, 40]) func `some of the crashed compactions are made because they are due`(
        stepCount: Int
    ) throws {
        let workload = try #require(Workload.all(stepCount: stepCount).last)
        let vault = try CrashVault(for: workload)
        let recorded = try RecordedWorkload(workload, on: vault, vault.makeDisk())
        #expect(recorded.trace.calls.count { $0.operation == .rename } >= stepCount / 7)
    }

    /// The harness must detect processes that omit the steps that make a change durable.
    @Test(arguments: [SimulatedProcess.SyncMistake.skipsDirectorySyncs, .skipsFileSyncs])
    func `a process that does not sync is detected`(syncMistake: SimulatedProcess.SyncMistake) throws {
        let workload = try #require(Workload.all(stepCount: 14).first { $0.name == "compactions" })
        let vault = try CrashVault(for: workload)
        let recorded = try RecordedWorkload(workload, on: vault, vault.makeDisk(), syncMistake: syncMistake)
        #expect(!complaints(recorded, slice: 0, sample: 15).all.isEmpty)
    }

    private func complaints(_ recorded: RecordedWorkload, slice: Int, sample: Int) -> Complaints {
        var complaints = Complaints()
        var number = 0
        for point in recorded.trace.crashPoints {
            let afterKill = recorded.modelsAfterKill(at: point)
            let afterPowerLoss = recorded.modelsAfterPowerLoss(at: point)
            number += 1
            if CrashScale.picks(number, in: slice, sample: sample / 10) {
                let state = point.killed
                let aftermath = Aftermath(
                    of: recorded.vault,
                    on: state.makeDisk(),
                    models: afterKill,
                    mayBeDamaged: false
                )
                TrialCount.note(.killPoints)
                complaints.add(aftermath.complaint.map { "\(state): \($0)" })
            }
            let states = point.powerLossStates(randomSubsets: 40, seed: 1)
            for index in states.indices {
                number += 1
                guard CrashScale.picks(number, in: slice, sample: sample) else { continue }
                let state = states[index]
                let aftermath = Aftermath(
                    of: recorded.vault,
                    on: state.makeDisk(),
                    models: afterPowerLoss,
                    mayBeDamaged: true
                )
                TrialCount.note(.powerLossStates)
                if aftermath.isDamaged { TrialCount.note(.damagedVerdicts) }
                complaints.add(aftermath.complaint.map { "\(state): \($0)" })
            }
        }
        return complaints
    }
}
