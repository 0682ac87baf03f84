internal import Coffer

extension VaultSlot.Kind {
    /// The kind of slot, as JSON output names it.
    var name: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "keyFile"
        case .passphraseAndKeyFile: "passphraseAndKeyFile"
        case .recoveryCode: "recoveryCode"
        case .device: "device"
        case .recipient: "recipient"
        case .unknown: "unknown"
        }
    }

    /// The name of the kind, without the id of a device.
    var title: String { if case .device = self { "device" } else { description } }

    /// Whether it needs a passphrase.
    var needsPassphrase: Bool { self == .passphrase || self == .passphraseAndKeyFile }

    /// Whether it needs a passphrase or a key file.
    var takesSecret: Bool { needsPassphrase || self == .keyFile }
}

extension KeyChangeSummary {
    /// What to say about the grants that could not be renewed.
    var lostGrantWarnings: [String] {
        lostGrants.map { "the grant \($0), of a newer version, could not be renewed and no longer opens the vault" }
    }
}

extension VaultSlot {
    /// The slot in words, with its id, since there may be several of a kind.
    var title: String { "the \(kind) (slot \(id))" }

    /// The slot as JSON.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("id", .string(id)), ("kind", .string(kind.name)), ("created", JSON(created)),
        ]
        if case .device(let id) = kind { members.append(("device", .string(id))) }
        return .object(members)
    }

    /// Whether a device key opens it.
    var isDevice: Bool { if case .device = kind { true } else { false } }
}

extension VaultDevice {
    /// The machine as JSON.
    var json: JSON {
        [
            "id": .string(id), "created": JSON(created), "thisMachine": .bool(isThisMachine),
        ]
    }
}

extension VaultOutline.Slot {
    /// The kind of slot, as JSON output names it.
    var name: String { kind.name }
    /// The kind of slot in words.
    var title: String { kind.title }
    /// Whether it needs a passphrase.
    var needsPassphrase: Bool { kind.needsPassphrase }
    /// Whether it needs a passphrase or a key file.
    var takesSecret: Bool { kind.takesSecret }
}
