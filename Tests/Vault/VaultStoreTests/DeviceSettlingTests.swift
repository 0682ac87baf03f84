import CofferBasics
import Foundation
import KeyedArchive
import TestSupport
import Testing
import VaultCrypto
import VaultFormat
import VaultStore

/// Two machines: the other one has items of its own while the passphrase is changed on this one.
@Suite("A device that comes back", .temporaryDirectory) struct DeviceSettlingTests {
    private static let device = RotationSample.device
    private static let otherDevice = RotationSample.otherDevice
    private static let new = "second passphrase"

    private static let boundClasses: [ProtectionClass] = [
        .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
        .whenPasscodeSetThisDeviceOnly,
    ]

    private func addBound(to store: VaultStore, of owner: DeviceID, _ word: String) throws {
        try store.transaction { transaction in
            for protection in Self.boundClasses {
                try transaction.addLogin(
                    word,
                    "\(protection)",
                    "\(word) \(protection)",
                    protection: protection,
                    owner: owner
                )
            }
        }
    }

    /// A vault in which both machines have items of their own, and share some.
    private func sample(compacted isCompacted: Bool) throws -> RotationSample {
        let sample = try RotationSample()
        let here = try sample.opened()
        let there = try sample.opened(on: [Self.otherDevice])
        for protection in [ProtectionClass.whenUnlocked, .afterFirstUnlock, .always] {
            _ = try here.transaction { transaction in
                try transaction.addLogin("shared", "\(protection)", "sesame", protection: protection)
            }
        }
        try addBound(to: here, of: Self.device, "here")
        try addBound(to: there, of: Self.otherDevice, "there")
        if isCompacted { try there.compact() }
        return sample
    }

    private func there(_ sample: RotationSample, _ passphrase: String = Self.new) throws -> VaultStore {
        try sample.opened(passphrase, on: [Self.otherDevice])
    }

    @Test(arguments: [false, true], [false, true])
    func `its items survive: absent here, and readable there with the new passphrase`(
        isCompacted: Bool,
        isCompactedBetween: Bool
    ) throws {
        let sample = try sample(compacted: isCompacted)
        let here = try sample.opened()
        let (beforeHere, beforeThere) = (try here.presences(), try there(sample, RotationSample.passphrase).presences())
        #expect(beforeThere.count == 7)
        let report = try here.changePassphrase(to: Self.new)
        #expect(report.carriedItemCount == 4)
        #expect(report.resealedItemCount == 7)
        #expect(report.lostItemCount == 0)
        #expect(try here.presences() == beforeHere)
        if isCompactedBetween { try here.compact() }
        #expect(try here.verify().isIntact)
        #expect(try !here.needsSettling)

        let back = try there(sample)
        #expect(try back.presences() == beforeThere)
        #expect(try back.verify().isIntact)
        #expect(try back.needsSettling)
        #expect(try back.settleDevices() == 4)
        #expect(try !back.needsSettling)
        #expect(try back.presences() == beforeThere)
        #expect(try there(sample).presences() == beforeThere)
        #expect(try sample.opened(Self.new).presences() == beforeHere)
        try sample.opened(Self.new).compact()
        #expect(try back.presences() == beforeThere)
        #expect(try back.verify().isIntact)
    }

