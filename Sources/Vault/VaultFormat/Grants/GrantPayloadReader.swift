internal import CofferBasics
internal import VaultCrypto

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
