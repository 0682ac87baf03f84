import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing
import VaultStore

@Suite("Keys of a vault", .temporaryDirectory) struct VaultKeysTests {
    private func item(_ protection: String) -> ItemRequest { ["class": "genp", "acct": .string(protection)] }

    private func add(_ protections: [String], to vault: Vault) throws {
        for protection in protections {
            try vault.keychain.add(item(protection).with(["pdmn": .string(protection), "v_Data": data(protection)]))
        }
    }

    private func protected(_ text: String = "right") -> VaultProtection {
        VaultProtection(passphrase: Passphrase(text))
    }

    // MARK: - Listing

    @Test func `the slots and machines are listed`() throws {
        let sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right"), recoveryCode: RecoveryCode()))
        #expect(try vault.slots.map(\.kind) == [.passphrase, .recoveryCode])
        #expect(try Set(vault.slots.map(\.id)).count == 2)
        #expect(try vault.devices.map(\.isThisMachine) == [true])
        let other = try VaultSample(machine: "other").opened(with: .passphrase("right"))
        #expect(try other.devices.map(\.isThisMachine) == [false])
        let since2001 = Date.now.timeIntervalSinceReferenceDate
        #expect(try vault.slots.allSatisfy { abs($0.created.secondsSinceReferenceDate - since2001) < 3600 })
    }

    @Test func `a vault without a passphrase names its device`() throws {
        let vault = try VaultSample().created()
        #expect(try vault.slots.map(\.kind) == vault.devices.map { .device(id: $0.id) })
    }

    @Test func `the slots that a secret opens are found`() throws {
        let sample = try VaultSample()
        let file = try sample.file("key", Data(0..<32))
        let code = try RecoveryCode()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right"), recoveryCode: code))
        try vault.add(protected("other"))
        try vault.add(VaultProtection(keyFile: file))
        let ids = try vault.slots.map(\.id)
        #expect(try vault.slots(openedBy: protected()) == [ids[0]])
        #expect(try vault.slots(openedBy: protected("other")) == [ids[2]])
        #expect(try vault.slots(openedBy: protected("wrong")) == [])
        #expect(try vault.slots(openedBy: VaultProtection(keyFile: file)) == [ids[3]])
        #expect(try vault.slots(openedBy: VaultProtection(recoveryCode: code)) == [ids[1]])
        let all = VaultProtection(passphrase: Passphrase("other"), keyFile: file, recoveryCode: code)
        #expect(try vault.slots(openedBy: all) == Set(ids[1...]))
        #expect(try vault.slots(openedBy: VaultProtection()) == [])
    }

    // MARK: - Adding

    @Test func `an added recovery code opens the vault, as do the former secrets`() throws {
        let sample = try VaultSample()
        let vault = try sample.created(protected())
        try add(["ak"], to: vault)
        let code = try RecoveryCode()
        try vault.add(VaultProtection(recoveryCode: code))
        #expect(try vault.keychain.text(item("ak")) == "ak")
        #expect(try sample.opened(with: UnlockLadder(variables: [:], secret: .recoveryCode(code))).isUnlocked)
        #expect(try sample.opened(with: .passphrase("right")).isUnlocked)
    }

    @Test func `key files work alone or with a passphrase as they were added`() throws {
        let sample = try VaultSample()
        let alone = try sample.file("alone", Data(0..<32))
        let beside = try sample.file("beside", Data(32..<64))
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right"), keyFile: beside))
        try vault.add(VaultProtection(keyFile: alone))
        var ladder = UnlockLadder(variables: ["COFFER_PASSPHRASE": "right"])
        ladder.keyFile = beside
        #expect(try sample.opened(with: ladder).isUnlocked)
        ladder = UnlockLadder(variables: [:])
        ladder.keyFile = alone
        #expect(try sample.opened(with: ladder).isUnlocked)
    }

    @Test func `the first passphrase cannot be added`() throws {
        let vault = try VaultSample().created()
        let problem = try #require(throws: VaultError.self) { try vault.add(protected()) }
        #expect(problem.kind == .unavailable)
        #expect(try vault.slots.count == 1)
    }

