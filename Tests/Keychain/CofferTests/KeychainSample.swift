import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A keychain on a new vault in the temporary directory of the test.
struct KeychainSample {
    let keychain: Keychain
    let store: VaultStore
    let device: DeviceID
    let time: ManualTime
    /// The keys that open the vault.
    let roots: Keyring.Roots
    let path: String

    /// Creates a vault in `directory`, or in the directory of the test.
    init(
        _ groups: AccessGroups = AccessGroups(application: "com.example.app"),
        in directory: URL? = nil
    ) throws {
        time = ManualTime()
        let environment = StoreEnvironment(time: time, random: try SystemRandom())
        var new = try NewVault(environment: environment)
        device = DeviceID(environment.random.bytes(16).span)
        try new.add(device: device, key: try environment.random.key(), opensAll: true)
        roots = new.roots
        path = try (directory ?? TemporaryDirectory.current).appending(path: "\(device).coffer").path
        store = try VaultStore.create(new, at: path, environment: environment)
        keychain = Keychain(store, groups: groups)
    }

    /// The same vault, opened by another process with `roots`, or with everything that opens it.
    func reopened(
        _ groups: AccessGroups = AccessGroups(application: "com.example.app"),
        roots: Keyring.Roots? = nil
    ) throws -> Keychain {
        let roots = roots ?? self.roots
        let store = try VaultStore.open(at: path, environment: store.environment) { _ in roots }
        return Keychain(store, groups: groups)
    }

    /// Unlocks the keychain.
    func unlock() throws {
        let roots = roots
        try store.unlock { _ in roots }
    }

    /// The same vault, used by a program with other groups.
    func keychain(_ groups: AccessGroups) -> Keychain { Keychain(store, groups: groups) }
}

extension ItemRequest {
    /// The request with additional values.
    func with(_ other: ItemRequest) -> ItemRequest { ItemRequest(values.merging(other.values) { $1 }) }
}

extension Keychain {
    /// Replaces the file, like a due compaction.
    func compact() throws { try openedStore()?.compact() }
}

/// The base of a request for a password.
let password: ItemRequest = ["class": "genp"]

extension Keychain {
    /// The result that a request asks for, for all matching items.
    func all(_ request: ItemRequest) throws -> [ItemAnswer] {
        do {
            guard case .list(let answers) = try find(request.with(["m_Limit": "m_LimitAll"])) else { return [] }
            return answers
        } catch KeychainError.itemNotFound {
            return []
        }
    }

    /// The attributes of the one item that matches a request.
    func attributes(_ request: ItemRequest) throws -> [String: ItemValue] {
        guard case .dictionary(let found) = try find(request.with(["r_Attributes": true])) else { return [:] }
        return found.values
    }

    /// The data of the one item that matches a request, as text; nil if it has none.
    func text(_ request: ItemRequest) throws -> String? {
        guard case .data(let bytes) = try find(request.with(["r_Data": true])) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The persistent reference of the one item that matches a request.
    func reference(_ request: ItemRequest) throws -> ItemValue {
        let answer = try find(request.with(["r_PersistentRef": true]))
        guard case .data(let bytes) = answer else { throw KeychainError.itemNotFound }
        return .data(bytes)
    }

    /// The number of items that match a request.
    func count(_ request: ItemRequest) throws -> Int { try all(request.with(["r_PersistentRef": true])).count }
}

/// The data of a text.
func data(_ text: String) -> ItemValue { .data(Array(text.utf8)) }
