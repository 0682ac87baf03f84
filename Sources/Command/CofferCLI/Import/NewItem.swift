internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

/// An item that an import adds.
struct NewItem {
    /// What the item was before.
    struct Former {
        /// Its attributes; nil for those that it has now.
        var attributes: AttributeValues?
        var secret: HeldSecret?
    }

    /// Where the item is in its file, for messages.
    var place = ""
    let itemClass: KeychainClass
    var attributes: AttributeValues
    var secret: HeldSecret?
    /// What the item was before, oldest first.
    var former: [Former] = []
    /// Whether it has all that an item has, so that one that exists keeps nothing of its own.
    var isWhole = false
    var created: KeychainDate?
    var modified: KeychainDate?

    init(_ itemClass: KeychainClass, _ attributes: [AttributeName: String], secret: HeldSecret?) {
        self.itemClass = itemClass
        self.secret = secret
        self.attributes = AttributeValues()
        for (name, value) in attributes where !value.isEmpty { self.attributes[name] = .string(value) }
    }

    /// What tells it from other items, byte by byte.
    var name: [[UInt8]] {
        [Array(itemClass.rawValue.utf8)]
            + (itemClass.primaryKey + KeychainClass.sharedPrimaryKey + [AttributeName.accessGroup.rawValue]).map {
                attributes.bytes(of: $0)
            }
    }

    /// Whether it can be given another name than another item has.
    var canBeDistinguished: Bool { itemClass == .genericPassword || itemClass == .internetPassword }

    /// Gives it another name than other items have: the path of a web password, or the service.
    mutating func distinguish(by text: String) {
        let name: AttributeName = itemClass == .internetPassword ? .path : .service
        func distinguish(_ attributes: inout AttributeValues) {
            let old = if case .string(let text)? = attributes[name] { text } else { "" }
            attributes[name] = .string(itemClass == .internetPassword ? "\(old)#\(text)" : "\(old) (\(text))")
        }
        distinguish(&attributes)
        former = former.map { revision in
            var revision = revision
            if var attributes = revision.attributes {
                distinguish(&attributes)
                revision.attributes = attributes
            }
            return revision
        }
    }

    /// Puts it in a group.
    mutating func move(to group: String) {
        attributes[.accessGroup] = .string(group)
        for index in former.indices { former[index].attributes?[.accessGroup] = .string(group) }
    }
}

// Items with the same attributes, secret and history are the same.
extension NewItem: Hashable {
    static func == (item: NewItem, other: NewItem) -> Bool {
        item.itemClass == other.itemClass && item.attributes == other.attributes
            && item.secret == other.secret && item.former.count == other.former.count
            && zip(item.former, other.former).allSatisfy {
                $0.attributes == $1.attributes && $0.secret == $1.secret
            }
    }

    func hash(into hasher: inout Hasher) {
        for name in attributes.values.keys.sorted() { hasher.combine(attributes.bytes(of: name)) }
        secret?.withSpan { bytes in bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension AttributeValues {
    /// The value of an attribute as bytes, to compare it with others of its name.
    fileprivate func bytes(of name: String) -> [UInt8] {
        switch self[name] {
        case .string(let text)?: Array(text.utf8)
        case .data(let bytes)?: bytes
        case .integer(let number)?: Array(String(number).utf8)
        default: []
        }
    }
}
