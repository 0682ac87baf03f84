internal import CofferBasics
package import VaultCrypto

/// The keys in a grant: the structure key, and the keys of some groups.
package struct GrantPayload: Sendable {
    package let structureKey: Key
    package let structureKeyEpoch: UInt32
    /// The groups, in the order of the list of groups; items added without a group go into the first.
    package let groups: [Group]

    package init(structureKey: Key, structureKeyEpoch: UInt32, groups: [Group]) {
        self.structureKey = structureKey
        self.structureKeyEpoch = structureKeyEpoch
        self.groups = groups
    }

    /// The keys of one group.
    package struct Group: Sendable {
        package let id: GroupID
        package let epoch: UInt32
        /// The name, in UTF-8.
        package let name: [UInt8]
        package let matchKey: Key
        package let dataKeys: [DataKey]

        package var group: GroupEpoch { GroupEpoch(group: id, epoch: epoch) }

        package init(id: GroupID, epoch: UInt32, name: [UInt8], matchKey: Key, dataKeys: [DataKey]) {
            self.id = id
            self.epoch = epoch
            self.name = name
            self.matchKey = matchKey
            self.dataKeys = dataKeys
        }
    }

    /// The key of the items of one protection class and owner in a group.
    package struct DataKey: Sendable {
        package let handle: KeyHandle
        package let protection: ProtectionClass
        /// The device that the items are bound to, or none.
        package let owner: DeviceID
        package let key: Key

        package init(handle: KeyHandle, protection: ProtectionClass, owner: DeviceID, key: Key) {
            self.handle = handle
            self.protection = protection
            self.owner = owner
            self.key = key
        }
    }
}

extension GrantPayload {
    /// The keys of a group, if it is in the grant.
    func group(_ group: GroupEpoch) -> Group? { groups.first { $0.group == group } }

    /// A data key with the items that it is for, if it is in the grant.
    func dataKey(_ handle: KeyHandle) -> (key: Key, purpose: DataKeyPurpose)? {
        for group in groups {
            guard let key = group.dataKeys.first(where: { $0.handle == handle }) else { continue }
            return (key.key, DataKeyPurpose(group: group.group, protection: key.protection, owner: key.owner))
        }
        return nil
    }

    /// The devices whose items the grant opens.
    var devices: Set<DeviceID> { Set(groups.flatMap(\.dataKeys).map(\.owner)) }

    /// Whether no group and no data key occurs twice.
    var isUnique: Bool {
        let handles = groups.flatMap(\.dataKeys).map(\.handle)
        return Set(groups.map(\.group)).count == groups.count && Set(handles).count == handles.count
    }
}

/// The sizes of section 3.5.
enum GrantPayloadSize {
    static let key = 32
    /// Structure key, epoch, number of groups.
    static let head = key + 4 + 4
    static let nameRange = 1...1024
    /// A group without its name and data keys.
    static let groupWithoutName = 8 + 4 + 4 + key + 4
    static let smallestGroup = groupWithoutName + nameRange.lowerBound
    static let dataKey = 8 + 1 + 3 + 16 + key
}

// MARK: - Writing

extension GrantPayload {
    /// The padded size of the payload.
    var byteCount: Int {
        var byteCount = GrantPayloadSize.head
        for group in groups {
            byteCount += GrantPayloadSize.groupWithoutName + group.name.count
            byteCount += group.dataKeys.count * GrantPayloadSize.dataKey
        }
        return Padding.padded(byteCount)
    }

    /// Throws the error that a reader would throw, before anything is written.
    func validate() throws(GrantError) {
        guard byteCount <= Limits.grantByteCount else { throw .tooLarge(payloadByteCount: byteCount) }
        var offset = GrantPayloadSize.head
        for group in groups {
            // The name follows the group id, the epoch and the name's size.
            if let defect = GrantPayloadDefect(ofName: group.name) {
                throw .malformedPayload(defect, offset: offset + 16)
            }
            offset += GrantPayloadSize.groupWithoutName + group.name.count
            offset += group.dataKeys.count * GrantPayloadSize.dataKey
        }
    }

    /// Appends the ``byteCount`` bytes of the payload to `output`.
    func write(to output: inout OutputSpan<UInt8>) {
        let end = output.count + byteCount
        output.append(structureKey)
        output.append(littleEndian: structureKeyEpoch)
        output.append(littleEndian: UInt32(groups.count))
        for group in groups {
            output.append(copying: group.id.bytes.span)
            output.append(littleEndian: group.epoch)
            output.append(littleEndian: UInt32(group.name.count))
            output.append(copying: group.name.span)
            output.append(group.matchKey)
            output.append(littleEndian: UInt32(group.dataKeys.count))
            for dataKey in group.dataKeys {
                output.append(copying: dataKey.handle.bytes.span)
                output.append(littleEndian: UInt32(dataKey.protection.rawValue))
                output.append(copying: dataKey.owner.bytes.span)
                output.append(dataKey.key)
            }
        }
        while output.count < end { output.append(0) }
    }
}

/// Reads the payload of a grant, copying each key to guarded memory; the caller wipes the payload.
struct GrantPayloadReader {
    private var offset = 0

