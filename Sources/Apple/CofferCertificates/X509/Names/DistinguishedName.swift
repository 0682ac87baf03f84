internal import CofferBasics

/// The name of a subject or an issuer: a list of relative names, each a set of attributes.
package struct DistinguishedName: Sendable {
    /// A part of a name, such as the common name.
    package struct Attribute: Sendable {
        /// The type of the attribute, such as `OID.commonName`.
        package let type: OID
        /// The value, usually a string.
        package let value: DERElement
        fileprivate let bytes: [UInt8]

        /// The value as text.
        package var text: String { value.text(in: bytes) }
    }

    /// The attributes of each relative name.
    package let relativeNames: [[Attribute]]

    /// Reads the name whose content, without tag and length, is at `content` of `bytes`.
    package init(parsing bytes: [UInt8], in content: Range<Int>) throws(CertificateError) {
        var reader = DERReader(bytes, in: content)
        var relativeNames: [[Attribute]] = []
        while !reader.isAtEnd {
            var set = try reader.enter(.set)
            relativeNames.append(try set.readList(Attribute.init(from:)))
        }
        self.relativeNames = relativeNames
    }

    /// The attributes of all relative names, in their order.
    package var attributes: [Attribute] { relativeNames.flatMap { $0 } }

    /// The content of the name in the form that Apple uses to compare names.
    ///
    /// In each PrintableString, letters become upper case, spaces and tabs at both ends are removed, and each run of
    /// them inside becomes one space. Everything else is unchanged.
    package var normalized: [UInt8] {
        var name: [UInt8] = []
        for relativeName in relativeNames {
            var set: [UInt8] = []
            for attribute in relativeName { set.append(.sequence, content: attribute.normalized) }
            name.append(.set, content: set)
        }
        return name
    }
}

extension DistinguishedName.Attribute {
    fileprivate init(from reader: inout DERReader) throws(CertificateError) {
        var fields = try reader.enter()
        type = try fields.readOID()
        value = try fields.read()
        bytes = reader.bytes
        try fields.expectEnd()
        guard !type.content.isEmpty else { throw CertificateError(.missingElement, at: value.range.lowerBound) }
    }

    fileprivate var normalized: [UInt8] {
        var fields: [UInt8] = []
        fields.append(.objectIdentifier, content: type.content)
        let content = bytes[value.content]
        guard value.tag == .printableString else { return fields + bytes[value.range] }
        let words = content.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let text = Array(words.joined(separator: [UInt8(ascii: " ")]))
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        fields.append(.printableString, content: text.map { letters.contains($0) ? $0 - 0x20 : $0 })
        return fields
    }
}

extension DistinguishedName {
    /// The name in one line, as people write it: `CN=Kim, O=Example`.
    ///
    /// The parts are in the order of the certificate. Commas, plus signs and backslashes in values have a backslash in
    /// front.
    package var text: String {
        relativeNames.map { attributes in attributes.map(\.pair).joined(separator: "+") }.joined(separator: ", ")
    }
}

extension DistinguishedName.Attribute {
    private static let keys: [OID: String] = [
        .commonName: "CN", [2, 5, 4, 4]: "SN", [2, 5, 4, 5]: "serialNumber", [2, 5, 4, 6]: "C", [2, 5, 4, 7]: "L",
        [2, 5, 4, 8]: "ST", [2, 5, 4, 9]: "street", .organization: "O", .organizationalUnit: "OU",
        .description: "description", [2, 5, 4, 42]: "GN", .emailAddress: "emailAddress",
        [0, 9, 2342, 19_200_300, 100, 1, 1]: "UID", [0, 9, 2342, 19_200_300, 100, 1, 25]: "DC",
    ]

    fileprivate var pair: String {
        let value = text.reduce(into: "") { value, character in
            if character == "," || character == "+" || character == "\\" { value.append("\\") }
            value.append(character)
        }
        return "\(Self.keys[type] ?? type.description)=\(value)"
    }
}

extension DERElement {
    /// The content as text, in the encoding that the tag names.
    ///
    /// A zero byte at the end is dropped, except from UTF-16. Bytes that are invalid in the encoding, and the content of
    /// elements that are not strings, are given as hexadecimal digits in pairs.
    package func text(in bytes: [UInt8]) -> String {
        let content = bytes[content]
        let string = content.last == 0 ? content.dropLast() : content
        let text: String? =
            switch tag {
            case .printableString, .ia5String: String(ascii: string)
            case .utf8String, .generalString, .universalString: String(validating: string, as: UTF8.self)
            case .t61String, .videotexString, .visibleString:
                String(String.UnicodeScalarView(string.map { Unicode.Scalar($0) }))
            case .bmpString: String(utf16: content)
            default: nil
            }
        return text ?? content.hexadecimalPairs
    }
}

extension String {
    /// Decodes ASCII.
    init?(ascii bytes: ArraySlice<UInt8>) {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }

    /// Decodes UTF-16, which is big-endian unless a byte order mark says otherwise.
    fileprivate init?(utf16 bytes: ArraySlice<UInt8>) {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
        if units.first == 0xFEFF { units.removeFirst() }
        self.init(validating: units, as: UTF16.self)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var hexadecimalPairs: String {
        map { [$0].hexDigits.uppercased() }.joined(separator: " ")
    }
}
