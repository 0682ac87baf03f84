// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer
internal import CofferBasics

extension KeychainHandle {
    fileprivate func add<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        _ secret: coffer_bytes?
    ) throws -> ItemHandle {
        let item = Item(attributes: item.attributes)
        guard let secret = unsafe try secret?.checked("secret") else {
            return ItemHandle(
                try use {
                    try $0.add(item)
                } inside: {
                    try $0.add(item)
                }
            )
        }
        return try unsafe secret.withSpan { bytes in
            ItemHandle(
                try use {
                    try $0.add(item, secret: bytes)
                } inside: {
                    try $0.add(item, secret: bytes)
                }
            )
        }
    }

    fileprivate func save<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        _ secret: coffer_bytes
    ) throws -> ItemHandle {
        let item = Item(attributes: item.attributes)
        return try unsafe secret.checked("secret").withSpan { bytes in
            ItemHandle(
                try use {
                    try $0.save(item, secret: bytes)
                } inside: {
                    try $0.save(item, secret: bytes)
                }
            )
        }
    }

    fileprivate func update<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        _ secret: coffer_bytes?,
        _ condition: coffer_condition
    ) throws -> ItemHandle {
        let (reference, expected) = (try item.reference(type), try item.revision(condition))
        let changes = item.changes
        func change(_ stored: inout Item) {
            for (name, value) in changes { stored.attributes[name] = value }
        }
        guard let secret = unsafe try secret?.checked("secret") else {
            return ItemHandle(try self.change { try $0.update(reference, ifRevision: expected, change) })
        }
        return try unsafe secret.withSpan { bytes in
            ItemHandle(try self.change { try $0.update(reference, ifRevision: expected, secret: bytes, change) })
        }
    }

    fileprivate func removeSecret<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        _ condition: coffer_condition
    ) throws -> ItemHandle {
        let (reference, expected) = (try item.reference(type), try item.revision(condition))
        return ItemHandle(try change { try $0.removeSecret(of: reference, ifRevision: expected) })
    }

    fileprivate func delete<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        _ condition: coffer_condition
    ) throws {
        let (reference, expected) = (try item.reference(type), try item.revision(condition))
        try change { try $0.delete(reference, ifRevision: expected) }
    }

    fileprivate func erase<Item: KeychainItem>(_ type: Item.Type, _ item: ItemHandle) throws {
        try outsideOfTransactions().erase(item.reference(type))
    }

    fileprivate func deleteAll<Item: KeychainItem>(_ type: Item.Type, _ query: QueryHandle) throws -> Int {
        let conditions = query.conditions(type)
        return try use {
            try $0.deleteAll(type, where: conditions)
        } inside: {
            try $0.deleteAll(type, where: conditions)
        }
    }

    fileprivate func refresh<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        age: Duration,
        timeout: Duration,
        _ replace: (Passphrase) throws -> Passphrase
    ) throws -> SecretHandle {
        let secret: Passphrase = try outsideOfTransactions().refreshBlocking(
            item.reference(type),
            ifOlderThan: age,
            timeout: timeout,
            replace
        )
        return secret.withBytes { SecretHandle($0) }
    }
}

@c @implementation public func coffer_keychain_add(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ secret: UnsafePointer<coffer_bytes>?,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: now, isNeeded: false, error) { (keychain, item: ItemHandle) in
        try unsafe keychain.add(item.itemClass.storedType, item, secret?.pointee)
    }
}

@c @implementation public func coffer_keychain_save(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ secret: coffer_bytes,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: now, isNeeded: false, error) { (keychain, item: ItemHandle) in
        try unsafe keychain.save(item.itemClass.storedType, item, secret)
    }
}

@c @implementation public func coffer_keychain_update(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ secret: UnsafePointer<coffer_bytes>?,
    _ condition: coffer_condition,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: now, isNeeded: false, error) { (keychain, item: ItemHandle) in
        try unsafe keychain.update(item.itemClass.storedType, item, secret?.pointee, condition)
    }
}

@c @implementation public func coffer_keychain_remove_secret(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ condition: coffer_condition,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: now, isNeeded: false, error) { (keychain, item: ItemHandle) in
        try keychain.removeSecret(item.itemClass.storedType, item, condition)
    }
}

@c @implementation public func coffer_keychain_delete(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ condition: coffer_condition,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, error) { (keychain, item: ItemHandle) in
        try keychain.delete(item.itemClass.storedType, item, condition)
    }
}

@c @implementation public func coffer_keychain_erase(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, error) { (keychain, item: ItemHandle) in
        try keychain.erase(item.itemClass.storedType, item)
    }
}

@c @implementation public func coffer_keychain_delete_all(
    _ keychain: OpaquePointer?,
    _ query: OpaquePointer?,
    _ count: UnsafeMutablePointer<Int>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe count?.pointee = 0
    return unsafe attempt(on: keychain, query, error) { (keychain, query: QueryHandle) in
        let deleted = try keychain.deleteAll(query.itemClass.storedType, query)
        unsafe count?.pointee = deleted
    }
}

@c @implementation public func coffer_keychain_refresh(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ age: Double,
    _ timeout: Double,
    _ replacement: coffer_replacement?,
    _ context: UnsafeMutableRawPointer?,
    _ secret: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: secret, error) { (keychain, item: ItemHandle) in
        guard let replacement = unsafe replacement else { throw InvalidArgument("`replacement` is NULL") }
        // A hundred years, in seconds, are more than a `Duration` is ever compared with.
        guard (0...3.2e9).contains(age), (0...3.2e9).contains(timeout) else {
            throw InvalidArgument("`age` and `timeout` are from 0 to 3200000000 seconds")
        }
        return try keychain.refresh(item.itemClass.storedType, item, age: .seconds(age), timeout: .seconds(timeout)) {
            old in
            let new = old.withBytes { bytes in
                let stored = StoredBytes(copying: bytes)
                return unsafe SecretHandle.taken(replacement(context, stored.bytes))
            }
            guard let new else { throw Cancelled() }
            return new
        }
    }
}
