internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let expiry = Option(
        "--expires",
        argument: .value("TIME", .nothing),
        summary: "from now on, until the grant expires: 30d, 12h"
    )
    fileprivate static let request = Option(
        "--request",
        argument: .value("REQUEST", .nothing),
        summary: "what `coffer grant key` printed for the recipient"
    )
    fileprivate static let credentialFile = Option(
        "-o",
        "--output",
        argument: .value("FILE", .file),
        summary: "the new file for the credential; - for standard output"
    )
}

extension Verb {
    static let grantIssue = Verb(
        "grant issue",
        .vaults,
        "Let a program use some groups of a vault",
        operands: [
            Operand(name: "NAME", presence: .needed), Operand(name: "GROUP", presence: .needed),
            Operand(name: "GROUP", presence: .rest),
        ],
        options: [.credentialFile, .request, .expiry],
        details: """
            The holder of the credential can read, add, change and delete items of the groups, and of no others: it has \
            no other keys. It cannot read items that are bound to a machine. There are no grants that only read.

            The holder may store an item under any name in these groups. So from the first grant on, and even after it \
            was revoked, a search without --group is answered by one group: the one to which new items go. Do not grant \
            that one. A program of yours that declares one of the groups must name a group in what it writes.

            The credential is a secret. Hand it over as you would a password, or let the recipient make it with \
            `coffer grant key` and give you the request that this prints.

            A program opens the vault with the credential if COFFER_GRANT_FILE names its file, or if systemd passes it \
            as coffer.grant; the vault's file must be where COFFER_VAULT says, and readable for the program.
            """,
        examples: [
            Example(call: "coffer grant issue web com.example.web -o web.credential", purpose: "grant one group")
        ]
    ) { run in
        let name = run.arguments.operand(0) ?? ""
        let groups = Array(run.arguments.operands.dropFirst())
        let expiry = try run.arguments.value(of: .expiry).map { word in
            // A grant has whole minutes.
            let end = run.now + Double(try TimeSpan(word, of: .expiry).seconds)
            return KeychainDate(secondsSince1970: (end / 60).rounded(.up) * 60)
        }
        let (path, request) = (run.arguments.value(of: .credentialFile), run.arguments.value(of: .request))
        guard (path == nil) != (request == nil) else {
            throw CommandError.usage("either --output FILE or --request REQUEST is needed")
        }
        guard path != "-" || !run.output.isTerminal else {
            throw CommandError.usage("a credential is not written to a terminal", hints: ["use --output FILE"])
        }
        // Before the user is asked for anything, and so that no grant is issued whose credential cannot be written.
        if let path, path != "-" { try Vault.checkNothing(isAt: path, options: run.vaults.options) }
        let vault = try run.vaults.openForKeyChange().vault
        guard try !vault.grants.contains(where: { $0.name == name }) else {
            throw CommandError(
                .alreadyExists,
                "\(vault.path.printable) has a grant \(name.printable)",
                hints: ["revoke it with `coffer grant revoke`, or choose another name"]
            )
        }
        let isFirst = try !vault.hasHadGrants
        // A signal must not come between the grant and its credential.
        try run.uninterrupted {
            if let request {
                try vault.issueGrant(named: name, for: groups, until: expiry, request: request)
            } else if let path {
                try run.writeCredential(
                    to: path,
                    options: vault.options,
                    { try vault.issueGrant(named: name, for: groups, until: expiry) }
                )
            }
            let end = expiry.map { " until \(run.shown($0))" } ?? ""
            run.messages.note("\(name.printable) may use \(groups.map(\.printable).joined(separator: ", "))\(end)")
            try run.explainGrant(of: groups, isFirst: isFirst)
        }
    }

