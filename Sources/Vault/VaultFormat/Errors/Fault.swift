internal import CofferBasics
package import VaultCrypto

/// Why bytes are not a valid structure of the format, and where in the structure.
///
/// Whoever catches it knows which structure that is, and decides what the fault costs: the vault, as a
/// ``VaultFormatError`` with the place in the file; one item or record, which is reported and ignored; or, for bytes
/// that were to be written, the change.
package struct Fault: Error, Equatable, Sendable {
    package let reason: Reason
    /// The offset from the start of the structure; 0 if the reason concerns all of it.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int = 0) {
        self.reason = reason
        self.offset = offset
    }

    /// What is wrong with the bytes.
    package enum Reason: Equatable, Sendable {
        /// The bytes end before the structure does.
        case tooShort
        /// A reserved byte is not zero.
        case reservedNotZero
        /// A length or offset does not fit the structure around it.
        case badLength
        /// A field has an invalid value.
        case badValue
        /// Padding is missing, too long or not zero.
        case badPadding
        /// Entries that must ascend do not.
        case outOfOrder
        /// Something that must be unique occurs twice.
        case duplicate
        /// Something that another part refers to is missing.
        case missing
        /// A hash or checksum does not match the bytes.
        case hashDiffers
        /// A MAC, a tag or a signature is not genuine.
        case notAuthentic
        /// A key does not match its commitment.
        case commitmentDiffers
        /// Two values that must agree differ.
        case disagrees
        /// Compressing or inflating failed.
        case compression(CompressionError)
        /// An archive is invalid or not canonical.
        case archive
        /// A number exceeds a limit of section 14.
        case limitExceeded(Limit, value: UInt64)
        /// A newer version wrote this.
        case unsupported(UnsupportedFeature)
        /// The cryptography library failed or had no memory.
        case cipher(CipherError)
    }
}

extension Fault.Reason {
    /// The reason for an error in making, opening or sealing something: a fault, or a failure of the cryptography.
    package init(_ error: any Error) {
        self =
            switch error {
            case let fault as Fault: fault.reason
            case let error as CipherError: .cipher(error)
            // Nothing else is thrown there.
            default: .disagrees
            }
    }
}

extension Fault.Reason: CustomStringConvertible {
    /// What is wrong with the bytes, in a few words.
    package var description: String {
        switch self {
        case .tooShort: "data too short"
        case .reservedNotZero: "a reserved byte is not zero"
        case .badLength: "invalid length or offset"
        case .badValue: "invalid value"
        case .badPadding: "invalid padding"
        case .outOfOrder: "entries out of order"
        case .duplicate: "duplicate entry"
        case .missing: "a required entry is missing"
        case .hashDiffers: "checksum mismatch"
        case .notAuthentic: "authenticity check failed"
        case .commitmentDiffers: "key commitment mismatch"
        case .disagrees: "conflicting values"
        case .compression(let error): "compression error: \(error)"
        case .archive: "invalid keyed archive"
        case .limitExceeded(let limit, let value): limit.excess(value)
        case .unsupported(let feature): "unsupported, made by a newer version: \(feature)"
        case .cipher(let error): "a key could not be processed: \(error)"
        }
    }
}

extension Fault: CustomStringConvertible {
    /// The reason and its offset in the structure.
    package var description: String { "byte \(offset): \(reason)" }
}

extension CompressionError: CustomStringConvertible {
    /// What is wrong with the stream, in a few words.
    package var description: String {
        switch self {
        case .malformed: "malformed deflate stream"
        case .tooShort: "truncated stream"
        case .tooLong: "more data than declared"
        case .trailingBytes: "unexpected data after the stream"
        case .outOfMemory: "not enough memory"
        }
    }
}

extension Limit: CustomStringConvertible {
    /// What exceeds the limit, without numbers.
    package var description: String {
        switch self {
        case .file: "file too large"
        case .keybag: "keybag too large"
        case .keybagEntries: "too many keybag entries"
        case .slots: "too many slots"
        case .argon2Slots: "too many slots with a passphrase"
        case .argon2Memory: "memory for Argon2id out of range"
        case .argon2Operations: "number of Argon2id passes out of range"
        case .argon2Work: "too much work for Argon2id"
        case .directory: "directory too large"
        case .sections: "too many sections"
        case .pastEntries: "too many past revisions"
        case .fenceKeys: "too many data keys in a group"
        case .dictionaries: "too many dictionaries"
        case .fence: "fence too large"
        case .run: "run too large"
        case .items: "too many items"
        case .logRecords: "too many records in the log"
        case .logBytes: "records in the log too large"
        case .unreadRecords: "too many records that are unknown or cannot be parsed"
        case .metadata: "attributes too large"
        case .secret: "secret too large"
        case .transaction: "change too large"
        case .groupName: "group name too long"
        case .writers: "too many writers"
        case .grant: "grant too large"
        case .grantNote: "note of a grant too large"
        case .passphrase: "passphrase too long"
        case .keyFile: "key file too large"
        }
    }
}

extension Limit {
    /// What exceeds the limit, with `value` and, if it is a single number, the limit.
    func excess(_ value: UInt64) -> String {
        switch self {
        // An archive that exceeds a limit of its own reports no size.
        case .metadata where value == 0:
            "\(self) or nested too deeply (limit \(Limits.metadataByteCount.grouped) bytes)"
        case .argon2Memory, .argon2Work: "\(self): \(value.grouped) KiB"
        case .argon2Operations: "\(self): \(value.grouped)"
        case .transaction:
            """
            \(self): \(value.grouped) (limit \(Limits.transactionByteCount.grouped) bytes or \
            \(Limits.transactionRecordCount.grouped) records)
            """
        case .file: bytes(value, limit: Limits.fileByteCount)
        case .keybag: bytes(value, limit: Limits.keybagByteCount)
        case .writers: count(value, limit: Limits.writerCount)
        case .keybagEntries: count(value, limit: Limits.keybagEntryCount)
        case .slots: count(value, limit: Limits.slotCount)
        case .argon2Slots: count(value, limit: Limits.argon2SlotCount)
        case .directory: bytes(value, limit: Limits.directoryByteCount)
        case .sections: count(value, limit: Limits.sectionCount)
        case .pastEntries: count(value, limit: Limits.pastEntryCount)
        case .fenceKeys: count(value, limit: Limits.fenceKeyCount)
        case .dictionaries: count(value, limit: Limits.dictionaryCount)
        case .fence: bytes(value, limit: Limits.fenceByteCount)
        case .run: bytes(value, limit: Limits.runByteCount)
        case .items: count(value, limit: Limits.itemCount)
        case .logRecords: count(value, limit: Limits.logRecordCount)
        case .logBytes: bytes(value, limit: Limits.logByteCount)
        case .unreadRecords: count(value, limit: Limits.unreadRecordCount)
        case .metadata: bytes(value, limit: Limits.metadataByteCount)
        case .secret: bytes(value, limit: Limits.secretByteCount)
        case .groupName: bytes(value, limit: Limits.groupNameByteCount)
        case .grant: bytes(value, limit: Limits.grantByteCount)
        case .grantNote: bytes(value, limit: Limits.grantNoteByteCount)
        case .passphrase: bytes(value, limit: Limits.passphraseByteCount)
        case .keyFile: bytes(value, limit: Limits.keyFileByteCount)
        }
    }

    private func count(_ value: UInt64, limit: Int) -> String {
        "\(self): \(value.grouped) (limit \(limit.grouped))"
    }

    private func bytes(_ value: UInt64, limit: Int) -> String {
        "\(self): \(value.grouped) bytes (limit \(limit.grouped))"
    }
}
