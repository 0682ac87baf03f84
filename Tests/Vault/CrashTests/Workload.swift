import TestSupport
import Testing
import VaultStore

/// The steps that processes perform on a vault, one after another.
struct Workload: Sendable, CustomTestStringConvertible {
    /// An action, which is acknowledged when it is done.
    struct Step: Sendable {
        var process = 0
        var action: Action
        /// The idle time before the step.
        var hoursBefore: UInt64 = 0
    }

    enum Action: Sendable {
        /// A transaction.
        case change([Change], Durability = .full)
        /// A compaction, during which another process makes changes.
        case compact(purges: Bool = false, meanwhile: [Change] = [])
        /// A change of all keys, without the other device if this one is alone.
        case rotate(alone: Bool)
        /// One more slot.
        case addSlot
        /// The work of the other device when it is available again.
        case settle
        /// A merge with a copy on another disk, which has these changes; with or without a new file.
        case merge([Change], replacesFile: Bool)
        /// A grant to the holder.
        case issueGrant
        /// A grant to somebody else that expires after a day, whereupon the next change of an owner revokes it.
        case issueExpiringGrant
        case revokeGrant
    }

    let name: String
    let steps: [Step]
    let start: VaultModel
    var hasAnchor = false
    /// Whether a device that is not always available has its own items.
    var hasOtherDevice = false
    /// Whether ``CrashVault/holder`` is a process that opens the vault with a grant.
    var hasHolder: Bool { processes.contains(CrashVault.holder) }
    var processes: [Int] { Set(steps.map(\.process)).sorted() }

    init(_ name: String, from start: VaultModel = VaultModel(), _ steps: [Step], hasAnchor: Bool = false) {
        self.name = name
        self.start = start
        self.steps = steps
        self.hasAnchor = hasAnchor
    }

    var testDescription: String { name }

    /// The content of the vault before the first step and after each.
    var models: [VaultModel] {
        steps.reduce(into: [start]) { models, step in
            var model = models[models.count - 1]
            for change in step.changes { model.make(change) }
            models.append(model)
        }
    }

    /// How many of the first `count` steps are certain to survive a power failure.
    func durableCount(of count: Int) -> Int {
        steps[..<count].lastIndex { $0.isDurable }.map { $0 + 1 } ?? 0
    }
}

extension Workload.Step {
    var changes: [Change] {
        switch action {
        case .change(let changes, _), .merge(let changes, _): changes
        case .compact(_, let meanwhile): meanwhile
        case .issueGrant: [.issueGrant]
        case .revokeGrant: [.revokeGrant]
        case .rotate, .addSlot, .settle, .issueExpiringGrant: []
        }
    }

    var isDurable: Bool {
        if case .change(_, .relaxed) = action { false } else { true }
    }
}

extension Workload {
    /// The workloads, each with `stepCount` steps.
    static func all(stepCount: Int = 40) -> [Workload] {
        [
            singleChanges(stepCount),
            transactions(stepCount),
            compactions(stepCount),
            twoProcesses(stepCount, hasAnchor: false),
            twoProcesses(stepCount, hasAnchor: true),
            changesOfKeys(stepCount),
            grants(stepCount),
            merges(stepCount),
            dueCompactions(stepCount),
        ]
    }

