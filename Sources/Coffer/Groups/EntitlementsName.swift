internal import KeyedArchive
internal import VaultFormat

/// A name in entitlements, as it is written there.
struct EntitlementsName {
    let text: String

    init(_ value: PropertyList) throws(EntitlementsError.Kind) {
        guard let text = value.string else { throw .notText }
        self.text = text
    }

    /// The name with its variables replaced, which begins with one of `prefixes` and has something after it.
    func expanded(_ variables: [String: String], prefixes: [String]) throws(EntitlementsError.Kind) -> String {
        let name = try expanded(variables)
        // Bytes are compared, for a dot and an accent after it are one character, and not a dot.
        guard let prefix = prefixes.first(where: { name.utf8.starts(with: $0.utf8) }) else {
            throw .otherPrefix(allowed: prefixes)
        }
        guard name.utf8.count > prefix.utf8.count else { throw .emptyName }
        return name
    }

    /// The name with its variables replaced, if a group may have it.
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
            // What Xcode also takes, as braces and modifiers, is refused here: it stands for nothing.
            guard bracket == UInt8(ascii: "("), variable.endIndex < rest.endIndex, let value = variables[name] else {
                throw .unknownVariable(String(cuttingForReport: name))
            }
            bytes += value.utf8
            rest = rest[variable.endIndex...].dropFirst()
        }
        return try Self.checked(String(decoding: bytes, as: UTF8.self))
    }

    /// What a variable ends with, by what it begins with after its `$`.
    private static let ends = [UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "{"): UInt8(ascii: "}")]

    private static func checked(_ name: String) throws(EntitlementsError.Kind) -> String {
        guard !name.isEmpty else { throw .emptyName }
        guard !name.utf8.contains(0) else { throw .zeroByte }
        guard name.utf8.count <= Limits.groupNameByteCount else {
            throw .nameTooLong(limit: Limits.groupNameByteCount)
        }
        return name
    }
}
