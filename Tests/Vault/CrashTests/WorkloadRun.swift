import CofferBasics
import StoreTestSupport
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

/// Processes that perform the steps of a workload.
final class WorkloadRun {
    /// The result of a step.
    struct Outcome {
        /// The error because of which nothing was changed.
        var changes: StoreError?
        /// The error because of which the file was not replaced, if the step requires that.
        var compaction: StoreError?

        var failure: StoreError? { changes ?? compaction }
    }

    private let vault: CrashVault
    private let seed: String
    private let discardsDamagedTail: Bool
    private let files: (Int) -> any FileSystem
    private let time = ManualTime()
    private(set) var stores: [Int: VaultStore] = [:]
    private var openingCount = 0

    /// Creates processes with random bytes derived from `seed`, which no other processes may use; `files` gives each
    /// process its view of the disk.
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

    /// The open vault of a process, which it opens on the first call.
    func store(_ process: Int) throws -> VaultStore {
        if let store = stores[process] { return store }
        let store = try vault.open(
            on: files(process),
            seed: nextSeed(),
            as: role(of: process),
            discardsDamagedTail: discardsDamagedTail,
            time: time
        )
        stores[process] = store
        return store
    }

    private func nextSeed() -> String {
        openingCount += 1
        return "\(seed) \(openingCount)"
    }

    private func role(of process: Int) -> CrashVault.Role { process == CrashVault.holder ? .holder : .owner }

    /// Ends a process and closes its vault.
    func end(_ process: Int) {
        stores[process] = nil
    }

    /// Performs a step; `acknowledge` is called once when its changes have been made.
    func perform(_ step: Workload.Step, acknowledge: @escaping () -> Void = {}) -> Outcome {
        time.advance(nanoseconds: step.hoursBefore * 3_600_000_000_000)
        switch step.action {
        case .change(let changes, let durability):
            let failure = attempt(step.process) { store in
                try store.make(changes, durability: durability)
            }
            if failure == nil { acknowledge() }
            return Outcome(changes: failure)
        case .compact(let purges, let meanwhile) where meanwhile.isEmpty:
            return replace(step.process, acknowledge) { store in
                try store.compact(purges ? .purging(.everything) : CompactionRequest())
            }
        case .rotate(alone: false): return replace(step.process, acknowledge, vault.rotate)
        case .rotate(alone: true): return rotateAlone(step.process, acknowledge)
        case .addSlot: return replace(step.process, acknowledge, vault.addSlot)
        case .settle:
            return replace(step.process, acknowledge) { store in try store.settleDevices() }
        case .merge(let changes, let replacesFile):
            return changeOnce(step.process, acknowledge) { store in
                _ = try store.merge(self.copy(step.process, with: changes), replacesFile: replacesFile)
            }
        case .issueGrant: return changeOnce(step.process, acknowledge, vault.issueGrant)
        case .revokeGrant:
            // Without the grant, it could only fail.
            end(CrashVault.holder)
            return changeOnce(step.process, acknowledge, vault.revokeGrant)
        case .issueExpiringGrant:
            let expiry = Time(microseconds: time.wallMicroseconds() + 24 * 3_600_000_000)
            return changeOnce(step.process, acknowledge) { store in
                try vault.issueGrant(of: store, until: expiry)
            }
        case .compact(_, let meanwhile):
            return compact(step.process, meanwhile, acknowledge)
        }
    }

    /// A copy of the vault on another disk, as a process sees it, after these changes.
    private func copy(_ process: Int, with changes: [Change]) throws -> VaultStore {
        let bytes = try translating(StoreError.file) { () throws(FileError) in
            let (directory, name) = try files(process).locate(CrashVault.path)
            let file = try directory.open(name, for: .reading)
            return try file.bytes(in: 0..<file.status().byteCount)
        }
        let copy = try vault.open(on: vault.makeDisk(bytes, anchors: [:]), seed: nextSeed(), time: time)
        try copy.make(changes)
        return copy
    }

    private func replace(
        _ process: Int,
        _ acknowledge: () -> Void,
        _ body: (VaultStore) throws -> Void
    ) -> Outcome {
        let failure = attempt(process, body)
        if failure == nil { acknowledge() }
        return Outcome(compaction: failure)
    }

    /// Makes a change that is not a transaction of its own.
    private func changeOnce(
        _ process: Int,
        _ acknowledge: () -> Void,
        _ body: (VaultStore) throws -> Void
    ) -> Outcome {
        Outcome(changes: replace(process, acknowledge, body).failure)
    }

    /// Rotates in a separate process that has only one of the devices.
    private func rotateAlone(_ process: Int, _ acknowledge: () -> Void) -> Outcome {
        let failure = failure {
            try vault.rotate(try vault.open(on: files(process), seed: nextSeed(), as: .ownerWithOneDevice, time: time))
        }
        if failure == nil { acknowledge() }
        return Outcome(compaction: failure)
    }

    /// Runs `body` in a process, which unlocks the vault again if another one has changed the keys.
    private func attempt(_ process: Int, _ body: (VaultStore) throws -> Void) -> StoreError? {
        let failure = failure { try body(try store(process)) }
        guard case .keysChanged? = failure else { return failure }
        return self.failure {
            let store = try store(process)
            try vault.unlock(store, as: role(of: process))
            try body(store)
        }
    }

    /// Compacts while another process makes changes.
    private func compact(_ process: Int, _ changes: [Change], _ acknowledge: @escaping () -> Void) -> Outcome {
        var outcome = Outcome(changes: .abandoned)
        var hasChanged = false
        outcome.compaction = failure {
            try store(process).compact { _ in
                guard !hasChanged else { return true }
                hasChanged = true
                outcome.changes = self.failure { try self.store(1 - process).make(changes) }
                if outcome.changes == nil { acknowledge() }
                return true
            }
        }
        return outcome
    }

    private func failure(_ body: () throws -> Void) -> StoreError? {
        do {
            try body()
            return nil
        } catch {
            return StoreError(of: error)
        }
    }
}

/// A workload that ran without faults, and the effect of each of its calls on the disk.
struct RecordedWorkload {
    let workload: Workload
    let vault: CrashVault
    let trace: Trace
    private let models: [VaultModel]

    /// Runs a workload on a disk, with processes that may have a bad habit.
    init(
        _ workload: Workload,
        on vault: CrashVault,
        _ disk: SimulatedDisk,
        seed: String = "workload",
        discardsDamagedTail: Bool = false,
        syncMistake: SimulatedProcess.SyncMistake? = nil
    ) throws {
        let run = WorkloadRun(on: vault, seed: seed, discardsDamagedTail: discardsDamagedTail) { _ in
            SimulatedProcess(on: disk, syncMistake: syncMistake)
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

    /// The models that a crash may leave: every acknowledged step, and at most one more.
    func modelsAfterKill(at point: CrashPoint) -> [VaultModel] {
        let count = acknowledgedCount(at: point)
        return Array(models[count...min(count + 1, models.count - 1)])
    }

    /// The same, except that the last steps may be missing if their durability was not awaited.
    func modelsAfterPowerLoss(at point: CrashPoint) -> [VaultModel] {
        let count = acknowledgedCount(at: point)
        return Array(models[workload.durableCount(of: count)...min(count + 1, models.count - 1)])
    }

    private func acknowledgedCount(at point: CrashPoint) -> Int {
        point.labels.last.flatMap { Int($0) } ?? 0
    }
}
