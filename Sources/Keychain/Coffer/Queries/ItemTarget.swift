/// What a call is about: the items of a class that meet conditions, or one of them by its reference.
struct ItemTarget: Sendable {
    private let itemClass: KeychainClass
    private var conditions: [(name: String, value: ItemValue)] = []
    private var reference: PersistentReference?

    /// Creates the target of all items that meet all conditions.
    ///
    /// Specialized, since going through the conditions of any type takes longer than finding the item.
    @specialized(where Item == GenericPassword)
    @specialized(where Item == InternetPassword)
    init<Item: KeychainItem>(_ conditions: [ItemCondition<Item>], of itemClass: KeychainClass = Item.itemClass) {
        self.itemClass = itemClass
        self.conditions.reserveCapacity(conditions.count)
        for condition in conditions { condition.content.append(to: &self.conditions) }
    }

    /// Creates the target of one item.
    init<Item: KeychainItem>(_ reference: KeychainReference<Item>) {
        itemClass = Item.itemClass
        self.reference = reference.persistentReference
    }

    /// The target as a request, by Apple's names.
    var request: [String: ItemValue] {
        var request: [String: ItemValue] = ["class": .string(itemClass.rawValue)]
        for (name, value) in conditions { request[name] = value }
        if let reference { request["v_PersistentRef"] = .data(reference.bytes) }
        return request
    }

    /// Returns the query for the target; two conditions on one attribute must be the same.
    func query(returning returns: Query.Returns = []) throws(KeychainError) -> Query {
        var query = Query(itemClass)
        query.returns = returns
        query.persistentReference = reference
        try Query.checkObjects { name in conditions.first { $0.name == name.rawValue }?.value }
        for (name, value) in conditions {
            guard conditions.allSatisfy({ $0.name != name || $0.value == value }) else {
                throw .invalid(.value(of: name))
            }
            if name == Query.hostKey { try query.setHost(value) } else { try query.set(name, value) }
        }
        try query.checkProtection()
        return query
    }
}

extension CallAnnouncer {
    /// Announces an operation on stored items.
    func announce(
        _ operation: KeychainOperation,
        _ target: @autoclosure () -> ItemTarget,
        carriesSecret: Bool = false
    ) throws(KeychainError) {
        try announce(operation, carriesSecret: carriesSecret) { target().request }
    }
}
