import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// A vault without slots for devices.
@Suite("Vaults without a device", .temporaryDirectory) struct NoDeviceTests {
    private func created(_ sample: VaultSample, _ protection: VaultProtection = protection()) throws -> Vault {
        var protection = protection
        protection.includesThisMachine = false
        return try sample.created(protection)
    }

    private static func protection() -> VaultProtection {
        VaultProtection(passphrase: Passphrase("correct horse"))
    }

    private func item(_ protection: String) -> ItemRequest {
        ["class": "genp", "acct": .string(protection), "pdmn": .string(protection)]
    }

    @Test func `a device key opens nothing, and none is created`() throws {
        let sample = try VaultSample()
        #expect(try created(sample).devices == [])
        #expect(!FileManager.default.fileExists(atPath: sample.locations.deviceKey ?? ""))
        // A key from another vault does not open it either.
        let other = try VaultSample(machine: "more/other")
        _ = try other.created()
        var options = sample.options
        options.locations = other.locations
        let error = #expect(throws: VaultError.self) {
            try Vault.open(at: sample.path, with: UnlockLadder(variables: [:]), options: options)
        }
        #expect(error?.kind == .secretNeeded)
    }

    @Test func `the passphrase opens everything`() throws {
        let sample = try VaultSample()
        let keychain = try created(sample).keychain
        for protection in ["ak", "ck", "dk"] { try keychain.add(item(protection)) }
        let opened = try sample.opened(with: .passphrase("correct horse")).keychain
        for protection in ["ak", "ck", "dk"] { _ = try opened.find(item(protection)) }
    }

    @Test(arguments: ["aku", "cku", "dku", "akpu"])
    func `items for one device are rejected`(protection: String) throws {
        let keychain = try created(VaultSample()).keychain
        #expect(throws: KeychainError.self) { try keychain.add(item(protection)) }
    }

    @Test func `a machine gets access only on request`() async throws {
        let sample = try VaultSample()
        _ = try VaultSample(machine: "machine").created().keychain
        try FileManager.default.removeItem(atPath: sample.path)
        let vault = try created(sample)
        try vault.keychain.add(item("ak"))
        _ = try await vault.compaction().report()
        _ = try await vault.keyChange(to: VaultProtection(passphrase: Passphrase("battery staple"))).report()
        vault.lock()
        try await vault.unlock(with: .passphrase("battery staple"))
        #expect(try vault.devices == [])
        #expect(try sample.opened(with: .passphrase("battery staple")).devices == [])
        try vault.addThisMachine()
        #expect(try vault.devices.map(\.isThisMachine) == [true])
        #expect(try !sample.opened().isUnlocked)
    }

    @Test func `a vault without a device needs a passphrase or a key file`() throws {
        let sample = try VaultSample()
        let error = #expect(throws: VaultError.self) {
            try created(sample, VaultProtection(recoveryCode: RecoveryCode()))
        }
        #expect(error?.kind == .secretNeeded)
        #expect(!FileManager.default.fileExists(atPath: sample.path))
    }
}