    private static func singleChanges(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 1)
        return Workload("single changes", (0..<stepCount).map { _ in Step(action: .change([changes.next()])) })
    }

    private static func transactions(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 2)
        let steps = (0..<stepCount).map { number in
            switch number % 8 {
            case 0, 5: Step(action: .change(changes.next(5)))
            case 6: Step(action: .change(changes.next(1)))
            default: Step(action: .change(changes.next(number % 3 + 1), .relaxed))
            }
        }
        return Workload("transactions and bulk loads", steps)
    }

    private static func compactions(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 3)
        let steps = (0..<stepCount).map { number in
            switch number % 14 {
            case 6: Step(action: .compact())
            case 8: Step(action: .change([.keepHistory(2)]))
            case 11: Step(action: .change(changes.next(2), .relaxed))
            case 12: Step(action: .compact(purges: number > 14))
            default: Step(action: .change(changes.next(1)))
            }
        }
        return Workload("compactions", steps)
    }

    /// Two processes, each of which repeatedly finds that the other one has changed the keys.
    private static func changesOfKeys(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 9)
        let steps = (0..<stepCount).map { number in
            let process = number / 3 % 2
            return switch number % 10 {
            case 3: Step(process: process, action: .change([changes.next(), .keepHistory(2)]))
            case 4, 7: Step(process: process, action: .rotate(alone: number % 10 == 4))
            case 5: Step(process: process, action: .change(changes.next(2), .relaxed))
            case 6: Step(process: process, action: .settle)
            case 9: Step(process: process, action: .addSlot)
            default: Step(process: process, action: .change(changes.next(2)))
            }
        }
        var workload = Workload("key changes", steps, hasAnchor: true)
        workload.hasOtherDevice = true
        return workload
    }

    /// Two processes of owners and one of the holder, who notices that others change the keys.
    private static func grants(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 10)
        let holder = CrashVault.holder
        let steps = (0..<stepCount).map { number in
            switch number % 14 {
            case 1: Step(process: 0, action: .issueGrant)
            case 2, 9: Step(process: holder, action: .change(changes.next(2)))
            case 3: Step(process: 1, action: .issueExpiringGrant)
            case 4: Step(process: holder, action: .change(changes.next(1), .relaxed))
            case 6: Step(process: 0, action: .change(changes.next(1)), hoursBefore: 25)
            case 7: Step(process: holder, action: .change(changes.next(1)), hoursBefore: 25)
            case 8: Step(process: 1, action: .rotate(alone: false))
            case 10: Step(process: 0, action: .revokeGrant)
            case 12: Step(process: 1, action: .compact())
            default: Step(process: number % 2, action: .change(changes.next(2)))
            }
        }
        return Workload("grants", steps, hasAnchor: true)
    }

    /// Two processes that merge copies which have gone on elsewhere.
    private static func merges(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 11)
        let steps = (0..<stepCount).map { number in
            let process = number / 2 % 2
            return switch number % 10 {
            case 2, 6: Step(process: process, action: .merge(changes.next(3), replacesFile: number % 10 == 6))
            case 4: Step(process: process, action: .change(changes.next(1), .relaxed))
            case 5: Step(process: 1 - process, action: .merge(changes.next(1), replacesFile: false))
            case 8: Step(process: process, action: .compact())
            default: Step(process: process, action: .change(changes.next(1)))
            }
        }
        return Workload("merges", steps, hasAnchor: true)
    }

    /// Superseded and deleted revisions repeatedly get a day old; the next change then compacts the vault.
    private static func dueCompactions(_ stepCount: Int) -> Workload {
        var changes = RandomChanges(seed: 8)
        let steps = (0..<stepCount).map { number in
            let action = Action.change(changes.next(2), number % 7 == 5 ? .relaxed : .full)
            return Step(process: number / 3 % 2, action: action, hoursBefore: number % 5 == 4 ? 25 : 0)
        }
        return Workload("due compactions", steps)
    }

    private static func twoProcesses(_ stepCount: Int, hasAnchor: Bool) -> Workload {
        var changes = RandomChanges(seed: hasAnchor ? 5 : 4)
        var generator = SeededGenerator(seed: hasAnchor ? 7 : 6)
        let steps = (0..<stepCount).map { number in
            let process = Int.random(in: 0...1, using: &generator)
            switch number % 12 {
            case 3: return Step(process: 0, action: .change(changes.next(2), .relaxed))
            case 4: return Step(process: 1, action: .change(changes.next(1)))
            case 5: return Step(process: process, action: .compact())
            case 7: return Step(process: process, action: .change(changes.next(1), .relaxed))
            case 9: return Step(process: 1, action: .change(changes.next(3), .relaxed))
            case 10: return Step(process: process, action: .compact(meanwhile: changes.next(1)))
            default: return Step(process: process, action: .change(changes.next(1)))
            }
        }
        let name = hasAnchor ? "two processes with anchors" : "two processes"
        return Workload(name, steps, hasAnchor: hasAnchor)
    }
}

/// Generates random changes that can be made one after another.
private struct RandomChanges {
    private var generator: SeededGenerator
    private var model = VaultModel()
    private var count = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func next(_ count: Int) -> [Change] { (0..<count).map { _ in next() } }

    mutating func next() -> Change {
        count += 1
        let change = drawn()
        model.make(change)
        return change
    }

    private mutating func drawn() -> Change {
        let byteCount = [0, 5, 20, 20, 200, 700, 1500].randomElement(using: &generator) ?? 0
        let secret = String(repeating: "secret \(count) ", count: byteCount / 10 + 1)
        guard let known = model.logins.randomElement(using: &generator)?.account else {
            return .add("account \(count)", secret)
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: return .add("account \(count)", secret)
        case 5..<8: return .update(known, secret)
        default: return .delete(known)
        }
    }
}
