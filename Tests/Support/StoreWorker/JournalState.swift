/// The state that the vault must have according to a journal.
package struct JournalState {
    /// The numbers of the worker's items that exist.
    package private(set) var items: [String: Int] = [:]
    /// How often the worker has added one to each counter.
    package private(set) var increments: [Int: Int] = [:]
    /// What the worker was doing when it was killed.
    package private(set) var pending: (number: Int, changes: [String: Int?], counter: Int?)?
    /// The number of the last operation.
    package private(set) var lastNumber = 0

    package init(_ lines: [Journal.Line] = []) {
        for line in lines { apply(line) }
    }

    /// The items, if the unacknowledged operation has happened.
    package var itemsWithPending: [String: Int] {
        var items = items
        for (name, number) in pending?.changes ?? [:] { items[name] = number }
        return items
    }

    package mutating func apply(_ line: Journal.Line) {
        switch line {
        case .intent(let number, let changes, let counter):
            pending = (number, changes, counter)
            lastNumber = number
        case .done, .resolved(_, hasHappened: true):
            items = itemsWithPending
            if let counter = pending?.counter { increments[counter, default: 0] += 1 }
            pending = nil
        case .failed, .resolved(_, hasHappened: false): pending = nil
        case .compacted, .generation, .checked, .violation: break
        }
    }
}
