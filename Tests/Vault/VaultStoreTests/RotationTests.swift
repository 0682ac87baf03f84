import CofferBasics
import Foundation
import KeyedArchive
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

@Suite("Changing the passphrase", .temporaryDirectory) struct RotationTests {
    private static let device = RotationSample.device
    private static let new = "second passphrase"

    /// Adds items of every class and in two groups, changes and deletes some, and compacts part of them.
    private func fill(_ store: VaultStore, keepsHistory: Bool = true) throws {
        try store.transaction { transaction in
            if keepsHistory {
                var settings = Settings(revision: 0, values: [:])
                settings.historyRevisions = 5
                try transaction.change(settings)
            }
            for protection in ProtectionClass.allCases {
                for (service, secret) in [("full", "secret of \(protection)"), ("empty", ""), ("none", nil)] {
                    try transaction.addLogin(
                        "kim",
                        "\(service) \(protection)",
                        secret,
                        protection: protection,
                        owner: protection.isBoundToDevice ? Self.device : .none
                    )
                }
            }
            for number in 0..<300 {
                try transaction.addLogin("kim \(number)", "many", String(repeating: "s", count: number), group: [0x61])
            }
        }
        try change(store, every: 7)
        try store.compact()
        try change(store, every: 5)
        try store.add("after", "mail", "secret in the log")
    }

    private func change(_ store: VaultStore, every step: Int) throws {
        for group in [StoreSample.group, [0x61]] {
            let items = try store.read { vault in
                try vault.items(in: vault.keyring.group(named: group)?.group ?? .none)
            }
            for (number, item) in items.enumerated() where number % step == 0 {
                let attributes = try store.attributes(of: item)
                let account = attributes["acct"]?.string ?? ""
                if number % 2 == 0 {
                    try store.delete(item)
                } else {
                    try store.update(item, account, "changed \(item.order)", secret: "changed \(number) by \(step)")
                }
            }
        }
    }

