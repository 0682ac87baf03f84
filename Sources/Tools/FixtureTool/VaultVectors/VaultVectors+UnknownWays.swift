// Section 3.6: slots and grants of kinds that this version does not know.

extension VaultVectors {
    static let unknownWays: [Vector] = [
        vault("slot_of_unknown_kind", "a slot of an unknown kind, beside one for a passphrase")
            .opens { $0.keybag.append($0.unknownSlot()) },
        vault("slot_of_unknown_kind_alone", "a slot of an unknown kind alone, and a passphrase")
            .keybag(expect: "no match") { vault in
                vault.keybag.remove(type: 1)
                vault.keybag.append(vault.unknownSlot())
            },
        vault("slot_of_unknown_kind_critical", "a slot of an unknown kind that is critical")
            .keybag(expect: "unsupported") { vault in
                var slot = vault.unknownSlot()
                slot.flags = 1
                vault.keybag.append(slot)
            },
        vault("slot_of_unknown_kind_cut", "a slot of an unknown kind with 27 bytes")
            .keybag { $0.keybag.append($0.unknownSlot { $0.removeLast(1) }) },
        vault("slot_of_unknown_kind_of_old_epoch", "a slot of an unknown kind, of another epoch")
            .keybag { $0.keybag.append($0.unknownSlot { $0[24] += 1 }) },
        vault("slot_of_unknown_kind_twice", "slots of two unknown kinds with the same id").keybag { vault in
            vault.keybag.entries += [vault.unknownSlot(), vault.unknownSlot(type: 9)]
        },
        vault("slot_of_unknown_kind_33", "a slot for a passphrase, and 32 of an unknown kind")
            .keybag(expect: "limit exceeded") { vault in
                for number in 0..<32 { vault.keybag.append(vault.unknownSlot { $0[0] = UInt8(number) }) }
            },
        vault("grant_of_unknown_kind", "a grant of an unknown kind, and a signed header")
            .opens { $0.keybag.entries += [$0.teamKeyEntry(), $0.unknownGrant()] },
        vault("grant_of_unknown_kind_unsigned", "a grant of an unknown kind, and no signature of the header")
            .keybag(expect: "header failure") { vault in
                vault.keybag.entries += [vault.teamKeyEntry(), vault.unknownGrant()]
                vault.header.signature = { $0 = zeros(64) }
            },
        vault("grant_of_unknown_kind_cut", "a grant of an unknown kind with 23 bytes")
            .keybag { $0.keybag.entries += [$0.teamKeyEntry(), $0.unknownGrant { $0.removeLast(1) }] },
        vault("grant_of_unknown_kind_twice", "a grant, and one of an unknown kind with the same id").keybag { vault in
            let id = vault.randomness.bytes(16, "grant id")
            vault.keybag.entries += [
                vault.teamKeyEntry(), vault.grantEntry(), vault.unknownGrant { $0.put(id, at: 0) },
            ]
        },
        vault("entry_of_type_23", "an entry of a type that is neither for slots nor for grants, without a body")
            .opens { $0.keybag.append(SketchEntry(type: 23, body: [])) },
    ]
}

extension VaultSketch {
    /// Returns a slot of an unknown kind; `edit` changes its body.
    fileprivate func unknownSlot(type: UInt16 = 8, _ edit: (inout [UInt8]) -> Void = { _ in }) -> SketchEntry {
        var body = randomness.bytes(16, "unknown slot id") + u64(1_700_000_000_000_000) + u32(epoch)
        edit(&body)
        return SketchEntry(type: type, body: body)
    }

    /// Returns a grant of an unknown kind; `edit` changes its body.
    fileprivate func unknownGrant(_ edit: (inout [UInt8]) -> Void = { _ in }) -> SketchEntry {
        var body = randomness.bytes(16, "unknown grant id") + u64(1_700_000_000_000_000)
        edit(&body)
        return SketchEntry(type: 47, body: body)
    }
}
