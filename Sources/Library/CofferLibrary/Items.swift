// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics

/// The attributes of a new item, a stored one, or a past revision.
final class ItemHandle: Handle {
    let itemClass: KeychainClass
    /// What is known of a stored item besides its attributes.
    private let facts: [String: ItemValue]
    let reference: PersistentReference?
    let revision: ItemRevision?
    /// A `PastItem` of the type of the item, if this is a past revision or may be one.
    let past: (any Sendable)?

    private struct State {
        var attributes: AttributeValues
        /// The attributes that were set; nil for those that were removed.
        var changes: [String: ItemValue?] = [:]
        var names: [StoredBytes]?
        var shown: [String: StoredValue] = [:]
        /// Values that C code may still point to.
        var former: [StoredValue] = []
    }

    private let state: Guarded<State>

    /// Creates a new item.
    init(_ itemClass: KeychainClass) {
        self.itemClass = itemClass
        (facts, reference, revision, past) = ([:], nil, nil, nil)
        state = Guarded(State(attributes: AttributeValues()))
    }

    init<Item: KeychainItem>(_ stored: Stored<Item>) {
        itemClass = Item.itemClass
        reference = stored.reference.persistentReference
        revision = stored.revision
        past = nil
        facts = [
            COFFER_REFERENCE: .data(stored.reference.persistentReference.bytes),
            COFFER_REVISION: .string(stored.revision.description),
            COFFER_CREATED: stored.created.value,
            COFFER_MODIFIED: stored.modified.value,
            COFFER_HAS_SECRET: .bool(stored.hasSecret),
            COFFER_IS_CURRENT: true,
            COFFER_IS_CONFLICT: false,
            COFFER_IS_READABLE: true,
        ]
        state = Guarded(State(attributes: stored.item.attributes))
    }

    init<Item: KeychainItem>(_ past: PastItem<Item>) {
        itemClass = Item.itemClass
        reference = past.reference.persistentReference
        revision = past.revision
        self.past = past
        var facts: [String: ItemValue] = [
            COFFER_REFERENCE: .data(past.reference.persistentReference.bytes),
            COFFER_REVISION: .string(past.revision.description),
            COFFER_HAS_SECRET: .bool(past.hasSecret),
            COFFER_IS_CURRENT: .bool(past.isCurrent),
            COFFER_IS_CONFLICT: .bool(past.isConflict),
            COFFER_IS_READABLE: .bool(past.isReadable),
            COFFER_ACCESS_GROUP: .string(past.accessGroup),
        ]
        facts[COFFER_CREATED] = past.created?.value
        facts[COFFER_MODIFIED] = past.modified?.value
        facts[COFFER_WRITTEN] = past.written.value
        facts[COFFER_ENDED] = past.ended?.value
        self.facts = facts
        state = Guarded(State(attributes: past.item?.attributes ?? AttributeValues()))
    }

    /// Creates a copy of another item.
    init(_ item: ItemHandle) {
        itemClass = item.itemClass
        (facts, reference, revision, past) = (item.facts, item.reference, item.revision, item.past)
        let (attributes, changes) = item.state.withLock { ($0.attributes, $0.changes) }
        state = Guarded(State(attributes: attributes, changes: changes))
    }

    var attributes: AttributeValues { state.withLock { $0.attributes } }

    var changes: [String: ItemValue?] { state.withLock { $0.changes } }

    func set(_ name: String, _ value: ItemValue?) {
        state.withLock { state in
            if let former = state.shown.removeValue(forKey: name) { state.former.append(former) }
            state.names = nil
            state.attributes[name] = value
            state.changes[name] = .some(value)
            // An item has one of the two.
            let other = [COFFER_ACCESSIBLE: COFFER_ACCESS_CONTROL_NAME, COFFER_ACCESS_CONTROL_NAME: COFFER_ACCESSIBLE]
            guard value != nil, let other = other[name] else { return }
            state.attributes[other] = nil
            state.changes[other] = .some(nil)
        }
    }

    func value(_ name: String) -> coffer_value {
        let shown = state.withLock { state -> StoredValue? in
            if let shown = state.shown[name] { return shown }
            let shown = (state.attributes[name] ?? facts[name]).map { StoredValue($0) }
            state.shown[name] = shown
            return shown
        }
        return unsafe shown?.value ?? coffer_value()
    }