    @Test func `nothing can be added to a locked vault`() throws {
        let sample = try VaultSample()
        _ = try sample.created(protected())
        let vault = try sample.opened()
        let problem = try #require(throws: VaultError.self) {
            try vault.add(VaultProtection(recoveryCode: RecoveryCode()))
        }
        #expect(problem.kind == .secretNeeded)
    }

    @Test func `an added machine has its own items`() throws {
        let sample = try VaultSample()
        _ = try sample.created(protected())
        let vault = try VaultSample(machine: "other").opened(with: .passphrase("right"))
        let keychain = vault.keychain
        #expect(throws: KeychainError.self) { try keychain.add(item("aku").with(["pdmn": "aku"])) }
        try vault.addThisMachine()
        try keychain.add(item("aku").with(["pdmn": "aku"]))
        #expect(try vault.devices.map(\.isThisMachine) == [false, true])
        #expect(try keychain.count(item("aku")) == 1)
        #expect(throws: KeychainError.itemNotFound) {
            try sample.opened(with: .passphrase("right")).keychain.find(item("aku"))
        }
        #expect(throws: VaultError.self) { try vault.addThisMachine() }
    }

    // The vault was once readable there with a recovery code only, although devices open it.
    @Test func `an added machine opens a vault without a passphrase by itself`() throws {
        let code = try RecoveryCode()
        _ = try VaultSample().created(VaultProtection(recoveryCode: code))
        let other = try VaultSample(machine: "other")
        var ladder = UnlockLadder(variables: [:])
        ladder.secret = .recoveryCode(code)
        try other.opened(with: ladder).addThisMachine()
        let vault = try other.opened()
        #expect(vault.isUnlocked)
        #expect(try vault.slots.filter { if case .device = $0.kind { true } else { false } }.count == 2)
    }

    @Test func `no device key is created for a locked vault`() throws {
        _ = try VaultSample().created(protected())
        let other = try VaultSample(machine: "other")
        let vault = try other.opened(with: .passphrase("right"))
        vault.lock()
        let problem = try #require(throws: VaultError.self) { try vault.addThisMachine() }
        #expect(problem.kind == .secretNeeded)
        #expect(!FileManager.default.fileExists(atPath: other.locations.deviceKey ?? ""))
    }

    // MARK: - Changing the passphrase

    @Test func `after a change, the new passphrase opens the vault and the old one does not`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created(protected("old"))
        let all = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]
        try add(all, to: vault)
        let summary = try await vault.keyChange(to: protected("new")).report()
        #expect(summary.resealedItemCount == 7)
        #expect(summary.lostItemCount == 0)
        #expect(summary.removedSlots == [])
        for vault in [vault, try sample.opened(with: .passphrase("new"))] {
            for protection in all { #expect(try vault.keychain.text(item(protection)) == protection) }
        }
        #expect(try sample.problem(with: .passphrase("old")).kind == .wrongSecret)
    }

    @Test func `an open vault reports changed keys and unlocks with the new passphrase`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created(protected("old"))
        try add(["ak"], to: vault)
        let other = try sample.opened(with: .passphrase("old"))
        _ = try await vault.keyChange(to: protected("new")).report()
        do throws(KeychainError) {
            _ = try other.keychain.find(item("ak"))
            Issue.record("the item was found with the old keys")
        } catch {
            guard case .vault(let problem) = error else { throw error }
            #expect(problem.kind == .mustBeReopened)
        }
        try await other.unlock(with: .passphrase("new"))
        #expect(try other.keychain.text(item("ak")) == "ak")
    }

    @Test func `after the first passphrase, the machine no longer opens everything`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created()
        try add(["ak", "dk"], to: vault)
        let summary = try await vault.keyChange(to: protected()).report()
        #expect(summary.removedSlots == [])
        #expect(try vault.slots.map(\.kind) == [.passphrase])
        let locked = try sample.opened()
        #expect(!locked.isUnlocked)
        #expect(try locked.keychain.text(item("dk")) == "dk")
        #expect(try sample.opened(with: .passphrase("right")).keychain.text(item("ak")) == "ak")
    }

    @Test func `removing the passphrase loses items that need one`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created(protected())
        try add(["ak", "akpu"], to: vault)
        let summary = try await vault.keyChange(to: VaultProtection()).report()
        #expect(summary.lostItemCount == 1)
        let open = try sample.opened()
        #expect(open.isUnlocked)
        #expect(try open.keychain.text(item("ak")) == "ak")
        #expect(throws: KeychainError.itemNotFound) { try open.keychain.find(item("akpu")) }
        #expect(throws: KeychainError.noPassphrase) { try add(["akpu"], to: open) }
        #expect(try sample.problem(with: .passphrase("right")).kind == .wrongSecret)
    }

    @Test func `a slot that is not given again is removed and reported`() async throws {
        let sample = try VaultSample()
        let code = try RecoveryCode()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("old"), recoveryCode: code))
        let slot = try #require(try vault.slots.last)
        let summary = try await vault.keyChange(to: protected("new")).report()
        #expect(summary.removedSlots == [slot])
        let ladder = UnlockLadder(variables: [:], secret: .recoveryCode(code))
        #expect(try sample.problem(with: ladder).kind == .wrongSecret)
    }

    @Test func `a locked vault keeps its keys`() async throws {
        let sample = try VaultSample()
        _ = try sample.created(protected("old"))
        let vault = try sample.opened()
        let error = await #expect(throws: VaultError.self) {
            try await vault.keyChange(to: protected("new")).report()
        }
        #expect(error?.kind == .secretNeeded)
        #expect(try sample.opened(with: .passphrase("old")).isUnlocked)
    }

    @Test func `a key change removes keys left in the kernel`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created(protected("old"))
        try add(["ak"], to: vault)
        try vault.keepUnlocked(for: .seconds(900))
        _ = try await vault.keyChange(to: protected("new")).report()
        let other = try sample.opened()
        #expect(!other.isUnlocked)
        #expect(other.unlocking.outcome(of: .kernelKeyring) == .skipped(.notSet))
    }

    @Test func `a key change keeps the history`() async throws {
        let vault = try VaultSample().created(protected("old"))
        let keychain = vault.keychain
        let stored = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "one")
        try keychain.setSecret("two", of: stored.reference)
        _ = try await vault.keyChange(to: protected("new")).report()
        #expect(try keychain.history(of: stored.reference).revisions.count == 2)
        #expect(try keychain.secretText(of: stored.reference) == "two")
    }

    // MARK: - Other machines

    /// A vault with items of two machines: the first machine, its vault, and the second machine.
    private func shared() throws -> (VaultSample, Vault, VaultSample) {
        let (sample, other) = (try VaultSample(), try VaultSample(machine: "other"))
        let vault = try sample.created(protected("old"))
        let second = try other.opened(with: .passphrase("old"))
        try second.addThisMachine()
        try add(["aku", "dku"], to: second)
        return (sample, vault, other)
    }

    @Test func `items of another machine survive a passphrase change`() async throws {
        let (_, vault, other) = try shared()
        let summary = try await vault.keyChange(to: protected("new")).report()
        #expect(summary.carriedItemCount == 2)
        #expect(throws: KeychainError.itemNotFound) { try vault.keychain.find(item("aku")) }
        let second = try other.opened(with: .passphrase("new"))
        #expect(second.unlocking.warnings == [])
        #expect(try second.keychain.text(item("aku")) == "aku")
        #expect(try !second.store.needsSettling)
        #expect(try other.opened().keychain.text(item("dku")) == "dku")
    }

    @Test func `a removed machine loses its items`() async throws {
        let (_, vault, other) = try shared()
        var options = KeyChangeOptions()
        options.removedDevices = [try #require(try vault.devices.first { !$0.isThisMachine }).id]
        let summary = try await vault.keyChange(to: protected("new"), options: options).report()
        #expect(summary.lostItemCount == 2)
        #expect(try vault.devices.map(\.isThisMachine) == [true])
        let second = try other.opened(with: .passphrase("new"))
        #expect(throws: KeychainError.itemNotFound) { try second.keychain.find(item("aku")) }
    }

    @Test(arguments: ["", "00", "00112233445566778899aabbccddeeff"])
    func `removing an unknown machine is an error`(
        id: String
    ) async throws {
        let vault = try VaultSample().created(protected("old"))
        var options = KeyChangeOptions()
        options.removedDevices = [id]
        await #expect(throws: VaultError.self) {
            try await vault.keyChange(to: protected("new"), options: options).report()
        }
    }

    @Test func `another machine's last access to its items is removed only if accepted`() async throws {
        let (_, vault, other) = try shared()
        let error = await #expect(throws: VaultError.self) {
            try await vault.keyChange(to: VaultProtection()).report()
        }
        let device = try #require(try vault.devices.first { !$0.isThisMachine }).id
        #expect(error?.description.contains(device) == true)
        var options = KeyChangeOptions()
        options.acceptedLosses = [device]
        _ = try await vault.keyChange(to: VaultProtection(), options: options).report()
        #expect(vault.isUnlocked)
        let own = try #require(try vault.devices.first { $0.isThisMachine }).id
        #expect(try other.problem(with: .passphrase("old")).kind == .deviceKeyNeeded([own]))
    }

    // MARK: - History

    @Test func `a vault keeps as much history as its settings say`() async throws {
        let sample = try VaultSample()
        let vault = try sample.created()
        let keychain = vault.keychain
        let reference = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "0").reference
        func revisionCount(_ history: HistorySettings) async throws -> Int {
            try vault.setHistorySettings(history)
            for number in 1...4 { try keychain.setSecret("\(number)", of: reference) }
            _ = try await vault.compaction().report()
            return try keychain.history(of: reference).revisions.count - 1
        }
        #expect(try await revisionCount(HistorySettings(revisions: 2)) == 2)
        #expect(try await revisionCount(HistorySettings(days: 1)) == 6)
        #expect(try await revisionCount(HistorySettings(revisions: 0)) == 0)
        #expect(try sample.opened().historySettings == HistorySettings(revisions: 0))
        #expect(try await revisionCount(HistorySettings()) == 0)
    }

    @Test func `history settings need an unlocked vault and a valid value`() throws {
        let sample = try VaultSample()
        _ = try sample.created(protected())
        #expect(throws: VaultError.self) { try sample.opened().setHistorySettings(HistorySettings(days: 1)) }
        #expect(throws: VaultError.self) {
            try sample.opened(with: .passphrase("right")).setHistorySettings(HistorySettings(days: -1))
        }
    }
}
