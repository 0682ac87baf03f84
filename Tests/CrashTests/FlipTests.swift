import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Every bit of the golden vaults, changed one at a time.
///
/// All of them when `COFFER_FLIPS` is `all`, as `./dev crash flips` has it, else a sample that is another in each slice.
@Suite("Changed bits", .countingFlips) struct FlipTests {
    private static let sliceCount = 16
    /// How many bits of a slice are changed in a sample.
    private static let sampledCount = 40

    /// One golden vault and one of the slices that its bits are dealt out to.
    private struct Slice: Sendable, CustomTestStringConvertible {
        let vector: VaultVector
        let dump: String
        let number: Int
        var testDescription: String { "\(vector.name), slice \(number)" }
    }

    private static func slices() throws -> [Slice] {
        let vaults = try VaultVector.golden().filter { $0.vector.name.hasSuffix(", 1") }
        // The large one has no kind of structure that the others lack, and would take the most of the time.
        return vaults.filter { $0.vector.bytes.count < FlipCount.largestByteCount }.flatMap { vector, dump in
            (0..<sliceCount).map { Slice(vector: vector, dump: dump, number: $0) }
        }
    }

    @Test(arguments: try slices())
    private func `a changed bit is found where it is, and never changes what is read`(slice: Slice) throws {
        let subject = try VaultSubject(slice.vector.bytes)
        let whole = try subject.opened(slice.vector)
        let regions = try FileRegions(whole, subject)
        let bitCount = slice.vector.bytes.count * 8
        let sampleStep = FlipCount.isComplete ? 1 : bitCount / Self.sliceCount / Self.sampledCount
        var count = 0
        for bit in stride(from: slice.number, to: bitCount, by: Self.sliceCount * sampleStep) {
            var bytes = slice.vector.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let changed = subject.reading(bytes)
            // What opens a vault ends with the directory: behind it nothing is opened otherwise than in the whole one.
            let isOpen = bit / 8 >= whole.header.directoryRange.upperBound
            let outcome = try outcome(of: changed, isOpen ? whole : nil, slice)
            let expected = regions.expectation(at: bit / 8)
            if !expected.contains(outcome) {
                Issue.record("bit \(bit % 8) of byte \(bit / 8): \(outcome), not \(expected)")
            }
            count += 1
        }
        #expect(count > 0)
        FlipCount.add(count, of: slice.vector.name)
    }

    /// The failure, or the verdict; what is read in spite of a bad tail must be what was there before.
    private func outcome(
        of subject: VaultSubject,
        _ opening: VaultOpening<SodiumSuite>?,
        _ slice: Slice
    ) throws -> String {
        do {
            var opening = try opening ?? subject.opened(slice.vector)
            let contents = try subject.contents(&opening)
            if contents.outcome == "success" || contents.outcome == "record failure" {
                let dump = try VaultDump(contents, of: opening, suite: subject.suite).text()
                guard dump == slice.dump else { return "other content" }
            }
            return contents.outcome
        } catch let error as VaultFormatError {
            return error.kind
        }
    }
}
