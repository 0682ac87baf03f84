internal import VaultCrypto

/// The forms in which a program may write a secret: as it is, in base64, as it stands in JSON.
package enum MaskForms {
    /// The forms of a secret that are hidden.
    package static func of(_ secret: HeldSecret) -> [HeldSecret] {
        var forms = [secret]
        for isForAddresses in [false, true] { forms.append(base64(secret, isForAddresses: isForAddresses)) }
        if let escaped = escaped(secret) { forms.append(escaped) }
        return forms
    }

    /// The secret in base64, without the signs that fill it up.
    private static func base64(_ secret: HeldSecret, isForAddresses: Bool) -> HeldSecret {
        let text = GrowingSecret()
        secret.bytes.withSpan { bytes in
            Base64.forEachLetter(of: bytes, isForAddresses: isForAddresses) { text.append($0) }
        }
        return text.held
    }

    /// The secret as it stands in JSON; nil if it stands there as it is.
    private static func escaped(_ secret: HeldSecret) -> HeldSecret? {
        let text = GrowingSecret()
        let isDifferent = secret.bytes.withSpan { bytes in
            var isDifferent = false
            for index in bytes.indices {
                let escape = JSONText.escape(of: bytes[index])
                isDifferent = isDifferent || escape != nil
                if let escape { text.append(escape.utf8) } else { text.append(bytes[index]) }
            }
            return isDifferent
        }
        return isDifferent ? text.held : nil
    }
}
