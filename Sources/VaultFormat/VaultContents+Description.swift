extension TailVerdict: CustomStringConvertible {
    /// What follows the last good change, and what to do about it.
    package var description: String {
        switch self {
        case .clean: "the vault ends where its last change ends"
        case .torn(let byteCount):
            """
            the last \(byteCount) bytes look like a change that was interrupted before it was saved; the next change \
            removes them
            """
        case .damaged(let byteCount):
            """
            the last \(byteCount) bytes are damaged, and changes that were saved may be among them; look for a backup \
            before you discard them, until then the vault can only be read
            """
        case .inconsistent(let offset, let sequence):
            """
            change \(sequence), at byte \(offset), does not follow the one before it: something was altered, removed or \
            repeated; take the vault from a backup, or salvage what can be read into a new vault
            """
        }
    }
}

extension VaultContents.RecordFailure: CustomStringConvertible {
    /// Which record does not count, and why; the others do.
    package var description: String {
        "\(place) cannot be used: \(fault); everything else is as it was, an earlier state of the item too"
    }
}

extension VaultContents.Place: CustomStringConvertible {
    /// Where a record is, by numbers and ids.
    package var description: String {
        switch self {
        case .frame(let sequence, let record): "part \(record) of change \(sequence)"
        case .run(let section, let record): "part \(record) of the run of changes \(section)"
        case .section(let section, let item): "item \(item) in section \(section)"
        }
    }
}

extension Slot.Kind: CustomStringConvertible {
    /// What opens the slot, in a word or two.
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
