internal import Coffer
internal import CofferBasics

extension Verb {
    static let showKeychainInfo = Verb(
        "security show-keychain-info",
        .macOS,
        "Show how long a vault stays unlocked",
        operands: [.optionalKeychain],
        details: """
            The line is written to standard error, as on macOS. A vault without a passphrase has no timeout; any other \
            has the one of unlock-keychain. `coffer status --details` and `coffer doctor` show more.
            """,
        usesGetoptSyntax: true
    ) { run in
        let access = try run.keychain(run.arguments.operand(0))
        let path = try access.path()
        let hasTimeout = try access.takesSecret()
        let seconds = Duration.keychainTimeout.components.seconds
        guard !run.isJSON else {
            let timeout = hasTimeout ? JSON.integer(seconds) : .null
            return try run.output.write(json: ["vault": .string(path), "timeout": timeout])
        }
        run.messages.say("Keychain \"\(path.printable)\" \(hasTimeout ? "timeout=\(seconds)s" : "no-timeout")")
    }
}
