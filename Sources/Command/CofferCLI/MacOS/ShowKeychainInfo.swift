internal import Coffer
internal import CofferBasics

extension Verb {
    static let showKeychainInfo = Verb(
        "security show-keychain-info",
        .macOS,
        "Show how long a vault stays unlocked",
        operands: [.optionalKeychain],
        details: """
            The line is written to standard error, as on macOS. A vault without a passphrase has no timeout. For an \
            unlocked one it is the time that is left, and for a locked one that of unlock-keychain. `coffer status` \
            shows more.
            """,
        usesGetoptSyntax: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        let path = try access.path()
        let hasTimeout = try access.takesSecret()
        access.isExamining = true
        // Only what `coffer unlock` has left counts; the user is not asked.
        let vault = hasTimeout ? try? Vault.open(at: path, with: UnlockLadder(), options: access.options) : nil
        let seconds =
            vault?.unlockedUntil.map { Int64(clamping: ($0.secondsSince1970 - run.now).rounded(.up)) }
            ?? Duration.keychainTimeout.components.seconds
        guard !run.isJSON else {
            let timeout = hasTimeout ? JSON.integer(seconds) : .null
            return try run.output.write(json: ["vault": .string(path), "timeout": timeout])
        }
        run.messages.say("Keychain \"\(path.printable)\" \(hasTimeout ? "timeout=\(seconds)s" : "no-timeout")")
    }
}
