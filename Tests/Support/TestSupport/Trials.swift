import Foundation

/// How many of many random trials a test makes.
package enum Trials {
    private static let areWhole = ProcessInfo.processInfo.environment["COFFER_WHOLE"] == "1"

    /// Returns a number for each run of the tests, or `whole`, for `./dev whole`.
    package static func count(_ sample: Int, whole: Int) -> Int { areWhole ? whole : sample }
}
