import TestSupport
import Testing
import VaultFormat

/// One row of the table in section 11.
private struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let verdict: AnchorVerdict
    /// The generation, base and last sequence of the vault; the anchor is at generation 5, sequence 20.
    let generation: UInt64
    let base: UInt64
    let last: UInt64
    var isTailClean = true
    var previousChainFits = true
    var chainFits = true
    /// The epoch of the vault; the anchor's is 3.
    var epoch: UInt32 = 3

    /// Whether the verdict depends on the chain value that the vault has at the sequence number of the anchor.
    var isAskedForItsChain: Bool { generation == 5 && epoch >= 3 && (base...max(base, last)).contains(20) }

    static let all = [
        Row(testDescription: "older generation", verdict: .rollback, generation: 4, base: 0, last: 20),
        Row(testDescription: "older generation that is longer", verdict: .rollback, generation: 4, base: 0, last: 99),
        Row(
            testDescription: "older generation, tail not clean",
            verdict: .rollback,
            generation: 4,
            base: 0,
            last: 10,
            isTailClean: false
        ),
        Row(testDescription: "shorter, clean", verdict: .rollback, generation: 5, base: 10, last: 19),
        Row(
            testDescription: "shorter, not clean",
            verdict: .lostCommit,
            generation: 5,
            base: 10,
            last: 19,
            isTailClean: false
        ),
        Row(testDescription: "the same", verdict: .fine, generation: 5, base: 10, last: 20),
        Row(
            testDescription: "the same, different chain",
            verdict: .forked,
            generation: 5,
            base: 10,
            last: 20,
            chainFits: false
        ),
        Row(
            testDescription: "the same, not clean",
            verdict: .fine,
            generation: 5,
            base: 10,
            last: 20,
            isTailClean: false
        ),
        Row(testDescription: "longer", verdict: .fine, generation: 5, base: 10, last: 30),
        Row(
            testDescription: "longer, different chain",
            verdict: .forked,
            generation: 5,
            base: 10,
            last: 30,
            chainFits: false
        ),
        Row(testDescription: "base at the anchor", verdict: .fine, generation: 5, base: 20, last: 20),
        Row(testDescription: "base after the anchor", verdict: .forked, generation: 5, base: 21, last: 30),
        Row(testDescription: "older structure key", verdict: .rollback, generation: 5, base: 10, last: 30, epoch: 2),
        Row(
            testDescription: "older structure key, later generation",
            verdict: .rollback,
            generation: 9,
            base: 30,
            last: 40,
            epoch: 2
        ),
        Row(
            testDescription: "older structure key, shorter, not clean",
            verdict: .rollback,
            generation: 5,
            base: 10,
            last: 19,
            isTailClean: false,
            epoch: 2
        ),
        Row(testDescription: "newer structure key", verdict: .fine, generation: 6, base: 20, last: 20, epoch: 4),
        Row(testDescription: "next, shorter", verdict: .forked, generation: 6, base: 10, last: 19),
        Row(
            testDescription: "next, shorter, not clean",
            verdict: .forked,
            generation: 6,
            base: 10,
            last: 19,
            isTailClean: false
        ),
        Row(
            testDescription: "next, base before the anchor",
            verdict: .fine,
            generation: 6,
            base: 19,
            last: 20,
            previousChainFits: false
        ),
        Row(testDescription: "next, base at the anchor", verdict: .fine, generation: 6, base: 20, last: 20),
        Row(
            testDescription: "next, base at the anchor, different chain",
            verdict: .forked,
            generation: 6,
            base: 20,
            last: 25,
            previousChainFits: false
        ),
        Row(
            testDescription: "next, base after the anchor",
            verdict: .fine,
            generation: 6,
            base: 21,
            last: 25,
            previousChainFits: false
        ),
        Row(testDescription: "later, shorter", verdict: .forked, generation: 7, base: 10, last: 19),
        Row(
            testDescription: "later, base at the anchor",
            verdict: .fine,
            generation: 7,
            base: 20,
            last: 20,
            previousChainFits: false
        ),
        Row(
            testDescription: "the greatest generation",
            verdict: .fine,
            generation: .max,
            base: 20,
            last: 20,
            previousChainFits: false
        ),
    ]
}

@Suite("Anchor verdict") struct AnchorVerdictTests {
    private static let chain = countingBytes(from: 1, count: 32)
    private static let otherChain = countingBytes(from: 2, count: 32)

    private func anchor(generation: UInt64 = 5, sequence: UInt64 = 20) -> Anchor {
        Anchor(vault: .sample, generation: generation, sequence: sequence, chain: Self.chain, structureKeyEpoch: 3)
    }

    private func position(_ row: Row) -> VaultPosition {
        VaultPosition(
            generation: row.generation,
            baseSequence: row.base,
            previousChain: row.previousChainFits ? Self.chain : Self.otherChain,
            lastSequence: row.last,
            isTailClean: row.isTailClean,
            structureKeyEpoch: row.epoch
        )
    }

    /// The chain values of a vault, which exist only from its base to its last transaction.
    private func chain(_ row: Row) -> (UInt64) -> [UInt8]? {
        { sequence in
            guard (row.base...row.last).contains(sequence) else { return nil }
            return sequence == 20 && row.chainFits ? Self.chain : Self.otherChain
        }
    }

    @Test(arguments: Row.all) private func `every row of the table`(row: Row) {
        #expect(anchor().verdict(on: position(row), chain: chain(row)) == row.verdict)
    }

    @Test func `an anchor with the greatest generation causes no overflow`() {
        let row = Row(testDescription: "", verdict: .rollback, generation: 0, base: 0, last: 20)
        #expect(anchor(generation: .max).verdict(on: position(row), chain: chain(row)) == .rollback)
    }

    @Test func `the chain is queried for one transaction, and only in the same generation`() {
        for row in Row.all {
            var asked: [UInt64] = []
            _ = anchor().verdict(on: position(row)) { sequence in
                asked.append(sequence)
                return nil
            }
            #expect(asked == (row.isAskedForItsChain ? [20] : []))
        }
    }

    @Test func `a chain value that the vault does not have is a fork`() {
        let row = Row(testDescription: "", verdict: .fine, generation: 5, base: 10, last: 30)
        #expect(anchor().verdict(on: position(row)) { _ in nil } == .forked)
    }
}
