import Glibc
import VaultFiles
import VaultFormat
import VaultStore

/// Changes and reads a vault until a file `stop` appears, and notes in its journal what it does.
///
/// Nobody else changes the worker's own items, so it knows their state; the counters are shared. Each operation gives
/// the item `last` its number, which shows after a kill whether the operation has happened.
final class Worker {
    static let keyCount = 8
    static let counterCount = 3

    private let number: Int
    private let directory: String
    private let journal: Journal
    private let store: VaultStore
    private var state: JournalState
    private var generation: UInt64 = 0
    private var counters = [Int](repeating: 0, count: Worker.counterCount)
    private var othersLast: [Int: Int] = [:]

    init(_ number: Int, in directory: String) throws {
        self.number = number
        self.directory = directory
        state = JournalState(Journal.lines(of: number, in: directory))
        journal = Journal(of: number, in: directory)
        store = try WorkerVault(in: directory).opened()
    }

    func run() {
        do {
            try resolve()
            while access(directory + "/stop", F_OK) != 0 { try step() }
        } catch {
            journal.append(.violation("\(error)"))
        }
    }

    private func step() throws {
        switch Int.random(in: 0..<100) {
        case 0..<35: try change(keys: 1)
        case 35..<50: try change(keys: Int.random(in: 2...4))
        case 50..<60: try relabel()
        case 60..<75: try count()
        case 75..<98: try check()
        default: try compact()
        }
    }

    private func note(_ line: Journal.Line) {
        journal.append(line)
        state.apply(line)
    }

    private func own(_ key: String) -> WorkerItem { WorkerItem(key, of: "worker \(number)") }

    private func counter(_ number: Int) -> WorkerItem { WorkerItem("counter \(number)", of: "everybody") }

    // MARK: - Changing

    /// Finds out whether the operation during which the worker was killed has happened.
    private func resolve() throws {
        guard let pending = state.pending else { return try check() }
        let found = try ownItems()
        guard found == state.items || found == state.itemsWithPending else {
            return note(.violation("after a kill: \(found), not \(state.items) or \(state.itemsWithPending)"))
        }
        note(.resolved(pending.number, hasHappened: found == state.itemsWithPending))
    }

    private func change(keys count: Int) throws {
        var changes: [String: Int?] = [:]
        for key in (0..<Self.keyCount).shuffled().prefix(count) {
            changes.updateValue(Int.random(in: 0..<5) == 0 ? nil : state.lastNumber + 1, forKey: "key\(key)")
        }
        try perform(changes)
    }

    /// Performs an operation on items of the worker, together with `more`.
    private func perform(
        _ changes: [String: Int?],
        counter: Int? = nil,
        _ more: @escaping (inout Transaction) throws -> Void = { _ in }
    ) throws {
        let number = state.lastNumber + 1
        var changes = changes
        changes.updateValue(number, forKey: "last")
        note(.intent(number: number, changes: changes, counter: counter))
        do {
            let all = changes
            try store.transaction { transaction in
                for (key, value) in all { try transaction.set(own(key), to: value) }
                try more(&transaction)
            }
        } catch StoreError.revisionDiffers {
            return note(.failed(number))
        } catch StoreError.noSuchItem {
            return note(.failed(number))
        } catch StoreError.duplicate {
            return note(.failed(number))
        }
        note(.done(number))
    }

    /// Changes an attribute of an item that was found before the transaction, and keeps its data.
    private func relabel() throws {
        let item = own("key\(Int.random(in: 0..<Self.keyCount))")
        let found = try store.read { vault in try vault.found(item) }
        guard let found else { return }
        if Int.random(in: 0..<4) == 0 { try compact() }
        try perform([:]) { transaction in
            try transaction.update(found, attributes: try item.attributes(label: "again"), secret: .keep)
        }
    }

    /// Adds one to a counter, unless another worker does so between reading and writing.
    private func count() throws {
        let counter = Int.random(in: 0..<Self.counterCount)
        let item = self.counter(counter)
        let (found, value) = try store.read { (vault) throws -> (StoredItem?, Int?) in
            (try vault.found(item), try vault.number(of: item))
        }
        try perform([:], counter: counter) { transaction in
            guard let found, let value else { return try transaction.add(item, 1) }
            let data = WorkerItem.data(value + 1)
            try transaction.update(found, attributes: try item.attributes(), secret: .replace(data.span))
        }
    }

    private func compact() throws {
        do {
            try store.compact()
            journal.append(.compacted(hasSucceeded: true))
        } catch StoreError.replacedMeanwhile {
            journal.append(.compacted(hasSucceeded: false))
        }
    }

    // MARK: - Reading

    private func ownItems() throws -> [String: Int] {
        let items = ["last"] + (0..<Self.keyCount).map { "key\($0)" }
        return try store.read { vault in
            var numbers: [String: Int] = [:]
            for item in items { numbers[item] = try vault.number(of: own(item)) }
            return numbers
        }
    }

    /// Compares the worker's items with what it wrote, and checks that shared items did not go back.
    private func check() throws {
        let found = try ownItems()
        if found != state.items { note(.violation("read \(found), not \(state.items)")) }
        let (generation, counters, lasts) = try store.read {
            (vault) throws -> (UInt64, [Int], [Int: Int]) in
            var counters: [Int] = []
            for number in 0..<Self.counterCount { counters.append(try vault.number(of: counter(number)) ?? 0) }
            var lasts: [Int: Int] = [:]
            for other in 0..<8 { lasts[other] = try vault.number(of: WorkerItem("last", of: "worker \(other)")) ?? 0 }
            return (vault.header.generation, counters, lasts)
        }
        if generation != self.generation { note(.generation(Int(generation))) }
        if generation < self.generation { note(.violation("generation \(generation) after \(self.generation)")) }
        if zip(counters, self.counters).contains(where: { $0 < $1 }) {
            note(.violation("counters went back from \(self.counters) to \(counters)"))
        }
        if lasts.contains(where: { $0.value < othersLast[$0.key] ?? 0 }) {
            note(.violation("workers went back from \(othersLast) to \(lasts)"))
        }
        (self.generation, self.counters, othersLast) = (generation, counters, lasts)
        note(.checked)
    }
}
