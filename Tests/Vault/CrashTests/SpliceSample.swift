import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// A vault with an empty snapshot and twelve frames of various sizes, written with the format code alone.
struct SpliceSample {
    private let cipher: Cipher
    private let structureKey: Key
    private let generation: UInt64
    private let start: [UInt8]
    private let keys: GenerationKeys
    private let firstPosition: LogPosition
    let frames: [[UInt8]]

    init(seed: String, syncedSequence: UInt64? = nil) throws {
        let random = DeterministicRandom(seed: seed)
        let cipher = Cipher(vault: random.identifier(), random: random)
        try self.init(structureKey: random.key(), generation: 1, cipher: cipher, syncedSequence: syncedSequence)
    }

    private init(structureKey: Key, generation: UInt64, cipher: Cipher, syncedSequence: UInt64?) throws {
        self.cipher = cipher
        self.structureKey = structureKey
        self.generation = generation
        let identity = GenerationIdentity(
            generation: generation,
            baseSequence: 0,
            previousChain: ChainValue(bytes: [UInt8](repeating: 0, count: 32))
        )
        var writer = try GenerationWriter(
            identity,
            Keybag(),
            sectionCount: 0,
            structureKey: structureKey,
            ownerKey: structureKey,
            cipher: cipher,
            to: MemorySink()
        )
        firstPosition = writer.finish()
        start = writer.sink.bytes
        keys = writer.keys
        frames = try Self.frames(count: 12, from: firstPosition, keys, syncedSequence: syncedSequence)
    }

    private static func frames(
        count: Int,
        from position: LogPosition,
        _ keys: GenerationKeys,
        syncedSequence: UInt64?
    ) throws -> [[UInt8]] {
        var writer = LogWriter(continuing: position, keys: keys)
        return try (0..<count).map { number in
            let record = Record.unknown(kind: 200, body: [UInt8](repeating: UInt8(number), count: number * 150))
            return try writer.frame([record], time: Time(microseconds: 0), syncedSequence: syncedSequence)
        }
    }

    /// The same vault one generation later.
    func nextGeneration() throws -> SpliceSample {
        try SpliceSample(structureKey: structureKey, generation: generation + 1, cipher: cipher, syncedSequence: nil)
    }

    /// A frame that another copy of the vault wrote after the first `number` frames.
    func forked(at number: Int) throws -> [UInt8] {
        var reader = LogReader(at: firstPosition, in: MemorySource(start + frames.joined()), keys: keys)
        for _ in 0..<number { _ = try reader.next() }
        var writer = LogWriter(continuing: reader.position, keys: keys)
        return try writer.frame([.unknown(kind: 201, body: [1, 2, 3])], time: Time(microseconds: 1))
    }

    /// The verdict on a log of `frames`.
    func verdict(_ frames: [[UInt8]], reserve: Int) throws -> TailVerdict {
        // Much faster than `joined()` without optimization.
        var bytes = start
        for frame in frames { bytes += frame }
        bytes += [UInt8](repeating: 0, count: reserve)
        var reader = LogReader(at: firstPosition, in: MemorySource(bytes), keys: keys)
        while try reader.next() != nil {}
        return try reader.tailVerdict()
    }
}
