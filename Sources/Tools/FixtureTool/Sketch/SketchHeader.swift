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
        header += u16(1) + u16(4) + u32(320)
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
        let hasGrant = vault.keybag.entries.contains { $0.type == 32 }
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
