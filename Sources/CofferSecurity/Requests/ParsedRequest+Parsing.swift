internal import Coffer

/// A request whose keys were told apart.
struct ParsedRequest: Sendable {
    var query: Query
    /// The conditions beside attributes, but for the limit.
    private(set) var matches: [String: ItemValue] = [:]
    private(set) var hasLimit = false
    private(set) var hasItemList = false

    /// The greatest number of attributes of a class and keys of a request together.
    private static let greatestKeyCount = 128

    /// Tells the keys of a request apart by their form alone, as Apple's keychain does.
    init(_ request: ItemRequest) throws(KeychainError) {
        let reference = try Self.persistentReference(request["v_PersistentRef"])
        query = Query(try Self.itemClass(request["class"], reference))
        query.persistentReference = reference
        guard request.values.count + query.itemClass.schema.count <= Self.greatestKeyCount else {
            throw .invalid(.tooManyKeys)
        }
        guard !request.hasOtherKey else { throw .invalid(.keyOfAnotherKind) }
        guard !request.hasNumberKey else { throw .noSuchAttribute("") }
        for (key, value) in request.values { try read(key, value) }
        try query.checkProtection()
    }

    private static func persistentReference(_ value: ItemValue?) throws(KeychainError) -> PersistentReference? {
        guard let value else { return nil }
        guard case .data(let bytes) = value, let reference = PersistentReference(bytes) else {
            throw .invalid(.persistentReference)
        }
        return reference
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
        guard let itemClass = KeychainClass.allCases.first(where: { name.isText($0.rawValue) }),
            reference.map({ $0.itemClass == itemClass }) ?? true
        else { throw .noSuchClass(name) }
        return itemClass
    }

    // MARK: - Keys

    private mutating func read(_ key: String, _ value: ItemValue) throws(KeychainError) {
        if key.utf16.count == 4 {
            // What chooses between two keychains of macOS chooses nothing here.
            if !key.isText("nleg") { try query.set(key, value) }
            return
        }
        guard key.utf16.count > 1, let first = key.utf8.first else { throw .invalid(.unknownKey(key)) }
        switch first {
        case UInt8(ascii: "c") where key.isText("class"): break
        case UInt8(ascii: "m"): try readMatch(key, value)
        case UInt8(ascii: "r"): try readReturn(key, value)
        case UInt8(ascii: "u"): try readUse(key, value)
        case UInt8(ascii: "v"): try readValue(key, value)
        // Callbacks, which are nobody's business here.
        case UInt8(ascii: "f"): break
        default: throw .invalid(.unknownKey(key))
        }
    }

    private mutating func readMatch(_ key: String, _ value: ItemValue) throws(KeychainError) {
        guard key.isText("m_Limit") else {
            matches[key] = value
            return
        }
        hasLimit = true
        let wholeNumber = if case .real(let number) = value { Int64(exactly: number) } else { Int64?.none }
        switch wholeNumber.map({ .integer($0) }) ?? value {
        case .string(let name) where name.isText("m_LimitOne"): query.limit = .one
        case .string(let name) where name.isText("m_LimitAll"): query.limit = .all
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

    /// Keys that say how to work, of which none means anything here: there are no prompts, and no marks of deleted items.
    private static let useKeysWithoutMeaning: Set<String> = [
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
        case _ where Self.useKeysWithoutMeaning.contains(key): break
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
