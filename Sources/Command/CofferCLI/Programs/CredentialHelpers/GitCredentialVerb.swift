internal import Coffer
internal import CofferBasics

extension Verb {
    static let gitHelper = Verb(
        "helper git",
        .programs,
        "Provide git with passwords and store them",
        operands: [Operand(name: "OPERATION", presence: .needed, completion: .words(["get", "store", "erase"]))],
        details: """
            Git calls it by the name git-credential-coffer, a link to coffer, with get, store or erase, and describes \
            the credential on standard input. Other operations are ignored.

            A password is stored as an internet password, as on a Mac: `coffer get HOST` prints it. Git also gets what \
            `coffer set https://HOST USER` or `coffer set HOST USER` has stored. Expired passwords \
            are not returned, and those that git marks as ephemeral are not stored.
            """,
        examples: [
            Example(call: "git config --global credential.helper coffer", purpose: "use it, if the link is installed"),
            Example(
                call: "git config --global credential.helper '!coffer helper git'",
                purpose: "use it without the link"
            ),
        ]
    ) { run in
        let operation = run.arguments.operand(0)
        guard let operation, ["get", "store", "erase"].contains(operation) else { return }
        // With this variable git itself does not ask.
        if ["0", "false", "no", "off"].contains(run.context.environment["GIT_TERMINAL_PROMPT"]?.lowercased()) {
            run.prompter.promptBlocker = "GIT_TERMINAL_PROMPT"
        }
        let input = try run.helperInput(byteCountLimit: GitCredential.byteCountLimit)
        let credential = try input.withSpan { bytes in try GitCredential(bytes) }
        switch operation {
        case "get": try GitPasswords(run, credential).give()
        case "store": try GitPasswords(run, credential).store()
        default: try GitPasswords(run, credential).erase()
        }
    }
}
