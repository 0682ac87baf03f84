// Sections 3.1 and 3.5, for readers that have a credential, and the notes that owners read.

extension VaultVectors {
    static let grants: [Vector] = opened + refused + payloads + notes + grantSizes + recipients

    /// A vault of the groups `mail` and `work` with an item in each, and a grant, whose holder opens it.
    private func held(
        expect: String = "success",
        readable: [String] = ["kim"],
        locked: Int = 0,
        _ edit: (inout SketchGrant, VaultSketch) -> Void = { _, _ in },
        keys: (VaultSketch) -> [SketchDataKey] = { [$0.dataKey()] },
        credential: HolderCredential.Edit = { _ in }
    ) -> Vector {
        var (vault, items) = Self.twoGroups(name)
        vault.keybag.append(vault.grantEntry(keys(vault)) { edit(&$0, vault) })
        return opening(
            vault,
            expect,
            items.filter { readable.contains($0.name) },
            locked,
            credential
        )
    }

    private static func twoGroups(_ name: String) -> (VaultSketch, [(name: String, item: SketchItem)]) {
        var vault = VaultSketch(name)
        let work = vault.dataKey(group: "work")
        vault.add(vault.group("work"))
        vault.keybag.entries += [vault.dataKeyEntry(work), vault.teamKeyEntry()]
        let items = vault.append(vault.item("kim"), vault.item("ann", key: work))
        return (vault, Array(zip(["kim", "ann"], items)))
    }

    private func opening(
        _ vault: VaultSketch,
        _ expect: String,
        _ readable: [(name: String, item: SketchItem)],
        _ locked: Int,
        _ edit: HolderCredential.Edit
    ) -> Vector {
        var credential = vault.credential
        edit(&credential)
        let isOpen = expect == "success"
        return vector(
            expect,
            vault.build().bytes,
            unlock: [("credential", credential.unlock)],
            readable: isOpen ? readable.map(\.item) : nil,
            isOpen ? [("locked", "\(locked)")] : []
        )
    }

    private static let opened: [Vector] = [
        vault("grant_of_one_group", "the holder of a grant reads its group, and sees nothing of the other").held(),
        vault("grant_of_two_groups", "a grant of both groups")
            .held(readable: ["kim", "ann"], keys: { [$0.dataKey(), $0.dataKey(group: "work")] }),
        vault("grant_of_no_group", "a grant of no group opens the vault").held(readable: [], keys: { _ in [] }),
        vault("grant_without_data_key", "the item of a data key that the grant does not give is locked")
            .held(readable: [], locked: 1) { grant, _ in grant.groups[0].keys = [] },
        vault("grant_of_unknown_data_key", "a data key of the grant that has no entry is ignored")
            .held { grant, vault in grant.groups[0].keys.append(vault.dataKey(.ck)) },
        vault("grant_not_expired", "a grant that expires in the year 10136")
            .held { grant, _ in grant.expiry = 0xFFFF_FFFF },
        vault("grant_of_device_key", "a data key of a machine, which the grant gives").heldDevice(isGranted: true),
        vault("grant_beside_device_key", "the item of a machine, whose data key the grant lacks, is absent")
            .heldDevice(isGranted: false),
    ]

    /// A vault with an item of a machine, and a grant.
    private func heldDevice(isGranted: Bool) -> Vector {
        var vault = VaultSketch(name)
        let desk = vault.device("desk")
        let key = vault.dataKey(.aku, owner: desk)
        vault.add(desk)
        vault.keybag.entries += [vault.dataKeyEntry(key), vault.teamKeyEntry()]
        let items = vault.append(vault.item("kim"), vault.item("desk", key: key))
        vault.keybag.append(vault.grantEntry(isGranted ? [vault.dataKey(), key] : [vault.dataKey()]))
        let named = Array(zip(["kim", "desk"], items))
        return opening(vault, "success", isGranted ? named : [named[0]], 0) { _ in }
    }

    private static let refused: [Vector] = [
        vault("grant_of_other_vault", "a credential for another vault")
            .held(expect: "no match", credential: { $0.vault.flip(0) }),
        vault("grant_of_other_id", "a credential for another grant")
            .held(expect: "no match", credential: { $0.grant.flip(0) }),
        vault("grant_of_other_secret", "a credential with another secret")
            .held(expect: "no match", credential: { $0.secret.flip(3) }),
        vault("grant_of_other_team", "a credential that pins another team than that which signed")
            .held(
                expect: "no match",
                credential: {
                    $0.team = Primitives.signingPublicKey(zeros(32))
                }
            ),
        vault("grant_signed_by_other_team", "a grant that another team has signed")
            .held(expect: "no match") { grant, _ in grant.signedWith = zeros(32) },
        vault("grant_commitment", "a commitment to another structure key")
            .held(expect: "no match") { grant, _ in grant.committedKey = zeros(32) },
        vault("grant_expired", "a grant that expired in 2023")
            .held(expect: "grant expired") { grant, _ in grant.expiry = 28_400_000 },
        vault("grant_expired_in_1970", "a grant that expired a minute after 1970 began")
            .held(expect: "grant expired") { grant, _ in grant.expiry = 1 },
        vault("grant_header_unsigned", "a header that the team has not signed")
            .heldHeader { $0.header.signature = { $0 = zeros(64) } },
        vault("grant_header_of_team_in_file", "a header signed by the team of the keybag, not by the pinned one")
            .heldHeader { vault in
                let signature = Primitives.signature(zeros(32), label("header") + Array(vault.build().bytes[..<256]))
                vault.header.signature = { $0 = signature }
            },
    ]

