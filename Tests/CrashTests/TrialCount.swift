import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultFiles

/// How many crashes are tried: all, or a sample.
enum CrashScale {
    static let isFull = ProcessInfo.processInfo.environment["COFFER_CRASH"] == "full"

    /// The slices into which the cases of a workload are dealt out, so that they run beside each other.
    static let slices = 0..<(isFull ? 8 : 2)

    /// Whether a case is tried: each in a full run of its slice, else one of `sample`.
    static func picks(_ number: Int, in slice: Int, sample: Int, full: Int = 1) -> Bool {
        let place = number / slices.count
        // The place of the sampled one in its row changes, so that a pattern of the cases is not met always alike.
        let step = isFull ? full : sample
        return number % slices.count == slice && place % step == (place / step * 7 + slice) % step
    }
}

/// Says how much a run of the suite tried, and sees to it that a full run means what it says.
struct TrialCount: SuiteTrait, TestScoping {
    /// What is counted.
    enum Kind: String, CaseIterable {
        case killPoints = "kill points"
        case powerLossStates = "power-loss states"
        case compoundStates = "compound states"
        case faults = "faults"
        case damagedVerdicts = "damaged verdicts"
        case changedBits = "changed bits"
    }

    private final class Counter: Sendable {
        let counts = Guarded<[Kind: Int]>([:])
    }

    @TaskLocal private static var counter = Counter()

    let isFull: Bool
    /// What a full run tries at least.
    let least: [Kind: Int]

    static func note(_ kind: Kind, _ count: Int = 1) {
        counter.counts.withLock { $0[kind, default: 0] += count }
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
        let texts = Kind.allCases.compactMap { kind in counts[kind].map { "\($0) \(kind.rawValue)" } }
        let scale = isFull ? "all of them" : "a sample"
        print(
            "\(test.displayName ?? test.name): \(texts.joined(separator: ", ")), \(scale), in \(duration.components.seconds) s"
        )
        for (kind, count) in least {
            #expect(counts[kind, default: 0] >= (isFull ? count : 1), "\(kind.rawValue)")
        }
    }
}

extension Trait where Self == TrialCount {
    /// Says in the end how many crashes were tried; in a full run these at least.
    static func countingCrashes(_ least: [TrialCount.Kind: Int]) -> Self {
        TrialCount(isFull: CrashScale.isFull, least: least)
    }
}

/// What a test found to be wrong, of which the first few are told.
struct Complaints {
    private static let toldCount = 4

    private(set) var all: [String] = []

    mutating func add(_ complaint: String?) {
        if let complaint { all.append(complaint) }
    }

    func record() {
        for complaint in all.prefix(Self.toldCount) { Issue.record(Comment(rawValue: complaint)) }
        if all.count > Self.toldCount { Issue.record("and \(all.count - Self.toldCount) more") }
    }
}