    static let grantList = Verb(
        "grant list",
        .vaults,
        "List the grants of a vault",
        details: """
            Without a terminal, each line has the name, the id, the date of the grant, the date on which it expires, and \
            its groups, separated by tabs. The vault must be unlocked: only its owner can read the names.
            """,
        examples: [Example(call: "coffer grant list", purpose: "list who may use which groups")]
    ) { run in
        let vault = try run.vaults.openForKeyChange(for: .reading).vault
        let grants = try vault.grants
        guard !run.isJSON else {
            return try run.output.write(
                json: ["vault": .string(vault.path), "grants": .array(grants.map(\.json))]
            )
        }
        var table = TextTable(["NAME", "ID", "CREATED", "EXPIRES", "GROUPS"])
        for grant in grants {
            let end = grant.hasExpired ? "expired" : grant.expiry.map(run.shown) ?? ""
            let groups = grant.groups.map(\.printable).joined(separator: " ")
            table.add([grant.name.printable, grant.id, run.shown(grant.created), end, groups])
        }
        try table.write(to: run.output, isColored: run.printsColor)
    }

    static let grantRevoke = Verb(
        "grant revoke",
        .vaults,
        "Revoke a grant",
        operands: [Operand(name: "NAME", presence: .needed)],
        details: """
            NAME is the name of a grant, or enough of the beginning of its id to be unique.

            The keys that the grant held are renewed, so the former holder cannot read what is written from now on. What \
            it has read, and earlier copies of the file, are beyond reach: change the secrets that it knew.

            Nothing is merged from copies that do not know of this, as far as it concerns the groups of the grant; \
            `coffer sync --take` says how to take over your own changes. So sync the other machines first.
            """,
        examples: [Example(call: "coffer grant revoke web", purpose: "revoke the grant named web")]
    ) { run in
        let word = run.arguments.operand(0) ?? ""
        let vault = try run.vaults.openForKeyChange().vault
        let all = try vault.grants
        let named = all.filter { $0.name == word }
        let grants = named.isEmpty ? all.filter { !word.isEmpty && $0.id.hasPrefix(word.lowercased()) } : named
        guard !grants.isEmpty else {
            throw CommandError(
                .notFound,
                "\(vault.path.printable) has no grant \(word.printable)",
                hints: ["run `coffer grant list` to see them all"]
            )
        }
        guard grants.count == 1 else {
            throw CommandError(
                .ambiguous,
                "\(grants.count) grants match \(word.printable)",
                hints: ["give an id of `coffer grant list`"]
            )
        }
        try run.uninterrupted {
            let summary = try run.perform(vault.revocation(of: grants), "renewing the keys")
            summary.lostGrantWarnings.forEach(run.messages.warning)
            run.messages.note("\(grants[0].name.printable) is revoked, and reads nothing that is stored from now on")
        }
    }

    static let grantKey = Verb(
        "grant key",
        .vaults,
        "Make a credential for a grant that an owner then issues",
        operands: [Operand(name: "FILE", presence: .needed, completion: .file)],
        details: """
            FILE is created, and holds the secret. What is printed is a request, which is not secret: an owner of the \
            vault gives it to `coffer grant issue --request` or `coffer key add recipient`. Send it by a \
            channel in which nobody can change it.

            The vault is looked at, not opened: the credential names it, and opens no other.
            """,
        examples: [Example(call: "coffer grant key web.credential", purpose: "print a request for a grant")]
    ) { run in
        let path = try run.vaults.path()
        let options = run.vaults.options
        try run.uninterrupted {
            let credential = try GrantCredential.requested(ofVaultAt: path, options: options)
            try credential.write(to: run.arguments.operand(0) ?? "", options: options)
            try run.output.write(line: credential.request)
        }
    }
}

extension CommandRun {
    /// Writes the credential that `issue` returns to a new file, or to standard output.
    fileprivate func writeCredential(
        to path: String,
        options: VaultOptions,
        _ issue: () throws -> GrantCredential
    ) throws {
        guard path != "-" else { return try issue().withBytes { bytes in try output.write(bytes) } }
        try issue().write(to: path, options: options)
        messages.note("the credential is in \(path.printable)")
    }
}

extension VaultGrant {
    fileprivate var json: JSON {
        [
            "name": .string(name), "id": .string(id), "groups": .array(groups.map { .string($0) }),
            "created": JSON(created),
            "expires": expiry.map { JSON($0) } ?? .null,
            "hasExpired": .bool(hasExpired),
        ]
    }
}
