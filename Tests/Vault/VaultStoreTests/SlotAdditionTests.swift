import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

@Suite("Adding slots and devices", .temporaryDirectory) struct SlotAdditionTests {
    private static let device = RotationSample.device
    private static let third = DeviceID([UInt8](repeating: 3, count: 16).span)

    @Test func `an added slot opens the vault besides the existing ones, and no key changes`() throws {
        let sample = try RotationSample()
        let (store, other) = (try sample.opened(), try sample.opened())
        try store.add("kim", "mail", "sesame")
        let (keyFile, code) = ([UInt8](repeating: 7, count: 40), try sample.environment.random.key())
        var addition = try store.slotAddition(argon2Limits: .weak)
        try addition.add(passphrase: Array("beside".utf8).span, parameters: RotationSample.weak)
        try addition.add(keyFile: keyFile.span)
        try addition.add(recoverySeed: code)
        let structureKeys = try sample.keybag().entries.filter(\.isStructureKey)
        try store.add(addition)
        #expect(try sample.keybag().entries.filter(\.isStructureKey) == structureKeys)
        let stores = [
            try sample.opened(), try sample.opened("beside"), try sample.opened(nil, on: [], keyFile: keyFile),
            try sample.opened(nil, on: [], recovery: code), other,
        ]
        for store in stores { #expect(try store.password("kim", "mail") == "sesame") }
        #expect(try store.verify().isIntact)
    }

    @Test func `a first passphrase cannot be added, nor a device to open a vault with one`() throws {
        let sample = try RotationSample(hasPassphrase: false)
        let store = try sample.opened(nil)
        var first = try store.slotAddition(argon2Limits: .weak)
        try first.add(passphrase: [1].span, parameters: RotationSample.weak)
        #expect(throws: StoreError.keyChange(.firstPassphrase, path: sample.path)) { try store.add(first) }

        let other = try RotationSample(named: "other.coffer")
        let otherStore = try other.opened()
        var unlock = try otherStore.slotAddition()
        try unlock.add(unlockOf: Self.device, key: try #require(other.keys[Self.device]))
        #expect(throws: StoreError.keyChange(.passphraseExcludesDeviceUnlock, path: other.path)) {
            try otherStore.add(unlock)
        }
    }

    @Test(arguments: [true, false]) func `an added device opens what a device may open`(hasPassphrase: Bool) throws {
        let sample = try RotationSample(hasPassphrase: hasPassphrase)
        let store = try sample.opened(hasPassphrase ? RotationSample.passphrase : nil)
        try store.transaction { transaction in
            try transaction.addLogin("kim", "unlocked", "sesame", protection: .whenUnlocked)
            try transaction.addLogin("kim", "always", "sesame", protection: .always)
        }
        let key = try sample.environment.random.key()
        var addition = try store.slotAddition()
        try addition.add(device: Self.third, key: key, opensAll: !hasPassphrase)
        try store.add(addition)
        let alone = try VaultStore.open(at: sample.path, environment: sample.environment) {
            prelude throws(VaultFormatError) in
            try prelude.roots(deviceKeys: [Self.third: key], availableByteCount: nil)
        }
        #expect(alone.isUnlocked == !hasPassphrase)
        let unlocked = hasPassphrase ? "whenUnlocked locked" : "whenUnlocked unlocked sesame"
        #expect(try alone.presences() == [unlocked, "always always sesame"])
        #expect(try !store.needsSettling)
        _ = try store.transaction { transaction in
            try transaction.addLogin("kim", "own", "sesame", protection: .alwaysThisDeviceOnly, owner: Self.third)
        }
        #expect(try alone.password("kim", "own") == "sesame")
        #expect(throws: StoreError.keyChange(.deviceIsKnown(Self.third), path: sample.path)) { try store.add(addition) }
    }

    @Test func `changes that others append meanwhile are kept`() throws {
        let sample = try RotationSample()
        let (store, other) = (try sample.opened(), try sample.opened())
        try store.add("kim", "mail", "sesame")
        var addition = try store.slotAddition()
        try addition.add(device: Self.third, key: try sample.environment.random.key(), opensAll: false)
        var attempts = 0
        try store.add(addition) { _ in
            attempts += 1
            _ = try? other.add("meanwhile \(attempts)", "mail", "sesame")
            return true
        }
        #expect(attempts > 0)
        for attempt in 1...attempts { #expect(try store.password("meanwhile \(attempt)", "mail") == "sesame") }
    }

    @Test func `an addition succeeds even if another process compacts first`() throws {
        let sample = try RotationSample()
        let (store, other) = (try sample.opened(), try sample.opened())
        try store.add("kim", "mail", "sesame")
        var addition = try store.slotAddition()
        try addition.add(keyFile: [UInt8](repeating: 7, count: 40).span)
        var hasCompacted = false
        try store.add(addition) { _ in
            if !hasCompacted { _ = try? other.compact() }
            hasCompacted = true
            return true
        }
        #expect(try sample.keybag().slots.count == 2)
        #expect(try sample.opens(nil, keyFile: [UInt8](repeating: 7, count: 40)))
    }

    @Test func `slots made around an outdated root are refused`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        var addition = try store.slotAddition()
        try addition.add(keyFile: [UInt8](repeating: 7, count: 40).span)
        try store.changePassphrase(to: "second")
        #expect(throws: StoreError.keysChanged(path: sample.path)) { try store.add(addition) }
        #expect(try !sample.opens(nil, keyFile: [UInt8](repeating: 7, count: 40)))
    }
}

extension KeybagEntry {
    fileprivate var isStructureKey: Bool {
        if case .structureKey = self { true } else { false }
    }
}