    @Test func `the old passphrase opens nothing, and the new one everything`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try store.add("kim", "mail", "sesame")
        try store.changePassphrase(to: Self.new)
        #expect(try !sample.opens(RotationSample.passphrase, on: [Self.device]))
        #expect(try sample.opens(Self.new))
        #expect(try sample.opened(Self.new).password("kim", "mail") == "sesame")
    }

    @Test(arguments: [true, false])
    func `items stay the same, now and at each moment of the past`(keepsHistory: Bool) throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store, keepsHistory: keepsHistory)
        if !keepsHistory { try store.compact() }
        let before = try store.inventory()
        let report = try store.changePassphrase(to: Self.new)
        #expect(try store.inventory() == before)
        #expect(try sample.opened(Self.new).inventory() == before)
        #expect(report.lostItemCount == 0)
        #expect(report.carriedItemCount == 0)
        #expect(report.invalidRecordCount == 0)
        let verification = try sample.opened(Self.new).verify()
        #expect(verification.isIntact)
        #expect(verification.itemCount == report.resealedItemCount)
        #expect(verification.sealedItemCount == 0)
    }

    @Test func `the past is sealed anew too where no live item is left`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyRevisions = 5
            try transaction.change(settings)
            for number in 0..<20 { try transaction.addLogin("kim \(number)", "many", "secret \(number)") }
        }
        try store.compact()
        let items = try store.read { vault in
            try vault.items(in: vault.keyring.group(named: StoreSample.group)?.group ?? .none)
        }
        for item in items { try store.delete(item) }
        try store.compact()
        let before = try store.inventory()
        let report = try store.changePassphrase(to: Self.new)
        #expect(report.invalidRecordCount == 0)
        #expect(report.droppedRevisionCount == 0)
        #expect(try store.inventory() == before)
        #expect(try store.read { vault in try vault.revisions(of: items[0].name) }.count == 1)
    }

    @Test func `no key and no sealed content stays the same`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store)
        try store.compact()
        let (before, oldBoxes) = (try sample.keybag(), try boxes(sample, store))
        try store.changePassphrase(to: Self.new)
        try store.compact()
        let (after, newBoxes) = (try sample.keybag(), try boxes(sample, store))
        #expect(!oldBoxes.isEmpty)
        #expect(oldBoxes.isDisjoint(with: newBoxes))
        #expect(commitments(before).isDisjoint(with: commitments(after)))
        #expect(commitments(before).count == commitments(after).count)
        #expect(Set(before.dataKeys.map(\.handle)).isDisjoint(with: after.dataKeys.map(\.handle)))
        #expect(Set(after.dataKeys.map(\.group.epoch)) == [2])
        #expect(after.teamKey == before.teamKey)
        #expect(after.devices == before.devices)
    }

    private func boxes(_ sample: RotationSample, _ store: VaultStore) throws -> Set<[UInt8]> {
        let roots = try store.read { vault in vault.keyring.roots }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: sample.path)))
        let parts = try SnapshotParts(of: bytes, roots: roots)
        return parts.metadata.union(parts.secrets).union(parts.pages)
    }

    private func commitments(_ keybag: Keybag) -> Set<[UInt8]> {
        Set(
            keybag.entries.compactMap { entry in
                switch entry {
                case .slot(let slot): slot.commitment
                case .structureKey(let key): key.wrap.commitment
                case .alwaysKey(let key): key.wrap.commitment
                case .matchKey(let key): key.wrap.commitment
                case .dataKey(let key): key.wrap.commitment
                case .groupName(let name): name.tag
                default: nil
                }
            }
        )
    }

    @Test func `the store continues, and so does a process that opens the vault again`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store)
        try store.changePassphrase(to: Self.new)
        let other = try sample.opened(Self.new)
        try other.add("other", "mail", "of another process")
        #expect(try store.password("other", "mail") == "of another process")
        try store.add("own", "mail", "of the one that rotated")
        #expect(try other.password("own", "mail") == "of the one that rotated")
        let item = try #require(try store.item("kim", "full afterFirstUnlock"))
        try store.update(item, "kim", "full afterFirstUnlock", secret: "renewed")
        try store.compact()
        #expect(try other.password("kim", "full afterFirstUnlock") == "renewed")
        #expect(throws: StoreError.self) { try store.add("own", "mail", "a duplicate") }
        #expect(try store.verify().isIntact)
        try store.changePassphrase(to: "third")
        #expect(try sample.opened("third").password("own", "mail") == "of the one that rotated")
    }

    @Test func `past revisions are dropped as the settings say, and the start of the history is recorded`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store, keepsHistory: false)
        let item = try #require(try store.item("kim", "full afterFirstUnlock"))
        let last = try store.read { vault in vault.position.sequence }
        let older = try store.read { vault in vault.historySince.sequence }
        #expect(older < last)
        let report = try store.changePassphrase(to: Self.new)
        #expect(report.droppedRevisionCount > 0)
        let (horizon, revisions) = try store.read { vault in
            (vault.historySince, try vault.revisions(of: item.name))
        }
        // The last transaction only added an item.
        #expect(horizon.sequence == last - 1)
        #expect(revisions.count == 1)
        #expect(try store.spaceReport().historyByteCount == 0)
    }

    @Test(arguments: [false, true]) func `settings are kept, even with a new team key`(renewsTeamKey: Bool) throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store)
        let teamKey = try sample.keybag().teamKey
        let settings = try store.read { vault in vault.settings }
        try store.changePassphrase(to: Self.new) { $0.renewsTeamKey = renewsTeamKey }
        #expect((try sample.keybag().teamKey != teamKey) == renewsTeamKey)
        let kept = try sample.opened(Self.new).read { vault in vault.settings }
        #expect(kept == settings)
        #expect(settings?.historyRevisions == 5)
        #expect(try store.verify().isIntact)
    }

    // MARK: - Other processes

    @Test func `a store with the old keys is refused, every time`() throws {
        let sample = try RotationSample()
        let (store, other, elsewhere) = (try sample.opened(), try sample.opened(), try sample.opened(on: []))
        try store.add("kim", "mail", "sesame")
        #expect(try other.password("kim", "mail") == "sesame")
        #expect(try elsewhere.password("kim", "mail") == "sesame")
        elsewhere.lock()
        #expect(try elsewhere.item("kim", "mail")?.presence == .locked)
        try store.changePassphrase(to: Self.new)
        for store in [other, other, elsewhere, elsewhere] {
            #expect(throws: StoreError.keysChanged(path: sample.path)) { try store.item("kim", "mail") }
            #expect(throws: StoreError.keysChanged(path: sample.path)) { try store.add("new", "mail", "x") }
        }
        let roots = try store.read { vault in vault.keyring.roots }
        try other.unlock { _ in roots }
        #expect(try other.password("kim", "mail") == "sesame")
    }

    @Test func `a locked store continues if its device has the new keys`() throws {
        let sample = try RotationSample()
        let (store, other) = (try sample.opened(), try sample.opened())
        try store.transaction { transaction in
            try transaction.addLogin("kim", "mail", "sesame", protection: .always)
            try transaction.addLogin("kim", "post", "sesame", protection: .afterFirstUnlock)
        }
        other.lock()
        try store.changePassphrase(to: Self.new)
        #expect(try other.password("kim", "mail") == "sesame")
        #expect(try other.item("kim", "post")?.presence == .locked, "its class key is a new one")
    }

    @Test func `meanwhile nobody can write, and everybody can read`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store)
        var options = StoreOptions()
        options.lockTimeout = .zero
        let other = try sample.opened(options: options)
        var attempts: [StoreError?] = []
        var found: [String?] = []
        var rotation = try store.rotation(argon2Limits: .weak)
        try rotation.add(passphrase: [2].span, parameters: RotationSample.weak)
        try store.rotate(to: rotation) { _ in
            found += [try? other.password("after", "mail"), try? store.password("after", "mail")]
            do {
                try other.add("too early", "mail", "x")
                attempts.append(nil)
            } catch {
                attempts.append(error as? StoreError)
            }
            return true
        }
        #expect(!attempts.isEmpty)
        for attempt in attempts {
            guard case .busy? = attempt else {
                Issue.record("it was \(String(describing: attempt))")
                continue
            }
        }
        #expect(Set(found) == ["secret in the log"])
    }

    @Test func `a canceled rotation changes nothing`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try fill(store)
        let before = try Data(contentsOf: URL(filePath: sample.path))
        var rotation = try store.rotation(argon2Limits: .weak)
        try rotation.add(passphrase: [2].span, parameters: RotationSample.weak)
        #expect(throws: StoreError.cancelled) { try store.rotate(to: rotation) { $0.byteCount == 0 } }
        #expect(throws: StoreError.cancelled) { try store.rotate(to: rotation) { _ in false } }
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == before)
        let directory = URL(filePath: sample.path).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["vault.coffer"])
        #expect(try store.password("after", "mail") == "secret in the log")
        try store.rotate(to: rotation)
        #expect(try store.password("after", "mail") == "secret in the log")
    }

    @Test func `a rotation that another one has overtaken is refused`() throws {
        let sample = try RotationSample()
        let (store, other) = (try sample.opened(), try sample.opened())
        var late = try store.rotation(argon2Limits: .weak)
        try late.add(passphrase: [2].span, parameters: RotationSample.weak)
        try other.changePassphrase(to: Self.new)
        #expect(throws: StoreError.keysChanged(path: sample.path)) { try store.rotate(to: late) }
        #expect(throws: StoreError.keysChanged(path: sample.path)) { try other.rotate(to: late) }
        #expect(try sample.opens(Self.new))
    }

    @Test func `only a holder of the user root can rotate`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        var rotation = try store.rotation(argon2Limits: .weak)
        try rotation.add(passphrase: [2].span, parameters: RotationSample.weak)
        store.lock()
        let expected = StoreError.keyChange(.ownerNeeded, path: sample.path)
        #expect(throws: expected) { try store.rotation() }
        #expect(throws: expected) { try store.rotate(to: rotation) }
        #expect(throws: expected) { try store.slotAddition() }
    }

    @Test func `a read-only vault is not rotated`() throws {
        let sample = try RotationSample()
        var options = StoreOptions()
        options.mayWrite = false
        let store = try sample.opened(options: options)
        #expect(throws: StoreError.readOnly(.asked, path: sample.path)) { try store.changePassphrase(to: Self.new) }
        #expect(try sample.opens(RotationSample.passphrase))
    }

    @Test func `the anchor is updated, and detects an older copy`() throws {
        let sample = try RotationSample()
        var options = StoreOptions()
        options.anchorDirectory = try TemporaryDirectory.current.appending(path: "anchors").path
        let store = try sample.opened(options: options)
        try store.add("kim", "mail", "sesame")
        let copy = try Data(contentsOf: URL(filePath: sample.path))
        try store.changePassphrase(to: Self.new)
        #expect(try sample.opened(Self.new, options: options).verify().anchor == .fine)
        try copy.write(to: URL(filePath: sample.path))
        options.acceptsRollback = true
        #expect(try sample.opened(options: options).verify().anchor == .rollback)
    }
}
