/// The writes and reads of one register, each with the time when it began and the time when it ended.
///
/// All values differ. So there is a simple rule (Gibbons and Korach, "Testing shared memories", 1997): the register has
/// each value once, for some time. If all operations with a value overlap at some moment, that moment is enough; if not,
/// it has the value from the first end of one to the last beginning of one. Such times must not overlap, and none may
/// contain all of the moments of another value.
struct RegisterHistory {
    /// All operations with one value.
    private struct Value {
        /// When the write began; nil if there is none.
        var writeStart: UInt64?
        var firstEnd = UInt64.max
        var lastStart: UInt64 = 0
        var firstReadEnd = UInt64.max
    }

    private var values: [String?: Value] = [:]

    /// A register without a value.
    init() { write(nil, from: 0, to: 0) }

    /// Adds a write; it ends at `UInt64.max` if it may happen at any time or never.
    mutating func write(_ value: String?, from start: UInt64, to end: UInt64) {
        values[value, default: Value()].writeStart = start
        note(value, start, end)
    }

    mutating func read(_ value: String?, from start: UInt64, to end: UInt64) {
        values[value, default: Value()].firstReadEnd = min(values[value]?.firstReadEnd ?? .max, end)
        note(value, start, end)
    }

    private mutating func note(_ value: String?, _ start: UInt64, _ end: UInt64) {
        values[value, default: Value()].firstEnd = min(values[value]?.firstEnd ?? .max, end)
        values[value, default: Value()].lastStart = max(values[value]?.lastStart ?? 0, start)
    }

    /// Why no order of the operations explains what was read; nil if there is one.
    var fault: String? {
        let all = values.map { (name: $0.key ?? "nothing", value: $0.value) }
        for (name, value) in all {
            guard let start = value.writeStart else { return "\(name) was read, and never written" }
            if value.firstReadEnd < start { return "\(name) was read before it was written" }
        }
        let lasting = all.filter { $0.value.firstEnd < $0.value.lastStart }
        for (name, value) in all {
            let (start, end) = (min(value.firstEnd, value.lastStart), max(value.firstEnd, value.lastStart))
            let isLasting = value.firstEnd < value.lastStart
            for other in lasting where other.name != name {
                let isBetween = other.value.firstEnd < start && end < other.value.lastStart
                let overlaps = max(start, other.value.firstEnd) < min(end, other.value.lastStart)
                if isBetween || isLasting && overlaps { return "\(name) and \(other.name) were read in turn" }
            }
        }
        return nil
    }
}
