internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let oldPassword = Option(
        "-o",
        argument: .value("PASSWORD", .nothing),
        summary: "the passphrase until now",
        isRepeatable: true
    )
    fileprivate static let newPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "the new passphrase",
        isRepeatable: true
    )
}

extension Verb {
    static let setKeychainPassword = Verb(
        "set-keychain-password",
        .macOS,
        "Change the passphrase of a vault",
        operands: [.optionalKeychain],
        options: [.oldPassword, .newPassword, .allowWeak],
        details: """
            Without -o the old passphrase comes from wherever passphrases come from, or is asked for at the terminal; without \
            -p the new one is asked for, twice. coffer passwd reads it from a file or a descriptor.

            All keys are made anew, as with coffer passwd: a recovery code is replaced by a new one, which is printed.
            """,
        isLikeGetopt: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        if let old = run.passphrase(of: .oldPassword) { access.given = .passphrase(old) }
        let target = try access.owned()
        let slots = try target.vault.slots
        try run.setPassphrase(of: target, slots) {
            try run.newKeychainPassword(for: target.vault.path.printable)
        }
    }
}

extension Run {
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
                "coffer passwd reads it from a file or a descriptor"
            }
        }
        guard !passphrase.isEmpty else {
            throw CommandError.usage(
                "the new passphrase is empty; nothing was changed",
                hints: ["coffer passwd --remove removes it"]
            )
        }
        return passphrase
    }
}
