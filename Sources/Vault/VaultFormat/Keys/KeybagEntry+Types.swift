internal import CofferBasics
internal import VaultCrypto

extension KeybagEntry {
    /// The entry, or nil if its type is unknown.
    static func known(_ type: UInt16, _ body: inout ByteReader) throws(Fault) -> KeybagEntry? {
        if let kind = Slot.Kind(rawValue: type) { return .slot(try Slot(kind: kind, body: &body)) }
        return switch type {
        case RecipientSlot.type: .recipient(try RecipientSlot(body: &body))
        case DeviceEntry.type: .device(try DeviceEntry(body: &body))
        case StructureKeyEntry.type: .structureKey(try StructureKeyEntry(body: &body))
        case AlwaysKeyEntry.type: .alwaysKey(try AlwaysKeyEntry(body: &body))
        case MatchKeyEntry.type: .matchKey(try MatchKeyEntry(body: &body))
        case GroupNameEntry.type: .groupName(try GroupNameEntry(body: &body))
        case DataKeyEntry.type: .dataKey(try DataKeyEntry(body: &body))
        case TeamKeyEntry.type: .teamKey(try TeamKeyEntry(body: &body))
        case PreviousRootEntry.type: .previousRoot(try PreviousRootEntry(body: &body))
        case grantType: .grant(body: try body.readGrant())
        default: nil
        }
    }
}

extension StructureKeyEntry {
    init(body reader: inout ByteReader) throws(Fault) {
        root = try reader.readRoot()
        try reader.readZeros(3)
        epoch = try reader.read()
        device = try reader.readDevice(isNamed: root != .user)
        wrap = try KeyWrap(from: &reader)
    }
}

extension AlwaysKeyEntry {
    init(body reader: inout ByteReader) throws(Fault) {
        epoch = try reader.read()
        try reader.readZeros(4)
        device = try reader.readDevice(isNamed: true)
        wrap = try KeyWrap(from: &reader)
    }
}

extension MatchKeyEntry {
    init(body reader: inout ByteReader) throws(Fault) {
        group = try GroupEpoch(from: &reader)
        try reader.readZeros(4)
        device = try reader.readDevice(isNamed: true)
        wrap = try KeyWrap(from: &reader)
    }
}

extension DataKeyEntry {
    init(body reader: inout ByteReader) throws(Fault) {
        handle = try reader.readShortIdentifier()
        group = try GroupEpoch(from: &reader)
        protection = try reader.readProtectionClass()
        try reader.readZeros(3)
        owner = try reader.readDevice(isNamed: protection.isBoundToDevice)
        classEpoch = try reader.read()
        wrap = try KeyWrap(from: &reader)
    }
}

extension TeamKeyEntry {
    init(body reader: inout ByteReader) throws(Fault) {
        publicKey = try reader.readBytes(32)
        wrap = try KeyWrap(from: &reader)
    }
}

extension PreviousRootEntry {
    init(body reader: inout ByteReader) throws(Fault) {
        epoch = try reader.read()
        try reader.readZeros(4)
        wrap = try KeyWrap(from: &reader)
    }
}

extension ByteReader {
    /// Reads the body of a grant, whose parts only the holder of its credential reads.
    fileprivate mutating func readGrant() throws(Fault) -> [UInt8] {
        var fields = self
        _ = try fields.readBytes(Grant.Field.sealedByteCount)
        let start = fields.offset
        let sealedByteCount = try fields.readCount()
        _ = try fields.readBytes(Grant.Field.groupsByteCount - Grant.Field.expiry)
        let groupsByteCount = try fields.readCount()
        let noteByteCount = fields.remainingByteCount - sealedByteCount - groupsByteCount - Grant.signatureByteCount
        guard sealedByteCount >= SealedBox.extraByteCount,
            [groupsByteCount, noteByteCount].allSatisfy({ $0 >= Padding.unit && $0.isMultiple(of: Padding.unit) })
        else { throw Fault(.badLength, at: start) }
        let payloadByteCount = sealedByteCount - SealedBox.extraByteCount
        try Limit.grant.check(payloadByteCount, atMost: Limits.grantByteCount, at: start)
        for byteCount in [groupsByteCount, noteByteCount] {
            try Limit.grantNote.check(byteCount, atMost: Limits.grantNoteByteCount, at: start)
        }
        return try readBytes(remainingByteCount)
    }

    fileprivate mutating func readRoot() throws(Fault) -> Root {
        let start = offset
        guard let root = Root(rawValue: try read(UInt8.self)) else { throw Fault(.badValue, at: start) }
        return root
    }

    fileprivate mutating func readProtectionClass() throws(Fault) -> ProtectionClass {
        let start = offset
        guard let protection = ProtectionClass(rawValue: try read(UInt8.self)) else {
            throw Fault(.badValue, at: start)
        }
        return protection
    }

    /// Reads a device id, which must be nonzero if `isNamed` and zero otherwise.
    fileprivate mutating func readDevice(isNamed: Bool) throws(Fault) -> DeviceID {
        let start = offset
        let device: DeviceID = try readIdentifier()
        guard (device != .none) == isNamed else { throw Fault(.badValue, at: start) }
        return device
    }
}
