/// Which items a caller means or adds, and what it wants back; all values are of the right kind.
package struct Query: Equatable, Sendable {
    /// Which items a request is about, as to being synchronizable.
    package enum Synchronizability: Equatable, Sendable {
        case unsaid
        case value(ItemValue)
        case any
    }

    /// What a caller wants to get.
    package struct Returns: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let data = Returns(rawValue: 1)
        package static let attributes = Returns(rawValue: 2)
        package static let reference = Returns(rawValue: 4)
        package static let persistentReference = Returns(rawValue: 8)
    }

    /// How many items a caller wants at most.
    package enum Limit: Equatable, Sendable {
        case one
        case count(Int)
        case all
    }

    package var itemClass: KeychainClass
    /// The attributes that are stored and compared, without group, protection and dates.
    package var attributes: [AttributeName: ItemValue] = [:]
    /// What no item has but the keychain of another system: a user of its own, an id for synchronisation.
    package var foreign: [AttributeName: ItemValue] = [:]
    /// Dates and digests, which can only be compared.
    package var computed: [AttributeName: ItemValue] = [:]
    package var group: ItemValue?
    package var accessibility: Accessibility?
    package var accessControl: AccessControl?
    package var synchronizability = Synchronizability.unsaid
    package var data: [UInt8]?
    package var persistentReference: PersistentReference?
    package var returns: Returns = []
    package var limit = Limit.one
    /// The host that a server must be, or be a subdomain of.
    package private(set) var host: String?

    package init(_ itemClass: KeychainClass) { self.itemClass = itemClass }
}

extension Query {
    /// Reads an attribute that the caller has named.
    package mutating func set(_ text: String, _ value: ItemValue) throws(KeychainError) {
        guard let name = AttributeName(text), let attribute = itemClass.schema[name] else {
            throw .noSuchAttribute(text)
        }
        if attribute.use == .reserved { throw .notEntitled(.reservedAttribute(text)) }
        guard attribute.use != .forbidden else { throw .invalid(.unknownKey(text)) }
        // Which kinds a group may have depends on the operation.
        if name == .accessGroup {
            group = value
            return
        }
        guard let coerced = attribute.kind.coerced(value) else { throw .invalid(.value(of: text)) }
        switch (name, coerced) {
        case (.accessibility, .string(let text)):
            guard let known = Accessibility(rawValue: text) else { throw .invalid(.value(of: name.rawValue)) }
            accessibility = known
        case (.accessControl, .accessControl(let control)): accessControl = control
        case (.synchronizable, .string(let text)) where text.isText("syna"): synchronizability = .any
        case (.synchronizable, _): synchronizability = .value(coerced)
        default:
            switch attribute.use {
            case .computed: computed[name] = coerced
            case .overruled: foreign[name] = coerced
            default: attributes[name] = coerced
            }
        }
    }

    /// Reads the host that a server must be, or be a subdomain of.
    package mutating func setHost(_ value: ItemValue) throws(KeychainError) {
        guard case .string(let host) = value else { throw .invalid(.value(of: Self.hostKey)) }
        guard itemClass == .internetPassword else { throw .unsupportedCondition(Self.hostKey) }
        self.host = host
    }

    /// The data, by Apple's name.
    package static let dataKey = "v_Data"

    /// The condition about a host, by Apple's name.
    package static let hostKey = "m_HostOrSubdomainOfHost"

    /// A protection and an access control may only stand together if they say the same.
    package func checkProtection() throws(KeychainError) {
        guard let accessibility, let accessControl else { return }
        guard accessControl.conditions == nil, accessControl.accessibility == accessibility else {
            throw .invalid(.conflictingProtection)
        }
    }

    /// Throws unless the issuer is bytes, and the access control is one that the item can have.
    package static func checkObjects(in value: (AttributeName) -> ItemValue?) throws(KeychainError) {
        if let issuer = value(.issuer) { guard case .data = issuer else { throw .invalid(.value(of: .issuer)) } }
        guard let accessControl = value(.accessControl) else { return }
        guard case .accessControl(let control) = accessControl else { throw .invalid(.value(of: .accessControl)) }
        guard control.conditions == nil || value(.synchronizable) != .bool(true) else {
            throw .invalid(.conditionsOnSynchronizableItem)
        }
    }
}
