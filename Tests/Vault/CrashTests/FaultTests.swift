import CofferBasics
import StoreTestSupport
import Testing
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

/// One call fails, or every call from one on: the failure is reported, and nothing is lost.
@Suite("Faults", .countingCrashes([.faults: 10_000]))
struct FaultTests {
    /// A kind of failure, once or permanent.
    struct Kind: Sendable, CustomStringConvertible {
        let effect: SimulatedFault.Effect
        let isSticky: Bool

        var description: String { "\(effect), \(isSticky ? "from then on" : "once")" }

        static let all: [Kind] = {
            let reasons: [FileError.Reason] = [
                .inputOutput, .diskFull, .quotaExceeded, .readOnlyFileSystem, .staleHandle, .tooManyOpenFiles,
            ]
            let failures = reasons.map { SimulatedFault.Effect.failure($0) }
            let effects = failures + [.failureHalfway(.inputOutput), .failureHalfway(.diskFull), .half]
            return effects.flatMap { effect in [false, true].map { Kind(effect: effect, isSticky: $0) } }
                // A call that is always interrupted would never finish.
                + [Kind(effect: .failure(.interrupted), isSticky: false)]
        }()
    }

    private static let workloads = Workload.all(stepCount: 14)

    @Test(arguments: workloads, CrashScale.slices)
    func `successful changes survive, failed ones do not, and the vault works afterwards`(
        workload: Workload,
        slice: Int
    ) throws {
        let kinds = Kind.all.enumerated().filter { $0.offset % CrashScale.slices.count == slice }.map(\.element)
        complaints(workload, kinds, syncMistake: nil).record()
    }

    /// The harness must detect that a repeated sync proves nothing.
    @Test func `a process that repeats a failed sync is detected`() throws {
        let kind = Kind(effect: .failure(.inputOutput), isSticky: false)
        let complaints = complaints(Self.workloads[0], [kind], syncMistake: .retriesFailedSyncs)
        #expect(!complaints.all.isEmpty)
    }

    private func complaints(
        _ workload: Workload,
        _ kinds: [Kind],
        syncMistake: SimulatedProcess.SyncMistake?
    ) -> Complaints {
        var complaints = Complaints()
        do {
            let vault = try CrashVault(for: workload)
            let calls = try RecordedWorkload(workload, on: vault, vault.makeDisk()).trace.calls
            for kind in kinds {
                for (index, call) in calls.enumerated() {
                    // Only reads and writes may be interrupted: `VaultFiles` repeats all other calls itself.
                    let isPlausible = kind.effect != .failure(.interrupted) || [.read, .write].contains(call.operation)
                    let isSampled = (index + "\(kind)".count) % 149 == 0
                    let isPicked = CrashScale.isFull || syncMistake != nil || isSampled
                    guard isPlausible, isPicked else { continue }
                    let fault = SimulatedFault(kind.effect, atCall: index + 1, isSticky: kind.isSticky)
                    let faulted = FaultedRun(workload, on: vault, fault, atCall: index + 1, kind, syncMistake)
                    if syncMistake == nil { TrialCount.note(.faults) }
                    complaints.add(faulted.complaint.map { "\(kind) at call \(index + 1) (\(call)): \($0)" })
                }
            }
        } catch {
            complaints.add("\(error)")
        }
        return complaints
    }
}

/// A workload in which a call fails.
private struct FaultedRun {
    private static let laterStepCount = 5

    private let vault: CrashVault
    private let disk: SimulatedDisk
    private let kind: FaultTests.Kind
    private let run: WorkloadRun
    private let hasNeighbor: Bool
    /// The possible contents of the vault.
    private var models: Set<VaultModel>
    /// The contents to which the loss of data that is not durable may lead: earlier states, back to the last durable
    /// one.
    private var floor: Set<VaultModel>
    /// The contents if the power fails before it is durable that a failed write was cut off.
    private var reappearing: Set<VaultModel> = []
    private var failedStepCount = 0
    private(set) var complaint: String?

    init(
        _ workload: Workload,
        on vault: CrashVault,
        _ fault: SimulatedFault,
        atCall call: Int,
        _ kind: FaultTests.Kind,
        _ syncMistake: SimulatedProcess.SyncMistake?
    ) {
        self.vault = vault
        self.kind = kind
        hasNeighbor = workload.processes.count > 1
        disk = vault.makeDisk()
        run = WorkloadRun(on: vault, seed: "workload") { [disk] _ in
            SimulatedProcess(on: disk, syncMistake: syncMistake)
        }
        models = [workload.start]
        floor = models
        disk.inject(fault)
        var laterStepCount = 0
        for step in workload.steps where laterStepCount <= Self.laterStepCount {
            perform(step)
            if disk.callCount >= call { laterStepCount += 1 }
        }
        disk.removeFaults()
        failPower()
        do {
            try goOn(workload)
            try startAnew(workload)
        } catch {
            complain("at the end: \(error)")
        }
    }

    private mutating func complain(_ text: String) {
        complaint = complaint ?? text
    }

    // MARK: - Steps

