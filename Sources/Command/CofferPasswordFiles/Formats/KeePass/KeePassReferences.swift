internal import CofferBasics

/// References of KeePass to fields of other entries: `{REF:P@I:…}` with the identifier of the entry.
///
/// References by other fields than the identifier, and those in a circle, stay text.
struct KeePassReferences {
    /// How often a reference may lead to another one.
    private static let depthLimit = 8

    private let entries: [KeePassEntry]
    private var indexes: [String: Int] = [:]
    /// The fields of the entries that were referred to, by index and by letter.
    private var fields: [Int: [UInt8: HeldSecret]] = [:]
    /// How many more bytes may be read and written for references, so that these cannot multiply texts.
    private var freeByteCount: Int

    init(_ entries: [KeePassEntry], in bytes: HeldSecret) {
        self.entries = entries
        freeByteCount = max(bytes.byteCount, 1 << 20)
        guard bytes.withSpan({ Reference.next(in: $0, from: 0) }) != nil else { return }
        for (index, entry) in entries.enumerated() {
            guard let id = entry.node["UUID"]?.secret.base64Decoded, id.byteCount == 16 else { continue }
            indexes[id.array.hexDigits] = index
        }
    }

    /// The text with its references replaced, and whether all could be; nil if it has none.
    mutating func resolved(_ text: HeldSecret) -> (value: HeldSecret, isComplete: Bool)? { resolved(text, depth: 0) }

    private mutating func resolved(_ text: HeldSecret, depth: Int) -> (value: HeldSecret, isComplete: Bool)? {
        guard text.withSpan({ Reference.next(in: $0, from: 0) }) != nil else { return nil }
        let result = SecretBuilder()
        var isComplete = true
        text.withSpan { bytes in
            var start = 0
            while let reference = Reference.next(in: bytes, from: start) {
                result.append(copying: bytes.extracting(start..<reference.range.lowerBound))
                start = reference.range.upperBound
                if let target = value(of: reference, depth: depth) {
                    target.withSpan { result.append(copying: $0) }
                } else {
                    result.append(copying: bytes.extracting(reference.range))
                    isComplete = false
                }
            }
            result.append(copying: bytes.extracting(start..<bytes.count))
        }
        return (result.held, isComplete)
    }

    /// What a reference stands for, with the references in it replaced; nil if one of them cannot be.
    private mutating func value(of reference: Reference, depth: Int) -> HeldSecret? {
        guard depth < Self.depthLimit, let target = target(of: reference) else { return nil }
        guard let inner = resolved(target, depth: depth + 1) else { return target }
        return inner.isComplete ? inner.value : nil
    }

    /// What a reference refers to; nil if it does not exist, is encrypted, or too much was read already.
    private mutating func target(of reference: Reference) -> HeldSecret? {
        guard let id = reference.id, let index = indexes[id], freeByteCount > 0 else { return nil }
        guard reference.field != UInt8(ascii: "I") else { return HeldSecret(text: id.uppercased()) }
        guard let field = fields(ofEntry: index)[reference.field] else { return nil }
        // The number of references counts too, since what they refer to may be empty.
        freeByteCount -= field.byteCount + 40
        return field
    }

    private mutating func fields(ofEntry index: Int) -> [UInt8: HeldSecret] {
        if let fields = fields[index] { return fields }
        var found: [UInt8: HeldSecret] = [:]
        for string in entries[index].node.children where string.hasName("String") {
            guard let key = string["Key"]?.text, let letter = Reference.letters[key], found[letter] == nil,
                let value = string["Value"], !value.isTrue("Protected")
            else { continue }
            found[letter] = value.secret
        }
        fields[index] = found
        return found
    }
}

/// A reference in a text.
private struct Reference {
    /// The letters of the strings of an entry.
    static let letters = [
        "Title": UInt8(ascii: "T"), "UserName": UInt8(ascii: "U"), "Password": UInt8(ascii: "P"),
        "URL": UInt8(ascii: "A"), "Notes": UInt8(ascii: "N"),
    ]

    let range: Range<Int>
    /// The letter of the field that is wanted.
    let field: UInt8
    /// The identifier of the entry in hexadecimal; nil if the entry is named by another field.
    let id: String?

    /// The first reference at or after `start`.
    static func next(in bytes: Span<UInt8>, from start: Int) -> Reference? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{"), let reference = Reference(in: bytes, at: index) { return reference }
            index += 1
        }
        return nil
    }

    /// The reference that begins at `start`; nil if there is none.
    private init?(in bytes: Span<UInt8>, at start: Int) {
        // `{REF:`, a letter, `@`, a letter, `:`; in any case.
        guard start + 9 < bytes.count, bytes.extracting(droppingFirst: start + 1).hasPrefix("ref:"),
            bytes[start + 6] == UInt8(ascii: "@"), bytes[start + 8] == UInt8(ascii: ":")
        else { return nil }
        // A bound keeps a text of many beginnings linear.
        let limit = min(bytes.count, start + 100)
        guard let end = (start + 9..<limit).first(where: { bytes[$0] == UInt8(ascii: "}") }) else { return nil }
        range = start..<end + 1
        field = bytes[start + 5] & 0xDF
        let digits = bytes.extracting(start + 9..<end)
        let isByID = bytes[start + 7] & 0xDF == UInt8(ascii: "I") && digits.count == 32
        id = isByID ? digits.text.lowercased() : nil
    }
}
