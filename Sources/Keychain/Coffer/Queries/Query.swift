/// The items that a caller looks for or adds, and what it wants back; all values are of the right kind.
package struct Query: Sendable {
    /// Whether a request is about synchronizable items.
    package enum Synchronizability: Equatable, Sendable {
        case unspecified
        case value(ItemValue)
        case any
    }

    /// What a request wants back.
    package struct Returns: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let data = Returns(rawValue: 1)
        package static let attributes = Returns(rawValue: 2)
        package static let reference = Returns(rawValue: 4)
        package static let persistentReference = Returns(rawValue: 8)
    }

    /// The maximum number of items that a request wants.
    package enum Limit: Equatable, Sendable {
        case one
        case count(Int)
        case all
    }

    package var itemClass: KeychainClass
    /// The attributes that are stored and compared, without group, protection and dates.
    package var attributes = AttributeList()
    /// Attributes that exist only on other systems, such as a user or an identifier for synchronization.
    package var foreign = AttributeList()
    /// Dates and digests, which can be compared but not set.
    package var computed = AttributeList()
    package var group: ItemValue?
    package var accessibility: Accessibility?
    package var accessControl: AccessControl?
    package var synchronizability = Synchronizability.unspecified
    package var data: [UInt8]?
    package var persistentReference: PersistentReference?
    package var returns: Returns = []
    package var limit = Limit.one
    /// The host that a server must equal or be a subdomain of.
    package private(set) var host: String?
    /// A condition on the contents of certificates.
    package var certificateCondition: CertificateCondition?

    package init(_ itemClass: KeychainClass) { self.itemClass = itemClass }
}

extension Query {
    /// Reads an attribute by the name that the caller gave.
    package mutating func set(_ text: String, _ value: ItemValue) throws(KeychainError) {
        guard let attribute = itemClass.schema[text] else { throw .noSuchAttribute(text) }
        let name = attribute.name
        if attribute.use == .reserved { throw .notEntitled(.reservedAttribute(text)) }
        guard attribute.use != .forbidden else { throw .invalid(.unknownKey(text)) }
        // The kinds of values that a group may have depend on the operation.
        if name == .accessGroup {
            group = value
            return
        }
        guard let coerced = attribute.kind.coerced(value) else { throw .invalid(.value(of: text)) }
        switch (name, coerced) {
        case (.accessibility, .string(let text)):
            if let known = Accessibility(rawValue: text) {
                accessibility = known
            } else {
                // Apple's keychain knows one more, which items cannot have.
                guard text.isSameText("f") else { throw .invalid(.value(of: name.rawValue)) }
                foreign[name] = coerced
            }
        case (.accessControl, .accessControl(let control)): accessControl = control
        case (.synchronizable, .string(let text)) where text.isSameText("syna"): synchronizability = .any
        case (.synchronizable, _): synchronizability = .value(coerced)
        default:
            switch attribute.use {
            case .computed: computed[name] = coerced
            case .notStored: foreign[name] = coerced
            default: attributes[name] = coerced
            }
        }
    }

    /// Reads the host that a server must equal or be a subdomain of.
    package mutating func setHost(_ value: ItemValue) throws(KeychainError) {
        guard case .string(let host) = value else { throw .invalid(.value(of: Self.hostKey)) }
        guard itemClass == .internetPassword else { throw .unsupportedCondition(Self.hostKey) }
        self.host = host
    }

    /// Apple's name for the data.
    package static let dataKey = "v_Data"

    /// Apple's name for the condition on the host.
    package static let hostKey = "m_HostOrSubdomainOfHost"

    /// Throws if an accessibility and an access control contradict each other.
    package func checkProtection() throws(KeychainError) {
        guard let accessControl, accessibility != nil || foreign[.accessibility] != nil else { return }
        guard accessControl.conditions == nil, accessControl.accessibility == accessibility else {
            throw .invalid(.conflictingProtection)
        }
    }

    /// Throws if the issuer is not bytes, or the access control is not one that the item can have.
    package static func checkObjects(in value: (AttributeName) -> ItemValue?) throws(KeychainError) {
        if let issuer = value(.issuer) { guard case .data = issuer else { throw .invalid(.value(of: .issuer)) } }
        guard let accessControl = value(.accessControl) else { return }
        guard case .accessControl(let control) = accessControl else { throw .invalid(.value(of: .accessControl)) }
        guard control.conditions == nil || value(.synchronizable) != .bool(true) else {
            throw .invalid(.conditionsOnSynchronizableItem)
        }
    }
}

extension Query {
    /// The attributes of an identity that are compared with its certificate; all others are compared with its key.
    private static let certificateNames: Set<AttributeName> = [
        .label, .issuer, .serialNumber, .subjectKeyID, .tokenID, .subject, .certificateType, .certificateEncoding,
        .publicKeyHash,
    ]

    /// The part of a request for identities that is about the certificates.
    var certificatePart: Query {
        var part = Query(.certificate)
        part.attributes = attributes.filter { Self.certificateNames.contains($0) }
        part.persistentReference = persistentReference
        // The key decides whether an identity is synchronizable.
        part.synchronizability = .any
        return part
    }

    /// The part of a request for identities that is about the keys.
    var keyPart: Query {
        var part = Query(.key)
        part.attributes = attributes.filter { !Self.certificateNames.contains($0) }
        part.computed = computed
        part.foreign = foreign
        part.accessibility = accessibility
        let isOpen = persistentReference != nil && synchronizability == .unspecified
        part.synchronizability = isOpen ? .any : synchronizability
        return part
    }
}
