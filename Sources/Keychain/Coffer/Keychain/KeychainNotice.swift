internal import CofferBasics
internal import VaultFiles

/// A one-line message from the default keychain to the person who runs the program.
///
/// Each kind of notice is given at most once, except for failed calls. By default, notices go to standard error; a
/// program can redirect them.
///
/// ```swift
/// Keychain.default = Keychain(notices: { notice in print(notice) })
/// ```
public struct KeychainNotice: Equatable, Sendable, CustomStringConvertible {
    /// The subject of a notice.
    public enum Kind: Hashable, Sendable {
        /// A vault was created, because something was stored and there was none.
        case vaultCreated
        /// The vault cannot be opened, or cannot be used as requested.
        case unavailable
        /// Changes that this machine has seen are missing from the vault, or it is an older copy of one that this machine
        /// has at another place. `COFFER_QUIET` does not silence this.
        case rolledBack
        /// The vault is open but locked.
        case locked
        /// Something needs attention, although everything works.
        case warning
        /// A call with Apple's names failed; the notice says which one, its status and why, without any value. On
        /// standard error it appears only if `COFFER_LOG` is set.
        case callFailed
    }

    /// The subject of the notice.
    public let kind: Kind
    /// What happened, and what to do.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Writes the notice to standard error.
    ///
    /// It does not if `COFFER_QUIET` is set and the notice is not about a rollback, or if `COFFER_LOG` is not set and it
    /// is about a failed call.
    public static func print(_ notice: KeychainNotice) {
        let isWanted =
            switch notice.kind {
            case .rolledBack: true
            case .callFailed: explainsCalls
            default: !isSet("COFFER_QUIET")
            }
        guard isWanted else { return }
        StandardError.write(line: "coffer: \(notice.oneLine.escapingInvisible)")
    }

    /// Whether failed calls are explained on standard error.
    static var explainsCalls: Bool { isSet("COFFER_LOG") }

    private static func isSet(_ variable: String) -> Bool { !(ProgramEnvironment()[variable]?.isEmpty ?? true) }

    /// The description in one line.
    private var oneLine: String {
        let lines = description.split(separator: "\n")
        return lines.dropFirst().reduce(String(lines.first ?? "")) { $0 + ($0.hasSuffix(":") ? " " : "; ") + $1 }
    }
}
