internal import CofferBasics
internal import VaultFiles

/// A one-line message from the default keychain to the person who runs the program.
///
/// Each kind of notice is given at most once. By default, notices go to standard error; a program can redirect them.
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
        /// Changes that this machine has seen are missing from the vault. `COFFER_QUIET` does not silence this.
        case rolledBack
        /// The vault is open but locked.
        case locked
        /// Something needs attention, although everything works.
        case warning
    }

    /// The subject of the notice.
    public let kind: Kind
    /// What happened, and what to do.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Writes the notice to standard error, unless `COFFER_QUIET` is set and it is not about a rollback.
    public static func print(_ notice: KeychainNotice) {
        let isQuiet = !(ProgramEnvironment()["COFFER_QUIET"]?.isEmpty ?? true)
        guard !isQuiet || notice.kind == .rolledBack else { return }
        StandardError.write(line: "coffer: \(notice.oneLine.escapingInvisible)")
    }

    /// The description in one line.
    private var oneLine: String {
        let lines = description.split(separator: "\n")
        return lines.dropFirst().reduce(String(lines.first ?? "")) { $0 + ($0.hasSuffix(":") ? " " : "; ") + $1 }
    }
}
