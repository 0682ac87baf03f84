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

/// The header of section 2.1.
struct SketchHeader {
    typealias Edit = (inout [UInt8]) -> Void

    /// Changes fields before the hash, MAC and signature are computed, as the owner could.
    var fields: Edit = { _ in }
    /// Replaces K_owner.
    var ownerKey: [UInt8]?
    /// Changes the signature.
    var signature: Edit = { _ in }
    /// Changes the finished header; the hash is recomputed, the MAC is not, as anyone could do.
    var forged: Edit?

    func built(in vault: VaultSketch, keybag: [UInt8], directory: [UInt8], snapshotByteCount: Int) -> [UInt8] {
        var header: [UInt8] = [0x89, 0x43, 0x4F, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
        header += u16(1) + u16(5) + u32(320)
        header += vault.id + u64(vault.generation)
        header += u32(1 << 31) + u32(0) + u32(0) + [1] + zeros(3)
        header += vault.generationSalt
        header += u32(keybag.count) + u32(directory.count) + u64(snapshotByteCount)
        header += u64(vault.baseSequence) + vault.previousChain
        header += H(32, nil, "file", keybag) + H(32, nil, "file", directory)
        fields(&header)
        header = Mutation.applied(to: header)
        header += H(32, nil, "file", header)
        header += H(32, ownerKey ?? vault.ownerKey, "header", header)
        let hasGrant = vault.keybag.entries.contains { (32...47).contains($0.type) }
        var signature = hasGrant ? Primitives.signature(vault.teamSecret, label("header") + header) : zeros(64)
        self.signature(&signature)
        header += signature
        if let forged {
            forged(&header)
            header.put(H(32, nil, "file", Array(header[..<192])), at: 192)
        }
        return header
    }
}
