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
            timed out waiting for \(Self.process(holder)) to finish writing \(path.printable); wait for it to end, or \
            stop it, and try again
            """
        case .readOnly(let reason, let path): "\(path.printable) is read-only: \(reason)"
        case .rolledBack(.anchor(.lostCommit), let path):
            """
            \(path.printable) was not opened: \(AnchorVerdict.lostCommit); restore it from a backup, or salvage what \
            is left of it
            """
        case .rolledBack(.anchor(let verdict), let path):
            """
            \(path.printable) was not opened: \(verdict); if you restored it on purpose, accept it with: \
            coffer compact --accept-rollback --vault \(path.shellPath)
            """
        case .rolledBack(let reason, let path):
            "\(path.printable) was not opened: changes saved here are missing; \(reason)"
        case .usedAfterFork(let path):
            "\(path.printable) was opened before this process was forked; open it again in this process"
        case .keysChanged(let path):
            "the passphrase or keys of \(path.printable) were changed elsewhere; open it again with the new ones"
        case .duplicate(let name):
            "an item with the same primary key already exists: \(name); update that one, or delete it first"
        case .contested(let name):
            "item \(name) has a conflict with another copy; resolve it before renaming or moving the item"
        case .noSuchItem(let name): "item \(name) not found; it may have been deleted"
        case .noSuchChange(let number):
            "change \(number) cannot be undone: there was none, or what it changed is no longer in the history"
        case .revisionDiffers(let name, let current):
            "item \(name) has changed and is now at revision \(current); read it again and retry"
        case .locked(let name): "item \(name) is locked; unlock the vault and try again"
        case .invalidItem(let name, let fault):
            "item \(name) is invalid: \(fault); verify the vault, and restore the item from a backup"
        case .refused(let fault): "cannot store this: \(fault)"
        case .keys(let error): error.description
        case .keyChange(.notGranted, let path):
            "\(path.printable) was opened with the credential of a grant, and only an owner can do this"
        case .keyChange(let obstacle, let path): "cannot change who can open \(path.printable): \(obstacle)"
        case .merge(.otherVault, let path): "\(path.printable) is not a copy of this vault, but another vault"
        case .merge(.removalUnknown, let path):
            """
            \(path.printable) has newer keys, made without knowing that a machine or recipient was removed here, which \
            merging would let in again; merge this vault there, and remove it there too
            """
        case .merge(.changed, let path):
            "\(path.printable), or the other copy, was changed meanwhile; nothing was merged; try again"
        case .merge(.deviceNeeded, let path):
            """
            \(path.printable) cannot be merged here: the keys of one copy were changed, and the other one has items of \
            a device that is not here; merge them on that device
            """
        case .abandoned: "the changes were discarded; the vault is unchanged"
        case .syncFailed(let error):
            """
            \(error); the last change may or may not be saved; open the vault again and check before you repeat it
            """
        case .compactionUnavailable(let obstacle, let path): "\(path.printable) cannot be rewritten: \(obstacle)"
        case .replacedMeanwhile(let path):
            "another program replaced \(path.printable) meanwhile; nothing is lost, and no action is needed"
        case .shared(let error, let path): "the fleet of \(path.printable) \(error)"
        case .cancelled: "canceled; the vault is unchanged"
        }
    }

    private static func process(_ number: Int32?) -> String {
        number.map { "process \($0)" } ?? "another process"
    }
}

extension ReadOnlyReason: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .asked: "it was opened read-only; open it for writing"
        case .denied(let error): error.description
        case .writableByOthers:
            "other users can write it, so its content cannot be trusted; remove that permission (chmod go-w)"
        case .unsupportedFeatures(let bits):
            "it uses features of a newer version (0x\(String(bits, radix: 16))), unsupported here; update Coffer"
        case .shared:
            "it is shared through a fleet, and no fleet was given; set COFFER_FLEET"
        case .damagedTail(let byteCount):
            """
            its last \(byteCount.grouped) bytes are damaged and may contain a saved change; copy the file, then allow \
            the damaged end to be discarded
            """
        case .inconsistent(let offset, let sequence):
            """
            part of it was changed, removed or moved: change \(sequence) at byte \(offset) is out of place; salvage \
            what can still be read into a new vault
            """
        case .anchor(let verdict): "\(verdict); if you restored it on purpose, accept it"
        case .olderCopy(let copy): copy.description
        case .anchorUnreadable(let error):
            "cannot tell whether changes are missing from it: \(error)"
        case .syncFailed(let error):
            "\(error); the disk's content is uncertain. Compact the vault to rewrite it, or close it and check the disk"
        }
    }
}

extension SharedLogError: CustomStringConvertible {
    /// What is wrong with the log, and what to do; the subject is missing.
    package var description: String {
        switch self {
        case .unreachable(let lines, let isUncertain):
            """
            is unreachable\(isUncertain ? "; the change may have been made, or may still arrive" : ""): \
            \(lines.joined(separator: "; "))
            """
        case .refused(let text): "cannot be used: \(text)"
        case .behind(let place):
            """
            lacks changes that this machine has, up to change \(place.sequence) of generation \(place.generation); it \
            was restored from a backup, or is another one
            """
        case .damaged(let sequence): "has changes after change \(sequence) that do not continue this vault"
        case .noVault: "does not have this vault; share it first"
        case .notMember(let machine): "does not include the machine \(machine.printable); join it again"
        }
    }
}

extension CompactionObstacle: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .noDirectory: "it was passed as an open file, so its directory is unknown; open it by its path"
        case .file(let error): "\(error). Changes are still saved to the existing file"
        case .noSpace(let needed, let available):
            """
            not enough disk space: \(needed.grouped) bytes needed, \(available.grouped) available; free some space and \
            try again
            """
        }
    }
}

extension KeyChangeObstacle: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .ownerNeeded: "it is locked; unlock it and try again"
        case .notGranted: "only an owner can do this"
        case .noSlotLeft: "nothing would open it afterwards; add a passphrase, key file, recovery code or device"
        case .passphraseExcludesDeviceUnlock:
            "a device alone can open only a vault without a passphrase; leave out one of the two"
        case .firstPassphrase:
            "the first passphrase requires new keys, since devices alone opened it so far; renew all ways to open it"
        case .deviceIsKnown(let device): "device \(device) is already in the vault"
        case .deviceIsUnknown(let device): "device \(device) is not in the vault; add it first"
        case .slotIsUnknown(let slot): "slot \(slot) not found"
        case .locked(let group, let protection):
            "items of group \(group) (\(protection)) are locked and would be lost; unlock them first"
        case .groupIsClosed(let group): "the key of group \(group) cannot be opened here, so its items would be lost"
        case .grantIsUnknown(let grant): "grant \(grant) not found"
        case .grant(let error): error.description
        case .lastSlot(let devices):
            """
            nothing else opens it on devices \(Self.list(devices)), which have items of their own; keep a way to open \
            it there, or accept that these items are lost
            """
        case .noEpochLeft: "its keys have reached the last epoch and cannot be changed again; create a new vault"
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
        case .locked: "a new key is needed, and the vault is locked; unlock it and try again"
        case .ownerNeeded:
            """
            this needs what opens the vault, such as its passphrase: the keys that `coffer unlock` has left change no \
            settings, and write no vault with grants anew
            """
        case .deviceNeeded:
            """
            this protection class requires a device key, and this machine has none in the vault; add it with \
            `coffer key add device`
            """
        case .passphraseNeeded: "this protection class requires a passphrase; set one with `coffer passwd`"
        case .cipher(let error): error.description
        }
    }
}

extension ItemName: CustomStringConvertible {
    /// Group and item id, neither of which says anything about the item.
    package var description: String { "\(group)/\(item)" }
}
