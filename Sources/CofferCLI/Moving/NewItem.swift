internal import Coffer
internal import CofferBasics

/// A password that an import adds.
struct NewItem {
    let itemClass: KeychainClass
    var attributes: AttributeValues
    var secret: HeldSecret?
    /// The secrets that it had before, oldest first.
    var formerSecrets: [HeldSecret] = []
    var created: KeychainDate?
    var modified: KeychainDate?

    init(_ itemClass: KeychainClass, _ attributes: [AttributeName: String], secret: HeldSecret?) {
        self.itemClass = itemClass
        self.secret = secret
        self.attributes = AttributeValues()
        for (name, value) in attributes where !value.isEmpty { self.attributes[name] = .string(value) }
    }

    /// What tells it from other items of its group.
    var name: [String] {
        let key = itemClass.primaryKey + KeychainClass.sharedPrimaryKey
        return [itemClass.rawValue] + key.map { attributes[$0].map { "\($0)" } ?? "" }
    }

    /// Gives it another name than other items have: the path of a web password, or the service.
    mutating func distinguish(by text: String) {
        let name: AttributeName = itemClass == .internetPassword ? .path : .service
        let old = if case .string(let text)? = attributes[name] { text } else { "" }
        attributes[name] = .string(itemClass == .internetPassword ? "\(old)#\(text)" : "\(old) (\(text))")
    }
}
