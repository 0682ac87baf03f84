// Section 3.1: credentials that open a vault, and credentials that do not.

extension VaultVectors {
    static let slots: [Vector] = matchingSlots + otherSlots

    /// A small vault with only these slots, which `unlock` opens.
    private func opens(
        unlock: (VaultSketch) -> [Line],
        slots credentials: (VaultSketch) -> [SketchCredential],
        expect: String = "success"
    ) -> Vector {
        var vault = VaultSketch(name, passphrase: nil)
        let slots = credentials(vault).enumerated().map { vault.slot($1, "\($0)") }
        vault.keybag.entries = slots + vault.keybag.entries
        let kim = vault.append(vault.item("kim"))
        let readable = expect == "success" ? kim : nil
        return vector(expect, vault.build().bytes, unlock: unlock(vault), readable: readable)
    }

    /// The same, which `unlock` does not open.
    private func differs(unlock: (VaultSketch) -> [Line], slots: (VaultSketch) -> [SketchCredential]) -> Vector {
        opens(unlock: unlock, slots: slots, expect: "no match")
    }

    private static let matchingSlots: [Vector] = [
        vault("slot_key_file", "a key file")
            .opens(unlock: { [("keyfile-hex", $0.keyFile.hex)] }, slots: { [.keyFile($0.keyFile)] }),
        vault("slot_passphrase_and_key_file", "a passphrase and a key file")
            .opens(
                unlock: { passphrase + [("keyfile-hex", $0.keyFile.hex)] },
                slots: { [.passphraseAndKeyFile(Array(VaultSketch.passphrase.utf8), $0.keyFile)] }
            ),
        vault("slot_recovery", "a recovery code")
            .opens(unlock: { [("recovery", recoveryText($0.recoveryCode))] }, slots: { [.recovery($0.recoveryCode)] }),
        vault("slot_recovery_typed", "a recovery code as people type it: small letters, O for 0, l for 1, spaces")
            .opens(
                unlock: {
                    let text = recoveryText($0.recoveryCode).lowercased()
                    let letters: [Character: Character] = ["0": "o", "1": "l", "-": " "]
                    return [("recovery", String(text.map { letters[$0] ?? $0 }))]
                },
                slots: { [.recovery($0.recoveryCode)] }
            ),
        vault("slot_second_of_two", "the second passphrase")
            .opens(
                unlock: { _ in passphrase },
                slots: { _ in [.passphrase("another"), .passphrase(VaultSketch.passphrase)] }
            ),
        vault("slot_passphrase_1_byte", "a passphrase of one byte")
            .opens(unlock: { _ in [("passphrase", "x")] }, slots: { _ in [.passphrase("x")] }),
        vault("slot_passphrase_spaces", "a passphrase is used as it is given")
            .opens(
                unlock: { _ in [("passphrase-hex", Array(" Pass\tword \n".utf8).hex)] },
                slots: { _ in [.passphrase(" Pass\tword \n")] }
            ),
        vault("slot_passphrase_not_utf8", "a passphrase is bytes, a zero byte among them")
            .opens(unlock: { _ in [("passphrase-hex", "ff00fe")] }, slots: { _ in [.passphrase([0xFF, 0, 0xFE])] }),
        vault("slot_passphrase_decomposed", "e and an accent")
            .opens(unlock: { _ in [("passphrase-hex", "65cc81")] }, slots: { _ in [.passphrase([0x65, 0xCC, 0x81])] }),
    ]

    private static let otherSlots: [Vector] = [
        vault("slot_wrong_passphrase", "another passphrase")
            .differs(
                unlock: { _ in [("passphrase", "incorrect horse")] },
                slots: { _ in [.passphrase(VaultSketch.passphrase)] }
            ),
        vault("slot_passphrase_composed", "a composed accented letter is not a letter and an accent")
            .differs(unlock: { _ in [("passphrase-hex", "c3a9")] }, slots: { _ in [.passphrase([0x65, 0xCC, 0x81])] }),
        vault("slot_wrong_key_file", "another key file")
            .differs(
                unlock: { [("keyfile-hex", $0.recoveryCode.hex + zeros(20).hex)] },
                slots: { [.keyFile($0.keyFile)] }
            ),
        vault("slot_wrong_recovery", "a recovery code with fitting check bits, of another vault")
            .differs(
                unlock: { [("recovery", recoveryText(Array($0.recoveryCode.reversed())))] },
                slots: { [.recovery($0.recoveryCode)] }
            ),
        vault("slot_key_file_alone", "a key file where passphrase and key file are needed")
            .differs(
                unlock: { [("keyfile-hex", $0.keyFile.hex)] },
                slots: { [.passphraseAndKeyFile(Array(VaultSketch.passphrase.utf8), $0.keyFile)] }
            ),
        vault("slot_none_of_type", "a key file where only a passphrase opens")
            .differs(
                unlock: { [("keyfile-hex", $0.keyFile.hex)] },
                slots: { _ in [.passphrase(VaultSketch.passphrase)] }
            ),
    ]

    /// Returns the text of a recovery code, section 12.3.
    static func recoveryText(_ code: [UInt8]) -> String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let bits = (code + H(16, nil, "check", code)).flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        let digits = stride(from: 0, to: 180, by: 5).map { start in
            alphabet[bits[start..<start + 5].reduce(0) { $0 * 2 + Int($1) }]
        }
        return stride(from: 0, to: 36, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "-")
    }
}

extension VaultSketch {
    /// The 20 bytes of a recovery code.
    var recoveryCode: [UInt8] { randomness.bytes(20, "recovery code") }
}