    private func heldHeader(_ edit: (inout VaultSketch) -> Void) -> Vector {
        var (vault, _) = Self.twoGroups(name)
        vault.keybag.append(vault.grantEntry([vault.dataKey()]))
        edit(&vault)
        return opening(vault, "header failure", [], 0) { _ in }
    }

    /// A grant whose payload breaks a rule; `edit` changes its content.
    private func payload(_ edit: @escaping (inout SketchGrant, VaultSketch) -> Void) -> Vector {
        held(expect: "keybag failure", edit)
    }

    // The content has Ks at 0, two numbers at 32, and one group of 156 bytes at 40, with the name at 56 ..< 60, the
    // match key at 60, the number of data keys at 92, and one data key at 96: handle, class at 104, device at 108.
    private static let payloads: [Vector] = [
        vault("grant_payload_cut", "a payload that ends in its last data key")
            .payload { grant, _ in grant.content = { $0.removeLast(16) } },
        vault("grant_payload_reserved", "a reserved byte of a data key")
            .payload { grant, _ in grant.content = { $0[105] = 1 } },
        vault("grant_payload_class", "a data key of an unknown class")
            .payload { grant, _ in grant.content = { $0[104] = 13 } },
        vault("grant_payload_padding", "padding that is not zero")
            .payload { grant, _ in grant.padding = zeros(pad(156) - 157) + [1] },
        vault("grant_payload_too_long", "padding of a unit too much")
            .payload { grant, _ in grant.padding = zeros(pad(156) + 64 - 156) },
        vault("grant_payload_group_twice", "a group that stands twice")
            .payload { grant, _ in grant.groups.append(grant.groups[0]) },
        vault("grant_payload_handle_twice", "a data key that stands twice")
            .payload { grant, _ in grant.groups[0].keys.append(grant.groups[0].keys[0]) },
        vault("grant_payload_groups_maximal", "2^32 - 1 groups in a payload of one")
            .payload { grant, _ in grant.content = { $0.put(u32(0xFFFF_FFFF as UInt32), at: 36) } },
        vault("grant_payload_keys_maximal", "2^32 - 1 data keys in a payload of one")
            .payload { grant, _ in grant.content = { $0.put(u32(0xFFFF_FFFF as UInt32), at: 92) } },
        vault("grant_payload_name_empty", "a group without a name")
            .payload { grant, _ in grant.groups[0].group.name = "" },
        vault("grant_payload_name_differs", "a group with another name than that of its entry")
            .payload { grant, _ in grant.groups[0].group.name = "mall" },
        vault("grant_payload_match_key", "a match key that does not open the name")
            .payload { grant, _ in grant.groups[0].group.matchKey = zeros(32) },
        vault("grant_payload_unknown_group", "a group without an entry")
            .payload { grant, vault in grant.groups.append(.init(group: vault.group("home"), keys: [])) },
        vault("grant_payload_key_differs", "a data key that its entry does not commit to")
            .payload { grant, _ in grant.groups[0].keys[0].key = zeros(32) },
        vault("grant_payload_class_differs", "a data key with another class than that of its entry")
            .payload { grant, _ in grant.groups[0].keys[0].protection = .ck },
        vault("grant_payload_key_of_other_group", "a data key of another group than that of its entry")
            .payload { grant, vault in grant.groups[0].keys.append(vault.dataKey(group: "work")) },
    ]

    /// A grant whose note breaks a rule, for an owner.
    private func note(_ edit: @escaping (inout SketchGrant) -> Void) -> Vector {
        keybag { vault in vault.keybag.entries += [vault.teamKeyEntry(), vault.grantEntry([vault.dataKey()], edit)] }
    }

    /// A grant that breaks a rule for a device alone.
    private func deviceAlone(_ edit: @escaping (inout SketchGrant) -> Void) -> Vector {
        whole(expect: "keybag failure", unlock: [.device("desk")]) { vault in
            vault.add(vault.device("desk"))
            vault.keybag.entries += [vault.teamKeyEntry(), vault.grantEntry([vault.dataKey()], edit)]
            return nil
        }
    }

