internal import CofferBasics
package import VaultCrypto

/// What anyone can read of a vault without a key, section 16.
///
/// None of it is authenticated.
package struct VaultInspection: Equatable, Sendable {
    /// A way to open the vault.
    package struct SlotSummary: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            case slot(Slot.Kind)
            case recipient
            case unknown(type: UInt16)
        }

        package var kind: Kind
        package var id: SlotID
        package var created: Time
        package var derivation: Argon2Parameters?
        package var device: DeviceID?
    }

    /// The frames found by following magic and length alone.
    package struct LogSummary: Equatable, Sendable {
        package var frameCount = 0
        package var lastSequence: UInt64?
        package var byteCount = 0
        /// The number of zero bytes after the frames.
        package var reserveByteCount = 0
        /// The offset of bytes that are neither a frame nor the reserve.
        package var unknownOffset: Int?
    }

    package var fileByteCount: Int
    /// The number of the draft of the format.
    package var draft: Int
    package var vault: VaultID
    package var generation: UInt64
    package var baseSequence: UInt64
    package var features: Header.Features
    package var keybagByteCount: Int
    package var snapshotByteCount: Int
    package var slots: [SlotSummary] = []
    package var devices: [DeviceID] = []
    package var groupCount = 0
    package var grantCount = 0
    /// The public half of the team key.
    package var teamKey: [UInt8]?
    package var log = LogSummary()
    /// The parts of the file, in order and without gaps.
    package var parts: [VaultPart] = []
    /// The damage that can be found without a key.
    package var damage: [VaultFormatError] = []
}

extension VaultInspection {
    /// Inspects the file; damage to the keybag or directory is recorded in ``damage`` instead of thrown.
    package init(of source: some ByteSource) throws(VaultFormatError) {
        let headerBytes = try source.read(0..<min(source.byteCount, Header.byteCount))
        let header = try Header(parsing: headerBytes, fileByteCount: source.byteCount)
        self.init(
            fileByteCount: source.byteCount,
            draft: Header.draft,
            vault: header.vault,
            generation: header.generation,
            baseSequence: header.baseSequence,
            features: header.features,
            keybagByteCount: header.keybagByteCount,
            snapshotByteCount: header.snapshotByteCount
        )
        parts = VaultPart.beforeLog(header)
        do throws(VaultFormatError) {
            summarize(try VaultPrelude.keybag(of: source, header: header))
        } catch {
            note(error, in: .keybag)
        }
        do throws(VaultFormatError) {
            let directoryBox = try source.read(header.directoryRange)
            try VaultPrelude.checkDirectory(directoryBox, header: header)
        } catch {
            note(error, in: .directory)
        }
        var walk = FrameWalk(source, after: header.baseSequence)
        try walk.walk(from: header.logOffset)
        parts += walk.parts
        log = LogSummary(walk.parts)
        if let offset = log.unknownOffset { damage.append(.unknownTail(offset: offset)) }
    }

    private mutating func note(_ error: VaultFormatError, in kind: VaultPart.Kind) {
        damage.append(error)
        for index in parts.indices where parts[index].kind == kind { parts[index].isDamaged = true }
    }

    private mutating func summarize(_ keybag: Keybag) {
        teamKey = keybag.teamKey
        var groups: Set<GroupID> = []
        for entry in keybag.entries {
            switch entry {
            case .slot(let slot):
                slots.append(
                    SlotSummary(
                        kind: .slot(slot.kind),
                        id: slot.id,
                        created: slot.created,
                        derivation: slot.derivation,
                        device: slot.device
                    )
                )
            case .recipient(let slot):
                slots.append(SlotSummary(kind: .recipient, id: slot.id, created: slot.created))
            case .device(let device): devices.append(device.id)
            case .groupName(let entry): groups.insert(entry.group.group)
            case .unknownWay(let way) where way.kind == .slot:
                slots.append(SlotSummary(kind: .unknown(type: way.type), id: way.id, created: way.created))
            case .grant, .unknownWay: grantCount += 1
            case .structureKey, .alwaysKey, .matchKey, .dataKey, .teamKey, .previousRoot, .unknown: break
            }
        }
        groupCount = groups.count
    }
}

extension VaultInspection.LogSummary {
    fileprivate init(_ parts: [VaultPart]) {
        for part in parts {
            switch part.kind {
            case .frame(let sequence):
                frameCount += 1
                lastSequence = sequence
                byteCount += part.range.count
            case .reserve: reserveByteCount = part.range.count
            default:
                unknownOffset = part.range.lowerBound
                return
            }
        }
    }
}
