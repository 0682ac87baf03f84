internal import CofferBasics

/// Type 16: the structure key, which opens the directory and the frames.
package struct StructureKeyEntry: WrappedKeyEntry, Equatable {
    package static let type: UInt16 = 16

    package var root: Root
    package var epoch: UInt32
    /// The device whose root wraps the key, or none.
    package var device: DeviceID
    package var wrap: KeyWrap

    package var fields: [UInt8] {
        var bytes: [UInt8] = [root.rawValue, 0, 0, 0]
        bytes.append(littleEndian: epoch)
        return bytes + device.bytes
    }

    package var identity: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: epoch)
        return bytes
    }
}

/// Type 17: the class key of ``ProtectionClass/always`` for a device, which opens the vault without the user root.
package struct AlwaysKeyEntry: WrappedKeyEntry, Equatable {
    package static let type: UInt16 = 17

    package var epoch: UInt32
    /// The device whose root wraps the key.
    package var device: DeviceID
    package var wrap: KeyWrap

    package var fields: [UInt8] { identity + [0, 0, 0, 0] + device.bytes }

    package var identity: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: epoch)
        return bytes
    }

    /// The name of the key.
    var name: ClassKeyName { ClassKeyName(protection: .always, owner: .none, epoch: epoch) }
}

/// Type 18: the match key of an access group for a device, which opens the vault without the user root.
package struct MatchKeyEntry: WrappedKeyEntry, Equatable {
    package static let type: UInt16 = 18

    package var group: GroupEpoch
    /// The device whose root wraps the key.
    package var device: DeviceID
    package var wrap: KeyWrap

    package var fields: [UInt8] { identity + [0, 0, 0, 0] + device.bytes }

    package var identity: [UInt8] { group.bytes }
}

/// Type 20: the data key of a group and class.
package struct DataKeyEntry: WrappedKeyEntry, Equatable {
    package static let type: UInt16 = 20

    package var handle: KeyHandle
    package var group: GroupEpoch
    package var protection: ProtectionClass
    /// The device that the items are bound to, or none.
    package var owner: DeviceID
    /// The epoch of the class key that wraps this key.
    package var classEpoch: UInt32
    package var wrap: KeyWrap

    package var fields: [UInt8] {
        var bytes = handle.bytes + group.bytes + [protection.rawValue, 0, 0, 0] + owner.bytes
        bytes.append(littleEndian: classEpoch)
        return bytes
    }

    package var identity: [UInt8] { fields }
}

/// Type 21: the Ed25519 key that signs grants, recipient slots and settings.
package struct TeamKeyEntry: WrappedKeyEntry, Equatable {
    package static let type: UInt16 = 21

    package var publicKey: [UInt8]
    package var wrap: KeyWrap

    /// The entry of a team key without its seed.
    package init(publicKey: [UInt8]) {
        self.publicKey = publicKey
        wrap = .none
    }

    package var fields: [UInt8] { publicKey }

    package var identity: [UInt8] { publicKey }
}

/// Type 22: an earlier user root that keys of absent devices still need.
package struct PreviousRootEntry: WrappedKeyEntry, Equatable {
    package static let type: UInt16 = 22

    package var epoch: UInt32
    package var wrap: KeyWrap

    /// The entry of the user root of `epoch` without that root.
    package init(epoch: UInt32) {
        self.epoch = epoch
        wrap = .none
    }

    package var fields: [UInt8] { identity + [0, 0, 0, 0] }

    package var identity: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: epoch)
        return bytes
    }
}

/// An access group in one of its epochs.
package struct GroupEpoch: Hashable, Sendable {
    package static let byteCount = 12

    package var group: GroupID
    package var epoch: UInt32

    package init(group: GroupID, epoch: UInt32) {
        self.group = group
        self.epoch = epoch
    }

    /// The value for records that belong to no group.
    package static let none = GroupEpoch(group: .none, epoch: 0)

    package var bytes: [UInt8] {
        var bytes = group.bytes
        bytes.append(littleEndian: epoch)
        return bytes
    }

    init(from reader: inout ByteReader) throws(Fault) {
        group = try reader.readShortIdentifier()
        epoch = try reader.read()
    }
}

extension GroupEpoch: Comparable {
    package static func < (one: Self, other: Self) -> Bool { (one.group, one.epoch) < (other.group, other.epoch) }
}
