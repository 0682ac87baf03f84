import CofferBasics
import VaultStore

/// What the machines of a simulation did and saw, and whether that may be.
final class FleetHistory: Sendable {
    /// What a machine knows of a change.
    enum Outcome: Sendable {
        /// It is made, with this number.
        case acknowledged(UInt64)
        case uncertain
        case failed(StoreError)
    }

    /// A change that adds an item, and makes its name the value of a register.
    struct Write: Sendable {
        let account: String
        /// Whether it replaces the file.
        let isLarge: Bool
        let register: Int
        let start: UInt64
        let end: UInt64
        var outcome: Outcome

        var change: UInt64? { if case .acknowledged(let change) = outcome { change } else { nil } }
    }

    /// A reading of the latest value.
    struct Read: Sendable {
        let register: Int
        let value: String?
        let start: UInt64
        let end: UInt64
    }

    private struct State {
        var writes: [Write] = []
        var reads: [Read] = []
        var compactionCount = 0
        var violations: [String] = []
        /// What is there at the end.
        var accounts: Set<String> = []
        var file: (machine: Int, bytes: [UInt8])?
    }

    private let state = Guarded(State())

    func note(_ write: Write) {
        var write = write
        if case .failed(let error) = write.outcome {
            // The lock of a machine that crashed lasts longer than others try.
            let isLocked = write.isLarge && error.isOvertaken
            if !isLocked { note(failure: error, isCrashed: false) }
            if case .shared(.unreachable(_, isUncertain: true), _) = error { write.outcome = .uncertain }
        }
        state.withLock { $0.writes.append(write) }
    }

    func note(_ read: Read) { state.withLock { $0.reads.append(read) } }

    func noteCompaction() { state.withLock { $0.compactionCount += 1 } }

    /// Notes an error, which must be one that a machine that has not crashed may meet.
    func note(failure: StoreError, isCrashed: Bool) {
        if isCrashed { return }
        if case .shared(.unreachable, _) = failure { return }
        state.withLock { $0.violations.append("unexpected: \(failure)") }
    }

    /// Notes the accounts that are there at the end; they are the same in equal files.
    func note(finalAccounts accounts: Set<String>) { state.withLock { $0.accounts = accounts } }

    /// Notes the file that a machine has at the end.
    func note(finalFile bytes: [UInt8], of machine: Int) {
        state.withLock { state in
            let first = state.file ?? (machine, bytes)
            state.file = first
            if first.bytes != bytes { state.violations.append("machines \(first.machine) and \(machine) differ") }
        }
    }

    // MARK: - Checks

    var summary: String {
        state.withLock { state in
            let certain = state.writes.count { if case .failed = $0.outcome { true } else { false } }
            let acknowledged = state.writes.count { $0.change != nil }
            return """
                \(state.writes.count) writes (\(acknowledged) acknowledged, \(certain) failed), \(state.reads.count) reads, \
                \(state.compactionCount) compactions
                """
        }
    }

    /// What must not be, and is.
    var violations: [String] {
        state.withLock { state in
            state.violations + Self.losses(state.writes, state.accounts) + Self.disorder(state.writes)
                + Self.wrongReads(state.writes, state.reads)
        }
    }

    private static func losses(_ writes: [Write], _ accounts: Set<String>) -> [String] {
        writes.compactMap { write in
            switch (write.outcome, accounts.contains(write.account)) {
            case (.acknowledged, false): "\(write.account) was acknowledged, and is lost"
            case (.failed(let error), true): "\(write.account) failed, and is there: \(error)"
            default: nil
            }
        }
    }

    /// A change that was acknowledged before another one began has a lower number.
    private static func disorder(_ writes: [Write]) -> [String] {
        let ordered = writes.filter { $0.change != nil }.sorted { ($0.change ?? 0) < ($1.change ?? 0) }
        var latest: Write?
        var found: [String] = []
        for write in ordered {
            if let latest, write.change == latest.change || write.end < latest.start {
                found.append("\(write.account) comes after \(latest.account)")
            }
            if latest.map({ $0.start < write.start }) ?? true { latest = write }
        }
        return found
    }

    private static func wrongReads(_ writes: [Write], _ reads: [Read]) -> [String] {
        Set(reads.map(\.register)).sorted().compactMap { register in
            var history = RegisterHistory()
            for write in writes where write.register == register {
                switch write.outcome {
                case .acknowledged: history.write(write.account, from: write.start, to: write.end)
                case .uncertain: history.write(write.account, from: write.start, to: .max)
                case .failed: break
                }
            }
            for read in reads where read.register == register {
                history.read(read.value, from: read.start, to: read.end)
            }
            return history.fault.map { "register \(register): \($0)" }
        }
    }
}

extension StoreError {
    /// Whether other machines were always faster.
    fileprivate var isOvertaken: Bool {
        if case .shared(.refused("other machines were always faster; try again"), _) = self { true } else { false }
    }
}
