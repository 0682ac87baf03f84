import Testing
import TestSupport

@Suite("The history of a register") struct RegisterHistoryTests {
    @Test func `a value may be read until another one has been written`() {
        var history = RegisterHistory()
        history.write("a", from: 1, to: 4)
        history.read(nil, from: 2, to: 3)
        history.write("b", from: 5, to: 8)
        history.read("a", from: 6, to: 7)
        history.read("b", from: 6, to: 7)
        history.read("b", from: 9, to: 9)
        #expect(history.fault == nil)
        history.read("a", from: 9, to: 9)
        #expect(history.fault != nil)
    }

    @Test func `a value that was overwritten does not come back`() {
        var history = RegisterHistory()
        history.write("a", from: 1, to: 2)
        history.write("b", from: 3, to: 9)
        history.read("b", from: 4, to: 5)
        #expect(history.fault == nil)
        history.read("a", from: 6, to: 7)
        #expect(history.fault != nil)
    }

    @Test func `a write without an answer may happen late, or never`() {
        var history = RegisterHistory()
        history.write("lost", from: 1, to: .max)
        history.write("a", from: 2, to: 3)
        history.read("a", from: 4, to: 5)
        #expect(history.fault == nil)
        history.read("lost", from: 6, to: 7)
        #expect(history.fault == nil)
        history.read("a", from: 8, to: 9)
        #expect(history.fault != nil)
    }

    @Test func `it is as a search of all orders says`() {
        var counts = [true: 0, false: 0]
        for seed in 0..<UInt64(4000) {
            var generator = SeededGenerator(seed: seed)
            let operations = (0..<7).map { number in Operation.random(number, &generator) }
            var history = RegisterHistory()
            for one in operations {
                if one.isWrite {
                    history.write(one.value, from: one.start, to: one.end)
                } else {
                    history.read(one.value, from: one.start, to: one.end)
                }
            }
            let isExplained = Operation.areExplained(operations, nil)
            #expect((history.fault == nil) == isExplained, "seed \(seed): \(operations)")
            counts[isExplained, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 500 }, "\(counts)")
    }
}

private struct Operation {
    let isWrite: Bool
    let value: String?
    let start: UInt64
    let end: UInt64

    /// Three writes with values of their own, and reads of these or of nothing.
    static func random(_ number: Int, _ generator: inout SeededGenerator) -> Operation {
        let start = UInt64.random(in: 1...8, using: &generator)
        let isWrite = number < 3
        let value: String? = isWrite ? "\(number)" : ["0", "1", "2", nil].randomElement(using: &generator) ?? nil
        let isLost = isWrite && Int.random(in: 0..<4, using: &generator) == 0
        let end = isLost ? .max : start + UInt64.random(in: 0...5, using: &generator)
        return Operation(isWrite: isWrite, value: value, start: start, end: end)
    }

    /// Whether the operations can follow one another, beginning with this value.
    static func areExplained(_ operations: [Operation], _ value: String?) -> Bool {
        guard !operations.isEmpty else { return true }
        return operations.indices.contains { index in
            let next = operations[index]
            guard next.isWrite || next.value == value, !operations.contains(where: { $0.end < next.start }) else {
                return false
            }
            var others = operations
            others.remove(at: index)
            return areExplained(others, next.isWrite ? next.value : value)
        }
    }
}
