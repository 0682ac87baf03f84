internal import Coffer
internal import KeyedArchive
package import VaultCrypto

extension Verb {
    static let get = Verb(
        "get",
        .items,
        "Print the secret of an item",
        operands: [.service, .optionalAccount],
        options: [.itemClass],
        details: """
            The bytes are printed as they are. On a terminal a newline follows them.
            """,
        examples: [
            Example(call: "coffer get mail kim", purpose: "the password of kim for mail"),
            Example(call: "coffer get mail | xclip", purpose: "into the clipboard, without a newline"),
        ]
    ) { run throws(CommandError) in
        let selection = try run.selectionOfClass()
        let (item, secret) = try run.withItem(selection) { item, keychain throws(KeychainError) in
            (item, HeldSecret(try item.secret(in: keychain)))
        }
        guard let secret else { throw CommandError(.notFound, "the item \(selection.description) has no secret") }
        try secret.bytes.withSpan { bytes throws(CommandError) in
            guard run.isJSON else {
                try run.output.write(bytes)
                if run.output.isTerminal { try run.output.write("\n") }
                return
            }
            try run.output.write(object: item.json, secret: bytes)
        }
    }
}

/// A secret that can be part of other things.
package final class HeldSecret {
    package let bytes: SecretBuffer

    init?(_ bytes: consuming SecretBuffer?) {
        guard let bytes else { return nil }
        self.bytes = bytes
    }

    init(buffer: consuming SecretBuffer) {
        bytes = buffer
    }
}

extension Output {
    /// Writes an object of JSON with a secret at its end: `secret` if that is text, else `secretBase64`.
    func write(object: JSON, secret: Span<UInt8>) throws(CommandError) {
        try write(String(object.text.dropLast()))
        if secret.isText {
            try write(", \"secret\": ")
            try JSONText.write(quoting: secret, to: self)
        } else {
            try write(", \"secretBase64\": \"")
            try Base64.write(secret, to: self)
            try write("\"")
        }
        try write("}\n")
    }
}

extension Span<UInt8> {
    /// Whether the bytes are UTF-8.
    var isText: Bool { (try? UTF8Span(validating: self)) != nil }
}
