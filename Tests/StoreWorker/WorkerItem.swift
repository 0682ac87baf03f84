import KeyedArchive
package import VaultFormat
package import VaultStore

/// An item of a worker: which one, and the number that it has.
///
/// The number is the data, followed by letters, so that frames and files have many sizes.
package struct WorkerItem {
    package let account: String
    package let service: String

    package init(_ account: String, of service: String) {
        self.account = account
        self.service = service
    }

    package func attributes(label: String? = nil) throws(StoreError) -> ItemAttributes {
        var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = [
            "acct": .string(account), "svce": .string(service),
        ]
        if let label { values["labl"] = .string(label) }
        do throws(Fault) {
            return try ItemAttributes(.genericPassword, values)
        } catch {
            throw .refused(error)
        }
    }

    /// The data that say `number`.
    package static func data(_ number: Int) -> [UInt8] {
        Array(String(number).utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: number &* 37 % 700)
    }

    /// The number that `data` say, or nil if they are not what a worker has written.
    package static func number(_ bytes: [UInt8]) -> Int? {
        guard let number = Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: "x") }, as: UTF8.self)) else {
            return nil
        }
        return data(number) == bytes ? number : nil
    }
}

extension OpenGeneration {
    package mutating func found(_ item: WorkerItem) throws(StoreError) -> StoredItem? {
        guard let group = keyring.group(named: WorkerVault.group) else { return nil }
        return try items(withPrimaryKeyOf: try item.attributes(), in: group.group).first
    }

    /// The number that an item has; nil if it is not what a worker has written.
    package mutating func number(of item: StoredItem) throws(StoreError) -> Int? {
        guard let secret = try secret(of: item) else { return nil }
        return WorkerItem.number(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    }

    /// The number of an item, or nil if it is not there.
    package mutating func number(of item: WorkerItem) throws(StoreError) -> Int? {
        guard let found = try found(item) else { return nil }
        guard let number = try number(of: found) else { throw .invalidItem(found.name, .badValue) }
        return number
    }
}

extension Transaction {
    /// Adds the item, which must not be there.
    package mutating func add(_ item: WorkerItem, _ number: Int) throws(StoreError) {
        let data = WorkerItem.data(number)
        _ = try add(try item.attributes(), secret: data.span, group: WorkerVault.group, protection: .whenUnlocked)
    }

    /// Adds the item, or gives it another number; deletes it if the number is nil.
    package mutating func set(_ item: WorkerItem, to number: Int?) throws(StoreError) {
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
