internal import Coffer
internal import CofferBasics

extension Verb {
    static let dockerCredential = Verb(
        "docker-credential",
        .running,
        "Give docker passwords of registries, and store those that it tells",
        operands: [
            Operand(
                name: "ACTION",
                presence: .rest,
                completion: .words(["get", "store", "erase", "list", "version"])
            )
        ],
        details: """
            Docker calls it as docker-credential-coffer, a name that the program can have beside its own, with store, get, \
            erase, list or version. Errors stand on the standard output, where docker looks for them, and the exit code is \
            1, or 60, 61 or 73 if changes are missing from the vault.

            A password is stored as an internet password with the label Docker Credentials.
            """,
        examples: [
            Example(
                call: "docker login registry.example.com",
                purpose: #"store a password, if ~/.docker/config.json has "credsStore": "coffer""#
            )
        ]
    ) { run in
        do {
            try DockerCredentials(run).perform(run.arguments.operands)
        } catch {
            let error = CommandError(error)
            // A signal ends the program as anywhere else.
            guard error.signal == nil else { throw error }
            // Docker knows one failure; what is missing from a vault must be told from that.
            run.status = (error.isAboutRollback ? error.code : .failure).rawValue
            let hints = error.hints.isEmpty ? "" : "; \(error.hints.joined(separator: "; "))"
            try run.output.write(line: (error.message + hints).escapingInvisibleInLines)
        }
    }
}
