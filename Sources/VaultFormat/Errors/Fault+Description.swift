package import VaultCrypto

extension Fault: CustomStringConvertible {
    /// What is wrong with the bytes, in a few words.
    package var description: String {
        switch self {
        case .tooShort: "it ends too early"
        case .reservedNotZero: "a reserved byte is not zero"
        case .badLength: "a length does not fit"
        case .badValue: "a value is impossible there"
        case .badPadding: "the padding is not what it must be"
        case .outOfOrder: "the order is wrong"
        case .duplicate: "something is there twice"
        case .missing: "something that belongs to it is not there"
        case .hashDiffers: "the checksum differs"
        case .notAuthentic: "it was not written with the keys of this vault"
        case .commitmentDiffers: "a key is not the one that was promised"
        case .disagrees: "two places contradict each other"
        case .compression(let error): "compressed bytes cannot be unpacked, \(error)"
        case .archive: "the attributes cannot be read"
        case .limitExceeded(let limit, let value): "\(limit) is \(value), beyond what is allowed"
        case .unsupported(let feature): "a newer version made it, and \(feature)"
        case .cipher(let error): "a key could not be handled, \(error)"
        }
    }
}

extension LocatedFault: CustomStringConvertible {
    /// What is wrong, and where in the structure.
    package var description: String { "byte \(offset): \(fault)" }
}

extension CompressionError: CustomStringConvertible {
    /// What is wrong with the stream, in a few words.
    package var description: String {
        switch self {
        case .malformed: "they are not what a compressor writes"
        case .tooShort: "they end too early"
        case .tooLong: "they hold more than they say"
        case .trailingBytes: "something follows them"
        case .outOfMemory: "there was not enough memory"
        }
    }
}

extension Limit: CustomStringConvertible {
    /// What is bounded, as the subject of a sentence.
    package var description: String {
        switch self {
        case .file: "the size of the file"
        case .keybag: "the size of the keys"
        case .keybagEntries: "the number of keys"
        case .slots: "the number of ways to open it"
        case .argon2Slots: "the number of passphrases"
        case .argon2Memory: "the memory for a passphrase, in KiB,"
        case .argon2Operations: "the number of passes for a passphrase"
        case .argon2Work: "the work for a passphrase, in KiB,"
        case .directory: "the size of the directory"
        case .sections: "the number of sections"
        case .blockListEntries: "the number of parts of a section"
        case .fence: "the size of an index"
        case .run: "the size of a run of changes"
        case .items: "the number of items"
        case .compression: "the size of a metadata block that is compressed further than 16 times"
        case .logRecords: "the number of records in the log"
        case .logBytes: "the size of the records in the log"
        case .unreadRecords: "the number of records of unknown kinds, or that cannot be parsed"
        case .metadata: "the size of an item's attributes"
        case .block: "the size of a block of attributes"
        case .secret: "the size of an item's data"
        case .transaction: "the size of one change"
        case .groupName: "the size of a group's name"
        case .grant: "the size of a grant"
        case .passphrase: "the size of a passphrase"
        case .keyFile: "the size of a key file"
        }
    }
}
