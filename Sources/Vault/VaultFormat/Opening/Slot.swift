internal import CofferBasics
internal import VaultCrypto

/// Section 3.1: a way to open the vault, except for recipients, which have ``RecipientSlot``.
package struct Slot: Equatable, Sendable {
    /// The secrets that open a slot.
    package enum Kind: UInt16, Sendable, CaseIterable {
        case passphrase = 1
        case keyFile = 2
        case passphraseAndKeyFile = 3
        case recoveryCode = 4
        case deviceUnlock = 6

        /// Whether the slot needs a passphrase.
        package var needsPassphrase: Bool { self == .passphrase || self == .passphraseAndKeyFile }
    }

    static let byteCount = 160
    private static let argon2id: UInt8 = 2

    package var kind: Kind
    package var id: SlotID
    package var created: Time
    package var epoch: UInt32
    package var derivation: Argon2Parameters?
    /// Random bytes; in a device unlock slot, the device id.
    package var salt: [UInt8]
    package var commitment: [UInt8]
    /// Nonce, user root and tag.
    package var wrappedRoot: [UInt8]

    /// The device whose key opens the slot, if it is a device unlock slot.
    package var device: DeviceID? {
        kind == .deviceUnlock ? DeviceID(salt.span) : nil
    }

    /// The fields before the commitment; the slot's key is bound to them.
    var fields: [UInt8] {
        var bytes = id.bytes
        bytes.append(littleEndian: created.microseconds)
        bytes.append(littleEndian: epoch)
        bytes.append(contentsOf: [derivation == nil ? 0 : Self.argon2id, 0, 0, 0])
        bytes.append(littleEndian: UInt32(derivation?.operations ?? 0))
        bytes.append(littleEndian: UInt32(derivation?.memoryKiB ?? 0))
        return bytes + salt
    }
}

/// The parameters of Argon2id.
package struct Argon2Parameters: Hashable, Sendable {
    package var operations: Int
    package var memoryKiB: Int

    package init(operations: Int, memoryKiB: Int) {
        self.operations = operations
        self.memoryKiB = memoryKiB
    }

    /// The parameters that a writer uses unless the machine has too little memory.
    package static let standard = Argon2Parameters(operations: 3, memoryKiB: 262_144)
}

/// A time in microseconds since 1970-01-01 00:00:00 UTC.
package struct Time: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (one: Time, other: Time) -> Bool { one.microseconds < other.microseconds }
}

extension Slot {
    var body: [UInt8] { fields + commitment + wrappedRoot }

    /// Reads the body of a slot of `kind`.
    init(kind: Kind, body reader: inout ByteReader) throws(Fault) {
        self.kind = kind
        id = try reader.readIdentifier()
        created = Time(microseconds: try reader.read())
        epoch = try reader.read()
        let algorithmOffset = reader.offset
        let algorithm = try reader.read(UInt8.self)
        try reader.readZeros(3)
        let parameters = Argon2Parameters(operations: try reader.readCount(), memoryKiB: try reader.readCount())
        salt = try reader.readBytes(16)
        commitment = try reader.readBytes(32)
        wrappedRoot = try reader.readBytes(72)
        guard algorithm == (kind.needsPassphrase ? Self.argon2id : 0) else {
            throw Fault(.unsupported(.algorithm(Int(algorithm))), at: algorithmOffset)
        }
        if kind.needsPassphrase {
            derivation = parameters
        } else if parameters != Argon2Parameters(operations: 0, memoryKiB: 0) {
            throw Fault(.reservedNotZero, at: algorithmOffset + 4)
        }
    }
}

extension Slot.Kind: CustomStringConvertible {
    /// The kind of secret that opens the slot.
    package var description: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key file"
        case .passphraseAndKeyFile: "passphrase and key file"
        case .recoveryCode: "recovery code"
        case .deviceUnlock: "device"
        }
    }
}

// Section 3.1: a slot wraps the user root and commits to the wrapping key.
extension Slot {
    /// The user root, or nil if the slot was not made with `seed`.
    func opened(seed: Key, vault: VaultID) throws -> Key? {
        let (key, expected) = try seed.keyAndCommitment(.slot, context(vault))
        // Compare the commitment first: a ciphertext that opens under two keys would let an attacker test guesses.
        guard areEqual(expected.span, commitment.span) else { return nil }
        let root = try key.unwrap(wrappedRoot.span, associatedData: context(vault) + commitment)
        guard let root else { throw Fault(.notAuthentic) }
        return root
    }

    /// A copy of the slot that holds `root`.
    func holding(_ root: Key, seed: Key, cipher: Cipher) throws(CipherError) -> Slot {
        var slot = self
        let (key, commitment) = try seed.keyAndCommitment(.slot, context(cipher.vault))
        slot.commitment = commitment
        slot.wrappedRoot = key.wrap(root, associatedData: context(cipher.vault) + commitment, random: cipher.random)
        return slot
    }

    private func context(_ vault: VaultID) -> [UInt8] {
        vault.bytes + [UInt8(kind.rawValue & 0xFF), UInt8(kind.rawValue >> 8)] + fields
    }
}
