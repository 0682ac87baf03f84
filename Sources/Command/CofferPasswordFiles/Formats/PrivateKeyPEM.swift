internal import CofferBasics

/// Private keys in PEM, as PKCS #8.
enum PrivateKeyPEM {
    private static let begin = "-----BEGIN PRIVATE KEY-----"
    private static let end = "-----END PRIVATE KEY-----"

    /// The bytes of the key; nil if the text is not such a key with nothing but white space around it.
    static func decoded(_ text: Span<UInt8>) -> HeldSecret? {
        let text = text.extracting(text.trimmed(0..<text.count))
        let stop = text.count - end.utf8.count
        guard stop >= begin.utf8.count, text.has(begin.utf8), text.has(end.utf8, at: stop),
            let key = Encodings.base64(text.extracting(begin.utf8.count..<stop)), !key.isEmpty
        else { return nil }
        return key
    }

    /// The text of a key, in lines of 64 letters.
    static func encoded(_ key: Span<UInt8>) -> HeldSecret {
        let text = SecretBuilder()
        text.append((begin + "\n").utf8)
        var column = 0
        Base64.forEach(of: key) { letter in
            if column == 64 {
                text.append(UInt8(ascii: "\n"))
                column = 0
            }
            text.append(letter)
            column += 1
        }
        text.append(("\n" + end + "\n").utf8)
        return text.held
    }
}
