import TestSupport
import VaultFiles
import VaultStore

/// Processes that do the steps of a workload.
final class WorkloadRun {
    /// What became of a step.
    struct Outcome {
        /// Why nothing was changed, if nothing was.
        var changes: StoreError?
        /// Why the file was not replaced, if the step was to do so.
        var compaction: StoreError?

        var failure: StoreError? { changes ?? compaction }
    }

    private let vault: CrashVault
    private let seed: String
    private let discardsDamagedTail: Bool
    private let files: (Int) -> any FileSystem
    private let time = ManualTime()
    private(set) var stores: [Int: VaultStore] = [:]
    private var rotationCount = 0

    /// Processes whose random bytes follow from `seed`, which other processes must not have; `files` gives what each
    /// sees of the disk.
    init(
        on vault: CrashVault,
        seed: String,
        discardsDamagedTail: Bool = false,
        files: @escaping (Int) -> any FileSystem
    ) {
        self.vault = vault
        self.seed = seed
        self.discardsDamagedTail = discardsDamagedTail
        self.files = files
    }

    /// What a process has opened, which it does the first time that it is asked for.
    func store(_ process: Int) throws(StoreError) -> VaultStore {
        if let store = stores[process] { return store }
        let seed = "\(seed) \(process)"
        let store = try vault.open(
            on: files(process),
            seed: seed,
            discardsDamagedTail: discardsDamagedTail,
            time: time
        )
        stores[process] = store
        return store
    }

    /// Lets a process go, with all that it has open.
    func end(_ process: Int) {
        stores[process] = nil
    }

    /// Does a step; `acknowledge` is called once when its changes have been made.
    func perform(_ step: Workload.Step, acknowledge: @escaping () -> Void = {}) -> Outcome {
        time.advance(nanoseconds: step.hoursBefore * 3_600_000_000_000)
        switch step.action {
        case .change(let changes, let durability):
            let failure = attempt(step.process) { store throws(StoreError) in
                try store.make(changes, durability: durability)
            }
            if failure == nil { acknowledge() }
            return Outcome(changes: failure)
        case .compact(let purges, let meanwhile) where meanwhile.isEmpty:
            return replace(step.process, acknowledge) { store throws(StoreError) in
                try store.compact(purges ? .purging(.everything) : CompactionRequest())
            }
        case .rotate(alone: false): return replace(step.process, acknowledge, vault.rotate)
        case .rotate(alone: true): return rotateAlone(step.process, acknowledge)
        case .addSlot: return replace(step.process, acknowledge, vault.addSlot)
        case .settle:
            return replace(step.process, acknowledge) { store throws(StoreError) in try store.settleDevices() }
        case .compact(_, let meanwhile):
            return compact(step.process, meanwhile, acknowledge)
        }
    }

    private func replace(
        _ process: Int,
        _ acknowledge: () -> Void,
        _ body: (VaultStore) throws(StoreError) -> Void
    ) -> Outcome {
        let failure = attempt(process, body)
        if failure == nil { acknowledge() }
        return Outcome(compaction: failure)
    }

    /// Rotates in a process of its own that has only one of the devices.
    private func rotateAlone(_ process: Int, _ acknowledge: () -> Void) -> Outcome {
        rotationCount += 1
        let failure = failure { () throws(StoreError) in
            let seed = "\(seed) \(process) alone \(rotationCount)"
            try vault.rotate(try vault.open(on: files(process), seed: seed, isAlone: true, time: time))
        }
        if failure == nil { acknowledge() }
        return Outcome(compaction: failure)
    }

    /// Does something in a process, which opens the vault anew if another one has changed the keys.
    private func attempt(_ process: Int, _ body: (VaultStore) throws(StoreError) -> Void) -> StoreError? {
        let failure = failure { () throws(StoreError) in try body(try store(process)) }
        guard case .keysChanged? = failure else { return failure }
        return self.failure { () throws(StoreError) in
            let store = try store(process)
            try vault.unlock(store)
            try body(store)
        }
    }

    /// Compacts, while another process makes changes.
    private func compact(_ process: Int, _ changes: [Change], _ acknowledge: @escaping () -> Void) -> Outcome {
        var outcome = Outcome(changes: .abandoned)
        var hasChanged = false
        outcome.compaction = failure { () throws(StoreError) in
            try store(process).compact { _ in
                guard !hasChanged else { return true }
                hasChanged = true
                outcome.changes = self.failure { () throws(StoreError) in try self.store(1 - process).make(changes) }
                if outcome.changes == nil { acknowledge() }
                return true
            }
        }
        return outcome
    }

    private func failure(_ body: () throws(StoreError) -> Void) -> StoreError? {
        do throws(StoreError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// A workload that went well, and what each call of it did to the disk.
struct RecordedWorkload {
    let workload: Workload
    let vault: CrashVault
    let trace: Trace
    private let models: [VaultModel]

    /// Runs a workload on a disk, by processes that may have a bad habit.
    init(
        _ workload: Workload,
        on vault: CrashVault,
        _ disk: SimulatedDisk,
        seed: String = "workload",
        discardsDamagedTail: Bool = false,
        habit: SimulatedProcess.Habit? = nil
    ) throws(StoreError) {
        let run = WorkloadRun(on: vault, seed: seed, discardsDamagedTail: discardsDamagedTail) { _ in
            SimulatedProcess(on: disk, habit: habit)
        }
        for (number, step) in workload.steps.enumerated() {
            let outcome = run.perform(step) { disk.mark("\(number + 1)") }
            if let failure = outcome.failure { throw failure }
        }
        self.workload = workload
        self.vault = vault
        trace = disk.trace
        models = workload.models
    }

    /// The model after each number of steps that a crash may leave: every acknowledged one, and at most one more.
    func modelsAfterKill(at point: CrashPoint) -> [VaultModel] {
        let count = acknowledgedCount(at: point)
        return Array(models[count...min(count + 1, models.count - 1)])
    }

    /// The same, but that the last ones may be missing whose durability was not waited for.
    func modelsAfterPowerLoss(at point: CrashPoint) -> [VaultModel] {
        let count = acknowledgedCount(at: point)
        return Array(models[workload.durableCount(of: count)...min(count + 1, models.count - 1)])
    }

    private func acknowledgedCount(at point: CrashPoint) -> Int {
        point.labels.last.flatMap { Int($0) } ?? 0
    }
}
