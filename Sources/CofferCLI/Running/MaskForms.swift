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
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let count = min(3, bytes.count - start)
                var group = 0
                for index in 0..<3 { group = group << 8 | (index < count ? Int(bytes[start + index]) : 0) }
                for index in 0...count { text.append(letter(group >> (18 - 6 * index) & 63, isForAddresses)) }
            }
        }
        return text.held
    }

    private static func letter(_ value: Int, _ isForAddresses: Bool) -> UInt8 {
        switch value {
        case ..<26: UInt8(ascii: "A") + UInt8(value)
        case ..<52: UInt8(ascii: "a") + UInt8(value - 26)
        case ..<62: UInt8(ascii: "0") + UInt8(value - 52)
        case 62: UInt8(ascii: isForAddresses ? "-" : "+")
        default: UInt8(ascii: isForAddresses ? "_" : "/")
        }
    }

    /// The secret as it stands in JSON; nil if it stands there as it is.
    private static func escaped(_ secret: HeldSecret) -> HeldSecret? {
        let text = GrowingSecret()
        let isDifferent = secret.bytes.withSpan { bytes in
            var isDifferent = false
            for index in bytes.indices {
                let escape = JSONText.escape(of: bytes[index])
                isDifferent = isDifferent || escape != nil
                if let escape { for byte in escape.utf8 { text.append(byte) } } else { text.append(bytes[index]) }
            }
            return isDifferent
        }
        return isDifferent ? text.held : nil
    }
}

/// A secret that is put together byte by byte.
final class GrowingSecret {
    private var buffer = SecretBuffer(byteCount: 256)
    private(set) var byteCount = 0

    /// Adds a byte.
    func append(_ byte: UInt8) {
        if byteCount == buffer.byteCount {
            var larger = SecretBuffer(byteCount: byteCount * 4)
            buffer.withSpan { old in
                larger.withMutableSpan { new in for index in old.indices { new[index] = old[index] } }
            }
            buffer = larger
        }
        buffer.withMutableSpan { $0[byteCount] = byte }
        byteCount += 1
    }

    /// What there is.
    var held: HeldSecret { buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) } }
}

extension HeldSecret {
    /// A secret with these bytes.
    package convenience init(copying bytes: Span<UInt8>) {
        self.init(buffer: SecretBuffer(bytes))
    }
}
