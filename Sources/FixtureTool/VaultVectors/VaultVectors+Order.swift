// Section 4.2: of two faults, the one that is read first is reported.

extension VaultVectors {
    private static let wrongPassphrase: [Line] = [("passphrase", "incorrect horse")]

    private static func order(
        _ name: String,
        _ expect: String,
        _ comment: String,
        unlock: [Line] = passphrase,
        vault edit: (inout VaultSketch) -> Void = { _ in },
        damage: (inout VaultFile) -> Void = { _ in }
    ) -> Vector {
        var vault = VaultSketch(name)
        vault.append(vault.item("kim"))
        edit(&vault)
        var file = vault.build()
        damage(&file)
        return vector(name, expect, comment, file.bytes, unlock: unlock)
    }

    static let order: [Vector] = [
        order(
            "order_header_before_slots",
            "header failure",
            "a damaged header and a wrong passphrase",
            unlock: wrongPassphrase,
            damage: { $0.bytes.flip(60) }
        ),
        order(
            "order_keybag_before_slots",
            "keybag failure",
            "a damaged keybag and a wrong passphrase",
            unlock: wrongPassphrase,
            damage: { $0.bytes.flip($0.keybag.lowerBound + 100) }
        ),
        order(
            "order_slots_before_mac",
            "no match",
            "a header that is not authentic and a wrong passphrase",
            unlock: wrongPassphrase,
            vault: { $0.header.forged = { $0.flip(64) } }
        ),
        order(
            "order_slots_before_directory",
            "no match",
            "a damaged directory and a wrong passphrase",
            unlock: wrongPassphrase,
            damage: { $0.bytes.flip($0.directory.lowerBound + 50) }
        ),
        order(
            "order_always_key_before_mac",
            "keybag failure",
            "an always key that does not open and a header that is not authentic, before the passphrase",
            unlock: [("device", VaultSketch("order_always_key_before_mac").device("desk").unlock)],
            vault: { vault in
                vault.add(vault.device("desk"))
                vault.keybag.change(17) { $0.body.flip(100) }
                vault.header.ownerKey = zeros(32)
            }
        ),
        order(
            "order_mac_before_always_key",
            "header failure",
            "the same with the passphrase, with which the always key is one of the other keys",
            unlock: passphrase + [("device", VaultSketch("order_mac_before_always_key").device("desk").unlock)],
            vault: { vault in
                vault.add(vault.device("desk"))
                vault.keybag.change(17) { $0.body.flip(100) }
                vault.header.ownerKey = zeros(32)
            }
        ),
        order(
            "order_mac_before_directory",
            "header failure",
            "a wrong header MAC and a damaged directory",
            damage: {
                $0.bytes.flip(230)
                $0.bytes.flip($0.directory.lowerBound + 50)
            }
        ),
        order(
            "order_signature_before_directory",
            "header failure",
            "a wrong header signature and a damaged directory",
            damage: {
                $0.bytes.flip(310)
                $0.bytes.flip($0.directory.lowerBound + 50)
            }
        ),
        order(
            "order_directory_before_keys",
            "snapshot failure",
            "a wrong directory and a data key that does not open",
            vault: { vault in
                vault.directory.reserved = [1, 0, 0, 0]
                vault.keybag.change(20) { $0.body.flip(100) }
            }
        ),
        order(
            "order_keys_before_frames",
            "keybag failure",
            "a data key that does not open and a damaged frame",
            vault: { vault in vault.keybag.change(20) { $0.body.flip(100) } },
            damage: { $0.bytes.flip($0.frames[0].lowerBound + 100) }
        ),
    ]
}
