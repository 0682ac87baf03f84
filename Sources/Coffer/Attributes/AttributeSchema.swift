internal import VaultFormat

/// Which attributes the items of a class have.
struct AttributeSchema: Sendable {
    /// What a caller may do with an attribute.
    enum Use: Sendable {
        /// It is stored with the item, and compared.
        case stored
        /// It is part of how the item is kept: its group, its protection.
        case placing
        /// It can be compared, not chosen.
        case computed
        /// It may be given, and is overruled.
        case overruled
        /// Only parts of Apple's systems may name it.
        case reserved
        /// Nobody may name it.
        case forbidden
    }

    /// One attribute.
    struct Attribute: Sendable {
        let kind: ValueKind
        let use: Use
    }

    private let attributes: [String: Attribute]

    /// How many attributes there are.
    var count: Int { attributes.count }

    init(_ itemClass: KeychainClass) {
        var attributes = Self.common
        for stored in itemClass.stored.reversed() {
            for (name, kind) in stored.attributes where Self.common[name] == nil {
                attributes[name] = Attribute(kind: ValueKind(kind), use: .stored)
            }
        }
        if itemClass == .internetPassword {
            for name in Self.extraData { attributes[name] = Attribute(kind: .data, use: .reserved) }
        }
        self.attributes = attributes
    }

    /// The attribute with this name, byte for byte.
    subscript(name: String) -> Attribute? { attributes[name] }

    /// What all classes have and the format has otherwise, or not at all.
    private static let common: [String: Attribute] = [
        "agrp": Attribute(kind: .string, use: .placing),
        "pdmn": Attribute(kind: .accessibility, use: .placing),
        "accc": Attribute(kind: .accessControl, use: .placing),
        "sync": Attribute(kind: .synchronizable, use: .stored),
        "tomb": Attribute(kind: .synchronizable, use: .stored),
        "cdat": Attribute(kind: .date, use: .computed),
        "mdat": Attribute(kind: .date, use: .computed),
        "sha1": Attribute(kind: .sha1, use: .computed),
        "musr": Attribute(kind: .uuid, use: .overruled),
        "UUID": Attribute(kind: .string, use: .overruled),
        "ggrp": Attribute(kind: .string, use: .reserved),
        "sysb": Attribute(kind: .number, use: .reserved),
        "dspk": Attribute(kind: .number, use: .reserved),
        "pcss": Attribute(kind: .number, use: .reserved),
        "pcsk": Attribute(kind: .blob, use: .reserved),
        "pcsi": Attribute(kind: .blob, use: .reserved),
        "clip": Attribute(kind: .number, use: .forbidden),
        "data": Attribute(kind: .data, use: .forbidden),
        "v_pk": Attribute(kind: .data, use: .forbidden),
    ]

    private static let extraData = ["binn", "bini", "bin0", "bin1", "bin2", "bin3"]
}

extension KeychainClass {
    private static let schemas = Dictionary(uniqueKeysWithValues: allCases.map { ($0, AttributeSchema($0)) })

    /// Which attributes items of this class have.
    var schema: AttributeSchema { Self.schemas[self] ?? AttributeSchema(self) }
}
