/// The protection classes, by Apple's numbers (section 3.3).
enum Protection: UInt8, CaseIterable {
    case ak = 6
    case ck, dk, aku, cku, dku, akpu

    var isOwned: Bool { rawValue >= Protection.aku.rawValue }

    /// The root that wraps the class key; for DK, which has two, the first.
    var root: UInt8 {
        switch self {
        case .ak, .ck, .dk: 1
        case .dku: 2
        case .aku, .cku, .akpu: 3
        }
    }
}

/// A machine that takes part in a vault.
struct SketchDevice {
    let id: [UInt8]
    let key: [UInt8]
    let root: [UInt8]

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
    /// The id of the device that owns it, or zero bytes.
    var owner: [UInt8]
    var key: [UInt8]

    func key(_ name: String) -> [UInt8] { H(32, key, name) }
}

// Keys are derived from their names, so that vectors need not pass them around.
extension VaultSketch {
    func device(_ name: String) -> SketchDevice {
        SketchDevice(
            id: randomness.bytes(16, "device id \(name)"),
            key: randomness.bytes(32, "device key \(name)"),
            root: randomness.bytes(32, "device root \(name)")
        )
    }

    func group(_ name: String = "mail") -> SketchGroup {
        SketchGroup(
            id: randomness.bytes(8, "group id \(name)"),
            name: name,
            matchKey: randomness.bytes(32, "match key \(name)")
        )
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
            owner: owner?.id ?? zeros(16),
            key: randomness.bytes(32, "data key \(purpose)")
        )
    }

    func classKey(_ protection: Protection, owner: [UInt8]) -> [UInt8] {
        randomness.bytes(32, "class key \(protection) \(protection.isOwned ? owner.hex : "")")
    }
}
