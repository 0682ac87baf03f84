internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

/// An item that an import adds.
struct NewItem {
    /// What the item was before, or is in a conflict.
    struct Revision {
        /// Its attributes; nil for those that the item has now.
        var attributes: AttributeValues?
        var secret: HeldSecret?
        /// Its dates; nil for those that the item has now.
        var created: KeychainDate?
        var modified: KeychainDate?
        /// When it was written; nil if it is as new as the import.
        var written: KeychainDate?
    }

    /// What tells a deleted item from others.
    struct Identity: Hashable {
        let name: [[UInt8]]
        let created: KeychainDate?
        let modified: KeychainDate?
    }

    /// Where the item is in its file, for messages.
    var place = ""
    let itemClass: KeychainClass
    var attributes: AttributeValues
    var secret: HeldSecret?
    /// What the item was before, oldest first.
    var former: [Revision] = []
    /// The changes that lost against the current one, the greatest first.
    var conflicts: [Revision] = []
    /// Whether it was deleted: then it is only added to the past.
    var isDeleted = false
    /// Whether it has all that an item has, so that one that exists keeps nothing of its own.
    var isWhole = false
    var created: KeychainDate?
    var modified: KeychainDate?
    /// When the current revision was written; nil if it is as new as the import.
    var written: KeychainDate?

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

    var identity: Identity { Identity(name: name, created: created, modified: modified) }

    /// Whether it can be given another name than another item has.
    var canBeDistinguished: Bool { itemClass == .genericPassword || itemClass == .internetPassword }

    /// Gives it another name than other items have: the path of a web password, or the service.
    mutating func distinguish(by text: String) {
        let name: AttributeName = itemClass == .internetPassword ? .path : .service
        changeAttributes { [itemClass] attributes in
            let old = if case .string(let text)? = attributes[name] { text } else { "" }
            attributes[name] = .string(itemClass == .internetPassword ? "\(old)#\(text)" : "\(old) (\(text))")
        }
    }

    /// Puts it in a group.
    mutating func move(to group: String) { changeAttributes { $0[.accessGroup] = .string(group) } }

    /// Changes the attributes of all its revisions.
    private mutating func changeAttributes(_ change: (inout AttributeValues) -> Void) {
        change(&attributes)
        for index in former.indices { former[index].changeAttributes(change) }
        for index in conflicts.indices { conflicts[index].changeAttributes(change) }
    }
}

extension NewItem.Revision: Equatable {
    static func == (revision: Self, other: Self) -> Bool {
        revision.attributes == other.attributes && revision.secret == other.secret
    }

    fileprivate mutating func changeAttributes(_ change: (inout AttributeValues) -> Void) {
        guard var attributes else { return }
        change(&attributes)
        self.attributes = attributes
    }
}

// Items with the same attributes, secret, history and conflicts are the same.
extension NewItem: Hashable {
    static func == (item: NewItem, other: NewItem) -> Bool {
        item.itemClass == other.itemClass && item.attributes == other.attributes && item.secret == other.secret
            && item.former == other.former && item.conflicts == other.conflicts
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
