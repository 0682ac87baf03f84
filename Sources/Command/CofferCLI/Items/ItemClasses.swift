internal import Coffer

extension KeychainClass {
    /// All classes of stored items.
    static let stored: [KeychainClass] = [.genericPassword, .internetPassword, .certificate, .key]

    /// The one of `classes` that `--class` names.
    init(shortName: String, among classes: [KeychainClass] = stored) throws {
        guard let found = classes.first(where: { $0.shortName == shortName }) else {
            throw CommandError.unknown("item class", shortName, among: classes.map(\.shortName))
        }
        self = found
    }
}

extension Option {
    static let itemClass = Option(
        "--class",
        argument: .value("CLASS", .words(KeychainClass.stored.map(\.shortName))),
        summary: "only items of this class: generic, internet, certificate or key"
    )
}

extension ItemSelection {
    /// The conditions for items of a class to match; nil if none of that class can.
    func conditions<Item: KeychainItem>(for type: Item.Type) -> [ItemCondition<Item>]? {
        var conditions: [ItemCondition<Item>] = [.synchronizable(.any)]
        if let group { conditions.append(.group(group)) }
        switch Item.itemClass {
        case .genericPassword, .internetPassword:
            let name = Item.itemClass == .genericPassword ? "svce" : "srvr"
            if let service { conditions.append(.attribute(name, service.itemValue)) }
            if let account { conditions.append(.attribute("acct", account.itemValue)) }
        case .certificate, .key, .identity:
            // Only passwords have accounts.
            guard account == nil else { return nil }
            if let service { conditions.append(.attribute("labl", service.itemValue)) }
        }
        return conditions
    }
}
