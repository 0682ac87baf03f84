internal import Coffer
internal import CofferBasics

extension Verb {
    static let dockerHelper = Verb(
        "helper docker",
        .programs,
        "Provide docker with registry passwords and store them",
        operands: [
            Operand(
                name: "ACTION",
                presence: .rest,
                completion: .words(["get", "store", "erase", "list", "version"])
            )
        ],
        details: """
            Docker calls it by the name docker-credential-coffer, a link to coffer, with store, get, erase, list or \
            version. Errors are printed to standard output, where docker looks for them; the exit code is 1, or 60, 61 \
            or 73 if changes are missing from the vault.

            A password is stored as an internet password with the label Docker Credentials. Docker also gets what \
            `coffer set https://HOST USER` or `coffer set HOST USER` has stored.
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
            // A signal ends the program as in any other verb.
            guard error.signal == nil else { throw error }
            // Docker knows only one failure, but missing changes must be distinguishable from it.
            run.status = (error.isAboutRollback ? error.code : .failure).rawValue
            try run.output.write(line: error.answer)
        }
    }
}
