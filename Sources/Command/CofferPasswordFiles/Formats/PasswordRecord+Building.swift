internal import CofferBasics

extension PasswordRecord {
    /// Adds a field, unless it has no value.
    mutating func add(_ name: String, _ value: HeldSecret?, isHidden: Bool = false) {
        guard let value, !value.isEmpty else { return }
        fields.append(Field(name, value, isHidden: isHidden))
    }

    /// Adds a field, unless it has no value; objects and arrays become JSON text.
    mutating func add(_ name: String, _ value: JSONNode?, isHidden: Bool = false) {
        guard let value, !value.isEmpty else { return }
        add(name, value.secret ?? value.source, isHidden: isHidden)
    }

    /// Adds a visible field, unless it has no value.
    mutating func add(_ name: String, text: String?) {
        guard let text, !text.isEmpty else { return }
        fields.append(Field(name, HeldSecret(text: text)))
    }

    /// Whether a member of a card or of a document is hidden: numbers and codes.
    static func isSecretName(_ name: String) -> Bool {
        let secret = ["code", "pin", "ssn", "iban", "swiftCode", "privateKey", "password"]
        return secret.contains(name) || name.hasSuffix("umber") && !name.lowercased().contains(text: "phone")
    }

    /// Adds the members that the reader does not know as fields, hidden since any may be a secret.
    mutating func addRest(of members: JSONMembers, in outer: String = "") {
        members.forEachRest { name, value in add(Self.name(name, in: outer), value, isHidden: true) }
    }

    /// The name of a field inside of something with a name.
    ///
    /// A long outer name is shortened: many fields may be in it.
    static func name(_ name: String, in outer: String) -> String {
        outer.isEmpty ? name : "\(outer.shortened): \(name)"
    }

    /// Begins a section: a title that is too long to be in the names of its fields becomes a field.
    mutating func beginSection(_ title: String) {
        if title.shortened != title { add("section", text: title) }
    }

    /// Sets the password, or adds a field if there is one already.
    mutating func setSecret(_ value: HeldSecret?, orField name: String) {
        guard let value else { return }
        if secret == nil { secret = value } else { add(name, value, isHidden: true) }
    }

    /// Sets the account, or adds a field if there is one already.
    mutating func setAccount(_ value: HeldSecret?, orField name: String) {
        guard let value else { return }
        if account.isEmpty { account = value.text } else { add(name, value) }
    }

    /// Adds an address, unless it is empty.
    mutating func addSite(_ site: String?) {
        guard let site, !site.isEmpty else { return }
        sites.append(site)
    }

    // MARK: - One-time passwords

    /// Adds a one-time password in any form; text that is none becomes a hidden field of this name.
    ///
    /// Set title and account first: they become the label of a generator without one.
    mutating func addOneTimePassword(_ text: HeldSecret?, field name: String) {
        guard let text, !text.isEmpty else { return }
        do throws(OneTimePasswordError) {
            add(try text.withSpan { text throws(OneTimePasswordError) in try OneTimePasswordURI(text) })
        } catch {
            losses.append("the one-time password was kept as a field: \(error.description)")
            add(name, text, isHidden: true)
        }
    }

    /// Adds a one-time password.
    mutating func add(_ generator: OneTimePasswordURI) {
        var generator = generator
        generator.label(issuer: title.shortened, account: account.shortened)
        oneTimePasswords.append(generator.text)
    }

    // MARK: - Former passwords

    /// Adds former passwords, the oldest first; those without a date come before the others.
    mutating func addFormerSecrets(_ secrets: [FormerSecret]) {
        // Compares positions too, since sorting need not keep the order of equal dates.
        let sorted = secrets.enumerated().sorted { one, other in
            (one.element.time ?? .min, one.offset) < (other.element.time ?? .min, other.offset)
        }
        formerSecrets += sorted.map(\.element)
    }
}

extension HeldSecret {
    /// The bytes of text that is not secret.
    convenience init(text: String) {
        let bytes = Array(text.utf8)
        self.init(copying: bytes.span)
    }
}

extension String {
    /// Whether the text has more than 200 bytes.
    var isLong: Bool { utf8.count > 200 }

    /// The text, or its beginning if it has more than 200 bytes: for names that are repeated many times.
    var shortened: String {
        !isLong ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(50))) + "\u{2026}"
    }
}
