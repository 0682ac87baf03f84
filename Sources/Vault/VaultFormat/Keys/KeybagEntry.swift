internal import CofferBasics

/// One entry of the keybag, section 3.
package enum KeybagEntry: Equatable, Sendable {
    case slot(Slot)
    case recipient(RecipientSlot)
    case device(DeviceEntry)
    case structureKey(StructureKeyEntry)
    case alwaysKey(AlwaysKeyEntry)
    case matchKey(MatchKeyEntry)
    case groupName(GroupNameEntry)
    case dataKey(DataKeyEntry)
    case teamKey(TeamKeyEntry)
    case previousRoot(PreviousRootEntry)
    case grant(body: [UInt8])
    case unknownWay(UnknownWay)
    /// An entry of another unknown type, which is not critical.
    case unknown(type: UInt16, body: [UInt8])

    /// The number of the entry's type.
    package var type: UInt16 {
        switch self {
        case .slot(let slot): slot.kind.rawValue
        case .recipient: RecipientSlot.type
        case .device: DeviceEntry.type
        case .structureKey: StructureKeyEntry.type
        case .alwaysKey: AlwaysKeyEntry.type
        case .matchKey: MatchKeyEntry.type
        case .groupName: GroupNameEntry.type
        case .dataKey: DataKeyEntry.type
        case .teamKey: TeamKeyEntry.type
        case .previousRoot: PreviousRootEntry.type
        case .grant: Self.grantType
        case .unknownWay(let way): way.type
        case .unknown(let type, _): type
        }
    }

    static let grantType: UInt16 = 32
    /// The types of slots but of those for devices.
    static let slotTypes: Set<UInt16> = Set([1...6, 8...15].joined())
    static let headByteCount = 8

    /// The commitment to the key in the entry, with the identity that all entries of the same key share.
    var commitment: (identity: [UInt8], bytes: [UInt8])? {
        switch self {
        case .structureKey(let entry): ([16] + entry.identity, entry.wrap.commitment)
        case .alwaysKey(let entry): ([17] + entry.identity, entry.wrap.commitment)
        case .matchKey(let entry): ([18] + entry.identity, entry.wrap.commitment)
        default: nil
        }
    }

    /// Whether the entry requires a slot with a passphrase in the keybag.
    var needsPassphraseSlot: Bool {
        if case .dataKey(let entry) = self { entry.protection == .whenPasscodeSetThisDeviceOnly } else { false }
    }

    /// The group that the entry requires in the keybag.
    var neededGroup: GroupEpoch? {
        switch self {
        case .matchKey(let entry): entry.group
        case .dataKey(let entry): entry.group
        default: nil
        }
    }

    /// The greatest epoch in the entry, or 0 if it has none.
    var epoch: UInt32 {
        switch self {
        case .slot(let slot): slot.epoch
        case .recipient(let slot): slot.epoch
        case .structureKey(let entry): entry.epoch
        case .alwaysKey(let entry): entry.epoch
        case .matchKey(let entry): entry.group.epoch
        case .groupName(let entry): entry.group.epoch
        case .dataKey(let entry): max(entry.group.epoch, entry.classEpoch)
        case .previousRoot(let entry): entry.epoch
        case .unknownWay(let way): way.epoch ?? 0
        case .device, .teamKey, .grant, .unknown: 0
        }
    }

    /// Whether a key record of the log may hold this entry, section 8.6.
    package var mayBeAppended: Bool {
        switch self {
        case .device, .structureKey, .alwaysKey, .matchKey, .groupName, .dataKey: true
        case .slot, .recipient, .teamKey, .previousRoot, .grant, .unknownWay, .unknown: false
        }
    }

    /// The device that this entry adds, or whose root wraps the key in it; nil for other entries.
    package var device: DeviceID? {
        switch self {
        case .device(let entry): entry.id
        case .structureKey(let entry) where entry.root == .device: entry.device
        case .alwaysKey(let entry): entry.device
        case .matchKey(let entry): entry.device == .none ? nil : entry.device
        default: nil
        }
    }

    /// The bytes that no other entry may share, or nil for an entry of unknown type.
    var uniqueness: [UInt8]? {
        let type = UInt8(truncatingIfNeeded: type)
        // All types of slots share one space of ids, and so do all types of grants.
        return switch self {
        case .slot(let slot): [0] + slot.id.bytes
        case .recipient(let slot): [0] + slot.id.bytes
        case .device(let device): [type] + device.id.bytes
        case .structureKey(let entry): [type, entry.root.rawValue] + entry.device.bytes
        case .alwaysKey(let entry): [type] + entry.device.bytes
        case .matchKey(let entry): [type] + entry.group.bytes + entry.device.bytes
        case .groupName(let entry): [type] + entry.group.bytes
        case .dataKey(let entry): [type] + entry.handle.bytes
        case .teamKey: [type]
        case .previousRoot(let entry): [type] + entry.identity
        case .grant(let body): [type] + body.prefix(GrantID.byteCount)
        case .unknownWay(let way): [way.kind == .slot ? 0 : UInt8(Self.grantType)] + way.id.bytes
        case .unknown: nil
        }
    }
}

