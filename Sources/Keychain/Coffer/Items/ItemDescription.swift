internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// Everything that an answer can contain about an item.
struct ItemDescription: Sendable {
    let itemClass: KeychainClass
    let group: String
    let accessibility: Accessibility
    /// The stored attributes; nil if they are not needed.
    let attributes: ItemAttributes?
    let sha1: [UInt8]
    let item: ItemID
    let readData: ReadData?

    /// The attributes as a query returns them.
    var values: [String: ItemValue] {
        var values = ownValues
        values[.accessControl] = .accessControl(accessControl)
        values[.tombstone] = values[.tombstone] ?? .integer(0)
        values[.user] = .data([])
        return values
    }

    /// The attributes as an addition returns them: without an access control unless the caller gave one.
    var addedValues: [String: ItemValue] {
        var values = ownValues
        if attributes?[.accessControl] != nil { values[.accessControl] = .accessControl(accessControl) }
        return values
    }

    private var ownValues: [String: ItemValue] {
        guard let attributes else { return [:] }
        var values = Self.defaults(of: attributes.itemClass)
        for (name, value) in attributes.values {
            if let name = name.string { values[name] = ItemValue(value) }
        }
        values[.accessGroup] = .string(group)
        values[.accessibility] = .string(accessibility.rawValue)
        values[.sha1] = .data(sha1)
        return values
    }

    /// The values of attributes in the primary key that are not set.
    private static func defaults(of itemClass: ItemClass) -> [String: ItemValue] {
        var values: [String: ItemValue] = [:]
        values[.synchronizable] = .integer(0)
        for name in itemClass.primaryKey {
            values[name] =
                switch itemClass.attributes[name] {
                case .number: .integer(0)
                case .data: .data([])
                case .date: .date(secondsSinceReferenceDate: 0)
                default: .string("")
                }
        }
        return values
    }

    /// The access control of a private key that may only be used, and demands the user for that.
    var usageControl: AccessControl? { attributes?.isPrivateKeyForUse ?? false ? accessControl : nil }

    private var accessControl: AccessControl {
        AccessControl(accessibility, attributes?.accessControl)
    }

    /// The data, unless it is a key that is not extractable, or only to be used.
    var data: [UInt8]? {
        let isHidden = attributes?[.isExtractable] == .integer(0) || attributes?.isPrivateKeyForUse ?? false
        return itemClass == .key && isHidden ? nil : readData?.bytes
    }

    var persistentReference: [UInt8] { PersistentReference(itemClass, item).bytes }

    /// The contents for an object, if the item is a certificate or a key; nil for passwords.
    var reference: ItemReference? {
        guard itemClass != .genericPassword, itemClass != .internetPassword else { return nil }
        return ItemReference(
            itemClass: itemClass,
            attributes: values,
            data: readData?.bytes,
            usageControl: usageControl
        )
    }
}

extension ItemDescription: AnswerSource {}

/// The data read from an item, wiped when the last description of the item is released.
final class ReadData: Sendable {
    private let buffer: SecretBuffer

    init(_ bytes: Span<UInt8>) { buffer = SecretBuffer(copying: bytes) }

    /// A copy for an answer.
    var bytes: [UInt8] { buffer.withSpan { [UInt8](copying: $0) } }
}
