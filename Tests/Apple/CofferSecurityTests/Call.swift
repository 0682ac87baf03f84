import Foundation
import Security
import Testing

/// The four calls, and readable forms of their results.
enum Call {
    static func add(_ item: [CFString: Any]) -> OSStatus { SecItemAdd(item as CFDictionary, nil) }

    /// The status of a query.
    static func find(_ query: [CFString: Any]) -> OSStatus { SecItemCopyMatching(query as CFDictionary, nil) }

    static func update(_ query: [CFString: Any], _ changes: [CFString: Any] = [:]) -> OSStatus {
        SecItemUpdate(query as CFDictionary, changes as CFDictionary)
    }

    static func delete(_ query: [CFString: Any]) -> OSStatus { SecItemDelete(query as CFDictionary) }

    /// The statuses of the four calls with a dictionary, in this order: add, find, update, delete.
    static func all(_ dictionary: [CFString: Any]) -> [OSStatus] { all(dictionary as CFDictionary) }

    static func all(_ dictionary: CFDictionary) -> [OSStatus] {
        [
            SecItemAdd(dictionary, nil), SecItemCopyMatching(dictionary, nil), SecItemUpdate(dictionary, [:]),
            SecItemDelete(dictionary),
        ]
    }

    // MARK: - Results

    /// The result of an addition, which must succeed.
    static func added(_ item: [CFString: Any]) throws -> CFTypeRef? {
        var result: CFTypeRef?
        let status = SecItemAdd(item as CFDictionary, &result)
        try #require(status == 0, "SecItemAdd")
        return result
    }

    /// The result of a query, which must succeed.
    static func found(_ query: [CFString: Any]) throws -> CFTypeRef? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        try #require(status == 0, "SecItemCopyMatching")
        return result
    }

    /// The attributes of the first item that matches.
    static func attributes(_ query: [CFString: Any]) throws -> [String: Any] {
        try #require(try found(query.with([kSecReturnAttributes: true])) as? [String: Any])
    }

    /// The data of the first item that matches, as text; nil if it has none.
    static func text(_ query: [CFString: Any]) throws -> String? {
        (try found(query.with([kSecReturnData: true])) as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The persistent reference of the first item that matches.
    static func reference(_ query: [CFString: Any]) throws -> Data {
        try #require(try found(query.with([kSecReturnPersistentRef: true])) as? Data)
    }

    /// One attribute of all items that match, in the order of the results.
    static func texts(_ name: CFString = kSecAttrAccount, _ query: [CFString: Any]) throws -> [String] {
        let query = query.with([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll])
        guard find(query) != -25300 else { return [] }
        let items = try #require(try found(query) as? [[String: Any]])
        return items.map { $0[name as String] as? String ?? "?" }
    }

    /// The number of items that match.
    static func count(_ query: [CFString: Any]) throws -> Int {
        let query = query.with([kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll])
        guard find(query) != -25300 else { return 0 }
        return try #require(try found(query) as? [Data]).count
    }
}

extension [OSStatus] {
    /// The same status from all four calls.
    static func four(_ status: OSStatus) -> [OSStatus] { [status, status, status, status] }
}

extension [CFString: Any] {
    /// The dictionary merged with other values, which take precedence.
    func with(_ other: [CFString: Any]) -> [CFString: Any] { merging(other) { $1 } }

    /// A generic password.
    static func genp(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword].with(more)
    }

    /// The generic password of an account.
    static func genp(_ account: String, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        .genp([kSecAttrAccount: account]).with(more)
    }

    /// An internet password.
    static func inet(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
        [kSecClass: kSecClassInternetPassword].with(more)
    }

    /// A certificate.
    static func cert(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
        [kSecClass: kSecClassCertificate].with(more)
    }

    /// A key.
    static func keys(_ more: [CFString: Any] = [:]) -> [CFString: Any] { [kSecClass: kSecClassKey].with(more) }

    /// An identity.
    static func idnt(_ more: [CFString: Any] = [:]) -> [CFString: Any] { [kSecClass: kSecClassIdentity].with(more) }

    /// An item of the class with this name.
    static func item(_ itemClass: String, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        [kSecClass: itemClass].with(more)
    }
}

extension Data {
    /// The UTF-8 bytes of a text.
    init(_ text: String) { self.init(text.utf8) }
}
