internal import Coffer
public import Foundation

/// Adds an item to the default keychain.
///
/// The item is durable when this returns.
///
/// - Parameters:
///   - attributes: The class of the item, its attributes and its data, and what is wanted back.
///   - result: Where what is wanted back goes, if this succeeds.
/// - Returns: 0, or why the item was not added.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    status { () throws(KeychainError) in
        var wanted = try RequestWithReference(attributes, for: .addition)
        defer { wanted.wipe() }
        var answer =
            if let key = wanted.key {
                try Keychain.default.addIdentity(certificate: wanted.request, key: key)
            } else {
                try Keychain.default.add(wanted.request)
            }
        defer { answer.wipe() }
        result?.pointee = answer.object
    }
}

/// Finds items in the default keychain.
///
/// - Parameters:
///   - query: What the items are, how many are wanted, and what of them.
///   - result: Where what is wanted goes, if this succeeds.
/// - Returns: 0, or why nothing was found.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    status { () throws(KeychainError) in
        var answer = try withQuery(query) { query throws(KeychainError) in try Keychain.default.find(query) }
        defer { answer.wipe() }
        if answer != .none { result?.pointee = answer.object }
    }
}

/// Changes all items of the default keychain that a query is about, or none of them.
///
/// The change is durable when this returns.
///
/// - Parameters:
///   - query: What the items are.
///   - attributesToUpdate: The attributes and the data that change.
/// - Returns: 0, or why nothing was changed.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    status { () throws(KeychainError) in
        var changes = ItemRequest(attributesToUpdate)
        defer { changes.wipe() }
        try withQuery(query) { query throws(KeychainError) in try Keychain.default.update(query, with: changes) }
    }
}

/// Deletes all items of the default keychain that a query is about, or none of them.
///
/// The items are gone durably when this returns; what was there stays in the file until it is compacted.
///
/// - Parameter query: What the items are.
/// - Returns: 0, or why nothing was deleted.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    status { () throws(KeychainError) in
        try withQuery(query) { query throws(KeychainError) in try Keychain.default.delete(query) }
    }
}

/// Lends `body` what a dictionary looks for, of which data are wiped afterwards.
private func withQuery<Result>(
    _ dictionary: CFDictionary,
    _ body: (ItemRequest) throws(KeychainError) -> Result
) throws(KeychainError) -> Result {
    var query = try RequestWithReference(dictionary, for: .query)
    defer { query.wipe() }
    return try body(query.request)
}

/// What a call answers that does `operation`.
private func status(_ operation: () throws(KeychainError) -> Void) -> OSStatus {
    do throws(KeychainError) {
        try operation()
        return errSecSuccess
    } catch {
        return OSStatus(error)
    }
}
