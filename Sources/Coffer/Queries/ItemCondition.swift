/// What an item must be to be meant by a query.
///
/// ```swift
/// let logins = try keychain.items(GenericPassword.self, where: .service("mail"), .account("kim"))
/// let hidden = try keychain.count(GenericPassword.self, where: .attribute("invi", true))
/// ```
public struct ItemCondition<Item: KeychainItem>: Equatable, Sendable {
    let name: String
    let value: ItemValue

    init(_ name: AttributeName, _ value: ItemValue) { self = .attribute(name.rawValue, value) }

    init(byName name: String, _ value: ItemValue) {
        self.name = name
        self.value = value
    }

    /// Which items are meant as to being synchronizable.
    public enum Synchronizability: Sendable {
        /// Those that are not, as in a query that does not say.
        case no
        /// Those that are.
        case yes
        /// All.
        case any
    }

    /// Whether items may be synchronizable.
    public static func synchronizable(_ which: Synchronizability) -> Self {
        switch which {
        case .no: Self(.synchronizable, false)
        case .yes: Self(.synchronizable, true)
        case .any: Self(.synchronizable, "syna")
        }
    }

    /// The group of the item; without it all groups of the program are searched.
    public static func group(_ name: String) -> Self { Self(.accessGroup, .string(name)) }

    /// When the item can be read.
    public static func accessibility(_ accessibility: Accessibility) -> Self {
        Self(.accessibility, .string(accessibility.rawValue))
    }

    /// An attribute by Apple's name, which may be one without a name here.
    public static func attribute(_ name: String, _ value: ItemValue) -> Self { Self(byName: name, value) }

    /// How people call the item.
    public static func label(_ label: AttributeText) -> Self { Self(.label, label.value) }
}

extension Query {
    /// A query for the items that fulfil all conditions; two about one attribute must be the same.
    init<Item: KeychainItem>(
        _ conditions: [ItemCondition<Item>],
        of itemClass: KeychainClass = Item.itemClass,
        returning returns: Returns = []
    ) throws(KeychainError) {
        self.init(itemClass)
        self.returns = returns
        try Self.checkObjects { name in conditions.first { $0.name == name.rawValue }?.value }
        for condition in conditions {
            let (name, value) = (condition.name, condition.value)
            guard conditions.allSatisfy({ $0.name != name || $0.value == value }) else {
                throw .invalid(.value(of: name))
            }
            if name == Query.hostKey { try setHost(value) } else { try set(name, value) }
        }
        try checkProtection()
    }
}

extension [String: ItemValue] {
    /// What a query with these conditions says by Apple's names.
    init<Item: KeychainItem>(announcing conditions: [ItemCondition<Item>], of itemClass: KeychainClass = Item.itemClass)
    {
        self = ["class": .string(itemClass.rawValue)]
        for condition in conditions { self[condition.name] = condition.value }
    }
}
