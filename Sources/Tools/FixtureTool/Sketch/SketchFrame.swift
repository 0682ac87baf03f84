/// A frame of section 6.
struct SketchFrame {
    var records: [SketchRecord]
    var time: UInt64?

    // Changes of the correct values, for the plaintext.
    var recordsByteCount: (Int) -> UInt32 = { UInt32($0) }
    var recordCount: UInt32?
    /// Changes the size of the whole frame.
    var byteCount: (Int) -> Int = { $0 }
    var lastPadding: UInt8 = 0

    // The same for the head.
    var magic = "COFX"
    var sequence: UInt64?
    var synced: UInt64?
    /// Changes the body length, which is given.
    var bodyLength: (Int) -> UInt32 = { UInt32($0) }
    var chain: [UInt8]?

    init(_ records: [SketchRecord], _ edit: (inout SketchFrame) -> Void = { _ in }) {
        self.records = records
        edit(&self)
    }

    /// Returns the time of the transaction with `sequence`.
    static func time(of sequence: UInt64) -> UInt64 { 1_700_000_000_000_000 + sequence % 1_000_000 * 1_000_000 }

    /// Returns the body before it is sealed, section 6.2.
    func text(_ sequence: UInt64, _ lineage: inout SketchLineage) -> [UInt8] {
        var records: [UInt8] = []
        for (number, record) in self.records.enumerated() {
            lineage.place = sequence << 20 + UInt64(number)
            records += record.bytes(&lineage)
        }
        let count = recordCount ?? UInt32(self.records.count)
        let text =
            u64(time ?? Self.time(of: sequence)) + u32(recordsByteCount(records.count)) + u32(count) + records
        var padding = zeros(byteCount(max(1024, pad(128 + records.count))) - 128 - records.count)
        if !padding.isEmpty { padding[padding.count - 1] = lastPadding }
        return text + padding
    }

    func built(
        in vault: VaultSketch,
        _ expected: UInt64,
        chain expectedChain: [UInt8],
        _ lineage: inout SketchLineage
    ) -> [UInt8] {
        let sequence = sequence ?? expected
        let chain = chain ?? expectedChain
        let text = text(expected, &lineage)
        var head = Array(magic.utf8) + u32(bodyLength(text.count + 16))
        head += u64(sequence) + u64(synced ?? sequence - 1)
        // The associated data includes the nonce, which is derived from the chain value only (section 18.1).
        let nonce = vault.randomness.nonce(vault.key("frame"), chain, text)
        head += nonce + chain
        head += H(16, vault.key("head"), "head", head)
        return head + Primitives.aead(vault.key("frame"), nonce, head, text)
    }
}