// MARK: - Bytes

extension KeybagEntry {
    private var body: [UInt8] {
        switch self {
        case .slot(let slot): slot.body
        case .recipient(let slot): slot.body
        case .device(let device): device.body
        case .structureKey(let entry): entry.body
        case .alwaysKey(let entry): entry.body
        case .matchKey(let entry): entry.body
        case .groupName(let entry): entry.body
        case .dataKey(let entry): entry.body
        case .teamKey(let entry): entry.body
        case .previousRoot(let entry): entry.body
        case .unknownWay(let way): way.body
        case .grant(let body), .unknown(_, let body): body
        }
    }

    /// The encoded entry: type, flags, length and body.
    package var encoded: [UInt8] {
        let body = body
        var bytes: [UInt8] = []
        bytes.append(littleEndian: type)
        bytes.append(littleEndian: UInt16(0))
        bytes.append(littleEndian: UInt32(body.count))
        return bytes + body
    }

    /// An entry whose body has not been parsed yet.
    struct Unparsed {
        let start: Int
        let type: UInt16
        fileprivate let flags: UInt16
        fileprivate let body: ByteReader

        /// Reads the head, and checks it as far as that is possible without the body.
        init(from reader: inout ByteReader) throws(Fault) {
            start = reader.offset
            type = try reader.read(UInt16.self)
            flags = try reader.read(UInt16.self)
            guard flags == 0 || flags == 1 && !KeybagEntry.knownTypes.contains(type) else {
                throw Fault(.reservedNotZero, at: start + 2)
            }
            body = try reader.readPart(try reader.readCount())
        }

        /// Throws if the entry is of an unknown type and critical.
        func checkSupported() throws(Fault) {
            guard flags == 0 else { throw Fault(.unsupported(.keybagEntry(type: Int(type))), at: start) }
        }
    }

    private static let knownTypes: Set<UInt16> = Set([1...7, 16...22, 32...32].joined())

    /// Reads an entry, head and body.
    init(from reader: inout ByteReader) throws(Fault) {
        let entry = try Unparsed(from: &reader)
        try entry.checkSupported()
        try self.init(parsing: entry)
    }

    /// Reads the body of an entry.
    init(parsing entry: Unparsed) throws(Fault) {
        var body = entry.body
        guard let known = try Self.known(entry.type, &body) else {
            if let way = try UnknownWay(type: entry.type, body: &body) {
                self = .unknownWay(way)
            } else {
                self = .unknown(type: entry.type, body: try body.readBytes(body.remainingByteCount))
            }
            return
        }
        try body.expectEnd()
        self = known
    }
}
