import CofferBasics
import Dispatch
import Testing

@Suite("Shared work") struct SharedWorkTests {
    private struct Failure: Error, Equatable {
        var number: Int
    }

    @Test(arguments: [0, 1, 6, 7, 8, 1000])
    func `results are those of consecutive ranges, in order`(count: Int) throws {
        let ranges = try SharedWork.results(count: count, perPiece: 7) { (range) throws(Failure) in range }
        #expect(ranges.flatMap { Array($0) } == Array(0..<count))
        #expect(ranges.dropLast().allSatisfy { $0.count == 7 })
    }

    @Test func `the error of the first piece that failed is thrown, and then no other is begun`() {
        let begun = Guarded<Set<Int>>([])
        #expect(throws: Failure(number: 3)) {
            try SharedWork.results(count: 1000, perPiece: 1) { (range) throws(Failure) in
                let number = range.lowerBound
                begun.withLock { _ = $0.insert(number) }
                if number >= 3 { throw Failure(number: number) }
            }
        }
        // Two threads: the other one may have begun one more.
        #expect(begun.withLock { $0 }.subtracting(0...4).isEmpty)
    }

    /// Each of the two pieces waits for the other, so one thread alone would never end.
    @Test(.timeLimit(.minutes(1))) func `a second thread helps`() throws {
        let arrived = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let results = try SharedWork.results(count: 2, perPiece: 1) { (range) throws(Failure) in
            arrived[range.lowerBound].signal()
            arrived[1 - range.lowerBound].wait()
            return range.lowerBound
        }
        #expect(results == [0, 1])
    }
}
