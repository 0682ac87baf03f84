/// A frame of section 6.
struct SketchFrame {
    var records: [SketchRecord]
    var time: UInt64?

    // Replacements for the correct values, for the plaintext.
    var recordsByteCount: UInt32?
    var recordCount: UInt32?
    /// The size of the whole frame.
    var byteCount: Int?
    var lastPadding: UInt8 = 0

    // Replacements for the head.
    var magic = "COFX"
    var sequence: UInt64?
    var synced: UInt64?
    var bodyLength: UInt32?
    /// The chain value that the body is sealed with.
    var chain: [UInt8]?

    init(_ records: [SketchRecord], _ edit: (inout SketchFrame) -> Void = { _ in }) {
        self.records = records
        edit(&self)
    }

    /// Returns the time of the transaction with `sequence`.
    static func time(of sequence: UInt64) -> UInt64 { 1_700_000_000_000_000 + sequence % 1_000_000 * 1_000_000 }

    /// Returns the body before it is sealed, section 6.2.
    func text(sequence: UInt64) -> [UInt8] {
        let records = records.flatMap(\.bytes)
        let count = recordCount ?? UInt32(self.records.count)
        let text =
            u64(time ?? Self.time(of: sequence)) + u32(recordsByteCount ?? UInt32(records.count)) + u32(count)
            + records
        var padding = zeros((byteCount ?? pad(96 + records.count)) - 96 - records.count)
        if !padding.isEmpty { padding[padding.count - 1] = lastPadding }
        return text + padding
    }

    func built(in vault: VaultSketch, sequence expected: UInt64, chain expectedChain: [UInt8]) -> [UInt8] {
        let sequence = sequence ?? expected
        let chain = chain ?? expectedChain
        let text = text(sequence: sequence)
        var head = Array(magic.utf8) + u32(bodyLength ?? UInt32(text.count + 16))
        head += u64(sequence) + u64(synced ?? sequence - 1)
        // The associated data includes the nonce, which is derived from the chain value only (section 1.4).
        let nonce = vault.randomness.nonce(vault.key("frame"), chain, text)
        head += nonce
        head += H(16, vault.key("head"), "head", head)
        return head + Primitives.aead(vault.key("frame"), nonce, chain + head, text)
    }
}
