import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Opening the user root with the secrets at hand, section 3.1.
@Suite("Slots") struct SlotTests {
    private let sample: SlotSample

    init() throws {
        sample = try SlotSample()
    }

    // MARK: - Each kind

    @Test(arguments: Slot.Kind.allCases) func `each kind of slot gives the user root`(kind: Slot.Kind) throws {
        let slot = try sample.slot(kind)
        // A given secret must open the vault, so a device key counts only if it is given alone.
        let opened = try sample.opened([slot], kind == .deviceUnlock ? Offer(device: true) : .all)
        #expect(opened.userRoot.bytes == sample.userRoot.bytes)
        #expect((opened.slot, opened.epoch) == (slot.id, 3))
    }

    @Test(arguments: Slot.Kind.allCases) func `a slot opens only with the secrets of its kind`(kind: Slot.Kind) throws {
        let slot = try sample.slot(kind)
        for offer in Offer.allSingle {
            let isEnough = offer.isEnough(for: kind)
            let opened = try? sample.opened([slot], offer)
            #expect((opened != nil) == isEnough, "\(offer)")
        }
    }

    @Test(arguments: Slot.Kind.allCases) func `a wrong secret of the same kind is no match`(kind: Slot.Kind) throws {
        let slot = try sample.slot(kind)
        #expect(throws: VaultFormatError.noMatch) { try sample.opened([slot], .wrong) }
    }

    @Test(arguments: Slot.Kind.allCases) func `a slot is bound to its vault, id, time and epoch`(kind: Slot.Kind) throws
    {
        let slot = try sample.slot(kind)
        var changed = [slot, slot, slot]
        changed[0].id = SlotID(countingBytes(from: 1, count: 16).span)
        changed[1].created.microseconds += 1
        changed[2].epoch += 1
        for slot in changed { #expect(throws: VaultFormatError.noMatch) { try sample.opened([slot], .all) } }
        #expect(throws: VaultFormatError.noMatch) { try sample.opened([slot], .all, vault: .none) }
    }

    // MARK: - Several slots

    @Test func `the first slot that matches counts`() throws {
        let slots = try [sample.slot(.keyFile), sample.slot(.passphrase), sample.slot(.recoveryCode)]
        #expect(try sample.opened(slots, .all).slot == slots[0].id)
        #expect(try sample.opened(slots, Offer(passphrase: true)).slot == slots[1].id)
        #expect(try sample.opened(slots, Offer(recovery: true)).slot == slots[2].id)
    }

    @Test func `a passphrase is tried in all slots`() throws {
        let slots = try [sample.slot(.passphrase, other: true), sample.slot(.passphrase)]
        #expect(try sample.opened(slots, Offer(passphrase: true)).slot == slots[1].id)
    }

    @Test func `passphrases are bytes, used exactly as given`() throws {
        let slot = try sample.slot(.passphrase)
        for other in ["Correct horse", "correct horse ", "correct horse\n", "correct  horse"] {
            #expect(throws: VaultFormatError.noMatch) {
                try sample.opened([slot], Offer(passphrase: true), passphrase: other)
            }
        }
    }

    // MARK: - Distinct errors

