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
