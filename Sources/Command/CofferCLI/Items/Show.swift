internal import Coffer
internal import CofferBasics
internal import CofferCertificates

extension Verb {
    static let show = Verb(
        "show",
        .items,
        "Show all attributes of an item, without its secret",
        operands: [.optionalService, .optionalAccount],
        options: [.itemClass],
        details: """
            Without a terminal, each line has a name and a value, separated by a tab. With --json the output is one \
            object, in which "attributes" holds the attributes under Apple's four-letter names.
            """,
        examples: [Example(call: "coffer show mail kim", purpose: "show label, comment, dates and protection")]
    ) { run in
        let selection = try run.chosen(run.selectionOfClass())
        let (item, secret, certificate) = try run.withItem(selection, namingOthers: true) { item, keychain in
            let size = try item.secretSize(in: keychain)
            return (item, size, try size.isReadable ? item.certificate(in: keychain) : nil)
        }
        guard !run.isJSON else {
            let members: [(key: String, value: JSON)] = [
                ("secretByteCount", secret.json), ("attributes", item.attributesJSON),
            ]
            return try run.output.write(json: item.json.with((certificate?.members ?? []) + members))
        }
        try run.facts(of: item, secret, certificate).write(to: run.output, isColored: run.printsColor)
    }
}

extension CommandRun {
    /// What is known of an item.
    func facts(
        of item: FoundItem,
        _ secret: FoundItem.SecretSize,
        _ certificate: X509Certificate?
    ) -> FactList {
        var facts = FactList()
        facts.add("class", item.itemClass.shortName)
        let isForPeople = output.isTerminal || screen != nil
        var own: [AttributeName] = [.accessGroup, .accessibility, .accessControl, .synchronizable]
        if let certificate {
            add(certificate, to: &facts)
            own += [.subject, .issuer, .serialNumber]
        }
        if isForPeople, item.itemClass == .internetPassword {
            let address = ServerAddress(of: item)
            facts.add("address", address.text.printable)
            own += [.server, .port, .path] + (address.scheme.isEmpty ? [] : [.protocol])
            if item.attributes[.authenticationType] == "dflt" { own.append(.authenticationType) }
        }
        for name in item.attributes.values.keys.sorted(by: AttributeName.isBefore)
        where !own.contains(where: { $0.rawValue == name }) {
            facts.add(AttributeName.shown(name, toPeople: isForPeople), item.attributes[name]?.shown(shown))
        }
        facts.add("group", item.group.printable)
        facts.add("protection", item.accessibility?.commandName ?? "unknown")
        if let control = item.attributes.accessControl { facts.add("requires", control.shown) }
        facts.add("synchronizable", item.isSynchronizable ? "yes" : "no")
        facts.add("created", shown(item.created))
        facts.add("modified", shown(item.modified))
        facts.add("revision", item.revision.description)
        facts.add("secret", secret.shown)
        facts.add("reference", item.reference.name)
        return facts
    }
}

extension AccessControl {
    /// What the item demands, in words.
    fileprivate var shown: String {
        guard let conditions else { return "nothing" }
        let names: [(AccessControl.Conditions, String)] = [
            (.userPresence, "the user, by passphrase or biometry"), (.biometryAny, "biometry"),
            (.biometryCurrentSet, "biometry that was enrolled when the item was stored"),
            (.companion, "a paired device"),
            (.devicePasscode, "the passphrase of the vault"),
        ]
        let ways = names.filter { conditions.contains($0.0) }.map(\.1)
        var parts = ways.isEmpty ? [] : [ways.joined(separator: conditions.contains(.or) ? " or " : " and ")]
        if conditions.contains(.privateKeyUsage) { parts.append("to use the private key, which cannot be read") }
        if conditions.contains(.applicationPassword) { parts.append("an application password") }
        return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
    }
}

extension FoundItem {
    /// The size of a secret.
    enum SecretSize {
        case none
        case byteCount(Int)
        case damaged

        /// The size in words.
        var shown: String {
            switch self {
            case .none: "none"
            case .byteCount(1): "1 byte"
            case .byteCount(let count): "\(count) bytes"
            case .damaged: "damaged"
            }
        }

        /// Whether there is a secret that can be read.
        var isReadable: Bool { if case .byteCount = self { true } else { false } }

        /// The size as JSON.
        var json: JSON {
            if case .byteCount(let count) = self { JSON(count) } else { .null }
        }
    }

    /// The size of the secret, which is read for this.
    func secretSize(in keychain: Keychain) throws -> SecretSize {
        do {
            guard let secret = try secret(in: keychain) else { return .none }
            return .byteCount(secret.byteCount)
        } catch KeychainError.vault(let problem) where problem.kind == .damagedItem {
            return .damaged
        }
    }

    /// The attributes under Apple's names.
    fileprivate var attributesJSON: JSON {
        .object(attributes.values.keys.sorted().map { ($0, attributes[$0]?.json ?? .null) })
    }
}
