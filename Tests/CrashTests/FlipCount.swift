import Foundation
import Synchronization
import TestSupport
import Testing

/// Says how many bits a run of the suite changed, and sees to it that a complete run means what it says.
struct FlipCount: SuiteTrait, TestScoping {
    /// Whether all bits are changed, and not a sample.
    static let isComplete = ProcessInfo.processInfo.environment["COFFER_FLIPS"] == "all"

    /// The size from which on a golden vault is too large for this.
    static let largestByteCount = 65_536

    private static let leastCompleteCount = 65_536
    /// The changed bits of each vault, in one run of the suite.
    private final class Counter: Sendable {
        let counts = Mutex<[String: Int]>([:])
    }

    @TaskLocal private static var counter = Counter()

    /// Notes that `count` bits of a vault were changed.
    static func add(_ count: Int, of vault: String) {
        counter.counts.withLock { $0[vault, default: 0] += count }
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let counter = Counter()
        let duration = try await ContinuousClock().measure {
            try await Self.$counter.withValue(counter) { try await function() }
        }
        let counts = counter.counts.withLock { $0 }
        let total = counts.values.reduce(0, +)
        let seconds = Double(duration.components.seconds)
        print("\(total) changed bits\(Self.isComplete ? ", all of them" : ", a sample"), in \(Int(seconds)) s")
        guard Self.isComplete else { return }
        #expect(total >= Self.leastCompleteCount)
        let vaults = try VaultVector.golden().map(\.vector).filter { $0.name.hasSuffix(", 1") }
        for vault in vaults where vault.bytes.count < Self.largestByteCount {
            #expect(counts[vault.name] == 8 * vault.bytes.count, "\(vault.name)")
        }
    }
}

extension Trait where Self == FlipCount {
    /// Says in the end how many bits were changed.
    static var countingFlips: Self { FlipCount() }
}