    private mutating func perform(_ step: Workload.Step) {
        let outcome = run.perform(step)
        if outcome.failure != nil { failedStepCount += 1 }
        for failure in [outcome.changes, outcome.compaction] {
            if let failure { judge(failure) }
        }
        reappearing = []
        guard let failure = outcome.changes else {
            models = Set(models.compactMap { $0.after(step.changes) })
            if models.isEmpty { complain("\(step) succeeded but should have failed") }
            floor = step.isDurable && outcome.failure == nil ? models : floor.union(models)
            return
        }
        switch failure {
        case .syncFailed:
            // The change may be there or not, and so may earlier changes that were not durable.
            models.formUnion(models.compactMap { $0.after(step.changes) })
            models.formUnion(floor)
            floor = models
        case .duplicate, .noSuchItem:
            models = models.filter { $0.after(step.changes) == nil }
            if models.isEmpty { complain("\(failure) although \(step) is valid") }
        case .file:
            if case .failureHalfway = kind.effect { reappearing = Set(models.compactMap { $0.after(step.changes) }) }
        default: break
        }
    }

    /// Checks that a fault of the disk explains a failure.
    private mutating func judge(_ failure: StoreError) {
        let isVisible = kind.effect != .half && kind.effect != .failure(.interrupted)
        if !isVisible { complain("\(failure), though the fault should be invisible") }
        switch failure {
        case .file, .syncFailed, .duplicate, .noSuchItem, .busy, .compactionUnavailable(.file, _), .abandoned: break
        case .readOnly(.syncFailed, _), .readOnly(.denied, _), .readOnly(.anchorUnreadable, _): break
        // The holder, whose grant could not be issued.
        case .vault(.noMatch, _) where models.contains { !$0.isGranted }: break
        // Also if the log became shorter meanwhile because a sync failed.
        case .replacedMeanwhile where hasNeighbor: break
        default: complain("\(failure), which the fault does not explain")
        }
        // All later steps must succeed, unless the failure may have left something that cannot be undone.
        if !kind.isSticky, failedStepCount > 1, run.stores.values.allSatisfy({ $0.obstacle == nil }) {
            switch failure {
            // A lock that could not be released is released the next time.
            case .duplicate, .noSuchItem, .busy, .vault(.noMatch, _): break
            default: complain("\(failure), repeated")
            }
        }
    }

    // MARK: - The end

    private mutating func failPower() {
        let states = disk.trace.powerLossStates(after: disk.callCount, randomSubsets: 2)
        for index in stride(from: 0, to: states.count, by: max(1, states.count / 3)) {
            let aftermath = Aftermath(
                of: vault,
                on: states[index].makeDisk(),
                models: Array(models.union(floor).union(reappearing)),
                mayBeDamaged: true
            )
            if let other = aftermath.complaint { complain("then \(states[index]): \(other)") }
        }
    }

    /// Lets the same processes go on after the fault has ended.
    private mutating func goOn(_ workload: Workload) throws {
        // A vault that was opened as read-only remains so.
        for (process, store) in run.stores {
            if case .readOnly(.denied, _) = store.obstacle { run.end(process) }
        }
        for store in run.stores.values {
            if case .keysChanged = store.obstacle { try vault.unlock(store) }
        }
        // The holder cannot replace a vault.
        run.end(CrashVault.holder)
        // A vault that cannot be written must be replaced before others get the lock.
        for (process, store) in run.stores {
            guard case .readOnly(.syncFailed, _) = store.obstacle else { continue }
            do {
                try store.compact()
            } catch let error as StoreError {
                // If not even reading succeeded afterwards, the vault must be opened again.
                guard kind.isSticky else { throw error }
                run.end(process)
            }
        }
        for process in workload.processes {
            guard let store = run.stores[process] else { continue }
            do {
                try look(at: store)
                try add("account of process \(process)", to: store)
            } catch let error as StoreError {
                guard kind.isSticky else { throw error }
                run.end(process)
            }
        }
        for process in workload.processes { run.end(process) }
    }

    private mutating func startAnew(_ workload: Workload) throws {
        var store = try vault.open(on: disk, seed: "anew")
        // A write that ends within a sector and cannot be undone is not torn as section 7 defines it.
        if case .failureHalfway = kind.effect, case .readOnly(.damagedTail, _) = store.obstacle {
            TrialCount.note(.damagedVerdicts)
            store = try vault.open(on: disk, seed: "who decides", discardsDamagedTail: true)
        }
        try look(at: store)
        try add("account of the last process", to: store)
        try store.compact()
        try look(at: try vault.open(on: disk, seed: "witness"))
        let names = disk.fileNames(in: "/vaults")
        if names.count > 1 { complain("a compaction leaves \(names)") }
    }

    private mutating func look(at store: VaultStore) throws {
        let found = try store.contents()
        if !models.contains(found) {
            complain("found [\(found)], not \(models.map { "[\($0)]" }.joined(separator: " or "))")
        }
        models = [found]
    }

    private mutating func add(_ account: String, to store: VaultStore) throws {
        let change = Change.add(account, "a late secret")
        try store.make([change])
        models = Set(models.compactMap { $0.after([change]) })
        try look(at: store)
    }
}

extension VaultStore {
    /// The reason why the vault cannot be written; nil if it can.
    fileprivate var obstacle: StoreError? {
        do {
            try transaction { _ in }
            return nil
        } catch {
            return StoreError(of: error)
        }
    }
}
