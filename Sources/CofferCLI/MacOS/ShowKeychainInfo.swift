internal import Coffer
internal import CofferBasics

extension Verb {
    static let showKeychainInfo = Verb(
        "show-keychain-info",
        .macOS,
        "Tell how long a vault stays unlocked",
        operands: [.optionalKeychain],
        details: """
            The line is written to the standard error, as macOS does. A vault without a passphrase has no time-out; that of any \
            other is the one of unlock-keychain. coffer info and coffer doctor tell more.
            """,
        isLikeGetopt: true
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
