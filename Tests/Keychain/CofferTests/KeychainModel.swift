import Coffer
import CofferBasics
import CofferSecurity

/// The expected behavior of a keychain in its simplest form: a list of items, and loops over it.
struct KeychainModel {
    /// One item.
    struct Item: Equatable {
        var itemClass: String
        var group: String
        var protection: String
        var isSynchronizable: Bool
        /// The given attributes, except those above.
        var attributes: [String: ItemValue]
        var data: [UInt8]?
    }

    /// The items, oldest first.
    var items: [Item] = []
    var isLocked = false
    let groups: [String]

    /// The attributes of the primary key that the random requests use, by class.
    static let primaryKeys = [
        "genp": ["acct", "svce"], "inet": ["srvr", "path"], "cert": ["issr", "slnr"], "keys": ["klbl", "atag"],
    ]

    // MARK: - Matching

    private func isClosed(_ protection: String) -> Bool { isLocked && (protection == "ak" || protection == "aku") }

    /// The numbers of the matching items, up to `limit`.
    private func matches(_ request: ItemRequest, limit: Int = .max, deletes: Bool = false) throws(KeychainError)
        -> [Int]
    {
        guard case .string(let itemClass)? = request["class"] else { throw .invalid(.missingClass) }
        let keyNames = Self.primaryKeys[itemClass] ?? []
        var found: [Int] = []
        for (number, item) in items.enumerated() where item.itemClass == itemClass {
            guard isVisible(item, request), keyNames.allSatisfy({ agrees($0, item, request) }) else { continue }
            if isClosed(item.protection) {
                guard deletes, request["labl"] == nil else { throw .locked }
            } else if request["labl"] != nil, item.attributes["labl"] != request["labl"] {
                continue
            }
            found.append(number)
            if found.count == limit { break }
        }
        guard !found.isEmpty else { throw .itemNotFound }
        return found
    }

    private func isVisible(_ item: Item, _ request: ItemRequest) -> Bool {
        if case .string(let group)? = request["agrp"] { guard item.group == group else { return false } }
        guard groups.contains(item.group) else { return false }
        if case .string(let protection)? = request["pdmn"] { guard item.protection == protection else { return false } }
        switch request["sync"] {
        case .string?: return true
        case .bool(let flag)?: return item.isSynchronizable == flag
        default: return !item.isSynchronizable
        }
    }

    /// Whether an item agrees with a request in an attribute of the primary key; missing counts as empty.
    private func agrees(_ name: String, _ item: Item, _ request: ItemRequest) -> Bool {
        guard let wanted = request[name] else { return true }
        return (item.attributes[name] ?? data("")) == wanted
    }

    private func isTwin(_ one: Item, _ other: Item) -> Bool {
        one.itemClass == other.itemClass && one.group == other.group && one.isSynchronizable == other.isSynchronizable
            && (Self.primaryKeys[one.itemClass] ?? []).allSatisfy {
                (one.attributes[$0] ?? data("")) == (other.attributes[$0] ?? data(""))
            }
    }

    // MARK: - The four operations

    mutating func add(_ request: ItemRequest) throws(KeychainError) {
        guard case .string(let itemClass)? = request["class"] else { throw .invalid(.missingClass) }
        var item = Item(
            itemClass: itemClass,
            group: groups[0],
            protection: itemClass == "cert" ? "dk" : "ak",
            isSynchronizable: request["sync"] == .bool(true),
            attributes: [:]
        )
        if case .string(let group)? = request["agrp"] { item.group = group }
        if case .string(let protection)? = request["pdmn"] { item.protection = protection }
        if case .data(let bytes)? = request["v_Data"] { item.data = bytes }
        for name in (Self.primaryKeys[itemClass] ?? []) + ["labl"] { item.attributes[name] = request[name] }
        guard !isClosed(item.protection) else { throw .locked }
        guard !items.contains(where: { isTwin($0, item) }) else { throw .duplicateItem }
        items.append(item)
    }

    func find(_ request: ItemRequest, limit: Int) throws(KeychainError) -> [Item] {
        try matches(request, limit: limit).map { items[$0] }
    }

    mutating func update(_ request: ItemRequest, with changes: ItemRequest) throws(KeychainError) {
        let former = items
        do throws(KeychainError) {
            for number in try matches(request) {
                var item = items[number]
                if case .string(let group)? = changes["agrp"] { item.group = group }
                if case .string(let protection)? = changes["pdmn"] { item.protection = protection }
                if case .bool(let flag)? = changes["sync"] { item.isSynchronizable = flag }
                if case .data(let bytes)? = changes["v_Data"] { item.data = bytes }
                for (name, value) in changes.values where name == "labl" || item.isKeyed(by: name) {
                    item.attributes[name] = value
                }
                guard !isClosed(item.protection) else { throw .locked }
                guard !items.enumerated().contains(where: { $0 != number && isTwin($1, item) }) else {
                    throw .duplicateItem
                }
                items[number] = item
            }
        } catch {
            items = former
            throw error
        }
    }

    mutating func delete(_ request: ItemRequest) throws(KeychainError) {
        for number in try matches(request, deletes: true).reversed() { items.remove(at: number) }
    }
}

extension KeychainModel.Item {
    /// The item with the missing attributes of its primary key.
    var filledUp: Self {
        var item = self
        for name in KeychainModel.primaryKeys[itemClass] ?? [] { item.attributes[name] = attributes[name] ?? .data([]) }
        return item
    }

    fileprivate func isKeyed(by name: String) -> Bool { KeychainModel.primaryKeys[itemClass]?.contains(name) ?? false }
}
