// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CCoffer
internal import Coffer
internal import CofferBasics

extension KeychainHandle {
    fileprivate func find<Item: KeychainItem>(
        _ type: Item.Type,
        _ query: QueryHandle,
        _ limit: Int
    ) throws -> ItemsHandle {
        let conditions = query.conditions(type)
        let stored = try use {
            try $0.items(where: conditions, limit: limit)
        } inside: {
            try $0.items(where: conditions, limit: limit)
        }
        return ItemsHandle(stored.map { ItemHandle($0) })
    }

    fileprivate func count<Item: KeychainItem>(_ type: Item.Type, _ query: QueryHandle) throws -> Int {
        let conditions = query.conditions(type)
        return try use {
            try $0.count(where: conditions)
        } inside: {
            try $0.count(where: conditions)
        }
    }

    fileprivate func item<Item: KeychainItem>(_ type: Item.Type, _ reference: PersistentReference) throws -> ItemHandle
    {
        guard let reference = KeychainReference<Item>(reference),
            let stored = try use({ try $0.item(reference) }, inside: { try $0.item(reference) })
        else { throw KeychainError.itemNotFound }
        return ItemHandle(stored)
    }

    fileprivate func secret<Item: KeychainItem>(_ type: Item.Type, _ item: ItemHandle) throws -> SecretHandle? {
        func handle(_ bytes: Span<UInt8>) -> SecretHandle { SecretHandle(bytes) }
        guard item.past == nil else {
            let past = try item.past(type)
            return try use {
                try $0.withSecret(of: past, handle)
            } inside: {
                try $0.withSecret(of: past, handle)
            }
        }
        let reference = try item.reference(type)
        return try use {
            try $0.withSecret(of: reference, handle)
        } inside: {
            try $0.withSecret(of: reference, handle)
        }
    }

    fileprivate func secret<Item: KeychainItem>(_ type: Item.Type, _ query: QueryHandle) throws -> SecretHandle? {
        try secret(where: query.conditions(type))
    }

    func secret<Item: KeychainItem>(where condition: ItemCondition<Item>) throws -> SecretHandle? {
        let found = try use {
            try $0.oldestSecret(where: condition)
        } inside: {
            try $0.oldestSecret(where: condition)
        }
        return found?.withSpan { SecretHandle($0) }
    }
}

@c @implementation public func coffer_keychain_find(
    _ keychain: OpaquePointer?,
    _ query: OpaquePointer?,
    _ limit: Int,
    _ items: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, query, returning: items, error) { (keychain, query: QueryHandle) in
        try keychain.find(query.itemClass.storedType, query, limit > 0 ? limit : .max)
    }
}

@c @implementation public func coffer_keychain_count(
    _ keychain: OpaquePointer?,
    _ query: OpaquePointer?,
    _ count: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe count?.pointee = 0
    return unsafe attempt(on: keychain, query, error) { (keychain, query: QueryHandle) in
        let found = try keychain.count(query.itemClass.storedType, query)
        unsafe count?.pointee = found
    }
}

@c @implementation public func coffer_keychain_item(
    _ keychain: OpaquePointer?,
    _ reference: coffer_bytes,
    _ item: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: item, error) {
        let keychain = unsafe try KeychainHandle.required(keychain, "keychain")
        guard let reference = PersistentReference(unsafe try reference.array("reference")) else {
            throw InvalidArgument("`reference` is not a reference that the keychain returned")
        }
        return try keychain.item(reference.itemClass.storedType, reference)
    }
}

@c @implementation public func coffer_keychain_secret(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ secret: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: secret, error) { (keychain, item: ItemHandle) in
        try keychain.secret(item.itemClass.storedType, item)
    }
}

@c @implementation public func coffer_keychain_find_secret(
    _ keychain: OpaquePointer?,
    _ query: OpaquePointer?,
    _ secret: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, query, returning: secret, error) { (keychain, query: QueryHandle) in
        try keychain.secret(query.itemClass.storedType, query)
    }
}

/// Conditions that items must meet.
final class QueryHandle: Handle {
    let itemClass: KeychainClass
    private let values = Guarded<[(name: String, value: ItemValue)]>([])

    init(_ itemClass: KeychainClass) {
        self.itemClass = itemClass
    }

    func add(_ name: String, _ value: ItemValue) { values.withLock { $0.append((name, value)) } }

    func conditions<Item: KeychainItem>(_ type: Item.Type) -> ItemCondition<Item> {
        .all(values.withLock { values in values.map { .attribute($0.name, $0.value) } })
    }
}

@c @implementation public func coffer_query_create(_ itemClass: coffer_class) -> OpaquePointer? {
    unsafe ForkGate.passing { unsafe KeychainClass(itemClass).map { unsafe QueryHandle($0).owned } }
}

@c @implementation public func coffer_query_set(
    _ query: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ value: coffer_value,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(error) {
        let query = unsafe try QueryHandle.required(query, "query")
        guard let value = unsafe try value.itemValue() else { throw InvalidArgument("a condition needs a value") }
        query.add(unsafe try CofferLibrary.name(name), value)
    }
}

@c @implementation public func coffer_query_free(_ query: OpaquePointer?) { unsafe QueryHandle.free(query) }
