import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// The first passphrase of a vault, the last one, and other slots that decide who opens it.
@Suite("Replacing slots", .temporaryDirectory) struct PassphraseTests {
    private static let device = RotationSample.device
    private static let otherDevice = RotationSample.otherDevice

    private func key(_ sample: RotationSample, _ device: DeviceID = Self.device) throws -> Key {
        try #require(sample.keys[device])
    }

    private func add(_ service: String, _ protection: ProtectionClass, of owner: DeviceID, to store: VaultStore) throws
    {
        _ = try store.transaction { transaction in
            try transaction.addLogin(
                "kim",
                service,
                "sesame",
                protection: protection,
                owner: protection.isBoundToDevice ? owner : .none
            )
        }
    }

    // MARK: - First and last

    @Test(arguments: [false, true])
    func `removing the last passphrase removes the items that require one`(isCompacted: Bool) throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try add("bound", .whenPasscodeSetThisDeviceOnly, of: Self.device, to: store)
        try add("bound too", .whenPasscodeSetThisDeviceOnly, of: Self.device, to: store)
        try add("free", .whenUnlocked, of: .none, to: store)
        if isCompacted { try store.compact() }
        var rotation = try store.rotation()
        try rotation.add(unlockOf: Self.device, key: key(sample))
        let report = try store.rotate(to: rotation)
        #expect(report.lostItemCount == 2)
        let opened = try sample.opened(nil)
        #expect(opened.isUnlocked)
        #expect(try opened.presences() == ["whenUnlocked free sesame"])
        #expect(try opened.verify().isIntact)
        #expect(try !sample.opens(RotationSample.passphrase))
        let types = try sample.keybag().entries.filter(\.isOfPasscodeClass)
        #expect(types.isEmpty)
        #expect(throws: StoreError.keys(.passphraseNeeded)) {
            try add("again", .whenPasscodeSetThisDeviceOnly, of: Self.device, to: opened)
        }
    }

    @Test func `removing the last passphrase also removes such items of another device`() throws {
        let sample = try RotationSample()
        let everywhere = try sample.opened(on: [Self.device, Self.otherDevice])
        try add("theirs", .whenPasscodeSetThisDeviceOnly, of: Self.otherDevice, to: everywhere)
        let store = try sample.opened()
        var rotation = try store.rotation()
        try rotation.add(unlockOf: Self.device, key: key(sample))
        #expect(try store.rotate(to: rotation).lostItemCount == 1)
        #expect(try !sample.keybag().entries.contains(where: \.isOfPasscodeClass))
    }

    @Test func `the first passphrase removes the slots by which devices open everything`() throws {
        let sample = try RotationSample(hasPassphrase: false)
        let store = try sample.opened(nil)
        try store.add("kim", "mail", "sesame")
        #expect(try sample.opens(nil, on: [Self.device]))
        let report = try store.changePassphrase(to: "first")
        #expect(report.leftOutSlots.count == 2)
        #expect(try !sample.opens(nil, on: [Self.device]))
        #expect(try !sample.opens(nil, on: [Self.otherDevice]))
        #expect(try sample.opened("first").password("kim", "mail") == "sesame")
        #expect(try sample.opened(nil).item("kim", "mail")?.presence == .locked, "the device alone finds it")
    }

    @Test func `a passphrase and a device that opens everything exclude each other`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        var rotation = try store.rotation(argon2Limits: .weak)
        try rotation.add(passphrase: [2].span, parameters: RotationSample.weak)
        try rotation.add(unlockOf: Self.device, key: key(sample))
        #expect(throws: StoreError.keyChange(.passphraseExcludesDeviceUnlock, path: sample.path)) {
            try store.rotate(to: rotation)
        }
    }

    @Test func `a rotation after which nothing opens the vault is refused`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        #expect(throws: StoreError.keyChange(.noSlotLeft, path: sample.path)) {
            try store.rotate(to: try store.rotation())
        }
    }

    // MARK: - Replaced slots

    @Test func `each kind of slot can be replaced, and the report lists those that were not`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        let (keyFile, code) = ([UInt8](repeating: 7, count: 40), try sample.environment.random.key())
        var addition = try store.slotAddition(argon2Limits: .weak)
        try addition.add(keyFile: keyFile.span)
        try addition.add(recoverySeed: code)
        try store.add(addition)
        let slots = try sample.keybag().slots
        #expect(slots.map(\.kind) == [.passphrase, .keyFile, .recoveryCode])
        let report = try store.changePassphrase(to: "second") { rotation in
            try rotation.add(keyFile: keyFile.span)
            try rotation.add(passphrase: [3].span, keyFile: keyFile.span, parameters: RotationSample.weak)
            rotation.replacedSlots = [slots[0].id, slots[1].id]
        }
        #expect(report.leftOutSlots == [slots[2].id])
        #expect(try sample.keybag().slots.map(\.kind) == [.passphrase, .keyFile, .passphraseAndKeyFile])
        #expect(Set(try sample.keybag().slots.map(\.epoch)) == [2])
        #expect(try sample.opens(nil, keyFile: keyFile))
        #expect(try sample.opens("\u{3}", keyFile: keyFile))
        #expect(throws: StoreError.vault(.noMatch, path: sample.path)) {
            try sample.opened(nil, on: [], recovery: code)
        }
        #expect(throws: StoreError.keyChange(.slotIsUnknown(slots[0].id), path: sample.path)) {
            try store.changePassphrase(to: "third") { rotation in
                try rotation.add(recoverySeed: code)
                rotation.replacedSlots = [slots[0].id]
            }
        }
    }

    @Test func `more slots than a reader accepts are refused`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        let keyFile = [UInt8](repeating: 7, count: 40)
        let before = try Data(contentsOf: URL(filePath: sample.path))
        #expect(throws: StoreError.refused(.limitExceeded(.slots, value: 33))) {
            try store.changePassphrase(to: "second") { for _ in 0..<32 { try $0.add(keyFile: keyFile.span) } }
        }
        #expect(throws: StoreError.refused(.limitExceeded(.argon2Slots, value: 9))) {
            try store.changePassphrase(to: "second") { rotation in
                for _ in 0..<8 { try rotation.add(passphrase: [2].span, parameters: RotationSample.weak) }
            }
        }
        #expect(throws: StoreError.refused(.limitExceeded(.slots, value: 33))) {
            var addition = try store.slotAddition(argon2Limits: .weak)
            for _ in 0..<32 { try addition.add(keyFile: keyFile.span) }
            try store.add(addition)
        }
        #expect(throws: StoreError.refused(.limitExceeded(.argon2Slots, value: 9))) {
            var addition = try store.slotAddition(argon2Limits: .weak)
            for _ in 0..<8 { try addition.add(passphrase: [2].span, parameters: RotationSample.weak) }
            try store.add(addition)
        }
        #expect(try Data(contentsOf: URL(filePath: sample.path)) == before)
        try store.changePassphrase(to: "second") { for _ in 0..<31 { try $0.add(keyFile: keyFile.span) } }
        #expect(try sample.keybag().slots.count == 32)
    }

    @Test func `parameters that make a guess too cheap are refused`() throws {
        let store = try RotationSample().opened()
        var rotation = try store.rotation()
        #expect(throws: StoreError.refused(.limitExceeded(.argon2Memory, value: 8))) {
            try rotation.add(passphrase: [2].span, parameters: RotationSample.weak)
        }
    }

    // MARK: - Devices

    @Test(arguments: [false, true])
    func `a removed device takes its items along, and opens nothing`(isCompacted: Bool) throws {
        let sample = try RotationSample()
        let everywhere = try sample.opened(on: [Self.device, Self.otherDevice])
        try add("own", .alwaysThisDeviceOnly, of: Self.device, to: everywhere)
        try add("theirs", .alwaysThisDeviceOnly, of: Self.otherDevice, to: everywhere)
        try add("theirs too", .whenUnlockedThisDeviceOnly, of: Self.otherDevice, to: everywhere)
        if isCompacted { try everywhere.compact() }
        let store = try sample.opened()
        let report = try store.changePassphrase(to: "second") { $0.removedDevices = [Self.otherDevice] }
        #expect(report.lostItemCount == 2)
        #expect(try sample.keybag().devices.map(\.id) == [Self.device])
        #expect(try !sample.keybag().dataKeys.contains { $0.owner == Self.otherDevice })
        #expect(try sample.opened("second").presences() == ["alwaysThisDeviceOnly own sesame"])
        #expect(try sample.opened("second").verify().isIntact)
        #expect(throws: StoreError.vault(.noMatch, path: sample.path)) {
            try sample.opened(nil, on: [Self.otherDevice])
        }
        #expect(throws: StoreError.keyChange(.deviceIsUnknown(Self.otherDevice), path: sample.path)) {
            try store.changePassphrase(to: "third") { $0.removedDevices = [Self.otherDevice] }
        }
    }

    @Test func `a device can be added in a rotation`() throws {
        let sample = try RotationSample()
        let store = try sample.opened()
        try add("always", .always, of: .none, to: store)
        let (third, thirdKey) = (
            DeviceID([UInt8](repeating: 3, count: 16).span), try sample.environment.random.key()
        )
        try store.changePassphrase(to: "second") { try $0.add(device: third, key: thirdKey) }
        let alone = try VaultStore.open(at: sample.path, environment: sample.environment) {
            prelude throws(VaultFormatError) in
            try prelude.roots(deviceKeys: [third: thirdKey], availableByteCount: nil)
        }
        #expect(try alone.password("kim", "always") == "sesame")
        #expect(throws: StoreError.keyChange(.deviceIsKnown(third), path: sample.path)) {
            try store.changePassphrase(to: "third") { try $0.add(device: third, key: thirdKey) }
        }
    }

    @Test func `the last way for a device to open its own items is removed only if that is accepted`() throws {
        let sample = try RotationSample(hasPassphrase: false)
        let everywhere = try sample.opened(nil, on: [Self.device, Self.otherDevice])
        try add("theirs", .whenUnlockedThisDeviceOnly, of: Self.otherDevice, to: everywhere)
        let store = try sample.opened(nil)
        let code = try sample.environment.random.key()
        var rotation = try store.rotation()
        try rotation.add(unlockOf: Self.device, key: key(sample))
        #expect(throws: StoreError.keyChange(.lastSlot(of: [Self.otherDevice]), path: sample.path)) {
            try store.rotate(to: rotation)
        }
        var withCode = try store.rotation()
        try withCode.add(unlockOf: Self.device, key: key(sample))
        try withCode.add(recoverySeed: code)
        #expect(try store.rotate(to: withCode).carriedItemCount == 1)
        #expect(try sample.opened(nil, on: [Self.otherDevice], recovery: code).presences().count == 1)

        rotation = try store.rotation()
        try rotation.add(unlockOf: Self.device, key: key(sample))
        rotation.acceptedLosses = [Self.otherDevice]
        try store.rotate(to: rotation)
        #expect(try !sample.opens(nil, on: [Self.otherDevice]))
    }

    @Test func `items that the device opens by itself need no slot`() throws {
        let sample = try RotationSample(hasPassphrase: false)
        let everywhere = try sample.opened(nil, on: [Self.device, Self.otherDevice])
        try add("theirs", .alwaysThisDeviceOnly, of: Self.otherDevice, to: everywhere)
        let store = try sample.opened(nil)
        var rotation = try store.rotation()
        try rotation.add(unlockOf: Self.device, key: key(sample))
        #expect(try store.rotate(to: rotation).carriedItemCount == 1)
    }
}

extension KeybagEntry {
    fileprivate var isOfPasscodeClass: Bool {
        if case .dataKey(let entry) = self { entry.protection == .whenPasscodeSetThisDeviceOnly } else { false }
    }
}
