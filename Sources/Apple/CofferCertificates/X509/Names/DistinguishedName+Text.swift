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
