package import CofferBasics

/// Reads a JSON object whose values may be secrets, without copying them into Swift strings.
package enum JSONReader {
    /// Finds the string values of `keys` in an object; keys that are missing or null are left out.
    ///
    /// - Parameters:
    ///   - keys: The keys; `a.b` is the key `b` of the object that is the value of `a`.
    ///   - literals: Those of them whose values can be anything, and are returned as they are written.
    ///   - bytes: The object, with nothing after it.
    /// - Returns: The strings by key.
    /// - Throws: `TextError`, without any part of the input, if the JSON is invalid or a value is not a string.
    package static func texts(
        of keys: [String],
        literals: [String] = [],
        in bytes: Span<UInt8>
    ) throws(TextError) -> [String: HeldSecret] {
        guard bytes.isText else { throw .invalid("invalid JSON at byte 0: not UTF-8") }
        // Checked here, since `JSONTree` takes any value, and skips a byte-order mark.
        let start = bytes.indices.first { !bytes[$0].isBlank } ?? bytes.count
        guard start < bytes.count, bytes[start] == UInt8(ascii: "{") else {
            throw .invalid("invalid JSON at byte \(start): expected an object")
        }
        let tree: JSONTree
        do throws(TextError) {
            tree = try JSONTree(HeldSecret(copying: bytes))
        } catch {
            throw .invalid("invalid JSON at \(error.description)")
        }
        // The place of a key is after its quote.
        if let offset = tree.duplicateKeyOffset { throw .invalid("invalid JSON at byte \(offset - 1): duplicate key") }
        var texts: [String: HeldSecret] = [:]
        for key in keys {
            var found: JSONNode? = tree.root
            for name in key.split(separator: ".") { found = found?[String(name)] }
            guard let value = found else { continue }
            guard value.kind == .string || literals.contains(key) else {
                throw .invalid("invalid JSON: \(key) is not a string")
            }
            texts[key] = value.kind == .string ? value.secret : value.source
        }
        return texts
    }
}
