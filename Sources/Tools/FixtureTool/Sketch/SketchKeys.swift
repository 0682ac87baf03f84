/// The protection classes, by Apple's numbers (section 3.3).
enum Protection: UInt8, CaseIterable {
    case ak = 6
    case ck, dk, aku, cku, dku, akpu

    var isOwned: Bool { rawValue >= Protection.aku.rawValue }
}

/// A machine that takes part in a vault.
struct SketchDevice {
    let id: [UInt8]
    let key: [UInt8]
    /// DR, the device root in the vault.
    let root: [UInt8]
    let commitment: [UInt8]

    /// The form in which a vector gives the device key to the reader.
    var unlock: String { "\(id.hex) \(key.hex)" }
}

/// An access group and its match key.
struct SketchGroup {
    var id: [UInt8]
    var name: String
    var epoch: UInt32 = 1
    var matchKey: [UInt8]

    /// Returns one of the keys that section 3.4 derives from the match key.
    func key(_ name: String) -> [UInt8] { H(32, matchKey, name) }
}

/// A data key for the items of one group, class and owner.
struct SketchDataKey {
    var handle: [UInt8]
    var group: SketchGroup
    var protection: Protection
    var owner: SketchDevice?
    var key: [UInt8]

    func key(_ name: String) -> [UInt8] { H(32, key, name) }
}

// Keys are derived from their names, so that vectors need not pass them around.
extension VaultSketch {
    func device(_ name: String) -> SketchDevice {
        let deviceID = randomness.bytes(16, "device id \(name)")
        let key = randomness.bytes(32, "device key \(name)")
        let halves = H(64, key, "device", id + deviceID)
        return SketchDevice(id: deviceID, key: key, root: Array(halves[..<32]), commitment: Array(halves[32...]))
    }

    /// Returns the group `name`; its id stays when the user root changes.
    func group(_ name: String = "mail", id groupID: [UInt8]? = nil, epoch: UInt32 = 1) -> SketchGroup {
        let groupID = groupID ?? H(8, groupRoot, "groupid", id + Array(name.utf8))
        let matchKey = H(32, groupRoot, "group", id + groupID + u32(epoch))
        return SketchGroup(id: groupID, name: name, epoch: epoch, matchKey: matchKey)
    }

    func dataKey(
        _ protection: Protection = .ak,
        group name: String = "mail",
        owner: SketchDevice? = nil
    ) -> SketchDataKey {
        let purpose = "\(name) \(protection) \(owner?.id.hex ?? "")"
        return SketchDataKey(
            handle: randomness.bytes(8, "key handle \(purpose)"),
            group: group(name),
            protection: protection,
            owner: owner,
            key: randomness.bytes(32, "data key \(purpose)")
        )
    }

    func classKey(_ protection: Protection, owner: SketchDevice? = nil) -> [UInt8] {
        let ownerID = (protection.isOwned ? owner?.id : nil) ?? zeros(16)
        let deviceRoot = owner?.root ?? zeros(32)
        let root: [UInt8] =
            switch protection {
            case .ak, .ck, .dk: userRoot
            case .dku: deviceRoot
            case .aku, .cku, .akpu: H(32, userRoot, "both", id + ownerID + deviceRoot)
            }
        return H(32, root, "class", id + [protection.rawValue] + ownerID + u32(epoch))
    }

    /// GR of section 3.4.
    var groupRoot: [UInt8] { H(32, classKey(.ak), "groups") }

    /// K_owner of section 3.3.
    var ownerKey: [UInt8] { H(32, classKey(.dk), "owner") }
}
