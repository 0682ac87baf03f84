internal import Coffer
internal import CofferBasics

extension Option {
    static let clip = Option("--clip", summary: "put the secret on the clipboard for 45 seconds, and do not print it")
}

extension Verb {
    static let get = Verb(
        "get",
        .items,
        "Print the secret of an item",
        operands: [.service, .optionalAccount],
        options: [.itemClass, .clip],
        details: """
            Prints the bytes exactly as stored. At a terminal, a newline follows them.

            The clipboard is that of the display, by wl-copy or xclip, else that of the terminal, if the terminal lets \
            programs set it.
            """,
        examples: [
            Example(call: "coffer get mail kim", purpose: "print the mail password of kim"),
            Example(call: "coffer get mail --clip", purpose: "copy it to the clipboard"),
        ]
    ) { run in
        let selection = try run.selectionOfClass()
        let (item, secret) = try run.withItem(selection, namingOthers: true) { item, keychain in
            (item, try item.secret(in: keychain))
        }
        guard let secret else { throw CommandError(.notFound, "the item \(selection.description) has no secret") }
        guard !run.arguments.has(.clip) else { return try run.copyToClipboard(secret, of: item.line) }
        guard run.isJSON else { return try run.print(secret) }
        try secret.bytes.withSpan { bytes in try run.output.write(object: item.json, secret: bytes) }
    }
}

extension CommandRun {
    /// Prints a secret exactly as it is stored; at a terminal, a newline follows it.
    func print(_ secret: borrowing HeldSecret) throws {
        try secret.bytes.withSpan { bytes in try output.write(bytes) }
        if output.isTerminal { try output.write("\n") }
    }
}
