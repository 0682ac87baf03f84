internal import KeyedArchive
internal import VaultFormat

/// A name in entitlements, as written in the file.
struct EntitlementsName {
    let text: String

    init(_ value: PropertyList) throws(EntitlementsError.Kind) {
        guard let text = value.string else { throw .notText }
        self.text = text
    }

    /// Returns the name with its variables replaced, which must begin with one of `prefixes` and go on after it.
    func expanded(_ variables: [String: String], prefixes: [String]) throws(EntitlementsError.Kind) -> String {
        let name = try expanded(variables)
        // Bytes are compared, since a dot followed by a combining accent is one character that is not a dot.
        guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else {
            throw .wrongPrefix(allowed: prefixes)
        }
        guard name.utf8.count > prefix.utf8.count else { throw .emptyName }
        return name
    }

    /// Returns the name with its variables replaced, if a group may have this name.
    func expanded(_ variables: [String: String]) throws(EntitlementsError.Kind) -> String {
        var rest = text.utf8[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$"), let bracket = rest.first, let end = Self.ends[bracket] else {
                bytes.append(byte)
                continue
            }
            let variable = rest.dropFirst().prefix { $0 != end }
            let name = String(decoding: variable, as: UTF8.self)
            // Other forms that Xcode accepts, such as braces and modifiers, are rejected: they have no value here.
            guard bracket == UInt8(ascii: "("), variable.endIndex < rest.endIndex, let value = variables[name] else {
                throw .unknownVariable(String(shortenedForReport: name))
            }
            bytes += value.utf8
            rest = rest[variable.endIndex...].dropFirst()
        }
        return try Self.checked(String(decoding: bytes, as: UTF8.self))
    }

    /// The bytes that close a variable, by the byte after its `$`.
    private static let ends = [UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}")]

    static func checked(_ name: String) throws(EntitlementsError.Kind) -> String {
        guard !name.isEmpty else { throw .emptyName }
        guard !name.utf8.contains(0) else { throw .zeroByte }
        guard name.utf8.count <= Limits.groupNameByteCount else {
            throw .nameTooLong(byteCount: name.utf8.count, limit: Limits.groupNameByteCount)
        }
        return name
    }
}
