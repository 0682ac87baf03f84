import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// A log of one generation, and frames built by hand.
struct LogSample {
    let items: ItemSample
    let keys: GenerationKeys
    let start: LogPosition

    var cipher: Cipher { items.cipher }

    init() throws {
        items = try ItemSample(seed: "log")
        keys = try GenerationKeys(
            structureKey: try items.cipher.random.key(),
            generation: 3,
            salt: countingBytes(from: 1, count: 16),
            cipher: items.cipher
        )
        let chain = ChainValue(header: countingBytes(from: 0, count: 0), key: keys.chain)
        start = LogPosition(offset: 0, sequence: 100, chain: chain)
    }

    func writer() -> LogWriter { LogWriter(continuing: start, keys: keys) }

    func reader(_ bytes: [UInt8]) -> LogReader<MemorySource> {
        LogReader(at: start, in: MemorySource(bytes), keys: keys)
    }

    /// The first frame of the log, around arbitrary record bytes: an independent implementation of section 6.
    func frame(records: [UInt8], count: Int, byteCount: Int? = nil, padding: Int? = nil, lastZero: UInt8 = 0) -> [UInt8]
    {
        let size = max(1024, Padding.padded(128 + records.count)) + (padding ?? 0)
        var text = littleEndian(Int64(-7)) + littleEndian(UInt32(byteCount ?? records.count))
        text += littleEndian(UInt32(count)) + records
        text += [UInt8](repeating: 0, count: size - 112 - text.count)
        if lastZero != 0 { text[text.count - 1] = lastZero }
        var head = Array("COFX".utf8) + littleEndian(UInt32(size - 96)) + littleEndian(UInt64(101))
        head += littleEndian(UInt64(100)) + countingBytes(from: 50, count: 24) + start.chain.bytes
        head += keys.head.hash(16, .head, head)
        var body = text + [UInt8](repeating: 0, count: 16)
        var span = body.mutableSpan
        keys.frame.seal(&span, nonce: countingBytes(from: 50, count: 24).span, associatedData: head.span)
        return head + body
    }

    /// The record that a reader parses from `bytes`.
    func record(_ bytes: [UInt8]) throws -> Record? {
        var reader = reader(frame(records: bytes, count: 1))
        return try reader.next()?.records.first
    }
}