    @Test func `a wrong passphrase, a foreign file, damage and lack of memory are four errors`() throws {
        let slot = try sample.slot(.passphrase)
        #expect(throws: VaultFormatError.noMatch) {
            try sample.opened([slot], Offer(passphrase: true), passphrase: "incorrect horse")
        }
        #expect(throws: VaultFormatError.notAVault) {
            try Header(parsing: Array("%PDF-1.7 and more".utf8), fileByteCount: 17)
        }
        var damaged = slot
        damaged.wrappedRoot[40] ^= 1
        #expect(throws: VaultFormatError.keybagFailure(.notAuthentic, offset: 320)) {
            try sample.opened([damaged], Offer(passphrase: true))
        }
        #expect(throws: VaultFormatError.notEnoughMemory(neededByteCount: 8192, availableByteCount: 8191)) {
            try sample.opened([slot], Offer(passphrase: true), availableByteCount: 8191)
        }
        #expect(try sample.opened([slot], Offer(passphrase: true), availableByteCount: 8192).slot == slot.id)
    }

    @Test func `available memory is checked before any is allocated`() throws {
        var slot = try sample.slot(.passphrase)
        slot.derivation = Argon2Parameters(operations: 4, memoryKiB: 1_048_576)
        let before = try peakKiB()
        #expect(throws: VaultFormatError.notEnoughMemory(neededByteCount: 1 << 30, availableByteCount: 1 << 20)) {
            try sample.opened([slot], Offer(passphrase: true), availableByteCount: 1 << 20)
        }
        #expect(try peakKiB() - before < 1 << 19)
    }

    /// The peak memory use of this process.
    private func peakKiB() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    // MARK: - Limits

    @Test(arguments: [
        (Argon2Parameters(operations: 1, memoryKiB: 8191), Limit.argon2Memory, 8191 as UInt64),
        (Argon2Parameters(operations: 1, memoryKiB: 1_048_577), .argon2Memory, 1_048_577),
        (Argon2Parameters(operations: 0, memoryKiB: 8192), .argon2Operations, 0),
        (Argon2Parameters(operations: 17, memoryKiB: 8192), .argon2Operations, 17),
        (Argon2Parameters(operations: 5, memoryKiB: 1_048_576), .argon2Work, 5_242_880),
    ])
    func `work beyond the limits is rejected`(parameters: Argon2Parameters, limit: Limit, value: UInt64) throws {
        var slot = try sample.slot(.passphrase)
        slot.derivation = parameters
        #expect(throws: VaultFormatError.limitExceeded(limit, value: value)) {
            try sample.opened([slot], Offer(passphrase: true), limits: .reader)
        }
    }

    @Test func `a slot beyond the limits does not keep another from matching`() throws {
        var heavy = try sample.slot(.passphrase)
        heavy.derivation = Argon2Parameters(operations: 17, memoryKiB: 8)
        let slots = [heavy, try sample.slot(.passphrase)]
        #expect(try sample.opened(slots, Offer(passphrase: true)).slot == slots[1].id)
        // If no slot matches, the first obstacle is reported.
        var large = heavy
        large.derivation = Argon2Parameters(operations: 1, memoryKiB: 4096)
        let others = [heavy, large, try sample.slot(.passphrase, other: true)]
        #expect(throws: VaultFormatError.limitExceeded(.argon2Operations, value: 17)) {
            try sample.opened(others, Offer(passphrase: true), availableByteCount: 1 << 20)
        }
        #expect(throws: VaultFormatError.notEnoughMemory(neededByteCount: 4 << 20, availableByteCount: 1 << 20)) {
            try sample.opened(others.reversed(), Offer(passphrase: true), availableByteCount: 1 << 20)
        }
    }

    @Test func `the work of all slots that are tried has a limit`() throws {
        let slots = try [true, true, false].map { try sample.slot(.passphrase, other: $0) }
        func opened(totalWorkKiB: Int) throws -> SlotID {
            let limits = Argon2Limits(memoryKiB: 8...8, operations: 1...1, workKiB: 8, totalWorkKiB: totalWorkKiB)
            return try sample.opened(slots, Offer(passphrase: true), limits: limits).slot
        }
        #expect(try opened(totalWorkKiB: 24) == slots[2].id)
        #expect(throws: VaultFormatError.limitExceeded(.argon2Work, value: 24)) { try opened(totalWorkKiB: 23) }
    }

    @Test func `limits do not apply to a slot that is not tried`() throws {
        var heavy = try sample.slot(.passphrase)
        heavy.derivation = Argon2Parameters(operations: 99, memoryKiB: 8)
        let slots = [heavy, try sample.slot(.keyFile)]
        #expect(try sample.opened(slots, Offer(keyFile: true)).slot == slots[1].id)
    }

    // MARK: - Devices

    @Test func `a vault that opens only with a device key names the devices`() throws {
        let slots = try [sample.slot(.deviceUnlock), sample.slot(.deviceUnlock, other: true)]
        let devices = [SlotSample.device, SlotSample.otherDevice]
        #expect(throws: VaultFormatError.deviceKeyNeeded(devices)) { try sample.opened(slots, Offer()) }
        #expect(try sample.opened(slots, Offer(device: true)).slot == slots[0].id)
    }

    /// [VF-20], [VF-26]: no slot could be tried with the secret, so the device key is needed, unless it is given too.
    @Test(arguments: [Offer(passphrase: true), Offer(keyFile: true), Offer(recovery: true)])
    func `a secret that fits no slot does not open the vault, even with a device key`(offer: Offer) throws {
        let slot = try sample.slot(.deviceUnlock)
        let needed = VaultFormatError.deviceKeyNeeded([SlotSample.device])
        #expect(throws: needed) { try sample.opened([slot], offer) }
        var both = offer
        both.device = true
        #expect(throws: VaultFormatError.noMatch) { try sample.opened([slot], both) }
    }

    @Test func `a secret that was tried is wrong, even if a device key would open the vault`() throws {
        let slots = try [sample.slot(.keyFile, other: true), sample.slot(.deviceUnlock)]
        #expect(throws: VaultFormatError.noMatch) { try sample.opened(slots, Offer(keyFile: true)) }
    }

    @Test func `a vault without slots asks for no device key`() throws {
        let keys = try KeySample()
        let (_, structure) = try keys.maker(devices: [keys.device]).structureKey()
        var unlocking = SlotUnlocker(Keybag(entries: structure), vault: .sample, availableByteCount: nil)
        #expect(structure.count == 3)
        #expect(throws: VaultFormatError.noMatch) { try unlocking.opened() }
    }

    @Test func `no device is needed if a recipient could open the vault`() throws {
        let keys = try KeySample()
        let (_, structure) = try keys.maker(devices: [keys.device]).structureKey()
        // Two entries; the second of type 5 with a body of 240 bytes, of which four are zero.
        var bytes = Keybag(entries: structure).encoded.prefix(8 + 8 + 128)
        bytes[0] = 2
        bytes += [5, 0, 0, 0, 240, 0, 0, 0] + [UInt8](repeating: 1, count: 240)
        for offset in 0..<4 { bytes[8 + 136 + 8 + 28 + offset] = 0 }
        bytes += [UInt8](repeating: 0, count: -bytes.count & 63)
        var unlocking = SlotUnlocker(
            try Keybag(parsing: Array(bytes), fileOffset: 0),
            vault: .sample,
            availableByteCount: nil
        )
        #expect(throws: VaultFormatError.noMatch) { try unlocking.opened() }
    }
}

