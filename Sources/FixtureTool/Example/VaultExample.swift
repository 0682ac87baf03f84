/// The worked example: a small vault that explains every byte and shows every key.
struct VaultExample {
    let vault: VaultSketch
    let file: VaultFile
    let item: SketchItem

    init() {
        var vault = VaultSketch("example")
        item = vault.append(vault.item("kim"))[0]
        self.vault = vault
        file = vault.build()
    }

    var text: String {
        ([introduction, secrets, derived, header, slot] + wraps + [keybagEnd, directory, frame, text(of: item), result])
            .joined(separator: "\n")
    }

    /// Returns a part of the file.
    func bytes(_ start: Int, _ byteCount: Int) -> [UInt8] { Array(file.bytes[start..<start + byteCount]) }

    /// Returns a block that shows a part of the file.
    func shown(_ start: Int, _ parts: [(Int, String)]) -> String {
        let count = parts.reduce(0) { $0 + $1.0 }
        return HexTable(bytes(start, count), parts.map { (byteCount: $0.0, what: $0.1) }).text("file", from: start)
    }

    /// Returns R of the nonce that `text` is sealed with.
    func random(_ key: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> (name: String, bytes: [UInt8]) {
        ("R", vault.randomness.nonceRandom(key, associatedData, text))
    }

    /// Returns R of the nonce of `box`.
    func random(_ box: SketchBox) -> (name: String, bytes: [UInt8]) { random(box.key, box.associatedData, box.text) }

    /// Returns the offset of the entry of `type`.
    func entryOffset(_ type: UInt16) -> Int {
        var offset = file.keybag.lowerBound + 8
        for entry in vault.keybag.entries {
            if entry.type == type { return offset }
            offset += entry.bytes.count
        }
        preconditionFailure("the example has no entry of type \(type)")
    }

    private var introduction: String {
        """
        # A vault, byte by byte

        A complete vault of draft 2 of version 1 as described in [vault-format.md](vault-format.md): one passphrase, one access group, and
        one generic password, added by the only transaction in the log. `FixtureTool` wrote this document with its own
        implementation of the format.

        **The vault is too weak for real use.** Its Argon2id makes one pass over 8 KiB, so that the example can be computed
        instantly; writers must use far more (section 14), and readers must refuse it unless they are told that it is a test.
        Its keys, salts and nonces are not random either: they are derived from the word `example`.

        Blocks marked `file` contain the \(file.bytes.count) bytes of the file: the offset in hexadecimal, the bytes, and
        their meaning. Joined in order, they are the complete file. Blocks marked `values` contain intermediate results, and
        blocks marked `plaintext` the content that is sealed. Labels are written as text and are 16 bytes each. R is the random
        input of a nonce (section 1.4).

        """
    }

    private var secrets: String {
        """
        ## 1. Random values

        UR is the user root, Ks the structure key, and Kd the data key for items of the class AK in the group.

        """ + "\n"
            + values([
                ("passphrase", Array(VaultSketch.passphrase.utf8)), ("vault id", vault.id), ("UR", vault.userRoot),
                ("Ks", vault.structureKey), ("key handle", vault.dataKey().handle), ("Kd", vault.dataKey().key),
                ("item id", item.id), ("revision salt", vault.salt(of: item)), ("writer id", vault.writer),
            ]) + "\nThe passphrase is the text `\(VaultSketch.passphrase)`.\n"
    }

    private var derived: String {
        let group = vault.group()
        return """
            ### 1.1 Derived values (sections 3.3 and 3.4)

            These follow from UR, and need no entries: the class keys of AK and DK, and K_owner, the key of the header MAC; the id
            of the group, which was made with UR, and its match key. Each input begins with the vault id.

            """ + "\n"
                + values([
                    ("hashed for class key AK", vault.id + [6] + zeros(16) + u32(1)),
                    ("class key AK", vault.classKey(.ak)),
                    ("hashed for class key DK", vault.id + [8] + zeros(16) + u32(1)),
                    ("class key DK", vault.classKey(.dk)), ("K_owner", vault.ownerKey),
                    ("hashed for group id", vault.id + Array(group.name.utf8)), ("group id", group.id),
                    ("hashed for match key", vault.id + group.id + u32(1)), ("match key", group.matchKey),
                ])
    }

    private var header: String {
        """
        ## 2. Header (section 2.1)

        """ + "\n"
            + shown(
                0,
                [
                    (8, "magic"), (2, "major version 1"), (2, "number of the draft: 2"), (4, "header length 320"),
                    (16, "vault id"), (8, "generation 1"), (4, "incompatible features: bit 31, a draft"),
                    (4, "read-only-compatible features: none"), (4, "compatible features: none"), (1, "suite 1"),
                    (3, "zero"), (16, "generation salt"), (4, "keybag length \(file.keybag.count)"),
                    (4, "directory length \(file.directory.count)"), (8, "snapshot length \(file.directory.count)"),
                    (8, "base sequence number 0"), (32, "previous chain: none"), (32, "keybag hash"),
                    (32, "directory hash"), (32, "header hash of the bytes before it"),
                    (32, "header MAC of the bytes before it, with K_owner"),
                    (64, "header signature: no grant, so zero"),
                ]
            )
            + "\nThe keys of the generation (section 4.3), derived from Ks:\n\n"
            + values([
                ("G", vault.generationKey), ("K_head", vault.key("head")), ("K_frame", vault.key("frame")),
                ("K_chain", vault.key("chain")), ("K_snapshot", vault.key("snapshot")),
            ])
    }

    private var slot: String {
        let start = entryOffset(1)
        let slot = vault.slotFields(.passphrase(VaultSketch.passphrase))
        let halves = slot.keyAndCommitment(vaultID: vault.id)
        return """
            ## 3. Keybag (section 3)

            ### 3.1 The slot of the passphrase

            """ + "\n"
                + shown(file.keybag.lowerBound, [(4, "number of entries: \(vault.keybag.entries.count)"), (4, "zero")])
                + "\n"
                + shown(
                    start,
                    [
                        (2, "type 1: slot, passphrase"), (2, "flags"), (4, "body length 160"), (16, "slot id"),
                        (8, "time of creation: 2023-11-14 22:13:20 UTC"), (4, "epoch 1"), (1, "algorithm 2: Argon2id"),
                        (3, "zero"), (4, "ops 1 (TOO WEAK, a test)"), (4, "mem 8 KiB (TOO WEAK, a test)"), (16, "salt"),
                        (32, "commitment"), (24, "nonce"), (48, "wrapped user root"),
                    ]
                )
                    + """

                    The seed is `Argon2id(passphrase, salt, 1, 8)`; the input of `H(64, seed, "coffer1.slot", input)` is the vault id, the
                    type and the first 56 bytes of the body; the associated data of the wrap is the input followed by the commitment.

                    """ + "\n"
                + values([
                    ("seed", slot.credential.seed(salt: slot.salt, ops: slot.ops, mem: slot.mem)),
                    ("input", vault.id + u16(1) + slot.fields), ("KEK", Array(halves[..<32])),
                    ("COMMIT", Array(halves[32...])),
                    ("associated data", vault.id + u16(1) + slot.fields + halves[32...]), ("plaintext", vault.userRoot),
                    random(Array(halves[..<32]), vault.id + u16(1) + slot.fields + halves[32...], vault.userRoot),
                ])
    }

    private var result: String {
        """
        ## 6. The expected result

        A reader returns this item, shown in the form defined in [Fixtures/README.md](../Fixtures/README.md):

        ```json
        \(item.dumpLine)
        ```

        """
    }
}
