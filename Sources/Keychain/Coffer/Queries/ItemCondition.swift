/// A condition that an item must meet to match a query.
///
/// ```swift
/// let logins = try keychain.items(GenericPassword.self, where: .service("mail"), .account("kim"))
/// let hidden = try keychain.count(GenericPassword.self, where: .attribute("invi", true))
/// ```
public struct ItemCondition<Item: KeychainItem>: Equatable, Sendable {
    let content: ConditionContent

    init(_ name: AttributeName, _ value: ItemValue) { self = .attribute(name.rawValue, value) }

    init(_ content: ConditionContent) { self.content = content }

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
    public static func attribute(_ name: String, _ value: ItemValue) -> Self { Self(.attribute(name, value)) }

    /// All of these conditions.
    package static func all(_ conditions: [Self]) -> Self { Self(.all(conditions.map(\.content))) }

    /// The name of the item, as shown to people.
    public static func label(_ label: String) -> Self { Self(.label, .string(label)) }
}

/// A condition on items, whose class is known where it is used.
enum ConditionContent: Equatable, Sendable {
    case attribute(String, ItemValue)
    case all([ConditionContent])

    /// Appends the conditions on single attributes.
    func append(to list: inout [(name: String, value: ItemValue)]) {
        switch self {
        case .attribute(let name, let value): list.append((name, value))
        case .all(let contents): for content in contents { content.append(to: &list) }
        }
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
