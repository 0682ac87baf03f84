import CofferBasics
import Foundation
import VaultCrypto
import VaultFormat

/// Reads every vault vector, and compares the time and memory of the answer with the promised limits.
struct HostileVaultBench {
    /// The limits of a vector that states a limit; no other vector may exceed them either.
    private static let longestMilliseconds = 1000.0
    private static let largestMebibytes = 64.0

    private struct Result {
        let name: String
        let milliseconds: Double
        let mebibytes: Double

        var isTooMuch: Bool { milliseconds >= longestMilliseconds || mebibytes >= largestMebibytes }
    }

    let fixtures: String

    /// Prints the vectors with a limit and the most expensive others, and returns whether all stayed within the limits.
    func run() throws -> Bool {
        let base = URL(filePath: fixtures).appending(path: "vault")
        var limited: [(name: String, vector: VaultVector)] = []
        var others: [Result] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: base.path).sorted() {
            guard let vector = VaultVector(file: Array(try Data(contentsOf: base.appending(path: name)))) else {
                preconditionFailure("\(name) has no header")
            }
            if vector.hasLimit {
                limited.append((name, vector))
            } else {
                others.append(try measure(name, vector))
            }
        }
        precondition(!limited.isEmpty, "no vector has a limit")
        Swift.print("\n\(others.count) vaults without a limit; the most expensive by time, then by memory:\n")
        for result in others.sorted(by: { $0.milliseconds > $1.milliseconds }).prefix(5) { print(result) }
        for result in others.sorted(by: { $0.mebibytes > $1.mebibytes }).prefix(5) { print(result) }

        Swift.print("\n\(limited.count) vaults with a limit, in an address space that has no room for more:\n")
        var results = others
        for (name, vector) in limited {
            // The name is printed first, since an allocation that fails ends the process.
            Swift.print(column(name), terminator: "")
            fflush(nil)
            let result = try MemoryGauge.withRoom(mebibytes: Self.largestMebibytes) {
                try measure(name, vector)
            }
            Swift.print(figures(result))
            results.append(result)
        }
        let offenders = results.filter(\.isTooMuch)
        for result in offenders { print(result, "TOO MUCH") }
        return offenders.isEmpty
    }

    private func measure(_ name: String, _ vector: VaultVector) throws -> Result {
        let gauge = try MemoryGauge()
        // Only one reading: anything that is created once per process is part of the answer.
        let duration = try ContinuousClock().measure {
            let isRight = try vector.isAnsweredCorrectly()
            precondition(isRight, "\(name) gives the wrong answer")
        }
        return Result(
            name: name,
            milliseconds: duration.nanoseconds / 1e6,
            mebibytes: try gauge.grownMebibytes()
        )
    }

    private func print(_ result: Result, _ remark: String = "") {
        Swift.print("\(column(result.name))\(figures(result)) \(remark)")
    }

    private func column(_ name: String) -> String {
        "  \(name.padding(toLength: 40, withPad: " ", startingAt: 0))"
    }

    private func figures(_ result: Result) -> String {
        String(format: "%8.3f ms %8.2f MiB", result.milliseconds, result.mebibytes)
    }
}
