import TestSupport
import Testing
import VaultStore

/// The machine crashes, and crashes again while the next process recovers the vault, compacts it and goes on.
@Suite("Compound crashes", .countingCrashes([.compoundStates: 30_000]))
struct CompoundTests {
    private static let recovery: [Workload.Step] = [
        Workload.Step(action: .change([.add("first probe", "a secret")])),
        Workload.Step(action: .compact()),
        Workload.Step(action: .change([.update("first probe", "a longer secret that replaces it")])),
    ]

    @Test(arguments: Workload.all(), CrashScale.slices)
    func `a crashed recovery can be repeated`(workload: Workload, slice: Int) throws {
        let vault = try CrashVault(for: workload)
        let recorded = try RecordedWorkload(workload, on: vault, vault.makeDisk())
        var complaints = Complaints()
        var number = 0
        for point in recorded.trace.crashPoints {
            let models = recorded.modelsAfterPowerLoss(at: point)
            let states = point.powerLossStates(seed: 2)
            for index in states.indices {
                number += 1
                guard CrashScale.picks(number, in: slice, sample: 20_000, full: 75) else { continue }
                for complaint in try self.complaints(states[index], among: models, on: vault) {
                    complaints.add("\(states[index]), then \(complaint)")
                }
            }
        }
        complaints.record()
    }

    private func complaints(
        _ state: CrashState,
        among models: [VaultModel],
        on vault: CrashVault
    ) throws -> [String] {
        // Every process that opens this state finds the same content.
        let found = try vault.open(on: state.makeDisk(), seed: "look").contents()
        guard models.contains(found) else { return ["no second crash: found [\(found)]"] }
        let workload = Workload("recovery", from: found, Self.recovery)
        let recorded = try RecordedWorkload(
            workload,
            on: vault,
            state.makeDisk(),
            seed: "recovery",
            discardsDamagedTail: true
        )
        var complaints: [String] = []
        for point in recorded.trace.crashPoints {
            let losses = point.powerLossStates(randomSubsets: 2, seed: 3)
            let step = max(1, losses.count / (CrashScale.isFull ? 12 : 4))
            let states = [point.killed] + stride(from: 0, to: losses.count, by: step).map { losses[$0] }
            for (number, second) in states.enumerated() {
                let aftermath = Aftermath(
                    of: vault,
                    on: second.makeDisk(),
                    models: number == 0
                        ? recorded.modelsAfterKill(at: point) : recorded.modelsAfterPowerLoss(at: point),
                    // The tail that the first crash damaged remains until the recovery has cut it off.
                    mayBeDamaged: true
                )
                TrialCount.note(.compoundStates)
                if aftermath.isDamaged { TrialCount.note(.damagedVerdicts) }
                if let complaint = aftermath.complaint { complaints.append("\(second): \(complaint)") }
            }
        }
        return complaints
    }
}
