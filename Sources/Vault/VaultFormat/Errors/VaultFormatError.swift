internal import CofferBasics
package import VaultCrypto

/// Why a vault, or a part of one, cannot be used: the failures of section 15 of the specification.
///
/// After `noMatch`, `deviceKeyNeeded` and `grantExpired`, ask for another secret; after `unsupported`, for a newer
/// version; after `notEnoughMemory` and `unavailable`, try again later. All other cases are damage: restore the vault,
/// or salvage the rest if only the snapshot is concerned.
///
/// Offsets count from the start of the file unless stated otherwise. No case carries a secret or an attribute of an
/// item.
package enum VaultFormatError: Error, Equatable, Sendable {
    /// The file is not a vault, or it is empty.
    case notAVault
    /// The file was made by a newer version.
    case unsupported(UnsupportedFeature)
    /// The header is damaged or not authentic.
    case headerFailure(Fault.Reason, offset: Int)
    /// The keybag is damaged or inconsistent.
    case keybagFailure(Fault.Reason, offset: Int)
    /// No slot opens with the given secrets.
    case noMatch
    /// The grant of the credential has expired.
    case grantExpired
    /// The vault opens only with the key of one of these devices.
    case deviceKeyNeeded([DeviceID])
    /// Argon2id needs more memory than is available.
    case notEnoughMemory(neededByteCount: Int, availableByteCount: Int?)
    /// A number exceeds a limit of section 14.
    case limitExceeded(Limit, value: UInt64)
    /// The directory, or another part of the snapshot, is damaged.
    case snapshotFailure(Fault.Reason, offset: Int)
    /// The bytes after the frames are neither a frame nor a reserve, and a key is needed to tell more.
    case unknownTail(offset: Int)
    /// The file could not be read, or the cryptography library failed.
    case unavailable(Unavailability)
}

/// A feature that this version does not support.
package enum UnsupportedFeature: Equatable, Sendable {
    case majorVersion(Int)
    case suite(Int)
    case incompatibleFeatures(UInt32)
    /// A draft of the format other than ``Header/draft``, or nil for a released version.
    case draft(Int?)
    case readOnlyFeatures(UInt32)
    case algorithm(Int)
    case keybagEntry(type: Int)
    case section(kind: Int)
    case record(kind: Int)
}

/// What the system could not provide: nothing is known to be wrong with the vault, so try again.
package enum Unavailability: Error, Equatable, Sendable {
    case cipher(CipherError)
    /// The system's error number and the offset of the read.
    case file(code: Int32, offset: Int)
    /// The file became shorter while it was read.
    case fileShrank(offset: Int)
}

/// A part of the file whose failures have a name of their own.
package enum Structure: Sendable {
    case header
    case keybag
    case snapshot
}

extension VaultFormatError {
    /// The failure for an error in opening the keys of the vault.
    package init(ofKeys error: any Error) {
        self = error as? Self ?? Self(Fault.Reason(error), in: .keybag, offset: Header.byteCount)
    }

    /// The failure for something invalid in `structure` at `offset` of the file.
    package init(_ reason: Fault.Reason, in structure: Structure, offset: Int) {
        self =
            switch (reason, structure) {
            case (.limitExceeded(let limit, let value), _): .limitExceeded(limit, value: value)
            case (.unsupported(let feature), _): .unsupported(feature)
            case (.cipher(let error), _): .unavailable(.cipher(error))
            case (_, .header): .headerFailure(reason, offset: offset)
            case (_, .keybag): .keybagFailure(reason, offset: offset)
            case (_, .snapshot): .snapshotFailure(reason, offset: offset)
            }
    }

    /// The failure for a fault in a `structure` that begins at `offset` of the file.
    package init(_ fault: Fault, in structure: Structure, at offset: Int) {
        self.init(fault.reason, in: structure, offset: offset + fault.offset)
    }
}

