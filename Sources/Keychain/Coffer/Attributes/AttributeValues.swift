internal import KeyedArchive
internal import VaultFormat

/// The attributes of an item, by Apple's names.
///
/// The properties of ``GenericPassword`` and the other types of items read and write these values.
///
/// ```swift
/// var attributes = AttributeValues()
/// attributes["acct"] = "kim"
/// GenericPassword(attributes: attributes).account  // "kim"
/// ```
public struct AttributeValues: Equatable, Sendable {
    /// The values by their names.
    package private(set) var values: [String: ItemValue] = [:]

    /// Creates an empty collection of attributes.
    public init() {}

    /// The value of an attribute, or nil if the item does not have it.
    public subscript(name: String) -> ItemValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The value of an attribute, or nil if the item does not have it.
    public subscript(name: AttributeName) -> ItemValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

// MARK: - Typed views

extension AttributeValues {
    /// Text; bytes that are not UTF-8 are read as U+FFFD.
    subscript(text name: AttributeName) -> String? {
        get {
            if case .string(let text)? = values[name] { return text }
            return self[data: name].map { String(decoding: $0, as: UTF8.self) }
        }
        set { values[name] = newValue.map { .string($0) } }
    }

    /// Text in the primary key, where missing and empty are the same.
    subscript(keyText name: AttributeName) -> String {
        get { self[text: name] ?? "" }
        set { self[text: name] = newValue.isEmpty ? nil : newValue }
    }

    /// The bytes of text in the primary key, where missing and empty are the same.
    subscript(keyTextBytes name: AttributeName) -> [UInt8] {
        get { self[data: name] ?? [] }
        set { values[name] = newValue.isEmpty ? nil : ItemValue(textBytes: newValue) }
    }

    subscript(data name: AttributeName) -> [UInt8]? {
        get { values[name].flatMap(\.bytes) }
        set { values[name] = newValue.map { .data($0) } }
    }

    /// Bytes in the primary key, where missing and empty are the same.
    subscript(keyData name: AttributeName) -> [UInt8] {
        get { self[data: name] ?? [] }
        set { self[data: name] = newValue.isEmpty ? nil : newValue }
    }

    /// A whole number, or nil if the value is missing or not a whole number.
    subscript(number name: AttributeName) -> Int? {
        get {
            switch values[name] {
            case .integer(let number): Int(exactly: number)
            case .real(let number): Int(exactly: number)
            case .string(let text): Int(text)
            default: nil
            }
        }
        set { values[name] = newValue.map { .integer(Int64($0)) } }
    }

    /// A number in the primary key, where missing and 0 are the same.
    subscript(keyNumber name: AttributeName) -> Int {
        get { self[number: name] ?? 0 }
        set { self[number: name] = newValue == 0 ? nil : newValue }
    }

    subscript(flag name: AttributeName) -> Bool? {
        get { self[number: name].map { $0 != 0 } }
        set { self[number: name] = newValue.map { $0 ? 1 : 0 } }
    }

    /// A date in the primary key, where missing and the start of 2001 are the same.
    subscript(keyDate name: AttributeName) -> KeychainDate {
        get {
            guard case .date(let seconds)? = values[name] else { return KeychainDate(secondsSinceReferenceDate: 0) }
            return KeychainDate(secondsSinceReferenceDate: seconds)
        }
        set {
            let seconds = newValue.secondsSinceReferenceDate
            values[name] = seconds == 0 ? nil : .date(secondsSinceReferenceDate: seconds)
        }
    }

    package var accessControl: AccessControl? {
        if case .accessControl(let control)? = values[.accessControl] { control } else { nil }
    }
}

// MARK: - From and to the keychain

extension AttributeValues {
    /// The attributes of a stored item that a caller may choose.
    init(_ attributes: ItemAttributes, group: String, accessibility: Accessibility) {
        let itemClass = KeychainClass(attributes.itemClass)
        let schema = itemClass.schema
        for (name, value) in attributes.values {
            guard let attribute = name.string.flatMap({ schema[$0] }), attribute.use == .stored,
                attribute.name != .tombstone
            else {
                continue
            }
            let value = ItemValue(value)
            if !Self.isDefault(value, attribute.name, attributes.itemClass) { values[attribute.name] = value }
        }
        values[.accessGroup] = .string(group)
        if let stored = attributes.accessControl {
            values[.accessControl] = .accessControl(AccessControl(accessibility, stored))
        } else {
            values[.accessibility] = .string(accessibility.rawValue)
        }
    }

    /// Whether a value is equivalent to a missing one, which is possible only in the primary key.
    private static func isDefault(_ value: ItemValue, _ name: AttributeName, _ itemClass: ItemClass) -> Bool {
        guard itemClass.isInPrimaryKey(name) else { return false }
        return switch value {
        case .string(let text): text.utf8.isEmpty
        case .data(let bytes): bytes.isEmpty
        case .integer(let number): number == 0
        case .real(let number), .date(let number): number == 0
        default: false
        }
    }

    /// The changes that turn an item with the attributes `old` into one with these.
    ///
    /// Its group and its protection stay unless these attributes name others.
    func changes(from old: AttributeValues, of itemClass: KeychainClass) throws(KeychainError) -> ItemChanges {
        var changes = try changes(of: itemClass) { old.values[$0] != $1 }
        for text in old.values.keys where values[text] == nil {
            guard let attribute = itemClass.schema[text], attribute.use == .stored else { continue }
            if attribute.name == .synchronizable {
                changes.synchronizable = .integer(0)
            } else {
                changes.removedNames.insert(attribute.name)
            }
        }
        return changes
    }

    /// The changes that set those of these attributes for which `isChanged` returns true, and no others.
    func changes(
        of itemClass: KeychainClass,
        where isChanged: (String, ItemValue) -> Bool = { _, _ in true }
    ) throws(KeychainError) -> ItemChanges {
        let values = values.filter { isChanged($0.key, $0.value) }
        try Query.checkObjects { values[$0] }
        return try ItemChanges(values, of: itemClass)
    }
}
