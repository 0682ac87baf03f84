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
        let kind: ValueKind
        let use: Use
    }

    private let attributes: [AttributeName: Attribute]

    /// The number of attributes.
    package var count: Int { attributes.count }

    init(_ itemClass: KeychainClass) {
        var attributes = Self.common
        for stored in itemClass.stored.reversed() {
            for (text, kind) in stored.attributes {
                guard let name = AttributeName(text), Self.common[name] == nil else { continue }
                attributes[name] = Attribute(kind: ValueKind(kind), use: .stored)
            }
        }
        if itemClass == .internetPassword {
            for name in Self.extraData { attributes[name] = Attribute(kind: .data, use: .reserved) }
        }
        self.attributes = attributes
    }

    /// The attribute with this name, if the class has it.
    subscript(name: AttributeName) -> Attribute? { attributes[name] }

    /// The attributes of all classes that the format stores differently or not at all.
    private static let common: [AttributeName: Attribute] = [
        .accessGroup: Attribute(kind: .string, use: .placing),
        .accessibility: Attribute(kind: .accessibility, use: .placing),
        .accessControl: Attribute(kind: .accessControl, use: .placing),
        .synchronizable: Attribute(kind: .synchronizable, use: .stored),
        .tombstone: Attribute(kind: .synchronizable, use: .stored),
        .creationDate: Attribute(kind: .date, use: .computed),
        .modificationDate: Attribute(kind: .date, use: .computed),
        .sha1: Attribute(kind: .sha1, use: .computed),
        .user: Attribute(kind: .uuid, use: .notStored),
        .uuid: Attribute(kind: .string, use: .notStored),
        .sharingGroup: Attribute(kind: .string, use: .reserved),
        .systemBound: Attribute(kind: .number, use: .reserved),
        .derivesSyncID: Attribute(kind: .number, use: .reserved),
        .syncServiceIdentifier: Attribute(kind: .number, use: .reserved),
        .syncPublicKey: Attribute(kind: .blob, use: .reserved),
        .syncPublicIdentity: Attribute(kind: .blob, use: .reserved),
        .appClip: Attribute(kind: .number, use: .forbidden),
        .encryptedData: Attribute(kind: .data, use: .forbidden),
        .primaryKey: Attribute(kind: .data, use: .forbidden),
    ]

    private static let extraData: [AttributeName] = [
        .extraNotes, .extraHistory, .extraClientDefined0, .extraClientDefined1, .extraClientDefined2,
        .extraClientDefined3,
    ]
}

extension KeychainClass {
    private static let schemas = Dictionary(uniqueKeysWithValues: allCases.map { ($0, AttributeSchema($0)) })

    /// The attributes that items of this class have.
    package var schema: AttributeSchema { Self.schemas[self] ?? AttributeSchema(self) }
}
