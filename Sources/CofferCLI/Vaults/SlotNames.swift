internal import Coffer
internal import VaultFormat

extension VaultSlot {
    /// What opens it, in a word for programs.
    var kindName: String {
        switch kind {
        case .passphrase: "passphrase"
        case .keyFile: "keyFile"
        case .passphraseAndKeyFile: "passphraseAndKeyFile"
        case .recoveryCode: "recoveryCode"
        case .device: "device"
        }
    }

    /// What people call the slot where there may be several of a kind.
    var title: String { "the \(kind) (slot \(id))" }

    /// The slot for machines.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("id", .string(id)), ("kind", .string(kindName)), ("created", JSON(created)),
        ]
        if case .device(let id) = kind { members.append(("device", .string(id))) }
        return .object(members)
    }

    /// Whether a passphrase takes part.
    var needsPassphrase: Bool { kind == .passphrase || kind == .passphraseAndKeyFile }
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

extension VaultInspection.SlotSummary.Kind {
    /// What opens it, in a word for programs.
    var name: String {
        switch self {
        case .slot(.passphrase): "passphrase"
        case .slot(.keyFile): "keyFile"
        case .slot(.passphraseAndKeyFile): "passphraseAndKeyFile"
        case .slot(.recoveryCode): "recoveryCode"
        case .slot(.deviceUnlock): "device"
        case .recipient: "recipient"
        }
    }

    /// What opens it, in words.
    var title: String {
        switch self {
        case .slot(let kind): kind.description
        case .recipient: "recipient"
        }
    }

    /// Whether it takes a secret that somebody gives.
    var takesSecret: Bool {
        switch self {
        case .slot(.passphrase), .slot(.keyFile), .slot(.passphraseAndKeyFile): true
        case .slot(.recoveryCode), .slot(.deviceUnlock), .recipient: false
        }
    }
}
