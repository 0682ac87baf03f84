internal import VaultFormat

/// The attributes that items of a class have.
package struct AttributeSchema: Sendable {
    /// What a caller may do with an attribute.
    enum Use: Sendable {
        /// The attribute is stored with the item and compared.
        case stored
        /// The attribute determines how the item is stored: its group or its protection.
        case placing
        /// Queries can compare the attribute, but callers cannot set it.
        case computed
        /// The attribute is accepted but not stored.
        case notStored
        /// Only parts of Apple's systems may name the attribute.
        case reserved
        /// Requests cannot name the attribute.
        case forbidden
    }

    /// One attribute.
    struct Attribute: Sendable {
        let name: AttributeName
        let kind: ValueKind
        let use: Use
    }

    private let attributes: [String: Attribute]

    /// The number of attributes.
    package var count: Int { attributes.count }

    init(_ itemClass: KeychainClass) {
        var attributes: [String: Attribute] = [:]
        for stored in itemClass.stored.reversed() {
            for (text, kind) in stored.attributes {
                guard let name = AttributeName(text) else { continue }
                attributes[text] = Attribute(name: name, kind: ValueKind(kind), use: .stored)
            }
        }
        for (name, (kind, use)) in Self.common {
            attributes[name.rawValue] = Attribute(name: name, kind: kind, use: use)
        }
        if itemClass == .internetPassword {
            for name in Self.extraData {
                attributes[name.rawValue] = Attribute(name: name, kind: .data, use: .reserved)
            }
        }
        self.attributes = attributes
    }

    /// The attribute whose name has the same bytes as `text`, if the class has it.
    subscript(text: String) -> Attribute? { attributes[text] }

    /// The attributes of all classes that the format stores differently or not at all.
    private static let common: [AttributeName: (kind: ValueKind, Use)] = [
        .accessGroup: (.string, .placing),
        .accessibility: (.accessibility, .placing),
        .accessControl: (.accessControl, .placing),
        .synchronizable: (.synchronizable, .stored),
        .tombstone: (.synchronizable, .stored),
        .creationDate: (.date, .computed),
        .modificationDate: (.date, .computed),
        .sha1: (.sha1, .computed),
        .user: (.uuid, .notStored),
        .uuid: (.string, .notStored),
        .sharingGroup: (.string, .reserved),
        .systemBound: (.number, .reserved),
        .derivesSyncID: (.number, .reserved),
        .syncServiceIdentifier: (.number, .reserved),
        .syncPublicKey: (.blob, .reserved),
        .syncPublicIdentity: (.blob, .reserved),
        .appClip: (.number, .forbidden),
        .encryptedData: (.data, .forbidden),
        .primaryKey: (.data, .forbidden),
    ]

    private static let extraData: [AttributeName] = [
        .extraNotes, .extraHistory, .extraClientDefined0, .extraClientDefined1, .extraClientDefined2,
        .extraClientDefined3,
    ]
}

extension KeychainClass {
    // Each is made when it is first needed: a command that reads one item needs one of them.
    private static let genericPasswordSchema = AttributeSchema(.genericPassword)
    private static let internetPasswordSchema = AttributeSchema(.internetPassword)
    private static let certificateSchema = AttributeSchema(.certificate)
    private static let keySchema = AttributeSchema(.key)
    private static let identitySchema = AttributeSchema(.identity)

    /// The attributes that items of this class have.
    package var schema: AttributeSchema {
        switch self {
        case .genericPassword: Self.genericPasswordSchema
        case .internetPassword: Self.internetPasswordSchema
        case .certificate: Self.certificateSchema
        case .key: Self.keySchema
        case .identity: Self.identitySchema
        }
    }
}

/// The values of a few attributes, of which comparing the names is faster than hashing them.
package struct AttributeList: Sendable {
    /// The names, each once, and their values.
    private(set) var entries: [(name: AttributeName, value: ItemValue)] = []

    /// The value of an attribute.
    package subscript(name: AttributeName) -> ItemValue? {
        get { entries.first { $0.name == name }?.value }
        set {
            entries.removeAll { $0.name == name }
            if let newValue { entries.append((name, newValue)) }
        }
    }

    /// The attributes whose names meet a condition.
    func filter(_ isIncluded: (AttributeName) -> Bool) -> AttributeList {
        var list = self
        list.entries.removeAll { !isIncluded($0.name) }
        return list
    }
}
