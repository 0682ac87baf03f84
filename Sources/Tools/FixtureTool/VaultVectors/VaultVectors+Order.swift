// Section 4.2: of two faults, the one that is read first is reported.

extension VaultVectors {
    static let order: [Vector] = [
        vault("order_header_before_slots", "a damaged header and a wrong passphrase")
            .file("header failure", unlock: [.wrongPassphrase]) { $0.bytes.flip(60) },
        vault("order_keybag_before_slots", "a damaged keybag and a wrong passphrase")
            .file("keybag failure", unlock: [.wrongPassphrase]) { $0.bytes.flip($0.keybag.lowerBound + 100) },
        vault("order_slots_before_mac", "a header that is not authentic and a wrong passphrase")
            .small("no match", unlock: [.wrongPassphrase]) { $0.header.forged = { $0.flip(64) } },
        vault("order_slots_before_directory", "a damaged directory and a wrong passphrase")
            .file("no match", unlock: [.wrongPassphrase]) { $0.bytes.flip($0.directory.lowerBound + 50) },
        vault("order_always_key_before_mac")
            .comment("an always key that does not open and a header that is not authentic, before the passphrase")
            .small("keybag failure", unlock: [.device("desk")]) { vault in
                vault.addDevice("desk")
                vault.keybag.change(17) { $0.body.flip(100) }
                vault.header.ownerKey = zeros(32)
            },
        vault("order_mac_before_always_key")
            .comment("the same with the passphrase, with which the always key is one of the other keys")
            .small("header failure", unlock: [.passphrase, .device("desk")]) { vault in
                vault.addDevice("desk")
                vault.keybag.change(17) { $0.body.flip(100) }
                vault.header.ownerKey = zeros(32)
            },
        vault("order_mac_before_directory", "a wrong header MAC and a damaged directory")
            .file("header failure") {
                $0.bytes.flip(230)
                $0.bytes.flip($0.directory.lowerBound + 50)
            },
        vault("order_signature_before_directory", "a wrong header signature and a damaged directory")
            .file("header failure") {
                $0.bytes.flip(310)
                $0.bytes.flip($0.directory.lowerBound + 50)
            },
        vault("order_directory_before_keys", "a wrong directory and a data key that does not open")
            .small("snapshot failure") { vault in
                vault.directory.reserved = [1, 0, 0, 0]
                vault.keybag.change(20) { $0.body.flip(100) }
            },
        vault("order_keys_before_frames", "a data key that does not open and a damaged frame")
            .file("keybag failure", vault: { vault in vault.keybag.change(20) { $0.body.flip(100) } }) {
                $0.bytes.flip($0.frames[0].lowerBound + 100)
            },
    ]
}
