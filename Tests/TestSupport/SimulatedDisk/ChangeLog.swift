/// The changes to a file or a directory that a power loss may undo, in their order.
struct ChangeLog<Change: Sendable>: Sendable {
    /// What is known of a change.
    enum Fate: Sendable {
        /// The next sync makes it durable.
        case pending
        /// A sync failed: the system forgot that the change has to be written, and no sync makes it durable any more.
        case forfeited
        /// It is durable, but follows one that is not.
        case durable
    }

    struct Entry: Sendable {
        let change: Change
        /// The number of the call that made it.
        let call: Int
        var fate: Fate
    }

    private(set) var entries: [Entry] = []

    /// Where the changes stand that may not be durable.
    var uncertainIndices: [Int] { entries.indices.filter { entries[$0].fate != .durable } }

    mutating func append(_ change: Change, call: Int) {
        entries.append(Entry(change: change, call: call, fate: .pending))
    }

    /// A sync succeeded: gives the changes that are durable and follow none that is not, and drops them.
    mutating func sync() -> [Change] {
        for index in entries.indices where entries[index].fate == .pending { entries[index].fate = .durable }
        let settled = entries.prefix { $0.fate == .durable }
        entries.removeFirst(settled.count)
        return settled.map(\.change)
    }

    /// A sync failed: forgets that the pending changes for which `isForgotten` holds have to be written.
    mutating func failSync(where isForgotten: (Change) -> Bool) {
        for index in entries.indices where entries[index].fate == .pending && isForgotten(entries[index].change) {
            entries[index].fate = .forfeited
        }
    }
}
