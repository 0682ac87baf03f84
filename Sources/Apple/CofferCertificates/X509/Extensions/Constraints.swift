/// Whether a certificate may issue others, and how long a chain.
package struct BasicConstraints: Equatable, Sendable {
    /// Whether the certificate may issue others.
    package let isAuthority: Bool
    /// The number of intermediate certificates that may follow; nil means any.
    package let pathLength: Int?

    init(from reader: inout DERReader) throws(CertificateError) {
        var fields = try reader.enter()
        isAuthority = try fields.readBoolean()
        pathLength = try fields.readInteger()
        try fields.expectEnd()
    }
}

/// The names that the certificates below this one may or may not have.
package struct NameConstraints: Equatable, Sendable {
    /// The subtrees that names must lie in.
    package let permitted: [GeneralName]
    /// The subtrees that names must not lie in.
    package let excluded: [GeneralName]

    init(from reader: inout DERReader) throws(CertificateError) {
        var fields = try reader.enter()
        permitted = try Self.readSubtrees(.contextConstructed(0), from: &fields)
        excluded = try Self.readSubtrees(.contextConstructed(1), from: &fields)
        try fields.expectEnd()
    }

    private static func readSubtrees(
        _ tag: DERTag,
        from fields: inout DERReader
    ) throws(CertificateError) -> [GeneralName] {
        guard fields.nextTag == tag else { return [] }
        var list = try fields.enter(tag)
        return try list.readList { (list) throws(CertificateError) in
            var subtree = try list.enter()
            let name = try GeneralName(from: &subtree)
            // The depth of a subtree must be unlimited: a minimum of 0, and no maximum.
            let start = subtree.offset
            guard try subtree.readInteger(.context(0)) ?? 0 == 0 else {
                throw CertificateError(.invalidExtension, at: start)
            }
            try subtree.expectEnd()
            return name
        }
    }
}
