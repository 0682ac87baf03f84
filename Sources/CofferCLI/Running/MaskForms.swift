internal import VaultCrypto

/// The forms in which a program may write a secret: as it is, in base64, as it stands in JSON.
package enum MaskForms {
    /// The forms of a secret that are hidden.
    package static func of(_ secret: HeldSecret) -> [HeldSecret] {
        var forms = [secret]
        for isForAddresses in [false, true] {
            forms.append(base64(secret, isForAddresses: isForAddresses))
            for precedingCount in 0..<3 {
                forms.append(innerBase64(secret, behind: precedingCount, isForAddresses: isForAddresses))
            }
        }
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

    /// What is the same in the base64 of all texts with the secret in them: letters that are made of its bits alone.
    ///
    /// - Parameters:
    ///   - secret: The secret.
    ///   - precedingCount: How many bytes stand before it, apart from groups of three.
    ///   - isForAddresses: Whether it is the base64 that addresses have.
    /// - Returns: The letters.
    private static func innerBase64(
        _ secret: HeldSecret,
        behind precedingCount: Int,
        isForAddresses: Bool
    ) -> HeldSecret {
        let text = GrowingSecret()
        secret.bytes.withSpan { bytes in
            let bitCount = (precedingCount + bytes.count) * 8
            let first = (precedingCount * 8 + 5) / 6
            for index in first..<max(first, bitCount / 6) {
                // Six bits lie in two bytes at most.
                let (place, shift) = ((index * 6) / 8 - precedingCount, 10 - (index * 6) % 8)
                let next = place + 1 < bytes.count ? Int(bytes[place + 1]) : 0
                text.append(
                    Base64.letter((Int(bytes[place]) << 8 | next) >> shift & 63, isForAddresses: isForAddresses)
                )
            }
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