    /// The payload that all of `bytes` make up.
    static func payload(in bytes: Span<UInt8>) throws(GrantError) -> GrantPayload {
        var reader = Self()
        let structureKey = try reader.readKey(from: bytes)
        let epoch = try reader.read(UInt32.self, from: bytes)
        let count = try reader.readCount(
            ofAtLeast: GrantPayloadSize.smallestGroup,
            orElse: .tooManyGroups,
            from: bytes
        )
        var groups: [GrantPayload.Group] = []
        groups.reserveCapacity(count)
        for _ in 0..<count { groups.append(try reader.readGroup(from: bytes)) }
        try reader.readPadding(from: bytes)
        let payload = GrantPayload(structureKey: structureKey, structureKeyEpoch: epoch, groups: groups)
        guard payload.isUnique else { throw .malformedPayload(.duplicate, offset: GrantPayloadSize.head) }
        return payload
    }

    private mutating func readGroup(
        from bytes: Span<UInt8>
    ) throws(GrantError) -> GrantPayload.Group {
        let id = try skip(GroupID.byteCount, in: bytes)
        let epoch = try read(UInt32.self, from: bytes)
        let name = try readName(from: bytes)
        let matchKey = try readKey(from: bytes)
        let count = try readCount(ofAtLeast: GrantPayloadSize.dataKey, orElse: .tooManyDataKeys, from: bytes)
        var dataKeys: [GrantPayload.DataKey] = []
        dataKeys.reserveCapacity(count)
        for _ in 0..<count { dataKeys.append(try readDataKey(from: bytes)) }
        return GrantPayload.Group(
            id: ShortIdentifier(bytes.extracting(id)),
            epoch: epoch,
            name: name,
            matchKey: matchKey,
            dataKeys: dataKeys
        )
    }

    private mutating func readDataKey(
        from bytes: Span<UInt8>
    ) throws(GrantError) -> GrantPayload.DataKey {
        let handle = try skip(KeyHandle.byteCount, in: bytes)
        let classOffset = offset
        let word = try read(UInt32.self, from: bytes)
        guard word <= UInt8.max else { throw .malformedPayload(.reservedNotZero, offset: classOffset + 1) }
        guard let protection = ProtectionClass(rawValue: UInt8(word)) else {
            throw .malformedPayload(.unknownProtectionClass, offset: classOffset)
        }
        let ownerRange = try skip(DeviceID.byteCount, in: bytes)
        let owner = DeviceID(bytes.extracting(ownerRange))
        guard (owner != .none) == protection.isBoundToDevice else {
            throw .malformedPayload(.ownerDoesNotFitClass, offset: ownerRange.lowerBound)
        }
        return GrantPayload.DataKey(
            handle: ShortIdentifier(bytes.extracting(handle)),
            protection: protection,
            owner: owner,
            key: try readKey(from: bytes)
        )
    }

    private mutating func readName(from bytes: Span<UInt8>) throws(GrantError) -> [UInt8] {
        let start = offset
        let byteCount = Int(try read(UInt32.self, from: bytes))
        // Checked before the bytes are copied, to limit the allocation.
        guard GrantPayloadSize.nameRange.contains(byteCount) else {
            throw .malformedPayload(.nameByteCount, offset: start)
        }
        let range = try skip(byteCount, in: bytes)
        let name = [UInt8](copying: bytes.extracting(range))
        if let defect = GrantPayloadDefect(ofName: name) {
            throw .malformedPayload(defect, offset: range.lowerBound)
        }
        return name
    }

    /// Reads a count of elements of at least `byteCount` bytes each, which must fit in the remaining bytes.
    private mutating func readCount(
        ofAtLeast byteCount: Int,
        orElse defect: GrantPayloadDefect,
        from bytes: Span<UInt8>
    ) throws(GrantError) -> Int {
        let start = offset
        let count = Int(try read(UInt32.self, from: bytes))
        guard count <= (bytes.count - offset) / byteCount else { throw .malformedPayload(defect, offset: start) }
        return count
    }

    private mutating func readKey(from bytes: Span<UInt8>) throws(GrantError) -> Key {
        let range = try skip(GrantPayloadSize.key, in: bytes)
        do throws(CipherError) {
            return try Key(copying: bytes.extracting(range))
        } catch {
            throw .cipher(error)
        }
    }

    private mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type,
        from bytes: Span<UInt8>
    ) throws(GrantError) -> Value {
        let range = try skip(MemoryLayout<Value>.size, in: bytes)
        return bytes.littleEndian(at: range.lowerBound)
    }

    private func readPadding(from bytes: Span<UInt8>) throws(GrantError) {
        guard bytes.count == Padding.padded(offset) else {
            throw .malformedPayload(.wrongPadding, offset: offset)
        }
        for index in offset..<bytes.count where bytes[index] != 0 {
            throw .malformedPayload(.paddingNotZero, offset: index)
        }
    }

    /// Skips `byteCount` bytes and returns their range.
    private mutating func skip(_ byteCount: Int, in bytes: Span<UInt8>) throws(GrantError) -> Range<Int> {
        guard byteCount <= bytes.count - offset else { throw .malformedPayload(.endsEarly, offset: offset) }
        defer { offset += byteCount }
        return offset..<offset + byteCount
    }
}
