import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.1: the transaction since which the history of a vault is complete.
@Suite("History horizon") struct HistoryHorizonTests {
    private let keys: KeySample

    init() throws {
        keys = try KeySample()
    }

    private static let horizons: [HistoryHorizon] = [
        .beginning, .init(sequence: 1, time: Time(microseconds: 0)), .init(sequence: 76, time: Time(microseconds: -5)),
        .init(sequence: 77, time: Time(microseconds: .max)),
    ]

    @Test(arguments: horizons) func `the horizon is read back`(horizon: HistoryHorizon) throws {
        let maker = try keys.maker()
        let (structureKey, entries) = try maker.structureKey()
        var writer = try GenerationWriter(
            GenerationIdentity(
                generation: 2,
                baseSequence: 77,
                previousChain: ChainValue(bytes: countingBytes(from: 3, count: 32))
            ),
            Keybag(entries: entries),
            sectionCount: 0,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: keys.cipher,
            to: MemorySink()
        )
        _ = writer.finish(historySince: horizon)
        let prelude = try VaultPrelude(of: MemorySource(writer.sink.bytes))
        let roots = Keyring.Roots(user: (keys.userRoot, 1), devices: [:])
        let opening = try VaultOpening(prelude, roots: roots, random: keys.cipher.random)
        #expect(opening.directory.historySince == horizon)
        #expect(opening.directory.sections == [])
    }

    @Test func `a new vault has dropped nothing`() {
        #expect(Directory().historySince == .beginning)
        #expect(HistoryHorizon.beginning == HistoryHorizon(sequence: 0, time: Time(microseconds: 0)))
    }

    @Test(
        arguments: [
            (78, 1, Fault(.disagrees, at: 8)), (.max, 0, Fault(.disagrees, at: 8)),
            (0, 1, Fault(.badValue, at: 16)), (0, .min, Fault(.badValue, at: 16)),
        ] as [(UInt64, Int64, Fault)]
    )
    func `an invalid horizon is reported with its offset`(sequence: UInt64, time: Int64, fault: Fault) throws {
        let generation = try GenerationKeys.sample(keys.cipher)
        let content = [UInt8](repeating: 0, count: 8) + littleEndian(sequence) + littleEndian(time)
        let box = Box.sealed(
            content.span,
            key: generation.snapshot,
            associatedData: Label.directory.bytes,
            cipher: keys.cipher
        )
        #expect(throws: fault) {
            try Directory(opening: box, snapshotByteCount: box.count, baseSequence: 77, keys: generation)
        }
    }

    @Test func `a horizon that a reader would refuse cannot be written`() async {
        await #expect(processExitsWith: .failure) {
            let horizon = HistoryHorizon(sequence: 78, time: Time(microseconds: 1))
            let tests = try HistoryHorizonTests()
            let (structureKey, _) = try tests.keys.maker().structureKey()
            var writer = try GenerationWriter(
                GenerationIdentity(
                    generation: 2,
                    baseSequence: 77,
                    previousChain: ChainValue(bytes: countingBytes(from: 3, count: 32))
                ),
                Keybag(entries: []),
                sectionCount: 0,
                structureKey: structureKey,
                ownerKey: structureKey,
                cipher: tests.keys.cipher,
                to: MemorySink()
            )
            _ = writer.finish(historySince: horizon)
        }
        await #expect(processExitsWith: .failure) {
            _ = HistoryHorizon(sequence: 0, time: Time(microseconds: 1))
        }
    }
}
