// The wrapped keys and the group name of the worked example.

extension VaultExample {
    var wraps: [String] {
        let group = vault.group()
        let dataKey = vault.dataKey()
        let dataFields = dataKey.handle + group.id + u32(1) + [6] + zeros(19) + u32(1)
        let list = [
            ExampleWrap(
                type: 16,
                title: "### 3.2 The structure key",
                fields: [(1, "root 1"), (3, "zero"), (4, "epoch 1"), (16, "device id: none")],
                key: vault.structureKey,
                wrappingKey: vault.userRoot,
                wrappingName: "UR",
                input: u32(1)
            ),
            ExampleWrap(
                type: 20,
                title: "### 3.4 The data key",
                fields: [
                    (8, "key handle"), (8, "group id"), (4, "epoch 1"), (1, "class 6: AK"), (3, "zero"),
                    (16, "owner: none"), (4, "epoch of the class key 1"),
                ],
                key: dataKey.key,
                wrappingKey: vault.classKey(.ak),
                wrappingName: "the class key of AK",
                input: dataFields
            ),
        ]
        var texts = list.map { text(of: $0) }
        texts.insert(groupName, at: 1)
        return texts
    }

    var groupName: String {
        let start = entryOffset(19)
        let group = vault.group()
        let name = Array(group.name.utf8)
        let context = vault.id + group.id + u32(1)
        let box = SketchBox(group.key("name"), label("name") + context, name)
        let boxByteCount = pad(44 + name.count)
        return """
            ### 3.3 The name of the group

            """ + "\n"
                + shown(
                    start,
                    [
                        (2, "type 19"), (2, "flags"), (4, "body length \(48 + boxByteCount)"), (8, "group id"),
                        (4, "epoch 1"), (4, "zero"), (32, "tag"), (24, "nonce of the box"),
                        (boxByteCount - 24, "sealed content of the box"),
                    ]
                )
                    + """

                    The tag is made with GR, the box with a key from the match key. The plaintext of a box is the size of its
                    content, the content, and zeros up to the size of the box.

                    """ + "\n"
                + values([
                    ("hashed for the tag", context + name),
                    ("key of the box", box.key), ("associated data", box.associatedData), random(box),
                ]) + "\n"
                + HexTable(
                    box.text,
                    [
                        (4, "size \(name.count)"), (name.count, "`\(group.name)`"),
                        (boxByteCount - 44 - name.count, "zeros"),
                    ]
                ).text("plaintext")
    }

    var keybagEnd: String {
        let used = 8 + vault.keybag.entries.reduce(0) { $0 + $1.bytes.count }
        guard used < file.keybag.count else { return "" }
        return "### 3.5 The end of the keybag\n\n"
            + shown(file.keybag.lowerBound + used, [(file.keybag.count - used, "zeros, to a multiple of 64")])
    }
}