    @Test func `an item of an earlier epoch is a version of one with its name`() throws {
        let sample = try RotationSample()
        let here = try sample.opened()
        let lost = try there(sample, RotationSample.passphrase).transaction { transaction in
            try transaction.addLogin(
                "kim",
                "mail",
                "theirs",
                protection: .alwaysThisDeviceOnly,
                owner: Self.otherDevice
            )
        }
        _ = try here.changePassphrase(to: Self.new)
        // The item of the other device is not present here.
        let counting = try here.add("kim", "mail", "ours")
        try here.add("lee", "mail", "other")
        let back = try there(sample)
        let (item, version) = try back.read { vault in
            let items = try vault.items(in: counting.group)
            #expect(items.map(\.group.epoch) == [1, 2, 2])
            #expect(try vault.counting(items).map(\.name) == items.dropFirst().map(\.name))
            #expect(try vault.versions(in: items).map { $0.map(\.name) } == [[counting, lost]])
            #expect(try vault.versions(of: items[0]).map(\.name) == [counting, lost])
            #expect(try vault.lostVersions(of: items[0]).isEmpty)
            #expect(try vault.lostVersions(of: items[1]).map(\.name) == [lost])
            return (items[1], items[0])
        }
        try back.transaction { transaction in
            try transaction.checkLeavesNoVersion(item, for: loginAttributes("kim", "mail"))
            try transaction.checkLeavesNoVersion(version, for: nil)
            #expect(throws: StoreError.contested(counting)) {
                try transaction.checkLeavesNoVersion(item, for: loginAttributes("max", "mail"))
            }
            #expect(throws: StoreError.contested(counting)) { try transaction.checkLeavesNoVersion(item, for: nil) }
        }
        try back.update(version, "max", "mail", secret: "x")
        try back.update(item, "kim", "post", secret: "x")
        #expect(try here.read { vault in try vault.versions(in: vault.items(in: counting.group)).isEmpty })
    }

    @Test(arguments: [false, true], [false, true])
    func `its items survive when a grant of their group, or of another, is revoked`(
        isCompacted: Bool,
        isOfTheirGroup: Bool
    ) throws {
        let sample = try sample(compacted: isCompacted)
        let here = try sample.opened()
        let recipient = try sample.environment.random.key().publicKey
        let names = try here.read { Array($0.keyring.groupNames.values) }
        let id = GrantID([UInt8](repeating: 5, count: 16).span)
        try here.issueGrant(
            id,
            named: Array("web".utf8),
            of: isOfTheirGroup ? names : [Array("other".utf8)],
            to: recipient
        )
        let (beforeHere, beforeThere) = (try here.presences(), try there(sample, RotationSample.passphrase).presences())
        let report = try here.revokeGrants([id])
        #expect(report.lostItemCount == 0)
        // Those of both machines, and those of this one.
        #expect(report.resealedItemCount == (isOfTheirGroup ? 7 : 0))
        #expect(try here.presences() == beforeHere)
        #expect(try here.verify().isIntact)
        #expect(try sample.keybag().slots.count == 1)
        #expect(try sample.keybag().slots.map(\.epoch) == [1])

        let back = try there(sample, RotationSample.passphrase)
        #expect(try back.presences() == beforeThere)
        #expect(try back.needsSettling)
        #expect(try back.settleDevices() == (isOfTheirGroup ? 4 : 0))
        #expect(try !back.needsSettling)
        #expect(try back.presences() == beforeThere)
        #expect(try back.verify().isIntact)
        #expect(try sample.opened().presences() == beforeHere)
        #expect(try sample.keybag().opensAlone(Self.otherDevice))
    }

    @Test func `settling removes the old epoch and the old root`() throws {
        let sample = try sample(compacted: true)
        try sample.opened().changePassphrase(to: Self.new)
        let between = try sample.keybag()
        #expect(between.previousRootEpochs == [1])
        #expect(between.matchEpochs == [1, 2])
        #expect(!between.opensAlone(Self.otherDevice))
        try there(sample).settleDevices()
        let after = try sample.keybag()
        #expect(after.previousRootEpochs == [])
        #expect(after.matchEpochs == [2])
        #expect(Set(after.dataKeys.map(\.classEpoch)) == [2])
        #expect(after.opensAlone(Self.otherDevice))
        let sections = try there(sample).read { vault in
            vault.opening.directory.sections.count { $0.kind == .group }
        }
        #expect(sections == 1)
    }

    @Test func `the passphrase may change several times before it comes back`() throws {
        let sample = try sample(compacted: false)
        let before = try there(sample, RotationSample.passphrase).presences()
        let here = try sample.opened()
        for word in ["second", "third", Self.new] { try here.changePassphrase(to: word) }
        #expect(try sample.keybag().previousRootEpochs == [1])
        let back = try there(sample)
        #expect(try back.presences() == before)
        try back.settleDevices()
        #expect(try back.presences() == before)
        #expect(try sample.keybag().previousRootEpochs == [])
        #expect(try back.verify().isIntact)
    }

    @Test(arguments: [false, true])
    func `it settles its own changes and deletions`(isCompacted: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let store = try there(sample, RotationSample.passphrase)
        let changed = try #require(try store.item("there", "alwaysThisDeviceOnly"))
        try store.update(changed, "there", "changed", secret: "changed there")
        try store.delete(try #require(try store.item("there", "whenUnlockedThisDeviceOnly")))
        let before = try store.presences()
        let report = try sample.opened().changePassphrase(to: Self.new)
        #expect(report.invalidRecordCount == 0)
        #expect(try there(sample).presences() == before)
        try sample.opened(Self.new).compact()
        let back = try there(sample)
        #expect(try back.presences() == before)
        try back.settleDevices()
        #expect(try back.presences() == before)
        #expect(try back.verify().isIntact)
    }

    /// A change of protection moves an item between the keys of one device and those of all.
    @Test(arguments: [false, true], [false, true])
    func `an item that changed hands keeps its last state`(isCompacted: Bool, keepsHistory: Bool) throws {
        let sample = try sample(compacted: isCompacted)
        let store = try there(sample, RotationSample.passphrase)
        let opened = try #require(try store.item("there", "alwaysThisDeviceOnly"))
        let taken = try #require(try store.item("shared", "always"))
        try store.transaction { transaction in
            if keepsHistory {
                var settings = Settings(revision: 0, values: [:])
                settings.historyRevisions = 5
                try transaction.change(settings)
            }
            let attributes = try loginAttributes("there", "for all")
            try transaction.update(opened, attributes: attributes, secret: .keep, protection: .whenUnlocked)
            try transaction.update(
                taken,
                attributes: try loginAttributes("shared", "taken"),
                secret: .keep,
                protection: .alwaysThisDeviceOnly,
                owner: Self.otherDevice
            )
        }
        let here = try sample.opened()
        let (beforeHere, beforeThere) = (try here.presences(), try store.presences())
        try here.changePassphrase(to: Self.new)
        #expect(try here.presences() == beforeHere)
        let back = try there(sample)
        #expect(try back.presences() == beforeThere)
        try here.compact()
        #expect(try back.presences() == beforeThere)
        try back.settleDevices()
        #expect(try back.presences() == beforeThere)
        #expect(try here.presences() == beforeHere)
        #expect(try back.verify().isIntact)
        #expect(try here.verify().isIntact)
    }

    // MARK: - Two epochs

    @Test func `a group with two epochs can be searched, added to, changed, emptied and compacted`() throws {
        let sample = try sample(compacted: true)
        try sample.opened().changePassphrase(to: Self.new)
        let back = try there(sample)
        let old = try #require(try back.item("there", "alwaysThisDeviceOnly"))
        #expect(old.group.epoch == 1)
        #expect(try back.item("shared", "always")?.group.epoch == 2)

        #expect(throws: StoreError.duplicate(old.name)) { try back.add("there", "alwaysThisDeviceOnly", "duplicate") }
        let shared = try #require(try back.item("shared", "always"))
        #expect(throws: StoreError.duplicate(old.name)) {
            try back.update(shared, "there", "alwaysThisDeviceOnly", secret: "duplicate")
        }
        #expect(throws: StoreError.duplicate(shared.name)) {
            try back.update(old, "shared", "always", secret: "duplicate")
        }

        try back.update(old, "there", "changed", secret: "changed in its epoch")
        #expect(try back.item("there", "changed")?.group.epoch == 1)
        try back.delete(try #require(try back.item("there", "whenUnlockedThisDeviceOnly")))
        try back.add("there", "new", "of the new epoch")
        try addBound(to: back, of: Self.otherDevice, "later")
        #expect(try back.item("later", "alwaysThisDeviceOnly")?.group.epoch == 2)
        let expected = try back.presences()
        #expect(expected.count == 7 - 1 + 1 + 4)
        try back.compact()
        #expect(try back.presences() == expected)
        #expect(try there(sample).presences() == expected)
        #expect(try back.verify().isIntact)
        try back.settleDevices()
        #expect(try back.presences() == expected)
        #expect(try back.verify().isIntact)
        #expect(Set(try sample.keybag().dataKeys.map(\.group.epoch)) == [2])
    }

    @Test func `past revisions are carried along, whichever device reseals them`() throws {
        let sample = try sample(compacted: true)
        let store = try there(sample, RotationSample.passphrase)
        try store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyRevisions = 5
            try transaction.change(settings)
        }
        for _ in 0..<2 {
            for (account, service) in [("there", "alwaysThisDeviceOnly"), ("shared", "always")] {
                let item = try #require(try store.item(account, service))
                try store.update(item, account, service, secret: "changed \(item.revision.number) times")
            }
            try store.compact()
        }
        let before = try store.inventory()
        let here = try sample.opened()
        let beforeHere = try here.inventory()
        try here.changePassphrase(to: Self.new)
        #expect(try here.inventory() == beforeHere)
        let back = try there(sample)
        #expect(try back.inventory() == before)
        try back.settleDevices()
        #expect(try back.inventory() == before)
        #expect(try here.inventory() == beforeHere)
    }

    // MARK: - Wraps

    @Test func `a group created without it takes a record, not a replacement`() throws {
        let sample = try sample(compacted: true)
        let (here, back) = (try sample.opened(), try there(sample, RotationSample.passphrase))
        #expect(try back.needsSettling, "the group of the sample was created without it too")
        try back.settleDevices()
        #expect(try !back.needsSettling)
        _ = try here.transaction { transaction in
            try transaction.addLogin("kim", "mail", "sesame", group: [0x61], protection: .always)
        }
        #expect(try back.needsSettling)
        let generation = try back.read { vault in vault.header.generation }
        #expect(try back.settleDevices() == 0)
        #expect(try !back.needsSettling)
        #expect(try !there(sample, RotationSample.passphrase).needsSettling)
        let alone = try sample.opened(nil, on: [Self.otherDevice])
        #expect(try alone.item("kim", "mail", group: [0x61])?.presence == .readable)
        #expect(try back.read { vault in vault.header.generation } == generation)
        try here.compact()
        #expect(try back.verify().isIntact)
    }

    @Test func `a device that was present at the change has nothing to settle`() throws {
        let sample = try sample(compacted: true)
        let everywhere = try sample.opened(on: [Self.device, Self.otherDevice])
        let before = try everywhere.presences()
        try everywhere.changePassphrase(to: Self.new)
        #expect(try sample.keybag().previousRootEpochs == [])
        let back = try there(sample)
        #expect(try !back.needsSettling)
        #expect(try back.settleDevices() == 0)
        #expect(try everywhere.presences() == before)
    }
}

extension Keybag {
    fileprivate var previousRootEpochs: [UInt32] {
        entries.compactMap { if case .previousRoot(let entry) = $0 { entry.epoch } else { nil } }
    }

    fileprivate var matchEpochs: Set<UInt32> {
        Set(entries.compactMap { if case .matchKey(let entry) = $0 { entry.group.epoch } else { nil } })
    }

    /// Whether the root of a device opens the structure key.
    fileprivate func opensAlone(_ device: DeviceID) -> Bool {
        entries.contains { if case .structureKey(let entry) = $0 { entry.device == device } else { false } }
    }
}
