/// The changes of an update: attributes, data, group and protection.
struct ItemChanges: Sendable {
    /// The new values of attributes that are stored and compared.
    var attributes = AttributeList()
    /// The attributes to remove, which a request by Apple's names cannot express.
    var removedNames: Set<AttributeName> = []
    /// The creation date, which an update may set, as in Apple's keychain.
    var creationDate: ItemValue?
    var group: ItemValue?
    var accessibility: Accessibility?
    var accessControl: AccessControl?
    /// Whether the items become synchronizable or stop being so.
    var synchronizable: ItemValue?
    var data: [UInt8]?

    private static let forbidden: Set<String> = ["rowid", "data", "v_pk", "clip", "ggrp"]
    private static let ignored: Set<String> = ["musr", "persistref", "nleg"]

    /// Creates a value without changes.
    init() {}

    /// Reads the changes to items of a class from attributes by name.
    init(_ values: [String: ItemValue], of itemClass: KeychainClass) throws(KeychainError) {
        for (key, value) in values { try read(key, value, itemClass.schema) }
        if let accessibility, let accessControl {
            guard accessControl.conditions == nil, accessControl.accessibility == accessibility else {
                throw .invalid(.conflictingProtection)
            }
        }
    }

    private mutating func read(_ key: String, _ value: ItemValue, _ schema: AttributeSchema) throws(KeychainError) {
        if Self.ignored.contains(key) { return }
        guard !Self.forbidden.contains(key) else { throw .invalid(.keyNotAllowedHere(key)) }
        if key.isSameText(Query.dataKey) {
            guard case .data(let bytes) = value else { throw .invalid(.value(of: key)) }
            data = bytes
            return
        }
        guard let attribute = schema[key] else { throw .noSuchAttribute(key) }
        let name = attribute.name
        if attribute.use == .reserved { throw .notEntitled(.reservedAttribute(key)) }
        if name == .accessGroup {
            group = value
            return
        }
        guard let coerced = attribute.kind.coerced(value) else { throw .invalid(.value(of: key)) }
        switch (name, coerced) {
        case (.accessibility, .string(let text)):
            guard let known = Accessibility(rawValue: text) else { throw .invalid(.value(of: key)) }
            accessibility = known
        case (.accessControl, .accessControl(let control)): accessControl = control
        // "Any" is meant for queries; an item cannot have this value.
        case (.synchronizable, .string(let text)) where text.isSameText("syna"): break
        case (.synchronizable, _): synchronizable = coerced
        case (.creationDate, _): creationDate = coerced
        case _ where attribute.use == .stored: attributes[name] = coerced
        // Digests and the modification date cannot be set.
        default: break
        }
    }
}
