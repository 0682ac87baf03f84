internal import Coffer
internal import CofferBasics
public import Foundation

/// Adds an item to the default keychain.
///
/// The item is durable when this returns.
///
/// - Parameters:
///   - attributes: The class, attributes and data of the item, and what to return.
///   - result: The destination of the returned values, if the call succeeds.
/// - Returns: 0, or the reason why the item was not added.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    status {
        var wanted = try RequestWithReference(attributes, for: .addition)
        defer { wanted.wipe() }
        var answer =
            if let key = wanted.key {
                try Keychain.default.addIdentity(certificate: wanted.request, key: key)
            } else {
                try Keychain.default.add(wanted.request)
            }
        defer { answer.wipe() }
        result?.pointee = answer.object(authenticating: wanted.request.authentication)
    }
}

/// Finds items in the default keychain.
///
/// - Parameters:
///   - query: The items to find, their maximum number and what to return.
///   - result: The destination of the returned values, if the call succeeds.
/// - Returns: 0, or the reason why nothing was found.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    status {
        try withQuery(query) { query in
            var answer = try Keychain.default.find(query)
            defer { answer.wipe() }
            if answer != .notRequested { result?.pointee = answer.object(authenticating: query.authentication) }
        }
    }
}

/// Updates all items in the default keychain that match a query, or none of them.
///
/// The change is durable when this returns.
///
/// - Parameters:
///   - query: The items to update.
///   - attributesToUpdate: The attributes and data to change; the class of the query is ignored.
/// - Returns: 0, or the reason why nothing was changed.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    status {
        var changes = ItemRequest(attributesToUpdate)
        defer { changes.wipe() }
        try withQuery(query) { query in try Keychain.default.update(query, with: changes) }
    }
}

/// Deletes all items in the default keychain that match a query, or none of them.
///
/// The deletion is durable when this returns; past revisions stay in the file until compaction removes them.
///
/// - Parameter query: The items to delete.
/// - Returns: 0, or the reason why nothing was deleted.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    status {
        try withQuery(query) { query in try Keychain.default.delete(query) }
    }
}

/// Passes the query in `dictionary` to `body`, and wipes its data afterwards.
private func withQuery<Result>(
    _ dictionary: CFDictionary,
    _ body: (ItemRequest) throws -> Result
) throws -> Result {
    var query = try RequestWithReference(dictionary, for: .query)
    defer { query.wipe() }
    return try body(query.request)
}

/// Runs `operation` and returns its status.
private func status(in function: StaticString = #function, _ operation: () throws -> Void) -> OSStatus {
    do throws(KeychainError) {
        try KeychainError.converting(operation)
        return errSecSuccess
    } catch {
        return explained(OSStatus(error), "\(error.withConstantNames)", in: function)
    }
}
