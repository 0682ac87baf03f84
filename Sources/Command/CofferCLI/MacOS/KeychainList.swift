internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let domain = Option.ignored(
        "-d",
        argument: .value("DOMAIN", .nothing),
        summary: "there are no domains; vaults are named by path"
    )
    fileprivate static let setting = Option.ignored(
        "-s",
        summary: "use --vault or COFFER_VAULT to choose a vault; nothing was changed"
    )
}

extension Verb {
    private static let choosesNothing = """
        On macOS -s chooses keychains. Here it has no effect: use --vault or COFFER_VAULT to choose a vault.
        """

    static let listKeychains = pathVerb(
        "security list-keychains",
        "Print the path of the default vault, if it exists"
    ) { run in
        let paths = try run.vaults.exists() ? [run.vaults.path()] : []
        guard !run.isJSON else { return try run.output.write(json: .array(paths.map { .string($0) })) }
        for path in paths { try run.writeKeychain(path) }
    }

    static let defaultKeychain = pathVerb(
        "security default-keychain",
        "Print the path of the default vault"
    ) { run in
        let path = try run.vaults.path()
        guard try run.vaults.exists() else { throw run.vaults.noVault(at: path) }
        guard !run.isJSON else { return try run.output.write(json: .string(path)) }
        try run.writeKeychain(path)
    }

    /// A verb that prints the path of a vault; on macOS it can also choose one.
    private static func pathVerb(_ name: String, _ summary: String, _ body: @escaping Body) -> Verb {
        Verb(
            name,
            .macOS,
            summary,
            operands: [.keychains],
            options: [.domain, .setting],
            details: choosesNothing,
            usesGetoptSyntax: true
        ) { run in
            guard !run.arguments.ignores("-s") else { return }
            try run.checkNoKeychains()
            try body(run)
        }
    }
}

extension ParsedArguments {
    /// Whether an option without effect was given.
    func ignores(_ name: String) -> Bool { ignored.contains { $0.names.contains(name) } }
}

extension CommandRun {
    fileprivate func checkNoKeychains() throws {
        guard let path = arguments.operand(0) else { return }
        throw CommandError.usage("unexpected operand \(path.printable): only -s takes paths")
    }

    fileprivate func writeKeychain(_ path: String) throws {
        try output.write("    ")
        try AppleText.write(path, to: output)
        try output.write("\n")
    }
}
