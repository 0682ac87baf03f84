internal import Coffer
internal import CofferBasics

extension Verb {
    static let entitlementsCheck = Verb(
        "entitlements check",
        .inspection,
        "Show the access groups that an entitlements file declares",
        operands: [Operand(name: "FILE", presence: .needed, completion: .file)],
        details: """
            The groups are listed in the order in which a program has them: items stored without a group go to the \
            first, and searches cover all of them. An invalid file is an error with line and key (exit code 72).
            """,
        examples: [Example(call: "coffer entitlements check mail.entitlements", purpose: "check it before shipping")]
    ) { run in
        let path = run.arguments.operand(0) ?? ""
        let entitlements = try Entitlements.inFile(path, environment: run.context.environment)
        try run.report(entitlements, in: path)
    }
}

extension CommandRun {
    /// Prints the entitlements in a file.
    func report(_ entitlements: Entitlements, in path: String) throws {
        // The program's own group is usually in the file too.
        let groups = entitlements.accessGroups.reduce(into: [String]()) { groups, group in
            if !groups.contains(where: group.isSameText) { groups.append(group) }
        }
        if entitlements.opensAllGroups {
            messages.warning("the group * gives access to every group of the vault; few programs need that")
        }
        guard !isJSON else {
            let members: JSON = [
                "file": .string(path), "applicationIdentifier": .string(entitlements.applicationIdentifier),
                "prefix": .string(entitlements.prefix), "level": "declared",
                "groups": .array(groups.map { .string($0) }), "allGroups": .bool(entitlements.opensAllGroups),
            ]
            return try output.write(json: members)
        }
        var list = FactList()
        list.add("application", entitlements.applicationIdentifier.printable)
        list.add("level", "declared")
        for (index, group) in groups.enumerated() {
            list.add(
                "group",
                group.printable + (index == 0 && group != "*" && output.isTerminal ? " (the default)" : "")
            )
        }
        try list.write(to: output, isColored: printsColor)
    }
}
