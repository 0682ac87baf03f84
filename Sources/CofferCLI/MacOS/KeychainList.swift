internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let domain = Option.ignored(
        "-d",
        argument: .value("DOMAIN", .nothing),
        summary: "there are no domains; a vault has a path"
    )
    fileprivate static let setting = Option.ignored(
        "-s",
        summary: "--vault and COFFER_VAULT say which vault is meant; nothing was changed"
    )
}

extension Verb {
    private static let choosesNothing = """
        -s, with which macOS chooses keychains, changes nothing here: --vault and COFFER_VAULT say which vault is meant.
        """

    static let listKeychains = tellingPath(
        "list-keychains",
        "Print the path of the default vault, if it is there"
    ) { run in
        let paths = try run.vaults.isThere() ? [run.vaults.path()] : []
        guard !run.isJSON else { return try run.output.write(json: .array(paths.map { .string($0) })) }
        for path in paths { try run.writeKeychain(path) }
    }

    static let defaultKeychain = tellingPath(
        "default-keychain",
        "Print the path of the default vault"
    ) { run in
        let path = try run.vaults.path()
        guard try run.vaults.isThere() else { throw run.vaults.noVault(at: path) }
        guard !run.isJSON else { return try run.output.write(json: .string(path)) }
        try run.writeKeychain(path)
    }

    /// A verb that tells where a vault is, and with which macOS also chooses one.
    private static func tellingPath(_ name: String, _ summary: String, _ body: @escaping Body) -> Verb {
        Verb(
            name,
            .macOS,
            summary,
            operands: [.keychains],
            options: [.domain, .setting],
            details: choosesNothing,
            isLikeGetopt: true
        ) { run in
            guard !run.arguments.ignores("-s") else { return }
            try run.checkNoKeychains()
            try body(run)
        }
    }
}

extension ParsedArguments {
    /// Whether an option is there that means nothing.
    func ignores(_ name: String) -> Bool { ignored.contains { $0.names.contains(name) } }
}

extension Run {
    fileprivate func checkNoKeychains() throws {
        guard let path = arguments.operand(0) else { return }
        throw CommandError.usage("only -s takes paths, and here is \(path.printable)")
    }

    fileprivate func writeKeychain(_ path: String) throws {
        try output.write("    ")
        try AppleText.write(path, to: output)
        try output.write("\n")
    }
}
