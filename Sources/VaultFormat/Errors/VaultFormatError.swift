package import VaultCrypto

/// Why a vault, or a part of one, cannot be used: the failures of section 15 of the specification.
///
/// Offsets count from the start of the file, if not said otherwise. No case carries a secret or an attribute of an item.
package enum VaultFormatError: Error, Equatable, Sendable {
    /// The file is another kind of file, or empty.
    case notAVault
    /// The file was made by a version that can do more.
    case unsupported(UnsupportedFeature)
    /// The header is damaged or not authentic.
    case headerFailure(Fault, offset: Int)
    /// The keybag is damaged or contradicts itself.
    case keybagFailure(Fault, offset: Int)
    /// No slot opens with what was given.
    case noMatch
    /// The vault opens only with the key of one of these devices.
    case deviceKeyNeeded([DeviceID])
    /// Argon2id needs more memory than there is.
    case notEnoughMemory(neededByteCount: Int, availableByteCount: Int?)
    /// A number is beyond a limit of section 14.
    case limitExceeded(Limit, value: UInt64)
    /// The directory, or another part of the snapshot, is damaged.
    case snapshotFailure(Fault, offset: Int)
    /// Bytes behind the frames look like nothing; without a key it cannot be told what they are.
    case unknownTail(offset: Int)
    /// The file could not be read, or memory for keys not be had.
    case unavailable(Unavailability)
}

/// What a reader of this version does not know.
package enum UnsupportedFeature: Equatable, Sendable {
    case majorVersion(Int)
    case suite(Int)
    case incompatibleFeatures(UInt32)
    case readOnlyFeatures(UInt32)
    case algorithm(Int)
    case keybagEntry(type: Int)
    case section(kind: Int)
    case record(kind: Int)
}

/// What the machine refused.
package enum Unavailability: Error, Equatable, Sendable {
    case cipher(CipherError)
    /// The error number of the system, and the offset that was to be read.
    case file(code: Int32, offset: Int)
    /// The file became shorter while it was read.
    case fileShrank(offset: Int)
}

/// The parts of a file whose failures have names of their own.
package enum Structure: Sendable {
    case header
    case keybag
    case snapshot
}

extension VaultFormatError {
    init(_ error: CipherError) {
        self = .unavailable(.cipher(error))
    }

    /// The failure of `structure` that a fault at `offset` of the file means.
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

    /// The failure of a `structure` that begins at `offset` of the file.
    package init(_ error: LocatedFault, in structure: Structure, at offset: Int) {
        self.init(error.fault, in: structure, offset: offset + error.offset)
    }
}
