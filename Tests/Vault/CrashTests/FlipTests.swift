import Foundation
import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat

/// How many bits are flipped: all, or a sample.
enum FlipScale {
    static let isFull = ProcessInfo.processInfo.environment["COFFER_FLIPS"] == "all"

    /// The size from which a golden vault is too large for this test.
    private static let largestByteCount = 65_536

    static func vaults() throws -> [(vector: VaultVector, dump: String)] {
        try VaultVector.golden().filter { vector, _ in
            // The large vault has no structure that the others lack, and would take most of the time.
            vector.name.hasSuffix(", 1") && vector.bytes.count < largestByteCount
        }
    }

    /// The number of bits, with a minimum so that a search that finds no vaults does not pass.
    static let bitCount = max(65_536, (try? vaults().reduce(0) { $0 + 8 * $1.vector.bytes.count }) ?? 0)
}

/// Every bit of the golden vaults, flipped one at a time.
///
/// All of them if `COFFER_FLIPS` is `all`, as in `./dev crash flips`; otherwise a sample, different in each slice.
@Suite("Flipped bits", TrialCount(isFull: FlipScale.isFull, least: [.changedBits: FlipScale.bitCount]))
struct FlipTests {
    private static let sliceCount = 16
    /// How many bits of a slice are flipped in a sample.
    private static let sampledCount = 20

    /// One golden vault and one slice of its bits.
    private struct Slice: Sendable, CustomTestStringConvertible {
        let vector: VaultVector
        let dump: String
        let number: Int
        var testDescription: String { "\(vector.name), slice \(number)" }
    }

    private static func slices() throws -> [Slice] {
        try FlipScale.vaults().flatMap { vector, dump in
            (0..<sliceCount).map { Slice(vector: vector, dump: dump, number: $0) }
        }
    }

    @Test(arguments: try slices())
    private func `a flipped bit is located and never changes the content`(slice: Slice) throws {
        let subject = VaultSubject(slice.vector.bytes)
        let whole = try subject.opened(slice.vector)
        let regions = try FileRegions(whole, subject)
        let bitCount = slice.vector.bytes.count * 8
        let sampleStep = FlipScale.isFull ? 1 : bitCount / Self.sliceCount / Self.sampledCount
        var count = 0
        for bit in stride(from: slice.number, to: bitCount, by: Self.sliceCount * sampleStep) {
            var bytes = slice.vector.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let changed = subject.reading(bytes)
            let outcome = try outcome(of: changed, slice)
            let expected = regions.expectation(at: bit / 8)
            if !expected.contains(outcome) {
                Issue.record("bit \(bit % 8) of byte \(bit / 8): \(outcome), not \(expected)")
            }
            count += 1
        }
        #expect(count > 0)
        TrialCount.note(.changedBits, count)
    }

    /// The failure or the verdict; content that is read despite a bad tail must be unchanged.
    private func outcome(of subject: VaultSubject, _ slice: Slice) throws -> String {
        do {
            let contents = try subject.contents(slice.vector)
            if contents.outcome == "success" || contents.outcome == "record failure" {
                guard try VaultDump(contents).text() == slice.dump else { return "other content" }
            }
            return contents.outcome
        } catch let error as VaultFormatError {
            return error.kind
        }
    }
}