/// [VF-85]: a writer refuses what a reader would refuse.
@Suite("Refused slots") struct RefusedSlotTests {
    private let cipher: Cipher
    private let maker: SlotMaker

    init() throws {
        cipher = Cipher(vault: .sample, random: DeterministicRandom(seed: "refused slots"))
        let time = Time(microseconds: 0)
        maker = SlotMaker(userRoot: try cipher.random.key(), epoch: 1, created: time, cipher: cipher)
    }

    @Test(arguments: [
        (Argon2Parameters(operations: 3, memoryKiB: 65_535), Fault.Reason.limitExceeded(.argon2Memory, value: 65_535)),
        (Argon2Parameters(operations: 1, memoryKiB: 65_536), Fault.Reason.limitExceeded(.argon2Operations, value: 1)),
        (
            Argon2Parameters(operations: 5, memoryKiB: 1_048_576),
            Fault.Reason.limitExceeded(.argon2Work, value: 5_242_880)
        ),
    ])
    func `Argon2id parameters out of range are refused`(parameters: Argon2Parameters, fault: Fault.Reason) {
        let passphrase: [UInt8] = [1]
        #expect(throws: Fault(fault)) { try maker.passphraseSlot(passphrase.span, parameters: parameters) }
    }

    @Test func `an empty passphrase, or one of more than 4,096 bytes, is refused`() {
        let empty: [UInt8] = []
        let long = [UInt8](repeating: 1, count: 4097)
        let limit = Fault(.limitExceeded(.passphrase, value: 4097))
        #expect(throws: Fault(.badValue)) { try maker.passphraseSlot(empty.span, parameters: .standard) }
        #expect(throws: limit) { try maker.passphraseSlot(long.span, parameters: .standard) }
    }

    @Test func `a key file that is too short or too long is refused`() {
        let short = [UInt8](repeating: 1, count: 31)
        let long = [UInt8](repeating: 1, count: 1_048_577)
        #expect(throws: Fault(.tooShort)) { try maker.keyFileSlot(short.span) }
        #expect(throws: Fault(.limitExceeded(.keyFile, value: 1_048_577))) { try maker.keyFileSlot(long.span) }
    }
}
