internal import Coffer
internal import CofferBasics

extension Verb {
    static let gitCredential = Verb(
        "git-credential",
        .running,
        "Give git passwords, and store those that it tells",
        operands: [Operand(name: "OPERATION", presence: .needed, completion: .words(["get", "store", "erase"]))],
        details: """
            Git calls it as git-credential-coffer, a name that the program can have beside its own, with get, store or \
            erase, and tells what it is about on the standard input. Other operations are ignored.

            A password is stored as an internet password, as on a Mac: coffer get HOST prints it. One that has expired is \
            not given, and one that git calls ephemeral is not stored.
            """,
        examples: [
            Example(call: "git config --global credential.helper coffer", purpose: "use it, if the name is installed"),
            Example(
                call: "git config --global credential.helper '!coffer git-credential'",
                purpose: "the same without the other name"
            ),
        ]
    ) { run in
        let operation = run.arguments.operand(0)
        guard let operation, ["get", "store", "erase"].contains(operation) else { return }
        // Git says so where it asks nothing itself.
        if ["0", "false", "no", "off"].contains(run.surroundings.environment["GIT_TERMINAL_PROMPT"]?.lowercased()) {
            run.prompter.silencer = "GIT_TERMINAL_PROMPT"
        }
        let input = try run.helperInput(byteCountLimit: GitCredential.byteCountLimit)
        let credential = try input.bytes.withSpan { bytes in try GitCredential(bytes) }
        switch operation {
        case "get": try GitPasswords(run, credential).give()
        case "store": try GitPasswords(run, credential).store()
        default: try GitPasswords(run, credential).erase()
        }
    }
}
