internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CommandSystem

extension Verb {
    static let open = Verb(
        "open",
        .items,
        "Open the web site of an item in the browser",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass],
        details: """
            Opens the address with xdg-open if there is a display, and else prints it. Only addresses of http and https \
            are opened, without a user or password in them. The secret is not used.

            Names can be abbreviated at a terminal as for `coffer get`.
            """,
        examples: [Example(call: "coffer open github.com", purpose: "open https://github.com")]
    ) { run in
        let selection = try run.chosen(
            run.selectionOfClass(),
            from: { item, keychain in try item.canBeOffered && item.webAddress(in: keychain) != nil }
        )
        let (item, text) = try run.withItem(selection, namingOthers: true) { item, keychain in
            (item, try item.webAddress(in: keychain))
        }
        guard let text else {
            throw CommandError(
                .notFound,
                "\(item.shownName) has no address",
                hints: ["`coffer set https://example.com` stores a password with one"]
            )
        }
        guard let address = WebAddress(text) else {
            throw CommandError(.failure, "only addresses of http and https can be opened: \(text.printable)")
        }
        guard run.hasDisplay else {
            guard run.isJSON else { return try run.output.write(line: address.text) }
            return try run.output.write(json: item.json.with([("address", .string(address.text))]))
        }
        try run.open(address)
    }
}

/// An address that a browser can open: only http or https, without a user or a password.
struct WebAddress {
    let text: String

    /// The address in `text`, which is one of https if it has no scheme; nil if it is another one.
    init?(_ text: String) {
        let text = text.contains(text: "://") ? text : "https://\(text)"
        let bytes = text.utf8Span.span
        let parts = AddressParts(bytes)
        func string(_ range: Range<Int>) -> String { bytes.extracting(range).attributeText.string ?? "" }
        guard let scheme = parts.scheme.map(string)?.lowercased(), ["http", "https"].contains(scheme),
            ServerAddress(text) != nil, text.isVisible, !text.contains(where: \.isWhitespace)
        else { return nil }
        self.text = "\(scheme)://\(string(parts.host))\(string(parts.rest))"
    }
}

extension FoundItem {
    /// The address of the site for which the item is; nil if it has none.
    func webAddress(in keychain: Keychain) throws -> String? {
        guard itemClass == .internetPassword || itemClass == .genericPassword else { return nil }
        let sites = try sites(in: keychain)
        guard itemClass == .internetPassword else {
            // Such a service stands for a web site elsewhere, too.
            return sites.first ?? service.string.flatMap { $0.isHostName ? "https://\($0)" : nil }
        }
        let own = ServerAddress(site: self)
        // An import keeps the whole address, of which the item has only parts.
        return sites.first { ServerAddress(site: $0) == own } ?? own.text
    }

    /// The addresses that an import has stored beside the item.
    private func sites(in keychain: Keychain) throws -> [String] {
        var selection = ItemSelection(service: "fields:\(service)", account: account, group: group)
        selection.classes = [.genericPassword]
        guard let secret = try selection.itemsOfName(in: keychain).first?.secret(in: keychain) else { return [] }
        return (try? JSONTree(secret).root)?["sites"]?.elements.compactMap(\.text) ?? []
    }
}

extension CommandRun {
    /// Whether programs with windows can be started.
    var hasDisplay: Bool { ["WAYLAND_DISPLAY", "DISPLAY"].contains { context.environment[$0]?.isEmpty == false } }

    /// Opens an address in the browser, which goes on after this call.
    func open(_ address: WebAddress) throws {
        let script = """
            command -v xdg-open >/dev/null || exit 127
            exec setsid --fork xdg-open "$0" </dev/null >/dev/null 2>&1
            """
        let words = ["sh", "-c", script, address.text]
        let call = ProgramCall(words: words, removedPrefixes: ["COFFER_"], closedDescriptors: [])
        guard let connection = try? context.machine.connect(to: call), connection.end() == .status(0) else {
            throw CommandError(
                .unavailable,
                "the browser cannot be started: xdg-open is missing",
                hints: ["`coffer get --url` prints the address"]
            )
        }
        messages.note("opened \(address.text)")
    }
}
