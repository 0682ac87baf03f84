internal import Coffer
internal import CofferBasics

/// What one word of a call can name: `Spec/command.md`, section 2.
enum ItemWord {
    /// The accounts and services that `kim@mail` and `mail/kim` can mean.
    static func split(_ word: String) -> [(service: String, account: String)] {
        var names: [(String, String)] = []
        // Accounts are often email addresses, services seldom.
        if let at = word.lastIndex(of: "@") { names.append((String(word[at...].dropFirst()), String(word[..<at]))) }
        if let slash = word.lastIndex(of: "/") {
            names.append((String(word[..<slash]), String(word[slash...].dropFirst())))
        }
        return names.filter { !$0.0.isEmpty }
    }

    /// The service of cargo's token for a registry, such as `sparse+https://example.com/index/`; nil for other words.
    static func cargoService(_ word: String) -> AttributeText? {
        // Cargo refuses a registry whose address has no slash at its end.
        word.hasPrefix("sparse+http") ? "cargo-registry:\(word)\(word.hasSuffix("/") ? "" : "/")" : nil
    }

    /// Throws if an address has a password, without repeating it.
    static func check(_ word: String) throws {
        let parts = AddressParts(word.utf8Span.span)
        guard parts.scheme == nil || parts.password == nil, !word.hasPrefix("otpauth://") else {
            throw CommandError.secretAsArgument(
                hints: ["leave it out; `coffer set` and `coffer otp --set` read it"]
            )
        }
    }
}

extension ItemSelection {
    /// What the words can mean, in the order in which it is tried: the name as a whole, an address, two names in one.
    private var forms: [ItemSelection] {
        guard let word = service?.string, address == nil, chosen == nil else { return [self] }
        var forms = [self]
        func add(_ service: AttributeText, _ account: AttributeText?, _ classes: KeychainClass...) {
            var form = self
            (form.service, form.account) = (service, account)
            form.classes = self.classes.filter { classes.contains($0) }
            if !form.classes.isEmpty { forms.append(form) }
        }
        if let service = ItemWord.cargoService(word) {
            add(service, account ?? "", .genericPassword)
        } else if let address = ServerAddress(word) {
            add(address.server, account ?? ServerAddress.user(of: word), .internetPassword)
            if forms.count > 1 { forms[1].address = address }
        } else if account == nil {
            for name in ItemWord.split(word) {
                add(AttributeText(name.service), AttributeText(name.account), .genericPassword, .internetPassword)
            }
        }
        return forms
    }

    /// What is found of the first of the forms of which something is; of this selection if nothing is of any.
    ///
    /// Of several groups that a grant has given, one comes before the next, whatever the form: see `SearchScope`.
    func firstFound<Found>(
        in keychain: Keychain,
        isNothing: (Found) -> Bool,
        _ find: (ItemSelection) throws -> Found
    ) throws -> Found {
        for form in try formsInTurn(in: keychain) {
            let found = try find(form)
            if !isNothing(found) { return found }
        }
        return try find(self)
    }

    /// The forms of this selection in the groups to search; none if it is the only form.
    private func formsInTurn(in keychain: Keychain) throws -> [ItemSelection] {
        let forms = forms
        guard forms.count > 1 else { return [] }
        return try groupsInTurn(in: keychain).flatMap { group in
            forms.map { form in
                var form = form
                form.group = group
                return form
            }
        }
    }

    /// The groups to search one after the other, until one of them has a match; nil stands for all that answer.
    func groupsInTurn(in keychain: Keychain) throws -> [String?] {
        let groups = group == nil ? try keychain.groupsInTurn.map(Optional.some) : []
        return groups.isEmpty ? [group] : groups
    }

    /// Whether passwords are selected, which have accounts.
    var isOfPasswords: Bool { classes.contains { $0 == .genericPassword || $0 == .internetPassword } }

    /// The items that are for the address, if there is one: those with its path, else all if it has no path.
    func narrowed(_ items: [FoundItem]) -> [FoundItem] {
        guard let address else { return items }
        let found = items.filter { address.isServer(of: $0) }
        let exact = found.filter { address.isPath(of: $0) }
        return exact.isEmpty && address.path?.isEmpty ?? true ? found : exact
    }
}

extension ServerAddress {
    /// The user in an address.
    static func user(of text: String) -> AttributeText? {
        let bytes = text.utf8Span.span
        return AddressParts(bytes).user.map { bytes.extracting($0).unescaped.text }
    }
}

extension CommandError {
    /// The error that a secret was given where others can read it; it is not repeated.
    static func secretAsArgument(hints: [String]) -> CommandError {
        usage("a secret cannot be an argument: other users could read it there", hints: hints)
    }
}

extension CommandRun {
    /// The selection of a verb that changes items, from the operands, `--group` and `--class`.
    ///
    /// - Returns: The selection.
    /// - Throws: `CommandError` if the only word can name a service, or a service and an account.
    func selectionToChange() throws -> ItemSelection {
        let selection = try selectionOfClass()
        guard let word = arguments.operand(0), arguments.operand(1) == nil, !word.contains(text: "://"),
            selection.isOfPasswords,
            let name = ItemWord.split(word).first(where: { !$0.account.isEmpty })
        else { return selection }
        throw CommandError.usage(
            "USER is missing, and \(word.printable) may contain it",
            hints: [
                "`\(call(name.service, name.account))` is about an account of a service",
                "`\(call(word, ""))` is about a service of this name",
            ]
        )
    }

    /// A call of this verb for an item.
    func call(_ service: String, _ account: String) -> String {
        let verb = (arguments.verb?.name ?? "") + (arguments.has(.store) ? " --set" : "")
        return "coffer \(verb) \(service.shellWord) \(account.shellWord)"
    }
}
