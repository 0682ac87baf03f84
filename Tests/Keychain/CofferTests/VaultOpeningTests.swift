import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

@Suite("Opening a vault", .temporaryDirectory) struct VaultOpeningTests {
    private let item: ItemRequest = ["class": "genp", "acct": "kim"]

    private func add(_ protection: String, to vault: Vault) throws {
        try vault.keychain.add(["class": "genp", "acct": .string(protection), "pdmn": .string(protection)])
    }

    // MARK: - Creating

    @Test func `a new vault can be reopened on its machine`() throws {
        let sample = try VaultSample()
        try sample.created().keychain.add(item.with(["v_Data": data("secret")]))
        let vault = try sample.opened()
        #expect(vault.isUnlocked)
        #expect(try vault.keychain.text(item) == "secret")
        #expect(vault.unlocking.outcome(of: .deviceKey(path: sample.locations.deviceKey ?? "")) == .opened)
    }

    @Test func `only its owner can read the device key`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let attributes = try FileManager.default.attributesOfItem(atPath: sample.locations.deviceKey ?? "")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a second vault uses the existing device key`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let key = try Data(contentsOf: URL(filePath: sample.locations.deviceKey ?? ""))
        _ = try Vault.create(at: sample.path + "2", options: sample.options)
        #expect(try Data(contentsOf: URL(filePath: sample.locations.deviceKey ?? "")) == key)
        #expect(try sample.opened().isUnlocked)
    }

    @Test(arguments: ["", "something else"]) func `an existing file is never changed`(content: String) throws {
        let sample = try VaultSample()
        let path = try sample.file("there", content)
        let problem = try #require(throws: VaultError.self) { try Vault.create(at: path, options: sample.options) }
        #expect(problem.kind == .fileExists)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
        #expect(!FileManager.default.fileExists(atPath: sample.locations.deviceKey ?? ""))
    }

    @Test func `without a place for the device key, nothing is created`() throws {
        var options = VaultOptions(locations: VaultLocations(vault: nil, deviceKey: nil, anchors: nil))
        options.passphraseCost = .weak
        let path = try TemporaryDirectory.current.appending(path: "v.coffer").path
        let problem = try #require(throws: VaultError.self) { try Vault.create(at: path, options: options) }
        #expect(problem.kind == .unavailable)
        #expect(problem.description.contains("HOME"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: - Secrets

    @Test func `only the right passphrase opens the vault`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        #expect(try sample.opened(with: .passphrase("right")).isUnlocked)
        for wrong in ["wrong", "Right", "right ", "righ"] {
            #expect(try sample.problem(with: .passphrase(wrong)).kind == .wrongSecret)
        }
    }

    @Test func `a passphrase is compared by its bytes`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("caf\u{E9}")))
        #expect(try sample.problem(with: .passphrase("cafe\u{301}")).kind == .wrongSecret)
        #expect(try sample.opened(with: .passphrase("caf\u{E9}")).isUnlocked)
    }

    @Test func `a key file opens the vault`() throws {
        let sample = try VaultSample()
        let keyFile = try sample.file("key", Data(0..<32))
        _ = try sample.created(VaultProtection(keyFile: keyFile))
        var ladder = UnlockLadder(variables: [:])
        ladder.keyFile = keyFile
        #expect(try sample.opened(with: ladder).isUnlocked)
        ladder.keyFile = try sample.file("other", Data(32..<64))
        #expect(try sample.problem(with: ladder).kind == .wrongSecret)
    }

    @Test func `a passphrase combined with a key file needs both`() throws {
        let sample = try VaultSample()
        let keyFile = try sample.file("key", Data(0..<32))
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right"), keyFile: keyFile))
        var ladder = UnlockLadder.passphrase("right")
        #expect(try sample.problem(with: ladder).kind == .wrongSecret)
        ladder.keyFile = keyFile
        #expect(try sample.opened(with: ladder).isUnlocked)
        ladder.secret = nil
        #expect(try !sample.opened(with: ladder).isUnlocked)
    }

    @Test func `a recovery code opens the vault`() throws {
        let sample = try VaultSample()
        let code = try RecoveryCode()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("lost"), recoveryCode: code))
        let text = code.withText { text in String(decoding: [UInt8](copying: text), as: UTF8.self) }
        let typed = try RecoveryCode(Passphrase(text.lowercased().replacingOccurrences(of: "-", with: " ")))
        #expect(try sample.opened(with: UnlockLadder(variables: [:], secret: .recoveryCode(typed))).isUnlocked)
        let other = try UnlockLadder(variables: [:], secret: .recoveryCode(RecoveryCode()))
        #expect(try sample.problem(with: other).kind == .wrongSecret)
    }

    @Test func `an invalid recovery code differs from one that opens nothing`() throws {
        let problem = try #require(throws: VaultError.self) { try RecoveryCode(Passphrase("0000-0000")) }
        #expect(problem.kind == .notARecoveryCode)
        #expect(problem.description.contains("8 characters instead of 36"))
    }

    // MARK: - Locked and unlocked

    @Test func `a vault with a passphrase opens locked on its machine`() throws {
        let sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        for protection in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] { try add(protection, to: vault) }
        let locked = try sample.opened()
        #expect(!locked.isUnlocked)
        for protection in ["dk", "dku"] {
            #expect(try locked.keychain.count(["class": "genp", "acct": .string(protection)]) == 1)
        }
        for protection in ["ak", "ck", "aku", "cku", "akpu"] {
            #expect(throws: KeychainError.locked) {
                try locked.keychain.find(["class": "genp", "acct": .string(protection), "r_Data": true])
            }
        }
        #expect(throws: KeychainError.itemNotFound) { try locked.keychain.find(["class": "genp", "acct": "none"]) }
    }

    @Test func `locking keeps after-first-unlock items readable`() throws {
        let sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        for protection in ["ak", "ck"] { try add(protection, to: vault) }
        let other = try sample.opened()
        try other.unlock(with: .passphrase("right"))
        #expect(other.isUnlocked)
        #expect(other.unlocking.outcome(of: .passphrase) == .opened)
        #expect(try other.keychain.count(["class": "genp"]) == 2)
        other.lock()
        #expect(!other.isUnlocked)
        #expect(try other.keychain.count(["class": "genp", "acct": "ck"]) == 1)
        #expect(throws: KeychainError.locked) { try other.keychain.find(["class": "genp", "acct": "ak"]) }
    }

    @Test func `a wrong passphrase leaves the vault as it was`() throws {
        let sample = try VaultSample()
        try add("ck", to: try sample.created(VaultProtection(passphrase: Passphrase("right"))))
        let vault = try sample.opened(with: .passphrase("right"))
        vault.lock()
        let problem = try #require(throws: VaultError.self) { try vault.unlock(with: .passphrase("wrong")) }
        #expect(problem.kind == .wrongSecret)
        #expect(!vault.isUnlocked)
        #expect(try vault.keychain.count(["class": "genp", "acct": "ck"]) == 1)
    }

    @Test func `an empty ladder unlocks nothing`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let vault = try sample.opened()
        let problem = try #require(throws: VaultError.self) { try vault.unlock(with: UnlockLadder(variables: [:])) }
        #expect(problem.kind == .secretNeeded)
        #expect(!vault.isUnlocked)
    }

    // MARK: - Machines

    @Test func `another machine needs the passphrase and says so`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let other = try VaultSample(machine: "other")
        #expect(try other.problem().kind == .secretNeeded)
        #expect(try other.opened(with: .passphrase("right")).isUnlocked)
        #expect(!FileManager.default.fileExists(atPath: other.locations.deviceKey ?? ""))
    }

    @Test func `without a passphrase, another machine is told which device key it lacks`() throws {
        let sample = try VaultSample()
        _ = try sample.created()
        let key = try String(contentsOfFile: sample.locations.deviceKey ?? "", encoding: .utf8)
        let id = try #require(key.split(separator: "\n").dropFirst().first?.split(separator: " ").last)
        let problem = try VaultSample(machine: "other").problem()
        #expect(problem.kind == .deviceKeyNeeded([String(id)]))
        #expect(problem.description.contains(id))
    }

    @Test func `items of a device are missing elsewhere, and readable on it again`() throws {
        let sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        for protection in ["ak", "aku", "cku", "dku", "akpu"] { try add(protection, to: vault) }
        let other = try VaultSample(machine: "other").opened(with: .passphrase("right"))
        #expect(try other.keychain.all(["class": "genp", "r_Attributes": true]).count == 1)
        try other.keychain.add(["class": "genp", "acct": "aku", "v_Data": data("of all")])
        try other.store.compact()
        let back = try sample.opened(with: .passphrase("right"))
        #expect(try back.keychain.count(["class": "genp"]) == 5)
        // The newer one, which was added where this one is missing, counts.
        #expect(throws: KeychainError.itemNotFound) { try back.keychain.find(["class": "genp", "pdmn": "aku"]) }
        let lost = try #require(back.keychain.conflicts(GenericPassword.self).first?.conflicts.first)
        #expect(lost.item?.accessibility == .whenUnlockedThisDeviceOnly)
    }

    @Test func `a wrong device key of a known device is an error`() throws {
        let sample = try VaultSample()
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let path = try #require(sample.locations.deviceKey)
        let device = try DeviceKeyFile(parsing: Array(Data(contentsOf: URL(filePath: path))).span).device
        let file = try DeviceKeyFile(device: device, key: SystemRandom().key())
        let text = file.withText { text in Data([UInt8](copying: text)) }
        try text.write(to: URL(filePath: path))
        let problem = try sample.problem(with: .passphrase("right"))
        #expect(problem.kind == .deviceKeyNeeded([device.description]))
        guard case .failed(let reason)? = problem.unlocking?.outcome(of: .deviceKey(path: path)) else {
            Issue.record("the report does not say what failed")
            return
        }
        #expect(reason.kind == problem.kind)
    }

    // MARK: - Errors

    @Test func `no vault, not a vault, empty, damaged keys and a newer version are different errors`() throws {
        let sample = try VaultSample()
        #expect(try sample.problem().kind == .noVault)
        _ = try sample.created(VaultProtection(passphrase: Passphrase("right")))
        let whole = try Data(contentsOf: URL(filePath: sample.path))
        func kind(_ bytes: Data) throws -> VaultError.Kind {
            try bytes.write(to: URL(filePath: sample.path))
            return try sample.problem(with: .passphrase("right")).kind
        }
        #expect(try kind(Data()) == .notAVault)
        #expect(try kind(Data("not a vault at all".utf8)) == .notAVault)
        #expect(try kind(whole.prefix(300)) == .damaged)
        var damaged = whole
        damaged[400] ^= 1
        #expect(try kind(damaged) == .damaged)
        try whole.write(to: URL(filePath: sample.path))
        #expect(try sample.opened(with: .passphrase("right")).isUnlocked)
    }
}
