/// The changes to a file or directory that a power loss may undo, in order.
struct ChangeLog<Change: Sendable>: Sendable {
    /// What is known about a change.
    enum Fate: Sendable {
        /// The next sync makes it durable.
        case pending
        /// A sync failed: the system no longer knows that the change must be written, so no sync makes it durable.
        case unsyncable
        /// It is durable, but follows a change that is not.
        case durable
    }

    struct Entry: Sendable {
        let change: Change
        /// The number of the call that made it.
        let call: Int
        var fate: Fate
    }

    private(set) var entries: [Entry] = []

    /// The indices of the changes that may not be durable.
    var uncertainIndices: [Int] { entries.indices.filter { entries[$0].fate != .durable } }

    mutating func append(_ change: Change, call: Int) {
        entries.append(Entry(change: change, call: call, fate: .pending))
    }

    /// Applies a successful sync: removes and returns the changes that are durable and follow only durable ones.
    mutating func sync() -> [Change] {
        for index in entries.indices where entries[index].fate == .pending { entries[index].fate = .durable }
        let settled = entries.prefix { $0.fate == .durable }
        entries.removeFirst(settled.count)
        return settled.map(\.change)
    }

    /// Applies a failed sync: pending changes for which `isForgotten` holds will no longer be written.
    mutating func failSync(where isForgotten: (Change) -> Bool) {
        for index in entries.indices where entries[index].fate == .pending && isForgotten(entries[index].change) {
            entries[index].fate = .unsyncable
        }
    }
}
