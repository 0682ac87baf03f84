internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

extension Option {
    static let clip = Option("--clip", summary: "put the secret on the clipboard for 45 seconds, and do not print it")
    fileprivate static let userPart = Option("--user", summary: "print the user instead of the secret")
    fileprivate static let addressPart = Option("--url", summary: "print the address instead of the secret")
    fileprivate static let codePart = Option("--otp", summary: "print the one-time password instead of the secret")
    fileprivate static let pastRevision = Option(
        "--revision",
        argument: .value("N", .nothing),
        summary: "print the secret of revision N, by its number in `coffer history`"
    )
}

extension Verb {
    static let get = Verb(
        "get",
        .items,
        "Print the secret of an item",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass, .clip],
        modes: [.userPart, .addressPart, .codePart, .pastRevision],
        details: """
            Prints the bytes exactly as stored. At a terminal, a newline follows them, and the fields of an imported \
            item, which are stored as JSON, are lines. `coffer show` prints all that is \
            known of the item but this.

            At a terminal a part of a name or of a label is enough if nothing has exactly this name; if several items \
            match, and without a name, you choose one from a list.

            The clipboard is that of the display, by wl-copy or xclip, else that of the terminal, if the terminal lets \
            programs set it.
            """,
        examples: [
            Example(call: "coffer get mail kim", purpose: "print the mail password of kim"),
            Example(call: "coffer get mail --clip", purpose: "copy it to the clipboard"),
            Example(call: "coffer get mail --user", purpose: "print the account"),
            Example(call: "coffer get mail --revision 1", purpose: "print what it was at first"),
        ]
    ) { run in
        let given = [Option.userPart, .addressPart, .codePart].filter(run.arguments.has)
        guard given != [.codePart] else { return try run.printCode() }
        let past = run.arguments.value(of: .pastRevision)
        guard past == nil || run.arguments.operand(0) != nil else { throw CommandError.usage("--revision needs NAME") }
        let selection = try past == nil ? run.chosen(run.selectionOfClass()) : run.selectionOfClass()
        guard given.isEmpty else { return try run.print(part: given[0], of: selection) }
        let (item, secret) =
            if let past {
                try run.withHistory(selection) { history, keychain in
                    let revision = try history.revision(past, of: selection)
                    return (revision.item ?? history.newest, try revision.secret(in: keychain))
                }
            } else {
                try run.withItem(selection.withSecret, namingOthers: true) { item, keychain in
                    (item, try item.secret(in: keychain))
                }
            }
        guard let secret else { throw CommandError(.notFound, "the item \(selection.description) has no secret") }
        guard !run.arguments.has(.clip) else { return try run.copyToClipboard(secret, of: item.shownName) }
        guard run.isJSON else { return try run.print(secret) }
        try secret.withSpan { bytes in try run.output.write(object: item.json, secret: bytes) }
    }
}

extension CommandRun {
    /// Prints a secret exactly as it is stored; at a terminal, a newline follows it, and fields are lines.
    func print(_ secret: HeldSecret) throws {
        let lines = output.isTerminal ? PasswordRecord.lines(of: secret) : nil
        try (lines ?? secret).withSpan { bytes in try output.write(bytes) }
        if output.isTerminal { try output.write("\n") }
    }

    /// Prints the account or the address of an item, or puts it on the clipboard.
    fileprivate func print(part: Option, of selection: ItemSelection) throws {
        let name = part == .userPart ? "account" : "address"
        let (item, text) = try withItem(selection, namingOthers: true) { item, keychain in
            (item, try part == .userPart ? item.account : AttributeText(item.webAddress(in: keychain) ?? ""))
        }
        guard !text.isEmpty else { throw CommandError(.notFound, "\(item.shownName) has no \(name)") }
        guard !isJSON else {
            return try output.write(json: part == .userPart ? item.json : item.json.with([(name, text.json)]))
        }
        let copy = HeldSecret(copying: text.bytes.span)
        if arguments.has(.clip) { try copyToClipboard(copy, name, of: item.shownName) } else { try print(copy) }
    }
}
