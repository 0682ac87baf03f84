internal import Coffer
internal import CofferBasics

extension Verb {
    static let entitlementsCheck = Verb(
        "entitlements check",
        .looking,
        "Tell which access groups an entitlements file declares",
        operands: [Operand(name: "FILE", presence: .needed, completion: .file)],
        details: """
            The groups stand in the order in which a program has them: what names no group goes to the first, and looking \
            goes through all of them. A file that makes no sense is an error with line and key, and ends with 72.
            """,
        examples: [Example(call: "coffer entitlements check mail.entitlements", purpose: "before it is shipped")]
    ) { run in
        let path = run.arguments.operand(0) ?? ""
        let entitlements = try Entitlements.inFile(path)
        let groups = entitlements.accessGroups
        if entitlements.opensAllGroups {
            run.messages.warning("the group * opens every group of the vault; few programs need that")
        }
        guard !run.isJSON else {
            let members: JSON = [
                "file": .string(path), "applicationIdentifier": .string(entitlements.applicationIdentifier),
                "prefix": .string(entitlements.prefix), "level": "declared",
                "groups": .array(groups.map { .string($0) }), "allGroups": .bool(entitlements.opensAllGroups),
            ]
            return try run.output.write(json: members)
        }
        var list = FactList()
        list.add("application", entitlements.applicationIdentifier.printable)
        list.add("level", "declared")
        for (index, group) in groups.enumerated() {
            list.add(
                "group",
                group.printable + (index == 0 && group != "*" && run.output.isTerminal ? " (the default)" : "")
            )
        }
        try list.write(to: run.output, isColoured: run.printsColour)
    }
}
