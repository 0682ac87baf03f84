/// A condition that an item must meet to match a query.
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

    /// Whether a query matches synchronizable items.
    public enum Synchronizability: Sendable {
        /// Only items that are not synchronizable, which is the default.
        case no
        /// Only items that are synchronizable.
        case yes
        /// All items.
        case any
    }

    /// Whether the item is synchronizable.
    public static func synchronizable(_ which: Synchronizability) -> Self {
        switch which {
        case .no: Self(.synchronizable, false)
        case .yes: Self(.synchronizable, true)
        case .any: Self(.synchronizable, "syna")
        }
    }

    /// The access group of the item; without this condition, all groups of the program are searched, but in a vault that
    /// has, or ever had, a grant only its default group.
    public static func group(_ name: String) -> Self { Self(.accessGroup, .string(name)) }

    /// When the item can be read.
    public static func accessibility(_ accessibility: Accessibility) -> Self {
        Self(.accessibility, .string(accessibility.rawValue))
    }

    /// An attribute by Apple's name, including those without a condition of their own here.
    public static func attribute(_ name: String, _ value: ItemValue) -> Self { Self(byName: name, value) }

    /// The name of the item, as shown to people.
    public static func label(_ label: String) -> Self { Self(.label, .string(label)) }
}

extension Query {
    /// Creates a query for the items that meet all conditions; two conditions on one attribute must be the same.
    ///
    /// Specialized, since going through the conditions of any type takes longer than finding the item.
    @specialized(where Item == GenericPassword)
    @specialized(where Item == InternetPassword)
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
    /// The query with these conditions, by Apple's names.
    init<Item: KeychainItem>(announcing conditions: [ItemCondition<Item>], of itemClass: KeychainClass = Item.itemClass)
    {
        self = ["class": .string(itemClass.rawValue)]
        for condition in conditions { self[condition.name] = condition.value }
    }
}

/// A condition on the contents of certificates, which this module does not read.
package struct CertificateCondition: Sendable {
    /// Whether the data of a certificate matches.
    package typealias Check = @Sendable (_ data: [UInt8]) -> Bool

    /// Whether it depends on the other certificates of the program, too.
    let isAboutOthers: Bool
    /// Makes the check, from the data of those certificates.
    let makeCheck: @Sendable (_ others: [[UInt8]]) -> Check

    package init(isAboutOthers: Bool, makeCheck: @escaping @Sendable (_ others: [[UInt8]]) -> Check) {
        self.isAboutOthers = isAboutOthers
        self.makeCheck = makeCheck
    }
}
