import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultFormat
import VaultStore

/// A vault opened with only some of its keys: items that cannot be read exist, are carried, and are not harmed.
@Suite("Locked items") struct CarryingTests {
    typealias Holder = DeviceSample.Holder

    private static let group = StoreSample.group
    private static let device = DeviceSample.device
    private static let otherDevice = DeviceSample.otherDevice

    /// A vault with an item of each protection class, and one of the other device.
    private func sample(compacted isCompacted: Bool = false) throws -> DeviceSample {
        let sample = try DeviceSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        for protection in Self.classes {
            _ = try sample.store.transaction { transaction in
                try transaction.addLogin(
                    "kim",
                    "\(protection)",
                    "secret",
                    protection: protection,
                    owner: protection.isBoundToDevice ? Self.device : .none
                )
            }
        }
        _ = try sample.store.transaction { transaction in
            try transaction.addLogin(
                "kim",
                "elsewhere",
                "secret",
                protection: .alwaysThisDeviceOnly,
                owner: Self.otherDevice
            )
        }
        if isCompacted { try sample.store.compact() }
        return sample
    }

    private static let classes: [ProtectionClass] = [
        .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
        .alwaysThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
    ]

    private func readable(_ protection: ProtectionClass, service: String? = nil) -> String {
        "\(protection) \(service ?? "\(protection)") secret"
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `locked items exist, and those of another device do not`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let all = Self.classes.map { readable($0) }
        let elsewhere = readable(.alwaysThisDeviceOnly, service: "elsewhere")
        #expect(try sample.opened(by: .everything).presences() == all + [elsewhere])
        #expect(try sample.opened(by: .owner).presences() == all)
        #expect(
            try sample.opened(by: .ownerOnOtherDevice).presences()
                == Self.classes.filter { !$0.isBoundToDevice }.map { readable($0) } + [elsewhere]
        )
        #expect(
            try sample.opened(by: .ownerElsewhere).presences()
                == Self.classes.filter { !$0.isBoundToDevice }.map { readable($0) }
        )
        let open: [ProtectionClass] = [.always, .alwaysThisDeviceOnly]
        #expect(
            try sample.opened(by: .deviceAlone).presences()
                == Self.classes.map { open.contains($0) ? readable($0) : "\($0) locked" }
        )
    }

    @Test(.temporaryDirectory, arguments: Holder.allCases, [false, true])
    func `a compaction with only some of the keys keeps everything`(holder: Holder, isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let before = try Holder.allCases.map { try sample.opened(by: $0).presences() }
        let parts = try isCompacted ? self.parts(sample) : nil
        try sample.opened(by: holder).compact()
        #expect(try Holder.allCases.map { try sample.opened(by: $0).presences() } == before)
        if let parts {
            let after = try self.parts(sample)
            #expect(parts.secrets.count == 8)
            #expect(after.secrets == parts.secrets)
        }
        try sample.opened(by: .deviceAlone).compact()
        let report = try sample.opened(by: .everything).compact()
        #expect(report.carriedRecordCount == 0, "the owner folds in what was carried")
        #expect(try Holder.allCases.map { try sample.opened(by: $0).presences() } == before)
    }

    @Test(.temporaryDirectory)
    func `the device alone folds in what it cannot read, with the same boxes`() throws {
        let sample = try sample(compacted: true)
        for item in try allItems(sample.store) {
            try sample.store.update(item, "kim", "\(item.name)", secret: "secret")
        }
        #expect(try sample.opened(by: .deviceAlone).compact().carriedRecordCount == 0)
        let before = try parts(sample)
        #expect(before.metadata.count == 8)
        try sample.opened(by: .deviceAlone).compact()
        let after = try parts(sample)
        #expect(after.metadata.intersection(before.metadata).count >= 6)
        #expect(after.secrets == before.secrets)
    }

    private func allItems(_ store: VaultStore) throws -> [StoredItem] {
        try store.read { vault in
            try vault.items(in: vault.keyring.group(named: Self.group)?.group ?? .none)
        }
    }

    private func parts(_ sample: DeviceSample) throws -> SnapshotParts {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: sample.path)))
        return try SnapshotParts(of: bytes, roots: sample.roots)
    }

    // MARK: - Changing locked items

    private func lockedItem(_ store: VaultStore) throws -> StoredItem {
        let item = try #require(try store.item("kim", "\(ProtectionClass.whenUnlocked)"))
        #expect(item.presence == .locked)
        return item
    }

    @Test(.temporaryDirectory, arguments: [false, true], [false, true])
    func `a locked item can be deleted, and stays deleted whoever compacts`(
        isCompacted: Bool,
        isCompactedBetween: Bool
    ) throws {
        let sample = try sample(compacted: isCompacted)
        let store = try sample.opened(by: .deviceAlone)
        try store.delete(try lockedItem(store))
        #expect(try store.presences().count == 6)
        if isCompactedBetween { try store.compact() }
        let name = "\(ProtectionClass.whenUnlocked)"
        #expect(try sample.opened(by: .everything).item("kim", name) == nil)
        try sample.opened(by: .everything).compact()
        #expect(try sample.opened(by: .everything).presences().count == 7)
        #expect(try sample.opened(by: .deviceAlone).presences().count == 6)
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `a locked item cannot be read or changed, and its primary key is taken`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let store = try sample.opened(by: .deviceAlone)
        let item = try lockedItem(store)
        let service = "\(ProtectionClass.whenUnlocked)"
        #expect(throws: StoreError.locked(item.name)) { try store.attributes(of: item) }
        #expect(throws: StoreError.locked(item.name)) { try store.text(of: item) }
        #expect(throws: StoreError.keys(.locked)) { try store.update(item, "kim", service, secret: "x") }
        #expect(throws: StoreError.locked(item.name)) {
            try store.transaction { transaction in
                try transaction.update(item, attributes: try loginAttributes("kim", service), secret: .keep)
            }
        }
        #expect(throws: StoreError.duplicate(item.name)) {
            try store.transaction { transaction in
                try transaction.addLogin("kim", service, "x", protection: .always)
            }
        }
        #expect(try store.presences().count == 7)
    }

    @Test(.temporaryDirectory) func `existing keys that are locked are not replaced`() throws {
        let sample = try sample()
        let store = try sample.opened(by: .deviceAlone)
        for protection in [ProtectionClass.whenUnlocked, .afterFirstUnlock] {
            #expect(throws: StoreError.keys(.locked)) {
                try store.transaction { transaction in
                    try transaction.addLogin("new", "mail", "x", protection: protection)
                }
            }
        }
        #expect(throws: StoreError.keys(.locked), "a new group requires the owner") {
            try store.transaction { transaction in
                try transaction.addLogin("new", "mail", "x", group: Array("new".utf8), protection: .always)
            }
        }
        try store.transaction { transaction in
            try transaction.addLogin("new", "mail", "secret", protection: .always)
            try transaction.addLogin(
                "new",
                "post",
                "secret",
                protection: .alwaysThisDeviceOnly,
                owner: DeviceSample.device
            )
        }
        #expect(try sample.opened(by: .everything).presences().count == 10)
    }

    @Test(.temporaryDirectory)
    func `a class bound to a device requires that device, and one with a passcode a passphrase`()
        throws
    {
        let sample = try sample()
        let store = try sample.opened(by: .ownerElsewhere)
        for protection in Self.classes where protection.isBoundToDevice {
            #expect(throws: StoreError.keys(.deviceNeeded), "no device is given") {
                try store.transaction { transaction in
                    try transaction.addLogin("new", "mail", "x", protection: protection)
                }
            }
        }
        let own = DeviceSample.device
        #expect(throws: StoreError.refused(.badValue), "the class is not bound to a device") {
            try sample.store.transaction { transaction in
                try transaction.addLogin("new", "mail", "x", protection: .afterFirstUnlock, owner: own)
            }
        }
        let unknown = DeviceID([UInt8](repeating: 5, count: 16).span)
        for protection in Self.classes where protection.isBoundToDevice {
            #expect(throws: StoreError.keys(.deviceNeeded)) {
                try store.transaction { transaction in
                    try transaction.addLogin("new", "mail", "x", protection: protection, owner: unknown)
                }
            }
        }
        let path = try TemporaryDirectory.current.appending(path: "other.coffer").path
        let other = try StoreSample(at: path)
        let device = try #require(other.roots.devices.keys.first)
        #expect(throws: StoreError.keys(.passphraseNeeded)) {
            try other.store.transaction { transaction in
                try transaction.addLogin(
                    "new",
                    "mail",
                    "x",
                    protection: .whenPasscodeSetThisDeviceOnly,
                    owner: device
                )
            }
        }
    }

    @Test(.temporaryDirectory, arguments: [false, true])
    func `items of two devices may share a primary key, and the newer is found`(isCompacted: Bool) throws {
        let sample = try sample()
        let elsewhere = try sample.opened(by: .ownerOnOtherDevice)
        _ = try elsewhere.transaction { transaction in
            try transaction.addLogin(
                "kim",
                "\(ProtectionClass.alwaysThisDeviceOnly)",
                "younger",
                protection: .alwaysThisDeviceOnly,
                owner: DeviceSample.otherDevice
            )
        }
        if isCompacted { try elsewhere.compact() }
        let all = try sample.opened(by: .everything)
        let service = "\(ProtectionClass.alwaysThisDeviceOnly)"
        #expect(try all.text(of: #require(try all.item("kim", service))) == "younger")
        #expect(try all.presences().count == 9)
        #expect(try all.verify().duplicateItems.map(\.names.count) == [2])
        let own = try sample.opened(by: .owner)
        #expect(try own.text(of: #require(try own.item("kim", service))) == "secret")
    }

    @Test(.temporaryDirectory) func `the settings count without the user root too`() throws {
        let sample = try sample(compacted: true)
        let store = try sample.opened(by: .deviceAlone)
        let service = "\(ProtectionClass.always)"
        let item = try #require(try store.item("kim", service))
        try store.transaction { transaction in
            let secret: [UInt8] = [1]
            try transaction.update(
                item,
                attributes: try loginAttributes("kim", service),
                secret: .replace(secret.span)
            )
        }
        #expect(try store.compact().droppedRevisionCount == 1)
        let count = try store.read { vault in try vault.revisions(of: item.name).count }
        #expect(count == 1)
    }

    /// A compaction without all match keys of a group broke the order in which a writer had used the epochs.
    ///
    /// It made one run of each epoch, or folded in the epoch that it could read. Whoever judged the records later refused
    /// a put whose place or previous place came too late, and the item was gone.
    @Test(.temporaryDirectory, arguments: ["epochs_in_turn_closed", "epochs_in_turn_for_device"])
    func `a group without all its match keys keeps its records in order`(name: String) throws {
        let vectors = try VaultVector.all()
        let device = try #require(vectors.first { $0.name == name })
        let owner = try #require(vectors.first { $0.name == "epochs_in_turn" })
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        try Data(device.bytes).write(to: URL(filePath: path))
        for _ in 0..<2 {
            let store = try device.opened(at: path)
            #expect(try store.presences().count == device.itemCount)
            #expect(try store.verify().invalidRecordCount == 0)
            #expect(try store.compact().carriedRecordCount == 3)
        }
        let store = try owner.opened(at: path)
        let items = ["whenUnlocked", "always", "whenUnlocked"].map { "\($0) mail.example.com sesame" }
        #expect(try store.presences() == items)
        #expect(try store.verify().isIntact)
        #expect(try store.compact().carriedRecordCount == 0)
        #expect(try store.presences() == items)
    }
}
