import CofferBasics
import Foundation
internal import KeyedArchive
internal import VaultFiles
package import TestSupport
package import VaultFormat
package import VaultStore

/// The reader that the vectors test: our store, with the file in memory.
package struct VaultSubject {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the same reader for other bytes.
    package func reading(_ bytes: [UInt8]) -> VaultSubject { VaultSubject(bytes) }

    package var source: MemorySource { MemorySource(bytes) }

    /// Opens the vault structure with all secrets that the vector gives.
    package func opened(_ vector: VaultVector) throws(VaultFormatError) -> VaultOpening {
        let prelude = try VaultPrelude(of: source)
        return try VaultOpening(prelude, roots: try vector.roots(prelude), random: DeterministicRandom(seed: "reader"))
    }

    /// Opens the vault with all secrets that the vector gives, and verifies it.
    package func contents(_ vector: VaultVector) throws(VaultFormatError) -> VaultContents {
        try contents(applicationPassword: vector.applicationPassword) { prelude throws(VaultFormatError) in
            try vector.roots(prelude)
        }
    }

    /// Opens the vault and verifies it.
    package func contents(
        applicationPassword: [UInt8]? = nil,
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(VaultFormatError) -> VaultContents {
        do {
            return try VaultContents(of: bytes, applicationPassword: applicationPassword, roots: roots)
        } catch StoreError.vault(let failure, _) {
            throw failure
        } catch {
            preconditionFailure("files in memory failed: \(error)")
        }
    }
}

extension StoreError {
    /// The error of a call of the store, which throws no others.
    package init(of error: any Error) {
        guard let error = error as? StoreError else { preconditionFailure("not an error of the store: \(error)") }
        self = error
    }
}

/// Everything that the store reads from a vault, and its verdict.
package struct VaultContents {
    /// A valid item, as far as it can be opened.
    package struct Item {
        package let stored: StoredItem
        package let groupName: String
        /// The attributes of the item; nil while it is locked.
        package var attributes: ItemAttributes?
        /// The form and bytes of the secret; nil for an item without a secret, and while it is locked.
        package var secret: (form: SecretForm, bytes: [UInt8])?
    }

    /// The items, except those of other devices.
    package private(set) var items: [ItemName: Item] = [:]
    package private(set) var groupNames: [GroupEpoch: [UInt8]] = [:]
    package let report: VerificationReport
    /// The revision and the values of the settings that count, in the notation of the vectors.
    package private(set) var settings: String?

    /// The number of items whose data the application password opened, and that turned out to be invalid.
    private var invalidSecretCount = 0

    private static let path = "/vault.coffer"

    init(
        of bytes: [UInt8],
        applicationPassword: [UInt8]?,
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws {
        let files = MemoryFiles()
        try files.put(bytes, at: Self.path)
        let environment = StoreEnvironment(files: files, random: DeterministicRandom(seed: "reader"))
        let store = try VaultStore.open(at: Self.path, environment: environment, roots: roots)
        report = try store.verify()
        guard report.damages.isEmpty else { return }
        (items, groupNames) = try store.read { vault in
            (try Self.items(of: &vault), vault.keyring.groupNames)
        }
        if let applicationPassword { openSecrets(with: applicationPassword, store) }
        settings = try store.read { vault in vault.settings }.map { settings in
            "\(settings.revision) \(ArchiveValue.dictionary(settings.values).notation)"
        }
    }

    private static func items(of vault: inout OpenGeneration) throws -> [ItemName: Item] {
        var items: [ItemName: Item] = [:]
        for (group, name) in vault.groupNames {
            for stored in try vault.items(in: group) {
                var item = Item(stored: stored, groupName: String(decoding: name, as: UTF8.self))
                if stored.presence == .readable {
                    do {
                        item.attributes = try vault.attributes(of: stored)
                        if let secret = try vault.secret(of: stored) {
                            if let attributes = item.attributes { try secret.check(of: stored, attributes) }
                            item.secret = (secret.form, secret.withBytes { [UInt8](copying: $0) })
                        }
                    } catch let error as StoreError {
                        guard case .invalidItem = error else { throw error }
                        continue
                    }
                }
                items[stored.name] = item
            }
        }
        return items
    }

    /// Opens the data that has this application password; other data stays as it is.
    private mutating func openSecrets(with password: [UInt8], _ store: VaultStore) {
        for (name, item) in items where item.secret?.form == .applicationPassword {
            do {
                let opened = try store.read { vault in
                    try Self.opened(vault.secret(of: item.stored), of: name, with: password)
                }
                if let opened { items[name]?.secret = opened }
            } catch {
                invalidSecretCount += 1
                items[name] = nil
            }
        }
    }

    private static func opened(
        _ secret: consuming Secret?,
        of name: ItemName,
        with password: [UInt8]
    ) throws -> (form: SecretForm, bytes: [UInt8])? {
        guard let secret else { return nil }
        do throws(Fault) {
            // A key that would take more than the limits allow is not made.
            guard let stretching = try secret.stretching,
                let key = try? ApplicationPasswordKey(
                    password.span,
                    stretching,
                    limits: .weak,
                    availableByteCount: nil
                ),
                let opened = try secret.opened(with: key)
            else { return nil }
            try opened.withBytes { bytes throws(Fault) in try SecretContent.check(bytes, form: opened.form) }
            return (opened.form, opened.withBytes { [UInt8](copying: $0) })
        } catch {
            throw StoreError.invalidItem(name, error.reason)
        }
    }

    /// The items whose attributes and data can be read, by id.
    package var readableItems: [Item] {
        items.values.filter { $0.attributes != nil }.sorted { $0.stored.revision.item < $1.stored.revision.item }
    }

    /// The number of locked items.
    package var lockedItemCount: Int { items.values.count { $0.attributes == nil } }

    /// The number of invalid records and items in parts that are intact.
    package var failureCount: Int {
        report.invalidRecordCount + (report.damages.isEmpty ? report.invalidItems.count : 0) + invalidSecretCount
    }

    /// The outcome in the words of the vectors.
    package var outcome: String {
        if let damage = report.damages.first {
            if case .limitExceeded = damage.fault { return "limit exceeded" }
            return "snapshot failure"
        }
        return switch report.tail {
        case .torn: "torn tail"
        case .damaged: "damaged tail"
        case .inconsistent: "inconsistent"
        case .clean: failureCount == 0 ? "success" : "record failure"
        }
    }

    package var tailByteCount: Int? {
        switch report.tail {
        case .clean, .inconsistent: nil
        case .torn(let byteCount), .damaged(let byteCount): byteCount
        }
    }
}

extension Secret {
    fileprivate borrowing func check(of item: StoredItem, _ attributes: ItemAttributes) throws {
        do throws(Fault) { try check(for: attributes) } catch { throw StoreError.invalidItem(item.name, error.reason) }
    }
}
