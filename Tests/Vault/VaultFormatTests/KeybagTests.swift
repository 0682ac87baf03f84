import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

@Suite("Keybag") struct KeybagTests {
    private let sample: KeySample
    private let structure: [KeybagEntry]
    private let group: GroupSample

    init() throws {
        sample = try KeySample()
        let maker = try sample.maker()
        (_, structure) = try maker.structureKey()
        group = try GroupSample(.always, maker: maker, sample: sample)
    }

    private func expect(
        _ fault: Fault.Reason,
        at offset: Int = 0,
        _ bytes: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: VaultFormatError.keybagFailure(fault, offset: 256 + offset), sourceLocation: sourceLocation) {
            try Keybag(parsing: bytes, fileOffset: 256)
        }
    }

    private func expect(
        _ fault: Fault.Reason,
        _ entries: [KeybagEntry],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(fault, Keybag(entries: entries).encoded, sourceLocation: sourceLocation)
    }

    // MARK: - Bytes

    @Test func `entries are read back in order, and the size is a multiple of 64`() throws {
        let unknown = KeybagEntry.unknown(type: 999, body: [1, 2, 3])
        let entries = structure + [unknown, try sample.passphraseSlot()] + group.entries
        let bytes = Keybag(entries: entries).encoded
        #expect(bytes.count.isMultiple(of: 64))
        #expect(Array(bytes[..<8]) == littleEndian(UInt32(entries.count)) + [0, 0, 0, 0])
        #expect(Array(bytes[8..<16]) == [16, 0, 0, 0, 128, 0, 0, 0])
        let keybag = try Keybag(parsing: bytes, fileOffset: 256)
        #expect(keybag.entries == entries)
        #expect(keybag.encoded == bytes)
    }

    /// The sizes in the table of section 3.
    @Test func `each entry has the size given in the table`() throws {
        func bodyByteCount(_ entry: KeybagEntry?) throws -> Int { try #require(entry).encoded.count - 8 }
        func first(_ type: UInt16) -> KeybagEntry? { group.entries.first { $0.type == type } }
        #expect(try bodyByteCount(try sample.passphraseSlot()) == 160)
        #expect(try bodyByteCount(structure.first) == 128)
        #expect(try bodyByteCount(structure.first { $0.type == 17 }) == 128)
        #expect(try bodyByteCount(first(18)) == 136)
        #expect(try bodyByteCount(first(19)) == 48 + 64)
        #expect(try bodyByteCount(first(20)) == 148)
        let team = TeamKeyEntry(publicKey: countingBytes(from: 0, count: 32))
        #expect(try bodyByteCount(.teamKey(holding(team))) == 136)
        #expect(try bodyByteCount(.previousRoot(holding(PreviousRootEntry(epoch: 1)))) == 112)
        #expect(try bodyByteCount(device()) == 64)
    }

    private func holding<Entry: WrappedKeyEntry>(_ entry: Entry) throws -> Entry {
        let wrapping = try WrappingKey(sample.userRoot, cipher: sample.cipher)
        return entry.holding(sample.userRoot, under: wrapping)
    }

    private func device() throws -> KeybagEntry {
        let (key, time) = (sample.userRoot, Time(microseconds: 1))
        return .device(
            try DeviceEntry.made(for: sample.device, created: time, deviceKey: key, vault: .sample).entry
        )
    }

    @Test func `the bytes after the last entry are zeros to the next multiple of 64`() {
        let bytes = Keybag(entries: structure).encoded
        expect(.badLength, at: 8 + structure.count * 136, bytes + [UInt8](repeating: 0, count: 64))
        var changed = bytes
        changed[bytes.count - 1] = 1
        expect(.badPadding, at: bytes.count - 1, changed)
        changed = bytes
        changed[4] = 1
        expect(.reservedNotZero, at: 4, changed)
    }

    @Test func `an entry must have the size of its type and end within the keybag`() {
        let body = Array(structure[0].encoded.dropFirst(8))
        expect(.tooShort, at: 16 + 24 + 32, Keybag(entries: [.unknown(type: 16, body: body.dropLast())]).encoded)
        expect(.badLength, at: 16 + 128, Keybag(entries: [.unknown(type: 16, body: body + [0])]).encoded)
        var bytes = Keybag(entries: structure).encoded
        bytes[12...15] = [255, 255, 255, 255]
        expect(.tooShort, at: 16, bytes)
    }

    /// A reader without the match key never opens the box, but must still reject an impossible size.
    @Test(arguments: [0, 32, 65, 127])
    func `a group name is a box of a possible size`(byteCount: Int) throws {
        let index = try #require(group.entries.firstIndex { $0.type == 19 })
        guard case .groupName(var name) = group.entries[index] else {
            Issue.record("the entry of type 19 is not a group name")
            return
        }
        func entries(_ byteCount: Int) -> [KeybagEntry] {
            name.box = [UInt8](repeating: 7, count: byteCount)
            return structure + group.entries[..<index] + [.groupName(name)] + group.entries[(index + 1)...]
        }
        let before = Keybag(entries: structure + group.entries[..<index]).entries
        let start = 8 + before.reduce(0) { $0 + $1.encoded.count }
        expect(.badLength, at: start + 8 + 48, Keybag(entries: entries(byteCount)).encoded)
        #expect(throws: VaultFormatError.limitExceeded(.groupName, value: 1152)) {
            try Keybag(parsing: Keybag(entries: entries(1152)).encoded, fileOffset: 0)
        }
        for possible in [64, 1024, 1088] {
            #expect(throws: Never.self) {
                try Keybag(parsing: Keybag(entries: entries(possible)).encoded, fileOffset: 0)
            }
        }
    }

    @Test func `an unknown entry is kept, unless it is critical`() throws {
        let unknown = KeybagEntry.unknown(type: 77, body: [])
        var bytes = Keybag(entries: structure + [unknown, unknown]).encoded
        #expect(try Keybag(parsing: bytes, fileOffset: 0).entries.suffix(2) == [unknown, unknown])
        let offset = 8 + structure.count * 136
        bytes[offset + 2] = 1
        #expect(throws: VaultFormatError.unsupported(.keybagEntry(type: 77))) {
            try Keybag(parsing: bytes, fileOffset: 0)
        }
        bytes[offset + 2] = 2
        expect(.reservedNotZero, at: offset + 2, bytes)
        bytes[offset + 2] = 0
        bytes[offset + 3] = 1
        expect(.reservedNotZero, at: offset + 2, bytes)
    }

    // MARK: - Rules between entries

    @Test func `a duplicate of a unique entry is rejected`() throws {
        let slot = try sample.passphraseSlot()
        let all = structure + group.entries
        for entry in all + [slot, try device()] { expect(.duplicate, all + [slot, try device(), entry]) }
    }

    @Test func `slots of all kinds share one space of ids`() throws {
        guard case .slot(var slot) = try sample.passphraseSlot() else { return }
        let passphraseSlot = slot
        slot.kind = .recoveryCode
        slot.derivation = nil
        expect(.duplicate, structure + [.slot(passphraseSlot), .slot(slot)])
    }

    @Test(arguments: [16, 17, 18] as [UInt16])
    func `two wraps of one key must have the same commitment`(type: UInt16) throws {
        var entries = structure + group.entries
        let index = try #require(entries.lastIndex { $0.type == type })
        entries[index] = entries[index].withOtherCommitment
        expect(.disagrees, entries)
    }

    @Test func `a keybag must have a structure key, and a name for the group of each data key and match key`() {
        expect(.missing, group.entries)
        expect(.missing, structure + [group.dataEntry])
        expect(.missing, structure + group.groupEntries.filter { $0.type == 18 })
        expect(.missing, [])
    }

    @Test func `keys of class 12 need a passphrase`() throws {
        let bound = try GroupSample(.whenPasscodeSetThisDeviceOnly, maker: sample.maker(), sample: sample)
        expect(.disagrees, structure + bound.groupEntries + [bound.dataEntry])
        let entries = structure + bound.entries + [try sample.passphraseSlot()]
        #expect(try Keybag(parsing: Keybag(entries: entries).encoded, fileOffset: 0).entries == entries)
    }

    @Test func `a vault with a passphrase has no device unlock slot, and slots and always keys have one epoch`() throws
    {
        let slots = SlotMaker(
            userRoot: sample.userRoot,
            epoch: 2,
            created: Time(microseconds: 0),
            cipher: sample.cipher
        )
        let passphrase = try sample.passphraseSlot()
        let device = KeybagEntry.slot(try slots.deviceUnlockSlot(sample.device, key: sample.userRoot))
        let content = countingBytes(from: 1, count: 32)
        let keyFile = KeybagEntry.slot(try slots.keyFileSlot(content.span))
        expect(.disagrees, structure + [passphrase, device])
        expect(.disagrees, structure + [passphrase, keyFile])
        expect(.disagrees, structure + [device, keyFile])
        let other = [structure[0], device, keyFile]
        #expect(try Keybag(parsing: Keybag(entries: other).encoded, fileOffset: 0).slots.count == 2)
    }

    @Test func `more entries or slots than allowed are rejected`() throws {
        var bytes = Keybag(entries: structure).encoded
        bytes[0...3] = [1, 32, 0, 0]
        #expect(throws: VaultFormatError.limitExceeded(.keybagEntries, value: 8193)) {
            try Keybag(parsing: bytes, fileOffset: 0)
        }
        guard case .slot(let slot) = try sample.passphraseSlot() else { return }
        func slots(_ count: Int, _ kind: Slot.Kind) -> [KeybagEntry] {
            (0..<count).map { number in
                var slot = slot
                slot.id = SlotID(littleEndian(UInt128(number)).span)
                slot.kind = kind
                if kind == .keyFile { slot.derivation = nil }
                return .slot(slot)
            }
        }
        for (count, kind, limit) in [(33, Slot.Kind.keyFile, Limit.slots), (9, .passphrase, .argon2Slots)] {
            #expect(throws: VaultFormatError.limitExceeded(limit, value: UInt64(count))) {
                try Keybag(parsing: Keybag(entries: structure + slots(count, kind)).encoded, fileOffset: 0)
            }
            let fewer = structure + slots(count - 1, kind)
            #expect(try Keybag(parsing: Keybag(entries: fewer).encoded, fileOffset: 0).slots.count == count - 1)
        }
    }
}

extension KeybagEntry {
    fileprivate var withOtherCommitment: KeybagEntry {
        func changed<Entry: WrappedKeyEntry>(_ entry: Entry) -> Entry {
            var entry = entry
            entry.wrap.commitment[0] ^= 1
            return entry
        }
        return switch self {
        case .structureKey(let entry): .structureKey(changed(entry))
        case .alwaysKey(let entry): .alwaysKey(changed(entry))
        case .matchKey(let entry): .matchKey(changed(entry))
        default: self
        }
    }
}
