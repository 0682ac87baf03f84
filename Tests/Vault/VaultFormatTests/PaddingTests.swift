import CofferBasics
import Testing
import TestSupport
import VaultFormat

@Suite("Padding") struct PaddingTests {
    /// The examples of section 1.2, and the sizes around the first boundaries.
    @Test(arguments: [
        (0, 0), (1, 64), (63, 64), (64, 64), (65, 128), (960, 960), (961, 1024), (1023, 1024), (1024, 1024),
        (1025, 1088), (2048, 2048), (2049, 2176), (100_000, 100_352),
    ])
    func `a size is padded as the specification says`(byteCount: Int, padded: Int) {
        #expect(Padding.padded(byteCount) == padded)
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."))
    func `padded sizes match Python's`() throws {
        var generator = SeededGenerator(seed: 12)
        let borders = (0...40).flatMap { [(1 << $0) - 1, 1 << $0, (1 << $0) + 1] }
        let random = (0..<4000).map { _ in Int.random(in: 0..<1 << Int.random(in: 1...40, using: &generator)) }
        let sizes = Array(0...2500) + borders + random
        let answer = try formatOracleAnswer(to: sizes.map { littleEndian(UInt64($0)) }, task: "pad")
        let padded = answer.map { Int($0.span.littleEndian(at: 0, as: UInt64.self)) }
        #expect(padded == sizes.map(Padding.padded))
    }

    @Test func `a padded size is a multiple of 64 and is not padded further`() {
        for byteCount in 0...70_000 {
            let padded = Padding.padded(byteCount)
            #expect(padded >= byteCount && padded.isMultiple(of: 64) && Padding.padded(padded) == padded)
        }
    }
}
