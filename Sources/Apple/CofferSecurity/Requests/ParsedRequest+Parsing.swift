internal import Coffer
internal import CofferCertificates

/// A request whose keys are sorted by kind.
struct ParsedRequest: Sendable {
    var query: Query
    /// The conditions other than attributes and the limit.
    private(set) var matches: [String: ItemValue] = [:]
    let policy: TrustPolicy?
    private(set) var hasLimit = false
    private(set) var hasItemList = false

    /// The maximum number of keys in a request and attributes of its class, added together.
    private static let maximumKeyCount = 128

    /// Sorts the keys of a request by their form alone, as Apple's keychain does.
    init(_ request: ItemRequest) throws(KeychainError) {
        let reference = try Self.persistentReference(request["v_PersistentRef"])
        query = Query(try Self.itemClass(request["class"], reference))
        query.persistentReference = reference
        policy = request.policy
        guard request.values.count + query.itemClass.schema.count <= Self.maximumKeyCount else {
            throw .invalid(.tooManyKeys)
        }
        guard !request.hasOtherKey else { throw .invalid(.keyNotText) }
        guard !request.hasNumberKey else { throw .noSuchAttribute("") }
        for (key, value) in request.values { try read(key, value) }
        try query.checkProtection()
    }

    private static func persistentReference(_ value: ItemValue?) throws(KeychainError) -> PersistentReference? {
        guard let value else { return nil }
        guard case .data(let bytes) = value else { throw .invalid(.persistentReference) }
        if let reference = PersistentReference(bytes) { return reference }
        // Apple's keychain knows this class name, although the class has no items.
        if bytes.count == PersistentReference.byteCount, bytes.starts(with: "apls".utf8) { throw .noSuchClass("apls") }
        throw .invalid(.persistentReference)
    }

    private static func itemClass(
        _ value: ItemValue?,
        _ reference: PersistentReference?
    ) throws(KeychainError) -> KeychainClass {
        guard let value else {
            guard let reference else { throw .invalid(.missingClass) }
            return reference.itemClass
        }
        guard case .string(let name) = value else { throw .invalid(.missingClass) }
        guard let itemClass = KeychainClass.allCases.first(where: { name.isSameText($0.rawValue) }),
            reference.map({ $0.itemClass == itemClass }) ?? true
        else { throw .noSuchClass(name) }
        return itemClass
    }

    // MARK: - Keys

    private mutating func read(_ key: String, _ value: ItemValue) throws(KeychainError) {
        if key.utf16.count == 4 {
            // The key that chooses between the two keychains of macOS has no effect here.
            guard !key.isSameText("nleg") else { return }
            // An issuer may be given as a whole name.
            if case .data(let name) = value, key.isSameText(AttributeName.issuer.rawValue),
                let name = name.normalizedName
            {
                try query.set(key, .data(name))
            } else {
                try query.set(key, value)
            }
            return
        }
        guard key.utf16.count > 1, let first = key.utf8.first else { throw .invalid(.unknownKey(key)) }
        switch first {
        case UInt8(ascii: "c") where key.isSameText("class"): break
        case UInt8(ascii: "m"): try readMatch(key, value)
        case UInt8(ascii: "r"): try readReturn(key, value)
        case UInt8(ascii: "u"): try readUse(key, value)
        case UInt8(ascii: "v"): try readValue(key, value)
        // Callbacks, which are ignored.
        case UInt8(ascii: "f"): break
        default: throw .invalid(.unknownKey(key))
        }
    }

    private mutating func readMatch(_ key: String, _ value: ItemValue) throws(KeychainError) {
        guard key.isSameText("m_Limit") else {
            matches[key] = value
            return
        }
        hasLimit = true
        let wholeNumber = if case .real(let number) = value { Int64(exactly: number) } else { Int64?.none }
        switch wholeNumber.map({ .integer($0) }) ?? value {
        case .string(let name) where name.isSameText("m_LimitOne"): query.limit = .one
        case .string(let name) where name.isSameText("m_LimitAll"): query.limit = .all
        case .integer(1): query.limit = .one
        case .integer(-1): query.limit = .all
        case .integer(let count) where count >= 0: query.limit = .count(Int(clamping: count))
        default: throw .invalid(.value(of: key))
        }
    }

    private mutating func readReturn(_ key: String, _ value: ItemValue) throws(KeychainError) {
        let kind: Query.Returns? =
            switch key {
            case "r_Data": .data
            case "r_Attributes": .attributes
            case "r_Ref": .reference
            case "r_PersistentRef": .persistentReference
            default: nil
            }
        guard let kind else { throw .invalid(.unknownKey(key)) }
        guard case .bool(let isWanted) = value else { throw .invalid(.value(of: key)) }
        if isWanted { query.returns.insert(kind) }
    }

    /// Keys that are not read here: `ItemRequest.authentication` reads those about prompts, and the rest has no effect.
    private static let ignoredUseKeys: Set<String> = [
        "u_AuthUI", "u_NoAuthUI", "u_CredRef", "u_OpPrompt", "u_CallerName", "u_TokenRawItems", "u_AuthCtx",
        "u_UserIndependentKeychain",
    ]
    private static let reservedUseKeys: Set<String> = [
        "u_SystemKeychain", "u_SystemKeychainAlways", "u_SyncBubbleKeychain",
    ]

    private mutating func readUse(_ key: String, _ value: ItemValue) throws(KeychainError) {
        guard key.utf8.allSatisfy({ $0 < 0x80 }) else { throw .invalid(.unknownKey(key)) }
        switch key {
        case "u_ItemList": hasItemList = true
        case "u_Tomb":
            guard case .integer? = ValueKind.number.coerced(value) else { throw .invalid(.value(of: key)) }
        case _ where Self.ignoredUseKeys.contains(key): break
        case _ where Self.reservedUseKeys.contains(key): throw .notEntitled(.reservedAttribute(key))
        default: throw .invalid(.unknownKey(key))
        }
    }

    private mutating func readValue(_ key: String, _ value: ItemValue) throws(KeychainError) {
        switch key {
        case Query.dataKey:
            guard case .data(let bytes) = value else { throw .invalid(.value(of: key)) }
            query.data = bytes
        case "v_PersistentRef": break
        default: throw .invalid(.unknownKey(key))
        }
    }
}
