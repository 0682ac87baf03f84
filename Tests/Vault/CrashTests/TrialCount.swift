import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultFiles

/// How many crashes are tested: all, or a sample.
enum CrashScale {
    static let isFull = ProcessInfo.processInfo.environment["COFFER_CRASH"] == "full"

    /// The slices into which the cases of a workload are divided, so that they run in parallel.
    static let slices = 0..<(isFull ? 8 : 2)

    /// Whether a case is tested: every one in a full run of its slice, otherwise one of `sample`.
    static func picks(_ number: Int, in slice: Int, sample: Int, full: Int = 1) -> Bool {
        let place = number / slices.count
        // The position of the sampled case in its row varies, so that a pattern in the cases does not always hit the
        // same ones.
        let step = isFull ? full : sample
        return number % slices.count == slice && place % step == (place / step * 7 + slice) % step
    }
}

/// Reports how much a run of the suite tested, and requires that a full run tests enough.
struct TrialCount: SuiteTrait, TestScoping {
    /// A kind of trial.
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
    /// The minimum counts of a full run.
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
        let scale = isFull ? "full run" : "sample"
        print(
            "\(test.displayName ?? test.name): \(texts.joined(separator: ", ")), \(scale), in \(duration.components.seconds) s"
        )
        for (kind, count) in least {
            #expect(counts[kind, default: 0] >= (isFull ? count : 1), "\(kind.rawValue)")
        }
    }
}

extension Trait where Self == TrialCount {
    /// Reports at the end how many crashes were tested, and requires these minimum counts in a full run.
    static func countingCrashes(_ least: [TrialCount.Kind: Int]) -> Self {
        TrialCount(isFull: CrashScale.isFull, least: least)
    }
}

/// The problems that a test found; the first few are reported.
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
