internal import Coffer

extension VaultSlot.Kind {
    /// What opens a vault, in a word for programs.
    var name: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "keyFile"
        case .passphraseAndKeyFile: "passphraseAndKeyFile"
        case .recoveryCode: "recoveryCode"
        case .device: "device"
        }
    }

    /// The name of the kind, without the id of a device.
    var title: String { if case .device = self { "device" } else { description } }

    /// Whether a passphrase takes part.
    var needsPassphrase: Bool { self == .passphrase || self == .passphraseAndKeyFile }

    /// Whether the user gives a secret to open it.
    var takesSecret: Bool { needsPassphrase || self == .keyFile }
}

extension VaultSlot {
    /// What people call the slot where there may be several of a kind.
    var title: String { "the \(kind) (slot \(id))" }

    /// The slot for machines.
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
    /// The machine for machines.
    var json: JSON {
        [
            "id": .string(id), "created": JSON(created), "thisMachine": .bool(isThisMachine),
        ]
    }
}

extension VaultOutline.Slot {
    /// What opens it, in a word for programs.
    var name: String { kind?.name ?? "recipient" }
    /// What people call such slots together.
    var title: String { kind?.title ?? "recipient" }
    /// Whether a passphrase takes part.
    var needsPassphrase: Bool { kind?.needsPassphrase == true }
    /// Whether the user gives a secret to open it.
    var takesSecret: Bool { kind?.takesSecret == true }
}
