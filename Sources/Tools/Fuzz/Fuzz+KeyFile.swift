import CofferCertificates

extension Fuzz {
    /// Reads files and keys; a key that is read has a public half that is read again, and what is written is read again.
    static func keyFile(_ input: [UInt8]) {
        var keys: [AsymmetricKey] = []
        let letters: [UInt8] = [0x61]
        let passphrase = FilePassphrase(letters.span)
        if let file = try? KeyFileContent(input, passphrase: passphrase) {
            keys += file.keys.map(\.key)
            let text = try? file.written(as: .pemSequence, isText: true, passphrase: nil)
            let again = text.flatMap { try? KeyFileContent($0, passphrase: nil) }
            precondition(again?.keys.map(\.key) == keys, "written keys are not read")
            precondition(
                again?.certificates.map(\.certificate.bytes) == file.certificates.map(\.certificate.bytes),
                "written certificates are not read"
            )
        }
        for type in [KeyType.rsa, .ellipticCurve, .ed25519, .x25519] {
            for isPrivate in [false, true] {
                if let key = try? AsymmetricKey(type, isPrivate: isPrivate, input.span) { keys.append(key) }
            }
        }
        for key in keys {
            precondition((try? key.publicKey)?.publicBytes == key.publicBytes, "a public half is rejected")
            _ = try? key.validate()
        }
    }
}
