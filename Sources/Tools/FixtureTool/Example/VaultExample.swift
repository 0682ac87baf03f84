/// The worked example: a small vault that explains every byte and shows every key.
struct VaultExample: ExampleDocument {
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
        ([introduction, secrets, derived, header, slot] + wraps + [keybagEnd, directory, frame, itemBoxes, result])
            .joined(separator: "\n")
    }

    private var introduction: String {
        """
        # A vault, byte by byte

        A complete vault of draft 5 of version 1 as described in [vault-format.md](vault-format.md): one passphrase, one
        access group, and one generic password, added by the only transaction in the log. `FixtureTool` wrote this document
        with its own implementation of the format.

        **The vault is too weak for real use.** Its Argon2id makes one pass over 8 KiB, so that the example can be computed
        instantly; writers must use far more (section 14), and readers must refuse it unless they are told that it is a test.
        Its keys, salts and nonces are not random either: they are derived from the word `example`. Its places are multiples
        of 1,048,576, and not times as those of real writers (section 18.5).

        Blocks marked `file` contain the \(file.bytes.count) bytes of the file: the offset in hexadecimal, the bytes, and \
        their meaning. Joined
        in order, they are the complete file. Blocks marked `values` contain intermediate results, and blocks marked
        `plaintext` the content that is sealed. Long fields are written without spaces, 32 bytes to a line; `00 × n` stands
        for n zero bytes. Labels are written as text and are 16 bytes each. R is the random input of a nonce (section 18.1).

        The example in [vault-example-2.md](vault-example-2.md) continues this one, with a group section, a run and a merge.

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

            These follow from UR, and need no entries: the class keys of AK and DK; K_owner, the key of the header MAC; GR, the
            group root, and from it the id of the group and its match key. Inputs that are shown begin with the vault id.

            """ + "\n"
                + values([
                    ("hashed for class key AK", vault.id + [6] + zeros(16) + u32(1)),
                    ("class key AK", vault.classKey(.ak)),
                    ("hashed for class key DK", vault.id + [8] + zeros(16) + u32(1)),
                    ("class key DK", vault.classKey(.dk)), ("K_owner", vault.ownerKey), ("GR", vault.groupRoot),
                    ("hashed for group id", vault.id + Array(group.name.utf8)), ("group id", group.id),
                    ("hashed for match key", vault.id + group.id + u32(1)), ("match key", group.matchKey),
                ])
    }

    private var header: String {
        """
        ## 2. Header (section 2.1)

        """ + "\n"
            + shownHeader(previousChain: "none")
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
