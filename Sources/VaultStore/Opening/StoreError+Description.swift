internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

extension StoreError: CustomStringConvertible {
    /// What happened, to what, and what to do next, without anything that a vault keeps secret.
    package var description: String {
        switch self {
        case .vault(let error, let path): "\(path.printable): \(error)"
        case .file(let error): error.description
        case .busy(let path, let holder):
            """
            the writer's lock of \(path.printable) is held by \(Self.process(holder)); wait until that has finished, or end it, and \
            try again
            """
        case .readOnly(let reason, let path): "\(path.printable) is only read: \(reason)"
        case .rolledBack(.anchor(.lostCommit), let path):
            "\(path.printable) was not opened: \(AnchorVerdict.lostCommit); take it from a backup, or salvage what is left of it"
        case .rolledBack(.anchor(let verdict), let path):
            """
            \(path.printable) was not opened: \(verdict); if you restored it from a backup, accept it with: \
            coffer compact --accept-rollback --vault \(path.shellPath)
            """
        case .rolledBack(let reason, let path):
            "\(path.printable) was not opened: changes that were saved here are missing; \(reason)"
        case .usedAfterFork(let path):
            "\(path.printable) was opened before this process was forked from another; open it again in this process"
        case .keysChanged(let path):
            "the passphrase or the keys of \(path.printable) were changed elsewhere; open it again with the new ones"
        case .duplicate(let name):
            "an item with the same primary key is there already: \(name); change that one, or delete it first"
        case .noSuchItem(let name): "there is no item \(name); somebody may have deleted it"
        case .revisionDiffers(let name, let current):
            "item \(name) was changed by somebody else, and has revision \(current) now; look at it and try again"
        case .locked(let name): "item \(name) is locked; unlock the vault and try again"
        case .invalidItem(let name, let fault):
            "item \(name) is not valid: \(fault); verify the vault, and take the item from a backup"
        case .refused(let fault): "this cannot be written, since nobody could read it: \(fault)"
        case .keys(let error): error.description
        case .keyChange(let obstacle, let path): "who can open \(path.printable) cannot be changed so: \(obstacle)"
        case .abandoned: "the changes were given up, and nothing has changed"
        case .syncFailed(let error):
            """
            \(error); whether the last change is there can only be told after the vault is opened again; look at it \
            before you repeat the change
            """
        case .compactionUnavailable(let obstacle, let path): "\(path.printable) cannot be written anew: \(obstacle)"
        case .replacedMeanwhile(let path):
            "another program replaced \(path.printable) at the same time; nothing is lost, and there is nothing to do"
        case .cancelled: "this was stopped; the vault is as it was"
        }
    }

    private static func process(_ number: Int32?) -> String {
        number.map { "process \($0)" } ?? "a process that the system does not name"
    }
}

extension ReadOnlyReason: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .asked: "it was opened so; open it for writing"
        case .denied(let error): error.description
        case .writableByOthers:
            "others than its owner could write it too, so nobody can be sure what it holds; take that right away (chmod go-w)"
        case .unsupportedFeatures(let bits):
            "a newer version has used the features 0x\(String(bits, radix: 16)), which this one would break; update it"
        case .damagedTail(let byteCount):
            """
            its last \(byteCount) bytes are damaged, and may have held a change that was saved; take a copy of the file, \
            then allow the damaged end to be discarded
            """
        case .inconsistent(let offset, let sequence):
            """
            somebody changed, removed or moved a part of it: change \(sequence) stands at byte \(offset), where it cannot \
            be; salvage what can still be read into a new vault
            """
        case .anchor(let verdict): "\(verdict); if you have restored it from a backup, accept it as it is"
        case .anchorUnreadable(let error):
            "it is not known whether changes are missing from it: \(error)"
        case .syncFailed(let error):
            "\(error); what the disk holds is not certain. Compact the vault to write it anew, or close it and check the disk"
        }
    }
}

extension CompactionObstacle: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .noDirectory: "it was given as an open file, so its directory is not known; open it by its path"
        case .file(let error): "\(error). Changes are still saved to the file as it is"
        case .noSpace(let needed, let available):
            "that takes up to \(needed) bytes beside it and there are \(available); free some space and try again"
        }
    }
}

extension KeyChangeObstacle: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .ownerNeeded: "it is locked; unlock it and try again"
        case .nothingOpens: "nothing would open it any more; give it a passphrase, a key file, a code or a device"
        case .passphraseExcludesDeviceUnlock:
            "a device alone opens only a vault without a passphrase; leave out one of the two"
        case .firstPassphrase:
            "the first passphrase changes all keys, since devices have opened everything so far; renew all ways to open it"
        case .deviceIsKnown(let device): "device \(device) has a part in it already"
        case .deviceIsUnknown(let device): "device \(device) has no part in it; add it first"
        case .slotIsUnknown(let slot): "there is no slot \(slot)"
        case .locked(let group, let protection):
            "items of group \(group) (\(protection)) are locked here and would be lost; open it with all that opens them"
        case .groupIsClosed(let group): "the key of group \(group) cannot be opened here, and its items would be lost"
        case .grants(let grants):
            """
            what the grants \(Self.list(grants)) give is known to their holders only, so they cannot be made anew; revoke \
            them, and grant again afterwards
            """
        case .lastSlot(let devices):
            """
            nothing else opens it at the devices \(Self.list(devices)), which have items of their own; keep a way to open \
            it there, or accept that these items are lost
            """
        case .noEpochLeft: "its keys cannot be changed any more; make a new vault"
        case .fault(let fault): fault.description
        }
    }

    private static func list(_ names: [some CustomStringConvertible]) -> String {
        names.map(\.description).joined(separator: ", ")
    }
}

extension KeyMakingError: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .locked: "a new key is needed, which only the unlocked vault can make; unlock it and try again"
        case .deviceNeeded:
            "the item is to be bound to this machine, whose device key is not here; make the device known"
        case .passphraseNeeded: "such an item exists only in a vault that has a passphrase; set one first"
        case .cipher(let error): error.description
        }
    }
}

extension ItemName: CustomStringConvertible {
    /// Group and id; neither says anything about what the item is.
    package var description: String { "\(group)/\(item)" }
}
