/// A credential that opens a slot.
enum SketchCredential {
    case passphrase([UInt8])
    case keyFile([UInt8])
    case passphraseAndKeyFile([UInt8], [UInt8])
    case recovery([UInt8])
    case device(SketchDevice)

    static func passphrase(_ text: String) -> SketchCredential { .passphrase(Array(text.utf8)) }

    var type: UInt16 {
        switch self {
        case .passphrase: 1
        case .keyFile: 2
        case .passphraseAndKeyFile: 3
        case .recovery: 4
        case .device: 6
        }
    }

    var usesArgon2: Bool { type == 1 || type == 3 }

    /// The seed of section 3.1.
    func seed(salt: [UInt8], ops: UInt32, mem: UInt32) -> [UInt8] {
        func stretched(_ passphrase: [UInt8]) -> [UInt8] {
            Primitives.argon2id(passphrase, salt, ops: Int(ops), mem: Int(mem))
        }
        return switch self {
        case .passphrase(let passphrase): stretched(passphrase)
        case .keyFile(let content): H(32, nil, "keyfile", content)
        case .passphraseAndKeyFile(let passphrase, let content): H(32, stretched(passphrase), "keyfile", content)
        case .recovery(let code): H(32, nil, "code", code)
        case .device(let device): H(32, device.key, "unlock")
        }
    }
}

/// A slot of type 1, 2, 3, 4 or 6, section 3.1.
struct SketchSlot {
    let credential: SketchCredential
    var id: [UInt8]
    var time: UInt64 = 1_700_000_000_000_000
    var epoch: UInt32 = 1
    var algorithm: UInt8
    var reserved = zeros(3)
    var ops: UInt32
    var mem: UInt32
    var salt: [UInt8]
    var userRoot: [UInt8]
    /// The seed, for parameters that are impossible to compute with.
    var seed: [UInt8]?

    typealias Edit = (inout SketchSlot) -> Void

    /// The fields before the commitment.
    var fields: [UInt8] {
        id + u64(time) + u32(epoch) + [algorithm] + reserved + u32(ops) + u32(mem) + salt
    }

    /// `KEK || COMMIT`.
    func keyAndCommitment(vaultID: [UInt8]) -> [UInt8] {
        let seed = seed ?? credential.seed(salt: salt, ops: ops, mem: mem)
        return H(64, seed, "slot", vaultID + u16(credential.type) + fields)
    }
}

extension VaultSketch {
    /// Returns the slot that `credential` opens, before it is sealed.
    func slotFields(_ credential: SketchCredential, _ name: String = "") -> SketchSlot {
        let name = "\(credential.type) \(name)"
        var salt = randomness.bytes(16, "slot salt \(name)")
        if case .device(let device) = credential { salt = device.id }
        return SketchSlot(
            credential: credential,
            id: randomness.bytes(16, "slot id \(name)"),
            epoch: epoch,
            algorithm: credential.usesArgon2 ? 2 : 0,
            ops: credential.usesArgon2 ? 1 : 0,
            mem: credential.usesArgon2 ? 8 : 0,
            salt: salt,
            userRoot: userRoot
        )
    }

    /// Returns the entry of the slot that `credential` opens; `name` distinguishes slots of one type.
    func slot(_ credential: SketchCredential, _ name: String = "", _ edit: SketchSlot.Edit = { _ in }) -> SketchEntry {
        var slot = slotFields(credential, name)
        edit(&slot)
        let halves = slot.keyAndCommitment(vaultID: id)
        let body = slot.fields + halves[32...]
        let head = id + u16(credential.type)
        let wrapped = randomness.sealed(Array(halves[..<32]), head + body, slot.userRoot)
        return SketchEntry(type: credential.type, body: body + wrapped)
    }
}
