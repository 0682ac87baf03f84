internal import CofferBasics
package import VaultCrypto

/// Keys of a vault that are available without the roots that wrap them.
///
/// These are keys that stay open while the vault is locked, or that another process of the user has opened. Each is
/// used only if the vault commits to it.
package struct HeldKeys: Sendable {
    package var structureKey: (key: Key, epoch: UInt32)
    package var classKeys: [ClassKeyName: Key]
    package var matchKeys: [GroupEpoch: Key]
    /// The devices whose items are present, even if their keys are locked: locked items are not absent.
    package var devices: Set<DeviceID>
    /// Whether this process derived the keys from the roots itself, so that they need no proof.
    package var isOwn = false

    package init(
        structureKey: (key: Key, epoch: UInt32),
        classKeys: [ClassKeyName: Key],
        matchKeys: [GroupEpoch: Key],
        devices: Set<DeviceID>
    ) {
        self.structureKey = structureKey
        self.classKeys = classKeys
        self.matchKeys = matchKeys
        self.devices = devices
    }

    /// Whether these keys are those of the vault with this `prelude`, and have not been renewed since.
    package func fit(_ prelude: VaultPrelude) -> Bool {
        let opens = prelude.keybag.entries.contains { entry in
            guard case .structureKey(let entry) = entry else { return false }
            return entry.isKept(by: structureKey, vault: prelude.header.vault)
        }
        let always = ClassKeyName(protection: .always, owner: .none, epoch: prelude.keybag.rootEpoch)
        guard opens, let key = try? classKeys[always]?.ownerKey() else { return false }
        return Header.isAuthentic(prelude.headerBytes, key: key)
    }
}

extension StructureKeyEntry {
    /// Whether `held` is the key in the entry: it has the same epoch and matches the commitment.
    func isKept(by held: (key: Key, epoch: UInt32), vault: VaultID) -> Bool {
        held.epoch == epoch && holds(held.key, vault: vault)
    }
}

extension WrappedKeyEntry {
    /// Whether `key` matches the commitment of the entry.
    func holds(_ key: Key, vault: VaultID) -> Bool {
        areEqual(commitment(to: key, vault: vault).span, wrap.commitment.span)
    }
}

/// The sizes of section 10.2 of the store's specification.
private enum HeldKeysSize {
    static let version: UInt8 = 1
    static let key = 32
    /// Version, three zeros, epoch, structure key.
    static let head = 8 + key
    static let count = 4
    static let device = DeviceID.byteCount
    static let classKey = 8 + DeviceID.byteCount + key
    static let matchKey = GroupEpoch.byteCount + key
}

// MARK: - Writing

extension HeldKeys {
    /// The size of the keys in bytes, as they are kept outside of a process.
    package var byteCount: Int {
        HeldKeysSize.head + 3 * HeldKeysSize.count + devices.count * HeldKeysSize.device
            + classKeys.count * HeldKeysSize.classKey + matchKeys.count * HeldKeysSize.matchKey
    }

    /// Calls `body` with the bytes of the keys, and wipes them afterwards.
    package func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withTemporarySecret(capacity: byteCount, writtenBy: { write(to: &$0) }, body)
    }

    private func write(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: UInt32(HeldKeysSize.version))
        output.append(littleEndian: structureKey.epoch)
        output.append(structureKey.key)
        output.append(littleEndian: UInt32(devices.count))
        for device in devices.sorted() { output.append(copying: device.bytes.span) }
        output.append(littleEndian: UInt32(classKeys.count))
        for (name, key) in classKeys.sorted(by: { $0.key.precedes($1.key) }) {
            output.append(copying: name.bytes.span)
            output.append(key)
        }
        output.append(littleEndian: UInt32(matchKeys.count))
        for (group, key) in matchKeys.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            output.append(copying: group.bytes.span)
            output.append(key)
        }
    }
}

extension ClassKeyName {
    var bytes: [UInt8] {
        var bytes: [UInt8] = [protection.rawValue, 0, 0, 0]
        bytes.append(littleEndian: epoch)
        return bytes + owner.bytes
    }

    fileprivate func precedes(_ other: Self) -> Bool { bytes.lexicographicallyPrecedes(other.bytes) }
}

// MARK: - Reading

extension HeldKeys {
    /// The keys in `bytes`, each copied to guarded memory; the caller wipes the bytes.
    ///
    /// Any process of the same user may have written the bytes, so a key counts only if a vault commits to it.
    package init(parsing bytes: Span<UInt8>) throws(Fault) {
        var reader = HeldKeysReader()
        structureKey = try reader.readHead(from: bytes)
        devices = Set(try reader.readDevices(from: bytes))
        classKeys = try reader.readClassKeys(of: devices, from: bytes)
        matchKeys = try reader.readMatchKeys(from: bytes)
        try reader.expectEnd(of: bytes)
    }
}

/// Reads keys in place: a ``ByteReader`` would copy them to memory that is not wiped.
private struct HeldKeysReader {
    private var offset = 0

