internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let oldPassword = Option(
        "-o",
        argument: .value("PASSWORD", .nothing),
        summary: "old passphrase",
        isRepeatable: true
    )
    fileprivate static let newPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "new passphrase",
        isRepeatable: true
    )
}

extension Verb {
    static let setKeychainPassword = Verb(
        "security set-keychain-password",
        .macOS,
        "Change the passphrase of a vault",
        operands: [.optionalKeychain],
        options: [.oldPassword, .newPassword, .allowWeak],
        details: """
            Without -o the old passphrase is asked for at the terminal or comes from another source, such as \
            --passphrase-file; without -p the new one is asked for twice. `coffer passwd` can read it from a file.

            All keys are renewed, as with `coffer passwd`: a recovery code is replaced by a new one, which is printed.
            """,
        usesGetoptSyntax: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        if let old = run.passphrase(of: .oldPassword) { access.given = .passphrase(old) }
        let target = try access.openForKeyChange()
        let slots = try target.vault.slots
        try run.setPassphrase(of: target, slots) {
            try run.newKeychainPassword(for: target.vault.path.printable)
        }
    }
}

extension CommandRun {
    /// The new passphrase: from an option, or typed twice.
    fileprivate func newKeychainPassword(for name: String) throws -> Passphrase {
        let passphrase: Passphrase
        if let given = self.passphrase(of: .newPassword) {
            passphrase = given
        } else {
            passphrase = try twice(
                "New Password for \(name): ",
                "Retype New Password for \(name): ",
                "the new passphrase"
            ) {
                "use `coffer passwd` to read it from a file or a descriptor"
            }
        }
        guard !passphrase.isEmpty else {
            throw CommandError.usage(
                "the new passphrase is empty; nothing was changed",
                hints: ["remove it with `coffer passwd --remove`"]
            )
        }
        return passphrase
    }
}
