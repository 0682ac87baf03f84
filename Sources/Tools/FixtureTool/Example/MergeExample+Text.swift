// What comes before the snapshot in the second worked example.

extension MergeExample {
    var introduction: String {
        """
        # A snapshot and a merge, byte by byte

        The vault of [vault-example.md](vault-example.md) some time later, as described in [vault-format.md](vault-format.md).
        It has a group section and a run; two copies of it were changed, and one of them has taken over the changes of the
        other. This document explains only what the first example does not show. `FixtureTool` wrote it with its own
        implementation of the format.

        **The vault is too weak for real use**, like the first example: its keys, salts and nonces are derived from the word
        `example`, and its Argon2id is far below the limits.

        Blocks marked `file` contain the \(file.bytes.count) bytes of copy A after the merge. Joined in order, they are the
        complete file. Blocks marked `other` contain the frames of copy B; before them copy B has the same bytes as copy A.
        Blocks marked `json` show the items that a reader returns for a copy as far as it has been shown. Blocks marked
        `values` and `plaintext` mean the same as in the first example. Offsets and lengths in units count 64 bytes.

        """
    }

    var story: String {
        """
        ## 1. The story

        | file | transaction | change |
        | --- | --- | --- |
        | generation 1 | 1 | writer W adds `kim`: the first example |
        | generation 2 | | a replacement; the keybag has a team key now |
        | | 2 | settings: keep three past revisions of an item |
        | generation 3 | | a compaction: `kim` is in a group section, the settings are in a run |
        | copy A | 3 | writer W changes the secret of `kim` to `here` |
        | copy B | 3 | writer X changes the secret of `kim` to `there`, and adds `lea` |
        | | 4 | writer X deletes `lea` |
        | copy A | 4 | writer W takes over the changes of copy B |

        Copy B is a copy of the file of generation 3, so its writer needs an id of its own (VF-99).

        """
    }

    var secrets: String {
        let group = vault.group()
        return """
            ### 1.1 Values

            The first block repeats values of the first example; the second has those that are new. Ids of sections are in the
            directory.

            """ + "\n"
                + values([
                    ("passphrase", Array(VaultSketch.passphrase.utf8)), ("vault id", vault.id), ("UR", vault.userRoot),
                    ("Ks", vault.structureKey), ("group id", group.id), ("match key", group.matchKey),
                    ("key handle", vault.dataKey().handle), ("Kd", vault.dataKey().key), ("id of kim", kim.id),
                    ("salt of kim, 1", vault.salt(of: kim)), ("writer W", vault.writer), ("K_owner", vault.ownerKey),
                ]) + "\n"
                + values([
                    ("team secret", vault.teamSecret), ("writer X", vault.otherWriter), ("id of lea", lea.id),
                    ("salt of kim, 2, A", vault.salt(of: kimOfA)), ("salt of kim, 2, B", vault.salt(of: kimOfB)),
                    ("salt of lea, 1", vault.salt(of: lea)),
                    ("K_match", group.key("match")), ("K_page", group.key("page")), ("K_delete", group.key("delete")),
                    ("K_meta", kim.key.key("meta")), ("K_secret", kim.key.key("secret")),
                ])
    }

    var header: String {
        """
        ## 2. Header

        The previous chain is chain(2) of generation 2. That of generation 2 was chain(1) of the first example.

        """ + "\n" + shownHeader(previousChain: "chain(2) of generation 2")
    }

    var keybag: String {
        let teamKey = entryOffset(21)
        let end = teamKey + 144
        let wrap = ExampleWrap(
            type: 21,
            title: "### 3.1 The team key",
            fields: [(32, "public key")],
            key: vault.teamSecret,
            wrappingKey: vault.userRoot,
            wrappingName: "UR",
            input: Primitives.signingPublicKey(vault.teamSecret)
        )
        return """
            ## 3. Keybag

            The four entries of the first example, unchanged, and one more.

            """ + "\n"
                + shown(
                    file.keybag.lowerBound,
                    [
                        (4, "number of entries: \(vault.keybag.entries.count)"), (4, "zero"),
                        (teamKey - file.keybag.lowerBound - 8, "slot, structure key, group name, data key"),
                    ]
                ) + "\n" + text(of: wrap) + "\nThe end of the keybag:\n\n"
                + shown(end, [(file.keybag.upperBound - end, "zeros, to a multiple of 64")])
    }

    var directory: String {
        let fence = boxes["fence"].sealedByteCount
        let sizes = file.sections.map { $0.count / 64 }
        let first = file.directory.count / 64
        let group: [(Int, String)] = [
            (1, "kind 1: group"), (1, "flags"), (2, "zero"), (4, "epoch 1"), (16, "section id"), (8, "group id"),
            (4, "offset in units \(first)"), (4, "length in units \(sizes[0])"),
            (4, "length of the fence in units \(fence / 64)"), (4, "live entries 1"), (32, "check of the section"),
        ]
        let run: [(Int, String)] = [
            (1, "kind 2: run"), (1, "flags"), (2, "zero"), (4, "epoch 0: a run of no group"), (16, "section id"),
            (8, "group id: none"), (4, "offset in units \(first + sizes[0])"), (4, "length in units \(sizes[1])"),
            (4, "no fence"), (4, "records 1"), (32, "check of the run"),
        ]
        return """
            ## 4. Directory (section 5.1)

            """ + "\n" + shown(file.directory.lowerBound, boxes["directory"].parts) + "\n"
                + explained(
                    "directory",
                    [
                        (4, "number of sections: 2"), (4, "zero"), (8, "history since the beginning of the vault"),
                        (8, "time: none"),
                    ] + group + run
                )
    }
}
