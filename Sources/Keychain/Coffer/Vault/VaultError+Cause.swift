internal import CofferBasics
package import VaultFiles
internal import VaultFormat
internal import VaultStore

extension VaultError {
    /// Details of an error beyond its kind.
    package enum Cause: Equatable, Sendable {
        /// The system refused something.
        case file(FileError)
        /// There is less space than a compaction takes.
        case noSpace
        /// Users other than the owner can write the file.
        case writableByOthers
        /// The end of the file is damaged, and may have held changes that were saved.
        case damagedEnd
        /// Changes contradict each other.
        case inconsistent
        /// The vault is older than it was, or has another history, and so is only read, or refused.
        case otherHistory(isRefused: Bool)
        /// The vault is an older copy of another file of this machine.
        case olderCopy(path: String, laterPath: String)
        /// What this machine remembers of the vault cannot be read.
        case unreadableMemory(FileError)
        /// Stored items are damaged.
        case damagedItems
        /// The keys are damaged.
        case damagedKeys
        /// These devices, which are not here, would lose their items.
        case lastSlot(devices: [String])
    }
}

extension VaultError.Cause {
    init?(_ error: StoreError) {
        switch error {
        case .file(let error), .syncFailed(let error), .compactionUnavailable(.file(let error), _): self = .file(error)
        case .compactionUnavailable(.noSpace, _): self = .noSpace
        case .readOnly(let reason, _): self.init(reason, isRefused: false)
        case .rolledBack(let reason, _): self.init(reason, isRefused: true)
        case .vault(.snapshotFailure, _), .invalidItem: self = .damagedItems
        case .vault(.keybagFailure, _): self = .damagedKeys
        case .keyChange(.lastSlot(let devices), _): self = .lastSlot(devices: devices.map(\.description))
        default: return nil
        }
    }

    private init?(_ reason: ReadOnlyReason, isRefused: Bool) {
        switch reason {
        case .denied(let error), .syncFailed(let error): self = .file(error)
        case .writableByOthers: self = .writableByOthers
        case .damagedTail, .anchor(.lostCommit): self = .damagedEnd
        case .inconsistent: self = .inconsistent
        case .anchor: self = .otherHistory(isRefused: isRefused)
        case .olderCopy(let copy): self = .olderCopy(path: copy.path, laterPath: copy.laterPath)
        case .anchorUnreadable(let error): self = .unreadableMemory(error)
        case .asked, .unsupportedFeatures, .shared: return nil
        }
    }
}
