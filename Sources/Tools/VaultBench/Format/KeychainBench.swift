import Coffer
import CofferSecurity
import Foundation
import KeyedArchive
import VaultFormat
import VaultStore

/// The cost of keychain calls, as requests and as typed values, in a vault with a device key and an anchor.
struct KeychainBench {
    private static let itemCount = 10_000
    private static let roundCount = 20_000
    private static let secretByteCount = 64

    func run() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-bench-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        let locations = VaultLocations(
            vault: nil,
            deviceKey: directory.appending(path: "device.key").path,
            anchors: directory.appending(path: "anchors").path
        )
        let vault = try Vault.create(
            at: directory.appending(path: "bench.coffer").path,
            options: VaultOptions(locations: locations)
        )
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.bench"))
        try fill(keychain)
        try vault.store.compact()
        print("\(Self.itemCount) generic passwords with secrets of \(Self.secretByteCount) bytes, one thread:")
        try measureStore(vault.store)
        try measure(keychain)
        try Keychain.withDefault(keychain) { try measureCalls() }
    }

    private func fill(_ keychain: Keychain) throws {
        let secret = [UInt8](repeating: 7, count: Self.secretByteCount)
        for start in stride(from: 0, to: Self.itemCount, by: 1000) {
            try keychain.transaction { (transaction) throws(KeychainError) in
                for number in start..<start + 1000 { try transaction.add(Self.item(number), secret: secret) }
            }
        }
    }

    private static func item(_ number: Int) -> GenericPassword {
        GenericPassword(service: "service \(number / 4)", account: "account \(number)")
    }

    private static func query(_ number: Int, _ more: ItemRequest = [:]) -> ItemRequest {
        var request: ItemRequest = [
            "class": "genp", "svce": .string("service \(number / 4)"), "acct": .string("account \(number)"),
        ]
        for (name, value) in more.values { request[name] = value }
        return request
    }

    /// What the calls add to.
    private func measureStore(_ store: VaultStore) throws {
        let group = try store.read { vault in vault.groupNames.keys.first }
        guard let group else { throw CocoaError(.fileReadUnknown) }
        let keys = try (0..<Self.itemCount).map { number in
            let service = ArchiveValue.string("service \(number / 4)")
            let account = ArchiveValue.string("account \(number)")
            return PrimaryKey(of: try ItemAttributes(.genericPassword, ["svce": service, "acct": account]))
        }
        try each("the store's own lookup, with secret") { number in
            try store.lend { vault in
                let item = try vault.items(withPrimaryKey: keys[number], in: group).first
                guard let item, try vault.secret(of: item) != nil else {
                    preconditionFailure("the item is missing")
                }
            }
        }
    }

    private func measure(_ keychain: Keychain) throws {
        try each("find, data") { _ = try keychain.find(Self.query($0, ["r_Data": true])) }
        try each("find, attributes") { _ = try keychain.find(Self.query($0, ["r_Attributes": true])) }
        try each("find, neither") { _ = try keychain.find(Self.query($0)) }
        try each("find, absent") { number in
            do throws(KeychainError) {
                _ = try keychain.find(Self.query(number + 1_000_000))
            } catch .itemNotFound {}
        }
        try each("find all of a service, data") { number in
            _ = try keychain.find([
                "class": "genp", "svce": .string("service \(number / 4)"), "r_Attributes": true, "r_Data": true,
                "m_Limit": "m_LimitAll",
            ])
        }
        try each("typed, secret") { number in
            let item = Self.item(number)
            let text = try keychain.withSecret(where: .service(item.service), .account(item.account))
            precondition(text == Self.secretByteCount)
        }
        try each("typed, secret as text, in one call") { number in
            let item = Self.item(number)
            let text = try keychain.secretText(
                GenericPassword.self,
                where: .service(item.service),
                .account(item.account)
            )
            precondition(text?.utf8.count == Self.secretByteCount)
        }
        try each("add and delete", count: 500) { number in
            try keychain.add(Self.query(number + 2_000_000, ["v_Data": .data([1, 2, 3])]))
            try keychain.delete(Self.query(number + 2_000_000))
        }
    }

    private static func call(_ number: Int, _ more: [CFString: Any]) -> CFDictionary {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service \(number / 4)",
            kSecAttrAccount: "account \(number)",
        ]
        return query.merging(more) { $1 } as CFDictionary
    }

    private func measureCalls() throws {
        let queries = (0..<Self.itemCount).map { Self.call($0, [kSecReturnData: true]) }
        try each("SecItemCopyMatching, data") { number in
            var result: CFTypeRef?
            precondition(SecItemCopyMatching(queries[number], &result) == errSecSuccess)
        }
        try each("SecItemCopyMatching, data, including making the query") { number in
            var result: CFTypeRef?
            precondition(SecItemCopyMatching(Self.call(number, [kSecReturnData: true]), &result) == errSecSuccess)
        }
        let attributes = (0..<Self.itemCount).map { Self.call($0, [kSecReturnAttributes: true]) }
        try each("SecItemCopyMatching, attributes") { number in
            var result: CFTypeRef?
            precondition(SecItemCopyMatching(attributes[number], &result) == errSecSuccess)
        }
        try each("SecItemAdd and SecItemDelete", count: 500) { number in
            let item = Self.call(number + 3_000_000, [:])
            precondition(SecItemAdd(item, nil) == errSecSuccess)
            precondition(SecItemDelete(item) == errSecSuccess)
        }
    }

    private func each(_ name: String, count: Int = roundCount, _ body: (Int) throws -> Void) throws {
        var generator = SystemRandomNumberGenerator()
        let numbers = (0..<count).map { _ in Int.random(in: 0..<Self.itemCount, using: &generator) }
        // Warms the caches.
        for number in numbers.prefix(count / 4) { try body(number) }
        let start = Measurement.sharedNanoseconds()
        for number in numbers { try body(number) }
        let seconds = Double(Measurement.sharedNanoseconds() - start) / 1e9
        print("  \(name): \(Int(Double(count) / seconds)) a second")
    }
}

extension Keychain {
    /// Returns the size of the secret of an item.
    fileprivate func withSecret(where conditions: ItemCondition<GenericPassword>...) throws -> Int? {
        guard let item = try item(GenericPassword.self, where: conditions[0], conditions[1]) else { return nil }
        return try withSecret(of: item.reference) { $0.count }
    }
}
