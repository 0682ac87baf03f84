/// The class of an item, `kSecClass`.
///
/// Identities are not stored: each is a certificate joined with its key.
package enum ItemClass: UInt8, CaseIterable, Sendable {
    case genericPassword = 1
    case internetPassword = 2
    case certificate = 3
    case key = 4

    /// Apple's name of the class.
    package var name: String {
        switch self {
        case .genericPassword: "genp"
        case .internetPassword: "inet"
        case .certificate: "cert"
        case .key: "keys"
        }
    }

    /// The attributes of the primary key, except those that all classes share.
    package var primaryKey: [String] { Self.primaryKeys[Int(rawValue) - 1] }

    /// The number of those attributes.
    var primaryKeyCount: Int { Self.primaryKeys[Int(rawValue) - 1].count }

    /// The index, among those, of the attribute by which the items of a section are sorted first.
    var leadingAttribute: Int { Self.leadingAttributes[Int(rawValue) - 1] }

    private static let leadingAttributes = allCases.compactMap { $0.primaryKey.firstIndex(of: $0.columns[0]) }

    private static let primaryKeys = [
        ["acct", "svce"],
        ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"],
        ["ctyp", "issr", "slnr"],
        ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat"],
    ]

    /// The attributes of the primary key that all classes share.
    package static let sharedPrimaryKey = ["sync", "vwht", "tkid", "musr", "ggrp"]

    /// The two attributes that metadata holds as columns before the archive.
    package var columns: [String] {
        switch self {
        case .genericPassword: ["svce", "acct"]
        case .internetPassword: ["srvr", "acct"]
        case .certificate: ["issr", "slnr"]
        case .key: ["klbl", "atag"]
        }
    }

    /// The kind of each attribute that an item of this class may have, section 9.1.
    package var attributes: [String: AttributeKind] {
        switch self {
        case .genericPassword: Self.genericPasswordAttributes
        case .internetPassword: Self.internetPasswordAttributes
        case .certificate: Self.certificateAttributes
        case .key: Self.keyAttributes
        }
    }

    private static let genericPasswordAttributes = table([
        .blob: "acct svce gena desc icmt prot",
        .number: "crtr type scrp invi nega cusi",
    ])
    private static let internetPasswordAttributes = table([
        .blob: "acct sdmn srvr atyp path desc icmt prot",
        .number: "ptcl port crtr type scrp invi nega cusi",
    ])
    private static let certificateAttributes = table([
        .number: "ctyp cenc",
        .data: "subj issr slnr skid pkhh",
    ])
    private static let keyAttributes = table([
        .blob: "atag",
        .data: "klbl",
        .date: "sdat edat",
        .number:
            "kcls crtr type bsiz esiz perm priv modi sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp",
    ])
    private static let sharedAttributes: [AttributeKind: String] = [
        .date: "cdat mdat",
        .blob: "labl pcsk pcsi alis",
        .number: "sync tomb sysb pcss",
        .string: "vwht tkid ggrp",
        .data: "musr",
        .accessControl: "accc",
    ]

    private static func table(_ own: [AttributeKind: String]) -> [String: AttributeKind] {
        var table: [String: AttributeKind] = [:]
        for (kind, names) in Array(sharedAttributes) + Array(own) {
            for name in names.split(separator: " ") { table[String(name)] = kind }
        }
        return table
    }
}

/// The kind of an attribute, which decides the values it may have and when two values are equal.
package enum AttributeKind: Hashable, Sendable {
    case blob
    case data
    case number
    case string
    case date
    case accessControl
}
