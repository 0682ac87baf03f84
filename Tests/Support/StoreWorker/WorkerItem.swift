internal import CofferBasics
import KeyedArchive
package import VaultFormat
package import VaultStore

/// An item of a worker, whose data is a number.
///
/// The number is followed by letters, so that frames and files have many sizes.
package struct WorkerItem {
    package let account: String
    package let service: String

    package init(_ account: String, of service: String) {
        self.account = account
        self.service = service
    }

    package func attributes(label: String? = nil) throws -> ItemAttributes {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
            "acct": .string(account), "svce": .string(service),
        ]
        if let label { values["labl"] = .string(label) }
        return try ItemAttributes(.genericPassword, values)
    }

    /// Returns the data for `number`.
    package static func data(_ number: Int) -> [UInt8] {
        Array(String(number).utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: number &* 37 % 700)
    }

    /// Returns the number in the data, or nil if no worker has written that data.
    package static func number(_ bytes: [UInt8]) -> Int? {
        guard let number = Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "x") }, as: UTF8.self)) else {
            return nil
        }
        return data(number) == bytes ? number : nil
    }
}

extension OpenGeneration {
    package mutating func found(_ item: WorkerItem) throws -> StoredItem? {
        guard let group = keyring.group(named: WorkerVault.group) else { return nil }
        return try items(withPrimaryKeyOf: try item.attributes(), in: group.group).first
    }

    /// Returns the number of an item, or nil if no worker has written its data.
    package mutating func number(of item: StoredItem) throws -> Int? {
        guard let secret = try secret(of: item) else { return nil }
        return WorkerItem.number(secret.withBytes { bytes in [UInt8](copying: bytes) })
    }

    /// Returns the number of an item, or nil if there is no such item.
    package mutating func number(of item: WorkerItem) throws -> Int? {
        guard let found = try found(item) else { return nil }
        guard let number = try number(of: found) else { throw StoreError.invalidItem(found.name, .badValue) }
        return number
    }
}

extension Transaction {
    /// Adds the item, which must not exist yet.
    package mutating func add(_ item: WorkerItem, _ number: Int) throws {
        let data = WorkerItem.data(number)
        _ = try add(try item.attributes(), secret: data.span, group: WorkerVault.group, protection: .whenUnlocked)
    }

    /// Adds the item, or gives it another number; deletes it if the number is nil.
    package mutating func set(_ item: WorkerItem, to number: Int?) throws {
        let found = try vault.found(item)
        switch (found, number) {
        case (nil, nil): break
        case (let found?, nil): try delete(found)
        case (nil, let number?): try add(item, number)
        case (let found?, let number?):
            let data = WorkerItem.data(number)
            try update(found, attributes: try item.attributes(), secret: .replace(data.span))
        }
    }
}
