internal import KeyedArchive
internal import VaultCrypto
internal import VaultFormat
internal import VaultStore

/// The conditions of a request on items of one stored class.
struct ItemFilter: Sendable {
    /// An attribute and the value that it must have.
    struct Condition: Sendable {
        let name: AttributeName
        /// The index of the attribute among the match values, if it is one.
        let number: Int?
        let canonicalValue: [UInt8]
    }

    let itemClass: ItemClass
    /// Conditions on attributes of the class's own primary key, by whose digests items are found.
    private(set) var keyConditions: [Condition] = []
    /// Conditions on other attributes, which can be checked only when the metadata are opened.
    private(set) var otherConditions: [Condition] = []
    /// Whether items must be synchronizable or must not be; nil if it does not matter.
    private(set) var isSynchronizable: Bool? = false
    /// Whether the request has a condition on tombstones; otherwise they are left out.
    private(set) var includesTombstones = false
    let accessibility: Accessibility?
    let sha1: [UInt8]?
    let reference: ItemID?
    /// Whether there is a condition that no item can match.
    private let isImpossible: Bool
    /// The host that the server must equal or be a subdomain of.
    let host: String?

    /// Creates the filter for items of `itemClass`, with conditions on the attributes that the class has.
    init(_ query: Query, _ itemClass: ItemClass) throws(KeychainError) {
        self.itemClass = itemClass
        accessibility = query.accessibility
        reference = query.persistentReference?.item
        host = query.host
        // All items belong to a single user, whose identifier is empty.
        isImpossible = query.foreign.entries.contains { $0.name != .user || $0.value != .data([]) }
        if case .data(let digest)? = query.computed[.sha1] { sha1 = digest } else { sha1 = nil }
        for (name, value) in query.attributes.entries { try add(name, value) }
        for (name, value) in query.computed.entries where name != .sha1 { try add(name, value) }
        try addSynchronizability(query)
        includesTombstones = query.attributes[.tombstone] != nil
    }

    private mutating func addSynchronizability(_ query: Query) throws(KeychainError) {
        switch query.synchronizability {
        // A reference finds its item whether it is synchronizable or not.
        case .unspecified: isSynchronizable = reference == nil ? false : nil
        case .any: isSynchronizable = nil
        case .value(let value):
            isSynchronizable = nil
            try add(.synchronizable, value)
            if let condition = otherConditions.last { isSynchronizable = condition.canonicalValue != Self.flags[0] }
        }
    }

    private mutating func add(_ name: AttributeName, _ value: ItemValue) throws(KeychainError) {
        guard let attribute = itemClass.table.attribute(name.rawValue) else { return }
        guard let value = value.archived,
            let canonicalValue = try? CanonicalValue.bytes(of: value, kind: attribute.kind)
        else {
            throw .invalid(.value(of: name.rawValue))
        }
        let number = attribute.matchNumber
        let condition = Condition(name: name, number: number, canonicalValue: canonicalValue)
        if let number, number < itemClass.table.primaryKeyCount {
            keyConditions.append(condition)
        } else {
            otherConditions.append(condition)
        }
    }

    /// The filter that also requires this value of an attribute; nil if it already requires another value.
    func requiring(_ name: AttributeName, _ value: ItemValue) throws(KeychainError) -> ItemFilter? {
        var filter = self
        try filter.add(name, value)
        let values = (filter.keyConditions + filter.otherConditions).filter { $0.name == name }.map(\.canonicalValue)
        guard values.allSatisfy({ $0 == values.first }) else { return nil }
        return values.count > 1 ? self : filter
    }

    // MARK: - Finding

    /// Whether there are no conditions on attributes.
    var hasNoConditions: Bool { keyConditions.isEmpty && otherConditions.isEmpty && host == nil }

    /// Whether the primary key is enough to check all conditions.
    var hasOnlyKeyConditions: Bool {
        host == nil
            && otherConditions.allSatisfy { $0.name == .synchronizable && Self.flags.contains($0.canonicalValue) }
    }

    /// The primary keys of the items that match, if the request gives all their attributes.
    ///
    /// Attributes that only Apple's systems set are assumed to be missing.
    var primaryKeys: [PrimaryKey]? {
        guard keyConditions.count == itemClass.table.primaryKeyCount, !hasExtendedConditions else { return nil }
        return (isSynchronizable.map { [$0] } ?? [false, true]).map { flag in
            PrimaryKey(itemClass) { number in
                if number == itemClass.table.synchronizableNumber { return Self.flags[flag ? 1 : 0] }
                return keyConditions.first { $0.number == number }?.canonicalValue
            }
        }
    }

    private var hasExtendedConditions: Bool {
        otherConditions.contains { condition in
            ItemClass.sharedPrimaryKey.contains(condition.name.rawValue)
                && (condition.name != .synchronizable || !Self.flags.contains(condition.canonicalValue))
        }
    }

    /// The canonical values of false and true.
    private static let flags = [0, 1].map { (try? CanonicalValue.bytes(of: .integer($0), kind: .number)) ?? [] }

    // MARK: - Matching

    /// Whether an item may match, as far as that is known without its metadata.
    func mayMatch(_ item: StoredItem, in vault: VaultID) -> Bool {
        guard !isImpossible, item.itemClass == itemClass, item.presence != .destroyed else { return false }
        if let isSynchronizable, item.flags.contains(.synchronizable) != isSynchronizable { return false }
        if !includesTombstones, item.flags.contains(.tombstone) { return false }
        if let accessibility, item.protection != accessibility.protection { return false }
        if let sha1, item.revision.sha1(vault: vault) != sha1 { return false }
        return true
    }

    /// Whether an item with these attributes matches.
    func matches(_ attributes: ItemAttributes) -> Bool {
        isOnHost(attributes)
            && (keyConditions + otherConditions).allSatisfy { condition in
                // For an attribute without a default, missing and empty are not the same.
                guard hasDefault(condition.name) || attributes[condition.name] != nil else { return false }
                return attributes.hasCanonicalValue(condition.canonicalValue, of: condition.name.rawValue)
            }
    }

    /// Whether the server is the host or a subdomain of it; case matters, as in Apple's keychain.
    ///
    /// A server that is not text does not match.
    private func isOnHost(_ attributes: ItemAttributes) -> Bool {
        guard let host else { return true }
        guard case .string(let server)? = attributes[.server] else { return false }
        return server.isSameText(host) || server.utf8.reversed().starts(with: ("." + host).utf8.reversed())
    }

    private func hasDefault(_ name: AttributeName) -> Bool {
        name == .tombstone || itemClass.isInPrimaryKey(name)
    }
}