    mutating func readHead(from bytes: Span<UInt8>) throws(Fault) -> (key: Key, epoch: UInt32) {
        let version = bytes[try skip(1, in: bytes).lowerBound]
        guard version == HeldKeysSize.version else {
            throw Fault(.unsupported(.majorVersion(Int(version))))
        }
        try readZeros(3, from: bytes)
        let epoch = try readNumber(from: bytes)
        return (try readKey(from: bytes), epoch)
    }

    mutating func readDevices(from bytes: Span<UInt8>) throws(Fault) -> [DeviceID] {
        var devices: [DeviceID] = []
        for _ in 0..<(try readCount(of: HeldKeysSize.device, from: bytes)) {
            let range = try skip(HeldKeysSize.device, in: bytes)
            let device = DeviceID(bytes.extracting(range))
            guard device != .none else { throw Fault(.badValue, at: range.lowerBound) }
            guard devices.last.map({ $0 < device }) ?? true else {
                throw Fault(.outOfOrder, at: range.lowerBound)
            }
            devices.append(device)
        }
        return devices
    }

    mutating func readClassKeys(
        of devices: Set<DeviceID>,
        from bytes: Span<UInt8>
    ) throws(Fault) -> [ClassKeyName: Key] {
        var keys: [ClassKeyName: Key] = [:]
        var last: [UInt8] = []
        for _ in 0..<(try readCount(of: HeldKeysSize.classKey, from: bytes)) {
            let start = offset
            let name = try readClassKeyName(from: bytes)
            guard last.lexicographicallyPrecedes(name.bytes) else { throw Fault(.outOfOrder, at: start) }
            guard name.owner == .none || devices.contains(name.owner) else {
                throw Fault(.missing, at: start)
            }
            last = name.bytes
            keys[name] = try readKey(from: bytes)
        }
        return keys
    }

    private mutating func readClassKeyName(from bytes: Span<UInt8>) throws(Fault) -> ClassKeyName {
        let start = try skip(1, in: bytes).lowerBound
        guard let protection = ProtectionClass(rawValue: bytes[start]) else { throw Fault(.badValue, at: start) }
        try readZeros(3, from: bytes)
        let epoch = try readNumber(from: bytes)
        let range = try skip(DeviceID.byteCount, in: bytes)
        let owner = DeviceID(bytes.extracting(range))
        guard (owner != .none) == protection.isBoundToDevice else {
            throw Fault(.disagrees, at: range.lowerBound)
        }
        return ClassKeyName(protection: protection, owner: owner, epoch: epoch)
    }

    mutating func readMatchKeys(from bytes: Span<UInt8>) throws(Fault) -> [GroupEpoch: Key] {
        var keys: [GroupEpoch: Key] = [:]
        var last: [UInt8] = []
        for _ in 0..<(try readCount(of: HeldKeysSize.matchKey, from: bytes)) {
            let range = try skip(GroupID.byteCount, in: bytes)
            let group = GroupEpoch(
                group: GroupID(bytes.extracting(range)),
                epoch: try readNumber(from: bytes)
            )
            guard last.lexicographicallyPrecedes(group.bytes) else {
                throw Fault(.outOfOrder, at: range.lowerBound)
            }
            last = group.bytes
            keys[group] = try readKey(from: bytes)
        }
        return keys
    }

    func expectEnd(of bytes: Span<UInt8>) throws(Fault) {
        guard offset == bytes.count else { throw Fault(.badLength, at: offset) }
    }

    // MARK: - Fields

    /// A count of elements of `byteCount` bytes, limited by the remaining bytes and by the entries of a keybag.
    private mutating func readCount(of byteCount: Int, from bytes: Span<UInt8>) throws(Fault) -> Int {
        let start = offset
        let count = Int(try readNumber(from: bytes))
        try Limit.keybagEntries.check(count, atMost: Limits.keybagEntryCount, at: start)
        guard count <= (bytes.count - offset) / byteCount else { throw Fault(.tooShort, at: start) }
        return count
    }

    private mutating func readNumber(from bytes: Span<UInt8>) throws(Fault) -> UInt32 {
        bytes.littleEndian(at: try skip(MemoryLayout<UInt32>.size, in: bytes).lowerBound)
    }

    private mutating func readKey(from bytes: Span<UInt8>) throws(Fault) -> Key {
        let range = try skip(HeldKeysSize.key, in: bytes)
        do throws(CipherError) {
            return try Key(copying: bytes.extracting(range))
        } catch {
            throw Fault(.cipher(error), at: range.lowerBound)
        }
    }

    private mutating func readZeros(_ byteCount: Int, from bytes: Span<UInt8>) throws(Fault) {
        for index in try skip(byteCount, in: bytes) where bytes[index] != 0 {
            throw Fault(.reservedNotZero, at: index)
        }
    }

    /// Skips `byteCount` bytes and returns their range.
    private mutating func skip(_ byteCount: Int, in bytes: Span<UInt8>) throws(Fault) -> Range<Int> {
        guard byteCount <= bytes.count - offset else { throw Fault(.tooShort, at: offset) }
        defer { offset += byteCount }
        return offset..<offset + byteCount
    }
}