    func name(at index: Int) -> StoredBytes? {
        state.withLock { state in
            let names = state.names ?? state.attributes.values.keys.sorted().map { StoredBytes($0.utf8) }
            state.names = names
            return names.indices.contains(index) ? names[index] : nil
        }
    }

    /// The reference of a stored item.
    func reference<Item: KeychainItem>(_ type: Item.Type) throws(InvalidArgument) -> KeychainReference<Item> {
        guard let reference, let found = KeychainReference<Item>(reference) else {
            throw InvalidArgument("the item is not one that the keychain returned")
        }
        return found
    }

    /// The revision that the stored item must have; nil if any will do.
    func revision(_ condition: coffer_condition) throws(InvalidArgument) -> ItemRevision? {
        switch condition {
        case COFFER_ALWAYS_CHANGE: return nil
        case COFFER_IF_UNCHANGED: return revision
        default: throw InvalidArgument("there is no condition \(condition.rawValue)")
        }
    }

    /// The past revision.
    func past<Item: KeychainItem>(_ type: Item.Type) throws(InvalidArgument) -> PastItem<Item> {
        guard let past = past as? PastItem<Item> else {
            throw InvalidArgument("the item is not a revision from a history, or an item of the past")
        }
        return past
    }
}

/// Items that a function found.
final class ItemsHandle: Handle {
    let items: [ItemHandle]

    init(_ items: [ItemHandle]) {
        self.items = items
    }
}

extension KeychainClass {
    /// The type of the items of this class.
    var storedType: any KeychainItem.Type {
        get throws(InvalidArgument) {
            guard let itemType else { throw InvalidArgument("identities are not stored as items") }
            return itemType
        }
    }

    init?(_ itemClass: coffer_class) {
        switch itemClass {
        case COFFER_GENERIC_PASSWORD: self = .genericPassword
        case COFFER_INTERNET_PASSWORD: self = .internetPassword
        case COFFER_CERTIFICATE: self = .certificate
        case COFFER_KEY: self = .key
        default: return nil
        }
    }
}

extension coffer_class {
    init(_ itemClass: KeychainClass) {
        switch itemClass {
        case .genericPassword, .identity: self = COFFER_GENERIC_PASSWORD
        case .internetPassword: self = COFFER_INTERNET_PASSWORD
        case .certificate: self = COFFER_CERTIFICATE
        case .key: self = COFFER_KEY
        }
    }
}

@c @implementation public func coffer_item_create(_ itemClass: coffer_class) -> OpaquePointer? {
    unsafe ForkGate.passing { unsafe KeychainClass(itemClass).map { unsafe ItemHandle($0).owned } }
}

@c @implementation public func coffer_item_copy(_ item: OpaquePointer?) -> OpaquePointer? {
    unsafe ForkGate.passing { unsafe ItemHandle.at(item).map { unsafe ItemHandle($0).owned } }
}

@c @implementation public func coffer_item_class(_ item: OpaquePointer?) -> coffer_class {
    unsafe ItemHandle.at(item).map { coffer_class($0.itemClass) } ?? coffer_class(rawValue: 0)
}

@c @implementation public func coffer_item_set(
    _ item: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: coffer_value,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let item = unsafe try ItemHandle.required(item, "item")
        item.set(unsafe try CofferLibrary.name(name), unsafe try value.itemValue())
    }
}

@c @implementation public func coffer_item_get(
    _ item: OpaquePointer?,
    _ name: UnsafePointer<CChar>?
) -> coffer_value {
    guard let name = unsafe try? CofferLibrary.name(name) else { return unsafe coffer_value() }
    return unsafe ItemHandle.at(item)?.value(name) ?? coffer_value()
}

@c @implementation public func coffer_item_name(_ item: OpaquePointer?, _ index: Int) -> UnsafePointer<CChar>? {
    unsafe ItemHandle.at(item)?.name(at: index)?.characters
}

@c @implementation public func coffer_item_free(_ item: OpaquePointer?) { unsafe ItemHandle.free(item) }

@c @implementation public func coffer_items_count(_ items: OpaquePointer?) -> Int {
    unsafe ItemsHandle.at(items)?.items.count ?? 0
}

@c @implementation public func coffer_items_at(_ items: OpaquePointer?, _ index: Int) -> OpaquePointer? {
    guard let items = unsafe ItemsHandle.at(items)?.items, items.indices.contains(index) else { return nil }
    return unsafe items[index].owned
}

@c @implementation public func coffer_items_free(_ items: OpaquePointer?) { unsafe ItemsHandle.free(items) }
