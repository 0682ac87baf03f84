package import VaultCrypto

/// Why a vault, or a part of one, cannot be used: the failures of section 15 of the specification.
///
/// Offsets count from the start of the file unless stated otherwise. No case carries a secret or an attribute of an
/// item.
package enum VaultFormatError: Error, Equatable, Sendable {
    /// The file is not a vault, or it is empty.
    case notAVault
    /// The file was made by a newer version.
    case unsupported(UnsupportedFeature)
    /// The header is damaged or not authentic.
    case headerFailure(Fault, offset: Int)
    /// The keybag is damaged or inconsistent.
    case keybagFailure(Fault, offset: Int)
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
    case snapshotFailure(Fault, offset: Int)
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

/// What the system could not provide.
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
    init(_ error: CipherError) {
        self = .unavailable(.cipher(error))
    }

    /// The failure for a fault in `structure` at `offset` of the file.
    package init(_ fault: Fault, in structure: Structure, offset: Int) {
        self =
            switch (fault, structure) {
            case (.limitExceeded(let limit, let value), _): .limitExceeded(limit, value: value)
            case (.unsupported(let feature), _): .unsupported(feature)
            case (.cipher(let error), _): .unavailable(.cipher(error))
            case (_, .header): .headerFailure(fault, offset: offset)
            case (_, .keybag): .keybagFailure(fault, offset: offset)
            case (_, .snapshot): .snapshotFailure(fault, offset: offset)
            }
    }

    /// The failure for a fault in a `structure` that begins at `offset` of the file.
    package init(_ error: LocatedFault, in structure: Structure, at offset: Int) {
        self.init(error.fault, in: structure, offset: offset + error.offset)
    }
}
