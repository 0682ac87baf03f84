internal import CofferBasics
package import VaultFiles

/// Why a vault could not be carried to or from another machine.
package enum SyncFailure: Error, Equatable, Sendable {
    /// A file of this machine could not be read or written.
    case file(FileError)
    /// The connection ended in the middle.
    case disconnected
    /// The other side has sent nothing for this long.
    case timedOut(seconds: Int)
    /// The other side does not speak this protocol; carries the first bytes that it sent.
    case noGreeting([UInt8])
    /// The other side broke the protocol.
    case invalid(String)
    /// The other side refused, and says why; the text is not to be trusted.
    case refused(SyncRefusal, String)
}

/// Why the other side refused.
package enum SyncRefusal: UInt8, Sendable {
    /// Another reason.
    case other = 0
    /// The file is not a vault.
    case notAVault = 1
    /// The vault has changed since it was fetched.
    case changed = 2
    /// Another process uses the vault, or sends to it.
    case busy = 3
    /// The other side may only read the vault, or may not even do that.
    case denied = 4
}

extension SyncFailure {
    /// The failure as it is sent to the other side.
    package var refusal: (reason: SyncRefusal, text: String) {
        switch self {
        case .refused(let refusal, let text): (refusal, text)
        case .file(let error):
            switch error.reason {
            case .busy: (.busy, "\(error)")
            case .permissionDenied, .readOnlyFileSystem, .foreignOwner: (.denied, "\(error)")
            case .notARegularFile, .isDirectory: (.notAVault, "\(error)")
            default: (.other, "\(error)")
            }
        case .disconnected: (.other, "the connection ended")
        case .timedOut(let seconds): (.other, "timed out after \(seconds) s")
        case .noGreeting: (.other, "no greeting")
        case .invalid(let what): (.other, "invalid message: \(what)")
        }
    }
}
