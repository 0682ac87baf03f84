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

    /// What tells it from other items of its group, byte by byte.
    var name: [[UInt8]] {
        [Array(itemClass.rawValue.utf8)] + itemClass.primaryKey.map { bytes(of: $0) }
    }

    private func bytes(of attribute: String) -> [UInt8] {
        switch attributes[attribute] {
        case .string(let text)?: Array(text.utf8)
        case .data(let bytes)?: bytes
        case .integer(let number)?: Array(String(number).utf8)
        default: []
        }
    }

    /// Gives it another name than other items have: the path of a web password, or the service.
    mutating func distinguish(by text: String) {
        let name: AttributeName = itemClass == .internetPassword ? .path : .service
        let old = if case .string(let text)? = attributes[name] { text } else { "" }
        attributes[name] = .string(itemClass == .internetPassword ? "\(old)#\(text)" : "\(old) (\(text))")
    }
}

// Items with the same attributes and secret are the same.
extension NewItem: Hashable {
    static func == (item: NewItem, other: NewItem) -> Bool {
        item.attributes == other.attributes && HeldSecret.areSame(item.secret, other.secret)
    }

    func hash(into hasher: inout Hasher) {
        for name in attributes.values.keys.sorted() { hasher.combine(bytes(of: name)) }
        secret?.bytes.withSpan { bytes in for index in bytes.indices { hasher.combine(bytes[index]) } }
    }
}