extension VaultFormatError: CustomStringConvertible {
    /// What happened, where and what to do next, without anything that a vault keeps secret.
    package var description: String {
        switch self {
        case .notAVault:
            "this file is not a vault, or it is empty; choose another file, or restore the vault from a backup"
        case .unsupported(.draft(let draft?)) where draft < Header.draft:
            """
            unsupported: the vault was made by an earlier version, with draft \(draft) of the file format, while this \
            version reads draft \(Header.draft); write its items to a file with the last version of that draft, which \
            CHANGELOG.md names, by `coffer export --for coffer -o all.json`, and read them with this one, by \
            `coffer import all.json`
            """
        case .unsupported(let feature):
            "unsupported: the vault was made by a newer version, with \(feature); update this program to open it"
        case .headerFailure(.tooShort, let offset):
            "the vault is truncated at byte \(offset), before the end of its keys and items; restore it from a backup"
        case .headerFailure(let fault, let offset):
            "the header of the vault is damaged at byte \(offset): \(fault); restore the vault from a backup"
        case .keybagFailure(let fault, let offset):
            "the keys of the vault are damaged at byte \(offset): \(fault); restore the vault from a backup"
        case .grantExpired: "the grant of this credential has expired; ask the owner of the vault for a new one"
        case .noMatch: "wrong passphrase, key file, recovery code or device key; the vault is unchanged, try again"
        case .deviceKeyNeeded(let devices):
            """
            the vault opens only on a machine that has its device key \
            (\(devices.map(\.description).joined(separator: ", "))); open it there, or use a recovery code
            """
        case .notEnoughMemory(let needed, let available): Self.notEnoughMemory(needed, available)
        case .limitExceeded(let limit, let value):
            """
            limit exceeded: \(limit.excess(value)); the vault is damaged, or was made to exhaust this machine; restore \
            it from a backup
            """
        case .snapshotFailure(let fault, let offset):
            """
            the stored items are damaged at byte \(offset): \(fault); restore the vault from a backup, or salvage what \
            can still be read
            """
        case .unknownTail(let offset):
            "the data from byte \(offset) on cannot be checked without a key; open the vault to check it"
        case .unavailable(let reason): "the vault could not be read: \(reason)"
        }
    }

    private static func notEnoughMemory(_ neededByteCount: Int, _ availableByteCount: Int?) -> String {
        let available = availableByteCount.map { "\($0.grouped) bytes" } ?? "fewer"
        return """
            not enough memory to check the passphrase: it takes \(neededByteCount.grouped) bytes, and \(available) are \
            available; close other programs, or give this one more memory, and try again
            """
    }
}

extension UnsupportedFeature: CustomStringConvertible {
    /// What this version does not support, in a few words.
    package var description: String {
        switch self {
        case .majorVersion(let number): "file version \(number)"
        case .suite(let number): "cipher suite \(number)"
        case .draft(let number):
            """
            \(number.map { "draft \($0)" } ?? "a released version") of the file format, while this version reads \
            draft \(Header.draft)
            """
        case .incompatibleFeatures(let bits): "the required features 0x\(String(bits, radix: 16))"
        case .readOnlyFeatures(let bits): "the features 0x\(String(bits, radix: 16)), required for writing"
        case .algorithm(let number): "passphrase algorithm \(number)"
        case .keybagEntry(let type): "a keybag entry of type \(type)"
        case .section(let kind): "a section of kind \(kind)"
        case .record(let kind): "a record of kind \(kind)"
        }
    }
}

extension Unavailability: CustomStringConvertible {
    /// What failed, and what may help.
    package var description: String {
        switch self {
        case .cipher(let error): "\(error); close other programs and try again"
        case .file(let code, let offset):
            "reading at byte \(offset) failed with system error \(code); check the disk and the permissions"
        case .fileShrank(let offset):
            "the file was truncated at byte \(offset) while it was read; try again when no other program changes it"
        }
    }
}
