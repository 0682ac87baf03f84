/// What an item must be to be meant by a query.
///
/// ```swift
/// let logins = try keychain.items(GenericPassword.self, where: .service("mail"), .account("kim"))
/// let hidden = try keychain.count(GenericPassword.self, where: .attribute("invi", true))
/// ```
public struct ItemCondition<Item: KeychainItem>: Equatable, Sendable {
    let name: String
    let value: ItemValue

    init(_ name: String, _ value: ItemValue) {
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
        case .no: Self("sync", false)
        case .yes: Self("sync", true)
        case .any: Self("sync", "syna")
        }
    }

    /// The group of the item; without it all groups of the program are searched.
    public static func group(_ name: String) -> Self { Self("agrp", .string(name)) }

    /// When the item can be read.
    public static func accessibility(_ accessibility: Accessibility) -> Self {
        Self("pdmn", .string(accessibility.rawValue))
    }

    /// An attribute by Apple's name, which may be one without a name here.
    public static func attribute(_ name: String, _ value: ItemValue) -> Self { Self(name, value) }

    /// How people call the item.
    public static func label(_ label: AttributeText) -> Self { Self("labl", label.value) }
}

extension ItemRequest {
    /// A query for the items of a class that fulfil all conditions; two about one attribute must be the same.
    init<Item: KeychainItem>(_ conditions: [ItemCondition<Item>]) throws(KeychainError) {
        self.init(["class": .string(Item.itemClass.rawValue)])
        for condition in conditions {
            guard self[condition.name] == nil || self[condition.name] == condition.value else {
                throw .invalid(.value(of: condition.name))
            }
            self[condition.name] = condition.value
        }
    }
}
