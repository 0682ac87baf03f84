import CofferBasics
import Foundation
import VaultCrypto
import VaultFormat
import VaultStore

/// Our store, which every process opens with the device key, so that none waits for Argon2.
final class CofferSubject: StoreSubject {
    private static let groupName = Array("TEAMID.com.example.mail".utf8)
    private static let itemsPerTransaction = 1000
    /// The maximum number of items in the log before it is compacted while loading a vault.
    private static let itemsPerCompaction = 100_000

    let name = "Coffer"
    private let store: VaultStore
    private let place: StorePlace
    private let environment: StoreEnvironment
    /// The group of all items; nil as long as there are no items.
    private(set) var group: GroupID?

    private static var newEnvironment: StoreEnvironment {
        get throws { StoreEnvironment(random: try SystemRandom()) }
    }

    private static func options(_ place: StorePlace, _ indexing: DueWork) -> StoreOptions {
        var options = StoreOptions()
        // As in an application.
        options.anchorDirectory = place.anchors
        // Compaction is measured separately, and starts where the bench decides.
        options.dueCompaction = .never
        options.dueIndexing = indexing
        return options
    }

    /// Creates an empty vault and the device key that opens it.
    init(creatingIn place: StorePlace, indexing: DueWork = .inBackground) throws {
        self.place = place
        environment = try Self.newEnvironment
        let random = environment.random
        let file = DeviceKeyFile(
            device: random.identifier(),
            key: try random.key()
        )
        var new = try NewVault(environment: environment)
        try new.add(device: file.device, key: file.key, opensAll: true)
        let text = file.withText { text in [UInt8](copying: text) }
        try Data(text).write(to: URL(filePath: place.deviceKey))
        try FileManager.default.createDirectory(atPath: place.anchors, withIntermediateDirectories: true)
        store = try VaultStore.create(
            new,
            at: place.vault,
            environment: environment,
            options: Self.options(place, indexing)
        )
    }

    /// Opens the vault as an application does when it starts.
    init(openingIn place: StorePlace, indexing: DueWork = .inBackground) throws {
        self.place = place
        environment = try Self.newEnvironment
        let roots = try Self.roots(place)
        store = try VaultStore.open(
            at: place.vault,
            environment: environment,
            options: Self.options(place, indexing),
            roots: roots
        )
        try findGroup()
    }

    /// Returns a function that finds the roots of a vault with the device key.
    private static func roots(_ place: StorePlace) throws -> (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots {
        let file = try deviceKey(place)
        return { prelude in
            try prelude.roots(deviceKeys: [file.device: file.key], availableByteCount: nil)
        }
    }

    private static func deviceKey(_ place: StorePlace) throws -> DeviceKeyFile {
        let text = Array(try Data(contentsOf: URL(filePath: place.deviceKey)))
        return try DeviceKeyFile(parsing: text.span)
    }

    private func findGroup() throws {
        group = try store.read { vault in vault.keyring.group(named: Self.groupName)?.group }
    }

    /// Replaces all keys; the device key still opens the vault.
    func rotate() throws {
        let file = try Self.deviceKey(place)
        var rotation = try store.rotation()
        try rotation.add(unlockOf: file.device, key: file.key)
        try store.rotate(to: rotation)
    }

    func withStore<Result>(_ body: (VaultStore) throws -> Result) rethrows -> Result { try body(store) }

    // MARK: - Work

    func load(_ numbers: Range<Int>) throws {
        var loggedCount = 0
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: Self.itemsPerTransaction) {
            let end = min(start + Self.itemsPerTransaction, numbers.upperBound)
            if loggedCount >= Self.itemsPerCompaction {
                try store.compact()
                loggedCount = 0
            }
            try add((start..<end).map(PreparedItem.init)[...], isDurable: false)
            loggedCount += end - start
        }
        try store.flush()
        finish()
    }

    func add(_ items: ArraySlice<PreparedItem>, isDurable: Bool) throws {
        try store.transaction(durability: isDurable ? .full : .relaxed) { transaction in
            for item in items {
                let secret = item.item.secret
                _ = try transaction.add(
                    item.attributes,
                    secret: secret.span,
                    group: Self.groupName,
                    protection: .whenUnlocked
                )
            }
        }
        if group == nil { try findGroup() }
    }

    func secretByteCount(of key: PreparedItem) throws -> Int? {
        var byteCount: Int?
        try store.lend { [group] vault in
            guard let group, let item = try vault.items(withPrimaryKeyOf: key.primaryKey, in: group).first else {
                return
            }
            byteCount = try vault.secret(of: item)?.byteCount
        }
        return byteCount
    }

    func contains(_ key: PreparedItem) throws -> Bool {
        var contains = false
        try store.lend { [group] vault in
            guard let group else { return }
            contains = try !vault.items(withPrimaryKeyOf: key.primaryKey, in: group).isEmpty
        }
        return contains
    }

    func count(ofService key: PreparedItem) throws -> Int {
        var count = 0
        try store.lend { [group] vault in
            guard let group else { return }
            count = try vault.items(of: .genericPassword, in: group, having: [("svce", key.service)]).count
        }
        return count
    }

    func attributeCount(of key: PreparedItem) throws -> Int {
        var count = 0
        try store.lend { [group] vault in
            guard let group, let item = try vault.items(withPrimaryKeyOf: key.primaryKey, in: group).first else {
                return
            }
            count = try vault.attributes(of: item).values.count
        }
        return count
    }

    func byteCount() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: place.vault)
        return (attributes[.size] as? Int) ?? 0
    }

    /// Returns when an application would have nothing left to do in the background.
    func finish() { store.indexIfDue(after: 1) }

    // MARK: - The file

    /// A compaction for another thread.
    var compaction: @Sendable () throws -> Void {
        { [store] in try store.compact() }
    }

    func compact() throws { try store.compact() }

    func readWholeLog() throws { try store.lend { vault in try vault.completeLog() } }

    func verify() throws {
        let report = try store.verify()
        guard report.damages.isEmpty, report.invalidItems.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
    }

    /// Returns the size of the last frame of the log.
    func lastFrameByteCount() throws -> Int {
        let source = try BenchFileSource(path: place.vault)
        defer { source.close() }
        let prelude = try VaultPrelude(of: source)
        let opening = try VaultOpening(prelude, roots: try Self.roots(place)(prelude), random: environment.random)
        var log = opening.log(in: source)
        var byteCount = 0
        var start = log.position.offset
        while try log.next() != nil {
            byteCount = log.position.offset - start
            start = log.position.offset
        }
        return byteCount
    }
}
