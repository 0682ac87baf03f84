internal import Coffer
internal import CofferScreen
internal import CommandSystem

extension Option {
    fileprivate static let noSecrets = Option(
        "--no-secrets",
        summary: "never show or copy a secret, for demonstrations"
    )
    fileprivate static let lockAfter = Option(
        "--lock-after",
        argument: .value("MINUTES", .nothing),
        summary: "lock after this time without input (default 5; 0: never)"
    )
}

extension Verb {
    static let browse = Verb(
        "browse",
        .items,
        "Look at the keychain on the whole screen",
        options: [.noSecrets, .lockAfter],
        details: """
            Shows groups and classes, the items, and what is known of the selected one. The keys are at the bottom of \
            the screen, and all of them behind ?. / finds items, y copies a user, code or address, x marks several items \
            for m and d, and w has the import.

            A secret is shown only when asked for, hidden again after 20 seconds, and cleared from the clipboard after \
            45 seconds. A vault with a passphrase is locked after 5 minutes without input. When the screen is left, \
            nothing of it stays in the terminal.

            Colors follow NO_COLOR and --color; COLORTERM=truecolor says that the terminal has all colors.
            """,
        examples: [
            Example(call: "coffer browse", purpose: "look at the default vault"),
            Example(call: "coffer browse --no-secrets", purpose: "show it to others"),
        ]
    ) { run in
        let lockAfter = try run.arguments.count(of: .lockAfter, in: 0...1440) ?? 5
        guard run.context.output.isTerminal, let terminal = run.context.openScreen(),
            run.context.environment["TERM"] != "dumb"
        else {
            throw CommandError(
                .unavailable,
                "`coffer browse` needs a terminal that shows a whole screen",
                hints: ["`coffer list` and `coffer find` print items without one"]
            )
        }
        let browser = try Browser(
            run,
            on: terminal,
            BrowserOptions(hidesSecrets: run.arguments.has(.noSecrets), lockMinutes: lockAfter, depth: run.colorDepth)
        )
        run.signal = try browser.perform()
    }
}

/// What the user has asked for of the screen.
struct BrowserOptions {
    let hidesSecrets: Bool
    /// After how many minutes without input the vault is locked; 0 for never.
    let lockMinutes: Int
    let depth: ColorDepth
}

extension CommandRun {
    /// The colors of the screen.
    var colorDepth: ColorDepth {
        get throws {
            guard try printsColor else { return .none }
            return ["truecolor", "24bit"].contains(context.environment["COLORTERM"]) ? .full : .sixteen
        }
    }
}
