// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
public import CCoffer
internal import Coffer

extension KeychainHandle {
    fileprivate func history<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle
    ) throws -> (ItemsHandle, isComplete: Bool) {
        let reference = try item.reference(type)
        let history = try use {
            try $0.history(of: reference)
        } inside: {
            try $0.history(of: reference)
        }
        return (ItemsHandle(history.revisions.map { ItemHandle($0) }), history.isComplete)
    }

    fileprivate func find<Item: KeychainItem>(
        _ type: Item.Type,
        _ query: QueryHandle,
        at date: KeychainDate
    ) throws -> (ItemsHandle, isComplete: Bool) {
        let past = try outsideOfTransactions().items(type, at: date, where: query.conditions(type))
        return (ItemsHandle(past.items.map { ItemHandle($0) }), past.isComplete)
    }

    fileprivate func deleted<Item: KeychainItem>(_ type: Item.Type, _ query: QueryHandle) throws -> ItemsHandle {
        let deleted = try outsideOfTransactions().deletedItems(type, where: query.conditions(type))
        return ItemsHandle(deleted.map { ItemHandle($0) })
    }

    fileprivate func conflicts<Item: KeychainItem>(_ type: Item.Type) throws -> ItemsHandle {
        let histories = try outsideOfTransactions().conflicts(type)
        return ItemsHandle(histories.compactMap { history in history.revisions.first.map { ItemHandle($0) } })
    }

    fileprivate func restore<Item: KeychainItem>(_ type: Item.Type, _ item: ItemHandle) throws -> ItemHandle {
        let past = try item.past(type)
        return ItemHandle(try change { try $0.restore(past) })
    }

    fileprivate func undo<Item: KeychainItem>(
        _ type: Item.Type,
        _ item: ItemHandle,
        _ condition: coffer_condition
    ) throws -> ItemHandle {
        let (reference, expected) = (try item.reference(type), try item.revision(condition))
        return ItemHandle(try change { try $0.undo(reference, ifRevision: expected) })
    }

    fileprivate func resolve<Item: KeychainItem>(_ type: Item.Type, _ item: ItemHandle) throws -> ItemHandle {
        let kept = try item.past(type)
        return ItemHandle(try change { try $0.resolveConflict(keeping: kept) })
    }
}

@c @implementation public func coffer_keychain_history(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ revisions: UnsafeMutablePointer<OpaquePointer?>?,
    _ isComplete: UnsafeMutablePointer<Bool>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe isComplete?.pointee = false
    return unsafe attempt(on: keychain, item, returning: revisions, error) { (keychain, item: ItemHandle) in
        let (found, isWhole) = try keychain.history(item.itemClass.storedType, item)
        unsafe isComplete?.pointee = isWhole
        return found
    }
}

@c @implementation public func coffer_keychain_find_at(
    _ keychain: OpaquePointer?,
    _ query: OpaquePointer?,
    _ date: Double,
    _ items: UnsafeMutablePointer<OpaquePointer?>?,
    _ isComplete: UnsafeMutablePointer<Bool>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe isComplete?.pointee = false
    return unsafe attempt(on: keychain, query, returning: items, error) { (keychain, query: QueryHandle) in
        let (found, isWhole) = try keychain.find(
            query.itemClass.storedType,
            query,
            at: KeychainDate(secondsSince1970: date)
        )
        unsafe isComplete?.pointee = isWhole
        return found
    }
}

@c @implementation public func coffer_keychain_find_deleted(
    _ keychain: OpaquePointer?,
    _ query: OpaquePointer?,
    _ items: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, query, returning: items, error) { (keychain, query: QueryHandle) in
        try keychain.deleted(query.itemClass.storedType, query)
    }
}

@c @implementation public func coffer_keychain_conflicts(
    _ keychain: OpaquePointer?,
    _ itemClass: coffer_class,
    _ items: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(returning: items, error) {
        guard let itemClass = KeychainClass(itemClass) else {
            throw InvalidArgument("there is no class \(itemClass.rawValue)")
        }
        return try unsafe KeychainHandle.required(keychain, "keychain").conflicts(itemClass.storedType)
    }
}

@c @implementation public func coffer_keychain_history_start(
    _ keychain: OpaquePointer?,
    _ date: UnsafeMutablePointer<Double>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe date?.pointee = 0
    return unsafe attempt(error) {
        let start = try unsafe KeychainHandle.required(keychain, "keychain").outsideOfTransactions().historyStart
        if let start { unsafe date?.pointee = start.secondsSince1970 }
    }
}

@c @implementation public func coffer_keychain_restore(
    _ keychain: OpaquePointer?,
    _ past: OpaquePointer?,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, past, returning: now, isNeeded: false, error) { (keychain, past: ItemHandle) in
        try keychain.restore(past.itemClass.storedType, past)
    }
}

@c @implementation public func coffer_keychain_undo(
    _ keychain: OpaquePointer?,
    _ item: OpaquePointer?,
    _ condition: coffer_condition,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, item, returning: now, isNeeded: false, error) { (keychain, item: ItemHandle) in
        try keychain.undo(item.itemClass.storedType, item, condition)
    }
}

@c @implementation public func coffer_keychain_resolve(
    _ keychain: OpaquePointer?,
    _ kept: OpaquePointer?,
    _ now: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> coffer_status {
    unsafe attempt(on: keychain, kept, returning: now, isNeeded: false, error) { (keychain, kept: ItemHandle) in
        try keychain.resolve(kept.itemClass.storedType, kept)
    }
}