    private static let notes: [Vector] = [
        vault("grant_note_bitflip", "a changed bit in a note, signed").note { $0.sealedNote = { $0.flip(30) } },
        vault("grant_note_length", "a length of a note beyond its box").note { $0.note = SketchBox.lengthTooLong },
        vault("grant_note_padding", "padding of a note that is not zero").note { $0.note = SketchBox.paddingNotZero },
        vault("grant_note_name_empty", "a note without a name").note { $0.noteName = [] },
        vault("grant_note_name_not_utf8", "a name that is not UTF-8").note { $0.noteName = [0x61, 0xFF] },
        vault("grant_note_name_1025", "a name of 1,025 bytes")
            .note { $0.noteName = [UInt8](repeating: 0x61, count: 1025) },
        vault("grant_note_of_other_grant", "a note under the head of another grant")
            .note { $0.note = { $0.associatedData.flip(40) } },
        vault("grant_groups_bitflip", "a changed bit in the box of the groups, signed")
            .note { $0.sealedGroups = { $0.flip(30) } },
        vault("grant_groups_cut", "the groups of a grant that end in an id").note { $0.groupIDs = zeros(7) },
        vault("grant_groups_twice", "a group of a grant that stands twice").note { $0.groupIDs = zeros(16) },
        vault("grant_groups_of_other_grant", "groups under the head of another grant")
            .note { $0.groupsBox = { $0.associatedData.flip(40) } },
        vault("grant_groups_damaged_for_holder", "a changed bit in the groups, for the holder")
            .payload { grant, _ in grant.sealedGroups = { $0.flip(30) } },
        vault("grant_groups_differ", "other groups in the payload than in the box, for the holder")
            .payload { grant, vault in grant.groupIDs = vault.group("work").id },
        vault("grant_groups_damaged_for_device", "a changed bit in the groups, for a device alone")
            .deviceAlone { grant in grant.sealedGroups = { $0.flip(30) } },
    ]

    /// A grant whose parts have wrong sizes; `edit` changes what is signed.
    private func size(expect: String = "keybag failure", _ edit: @escaping (inout [UInt8]) -> Void) -> Vector {
        keybag(expect: expect) { vault in
            vault.keybag.entries += [vault.teamKeyEntry(), vault.grantEntry { $0.body = edit }]
        }
    }

    private static let grantSizes: [Vector] = [
        vault("grant_size", "a sealed payload of a byte more, which the note lacks").size { $0[88] += 1 },
        vault("grant_size_maximal", "a sealed payload of 2^32 - 1 bytes")
            .size { $0.put(u32(0xFFFF_FFFF as UInt32), at: 88) },
        vault("grant_of_47", "a sealed payload of 47 bytes")
            .size { $0 = $0[..<88] + u32(47) + zeros(4) + u32(64) + zeros(47 + 128) },
        vault("grant_too_large", "a sealed payload of a byte more than a grant may have")
            .size(expect: "limit exceeded") {
                $0 = $0[..<88] + u32(65_536 + 48 + 1) + zeros(4) + u32(64) + zeros(65_536 + 48 + 1 + 128)
            },
        vault("grant_without_note", "no note").size { $0.removeLast(64) },
        vault("grant_without_groups", "no box of the groups").size { $0.put(u32(0), at: 96) },
        vault("grant_groups_of_65", "a box of the groups of 65 bytes").size { $0[96] += 1 },
        vault("grant_groups_maximal", "a box of the groups of 2^32 - 1 bytes")
            .size { $0.put(u32(0xFFFF_FFFF as UInt32), at: 96) },
        vault("grant_groups_too_large", "a box of the groups of a unit more than it may have")
            .size(expect: "limit exceeded") {
                $0.put(u32(16_384 + 64), at: 96)
                $0 += zeros(16_384)
            },
        vault("grant_note_of_65", "a note of 65 bytes").size { $0.append(0) },
        vault("grant_note_too_large", "a note of a unit more than it may have")
            .size(expect: "limit exceeded") { $0 += zeros(16_384) },
    ]

    // MARK: - Recipients

    private func recipient(
        expect: String = "success",
        _ slot: (VaultSketch) -> SketchEntry = { $0.recipientEntry() },
        credential edit: HolderCredential.Edit = { _ in }
    ) -> Vector {
        var (vault, items) = Self.twoGroups(name)
        vault.keybag.append(slot(vault))
        var credential = vault.recipientCredential
        edit(&credential)
        return vector(
            expect,
            vault.build().bytes,
            unlock: [("credential", credential.unlock)],
            readable: expect == "success" ? items.map(\.item) : nil
        )
    }

    private static let recipients: [Vector] = [
        vault("recipient_opens", "a recipient opens the whole vault").recipient(),
        vault("recipient_of_other_id", "a credential for another slot")
            .recipient(expect: "no match", credential: { $0.grant.flip(0) }),
        vault("recipient_of_other_vault", "a credential for another vault")
            .recipient(expect: "no match", credential: { $0.vault.flip(0) }),
        vault("recipient_of_other_secret", "a credential with another secret")
            .recipient(expect: "no match", credential: { $0.secret.flip(3) }),
        vault("recipient_of_other_team", "a slot that another team than the pinned one has signed")
            .recipient(expect: "no match") { $0.recipientEntry(signedWith: zeros(32)) },
        vault("recipient_box_bitflip", "a changed bit in the sealed root, signed")
            .recipient(expect: "keybag failure") { $0.recipientEntry(box: { $0.flip(50) }) },
        vault("recipient_commitment", "a commitment to another root, signed")
            .recipient(expect: "keybag failure") { $0.recipientEntry(committedKey: zeros(32)) },
    ]
}
