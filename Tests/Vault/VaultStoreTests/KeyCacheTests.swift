import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

@Suite("Key cache", .temporaryDirectory) struct KeyCacheTests {
    @Test func `another process opens the vault with saved keys`() throws {
        let sample = try HeldSample()
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(300)) == .stored)
        let keys = try #require(try sample.loading().keys)
        #expect(try sample.opened(keys).password("kim", "whenUnlocked") == "sesame")
    }

    @Test(arguments: [
        (Duration.nanoseconds(1), UInt32(1)), (.seconds(1), 1), (.milliseconds(1500), 2), (.seconds(300), 300),
        (.seconds(Int64.max), .max),
    ])
    func `a lifetime is rounded up to whole seconds`(lifetime: Duration, seconds: UInt32) throws {
        let sample = try HeldSample(protections: [])
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: lifetime) == .stored)
        #expect(sample.kernel.calls.contains(.setTimeout(seconds: seconds)))
        #expect(!sample.kernel.hasExposedUnexpiringKey)
    }

    @Test func `saved keys are found until they expire`() throws {
        let sample = try HeldSample()
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(300)) == .stored)
        sample.time.advance(nanoseconds: 299_000_000_000)
        #expect(try sample.loading().outcome == "found")
        sample.time.advance(nanoseconds: 1_000_000_000)
        #expect(try sample.loading().outcome == "absent")
    }

    @Test func `with the keys is the time until which they stay`() throws {
        let sample = try HeldSample(protections: [])
        let (keys, now) = (try sample.keys(), Time(microseconds: 1_700_000_000_000_000))
        #expect(sample.cache.save(keys, of: try sample.id(), for: .milliseconds(1500), now: now) == .stored)
        #expect(try sample.loading().until == Time(microseconds: 1_700_000_002_000_000))
    }

    @Test func `without saved keys, none are found`() throws {
        let sample = try HeldSample(protections: [])
        #expect(try sample.loading().outcome == "absent")
        #expect(try sample.cache.forget(sample.id()) == .absent)
    }

    @Test func `forgotten keys are not found`() throws {
        let sample = try HeldSample()
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(300)) == .stored)
        #expect(try sample.cache.forget(sample.id()) == .forgotten)
        #expect(try sample.loading().outcome == "absent")
        #expect(sample.kernel.keyCount == 0)
    }

    @Test func `saving again replaces the previous keys`() throws {
        let sample = try HeldSample(protections: [.always])
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(300)) == .stored)
        _ = try sample.vault.store.transaction { transaction in
            try transaction.addLogin(.whenUnlocked)
        }
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(300)) == .stored)
        #expect(sample.kernel.keyCount == 1)
        let keys = try #require(try sample.loading().keys)
        #expect(try sample.opened(keys).password("kim", "whenUnlocked") == "sesame")
    }

    // MARK: - Keys that do not match

    @Test func `a compaction does not make keys stale`() throws {
        let sample = try HeldSample()
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(300)) == .stored)
        try sample.vault.store.compact()
        #expect(try sample.loading().outcome == "found")
    }

    @Test func `keys of another vault are stale`() throws {
        let sample = try HeldSample()
        let path = try TemporaryDirectory.current.appending(path: "other.coffer").path
        let other = try DeviceSample(at: path)
        let keys = try #require(try other.store.heldKeys())
        #expect(try sample.cache.save(keys, of: sample.id(), for: .seconds(300)) == .stored)
        #expect(try sample.loading().outcome == "stale")
    }

    @Test func `keys of two vaults are kept side by side`() throws {
        let sample = try HeldSample()
        let other = VaultID([UInt8](repeating: 7, count: 16).span)
        #expect(try sample.cache.save(sample.keys(), of: other, for: .seconds(300)) == .stored)
        #expect(try sample.loading().outcome == "absent")
        #expect(try sample.cache.forget(sample.id()) == .absent)
        #expect(sample.kernel.descriptions(in: .user) == ["coffer:07070707070707070707070707070707"])
    }

    @Test(arguments: [false, true]) func `keys from before a renewal are stale`(hasOtherEpoch: Bool) throws {
        let sample = try HeldSample()
        var keys = try sample.keys()
        if hasOtherEpoch {
            keys.structureKey.epoch += 1
        } else {
            keys.structureKey.key = try sample.vault.environment.random.key()
        }
        #expect(sample.cache.save(keys, of: try sample.id(), for: .seconds(300)) == .stored)
        #expect(try sample.loading().outcome == "stale")
        // A file that does not fit may be forged, and must not end what it does not belong to.
        #expect(try sample.cache.forget(sample.id()) == .forgotten)
    }

    @Test(arguments: [([1, 0, 0, 1], "malformed at 3"), ([2], "malformed at 0"), ([1], "malformed at 1")])
    func `a value from another program is reported as malformed`(bytes: [UInt8], outcome: String) throws {
        let sample = try HeldSample(protections: [])
        let description = KeyCache.description(of: try sample.id())
        let value = bytes + [UInt8](repeating: 0, count: 8)
        try KernelKeyring(calls: sample.kernel).store(value.span, as: description, seconds: 60)
        #expect(try sample.loading().outcome == outcome)
    }

    // MARK: - Without a keyring

    @Test func `a keyring without permission is unavailable, which is not an error`() throws {
        let sample = try HeldSample(protections: [])
        sample.kernel.fail(.add(.thread), with: 1)
        sample.kernel.fail(.search, with: 1, count: 2)
        #expect(try sample.cache.save(sample.keys(), of: sample.id(), for: .seconds(1)) == .unavailable(.denied))
        #expect(try sample.loading().outcome == "unavailable: \(KeyringFailure.denied)")
        #expect(try sample.cache.forget(sample.id()) == .unavailable(.denied))
    }

    @Test func `more keys than the kernel can hold are not saved`() throws {
        let sample = try HeldSample(protections: [])
        var keys = try sample.keys()
        for epoch in 0..<UInt32(800) {
            keys.matchKeys[GroupEpoch(group: .none, epoch: epoch)] = keys.structureKey.key
        }
        let saving = sample.cache.save(keys, of: try sample.id(), for: .seconds(1))
        #expect(saving == .unavailable(.tooLarge(byteCount: keys.byteCount + 8)))
        #expect(sample.kernel.calls == [])
    }

    @Test func `a lifetime of zero is a programming error`() async {
        await #expect(processExitsWith: .failure) {
            try await KeyCacheTests.saveForZeroSeconds()
        }
    }

    static func saveForZeroSeconds() async throws {
        let keys = HeldKeys(
            structureKey: (try SystemRandom().key(), 1),
            classKeys: [:],
            matchKeys: [:],
            devices: []
        )
        let cache = KeyCache(keyring: KernelKeyring(calls: SimulatedKeys()))
        _ = cache.save(keys, of: .none, for: .zero)
    }

    @Test(.enabled(if: KernelKeyring.isUsable, "the kernel keyring cannot be used here"))
    func `the kernel of this machine keeps keys and forgets them`() throws {
        let sample = try HeldSample()
        let cache = KeyCache()
        #expect(try cache.save(sample.keys(), of: sample.id(), for: .seconds(3600)) == .stored)
        let keys = try #require(try sample.loading(from: cache).keys)
        #expect(try sample.opened(keys).password("kim", "whenUnlocked") == "sesame")
        #expect(try cache.forget(sample.id()) == .forgotten)
        #expect(try sample.loading(from: cache).outcome == "absent")
    }
}
