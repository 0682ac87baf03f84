internal import CofferBasics
internal import VaultFiles

/// What the default keychain has to say to whoever runs the program, in one line.
///
/// It says each kind of thing once. A program that has a better place for it than the standard error gives the default
/// keychain a place.
///
/// ```swift
/// Keychain.default = DefaultKeychain(notices: { notice in print(notice) })
/// ```
public struct KeychainNotice: Equatable, Sendable, CustomStringConvertible {
    /// What it is about.
    public enum Kind: Hashable, Sendable {
        /// A vault was made, because something was stored and there was none.
        case vaultMade
        /// The vault cannot be opened, or not be used as it was asked to.
        case unavailable
        /// Changes that this machine has seen are missing from the vault. `COFFER_QUIET` does not silence this.
        case rolledBack
        /// The vault is open, and locked.
        case locked
        /// Somebody should look after something, though all works.
        case warning
    }

    /// What it is about.
    public let kind: Kind
    /// What happened, and what to do.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Writes the notice to the standard error, unless `COFFER_QUIET` is set and it is not about a rollback.
    public static func print(_ notice: KeychainNotice) {
        let isQuiet = !(ProgramEnvironment()["COFFER_QUIET"]?.isEmpty ?? true)
        guard !isQuiet || notice.kind == .rolledBack else { return }
        StandardError.write(line: "coffer: \(notice.oneLine.escapingInvisible)")
    }

    /// The description without its line ends.
    private var oneLine: String {
        let lines = description.split(separator: "\n")
        return lines.dropFirst().reduce(String(lines.first ?? "")) { $0 + ($0.hasSuffix(":") ? " " : "; ") + $1 }
    }
}
