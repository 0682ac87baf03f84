internal import Coffer
internal import CofferBasics

/// The passwords of registries: `Spec/command.md`, section 13.
struct DockerCredentials {
    private static let byteCountLimit = 1 << 20
    private static let label = "Docker Credentials"
    // Docker compares errors with these texts.
    private static let notFound = CommandError(.notFound, "credentials not found in native keychain")
    private static let noServer = CommandError(.failure, "no credentials server URL")
    private static let noUsername = CommandError(.failure, "no credentials username")

    private let run: CommandRun

    init(_ run: CommandRun) {
        self.run = run
    }

    func perform(_ words: [String]) throws {
        guard words.count == 1 else {
            throw CommandError.usage("Usage: docker-credential-coffer <store|get|erase|list|version>")
        }
        switch words[0] {
        case "store": try store()
        case "get": try get()
        case "erase": try erase()
        case "list": try list()
        case "version": try run.output.write(line: "docker-credential-coffer (coffer) \(Version.text)")
        default: throw CommandError.usage("Unknown credential action `\(words[0].printable)`")
        }
    }

    private func store() throws {
        let input = try run.helperInput(byteCountLimit: Self.byteCountLimit)
        let texts = try input.texts(of: ["ServerURL", "Username", "Secret"])
        guard let url = texts["ServerURL"]?.text, !url.isEmpty else { throw Self.noServer }
        guard let username = texts["Username"]?.text, !username.isEmpty else { throw Self.noUsername }
        let secret = texts["Secret"] ?? HeldSecret(buffer: SecretBuffer(byteCount: 0))
        let item = try item(url, username)
        try run.vaults.withKeychain(for: .storing) { keychain in
            let own = try ownItems(url, in: keychain)
            // What another program or the user has stored, and `get` gives, is changed in place.
            let other =
                try own.isEmpty ? otherItems(url, username, in: keychain).first { $0.account == username } : nil
            let former = own.filter { $0.text(.securityDomain) == url }
            try keychain.transaction { transaction in
                // A registry has only one user.
                for password in former where password.account != username {
                    if let reference = KeychainReference<InternetPassword>(password.reference) {
                        try transaction.delete(reference)
                    }
                }
                try secret.withSpan { bytes in
                    let item = other.map { $0.password($0.attributes) } ?? item
                    _ = try item.save(in: &transaction, secret: bytes)
                }
            }
        }
    }

    private func get() throws {
        let url = try urlFromInput()
        let found = try run.withKeychainIfAny { keychain throws -> (AttributeText, HeldSecret)? in
            let own = try ownItems(url, in: keychain)
            guard let password = try own.first ?? otherItems(url, in: keychain).first,
                let secret = try password.secret(in: keychain)
            else {
                try run.explainAbsence(in: keychain)
                return nil
            }
            return (password.account, secret)
        }
        guard let (username, secret) = found ?? nil else { throw Self.notFound }
        let members = [
            ("ServerURL", HeldSecret(copying: url.bytes.span)), ("Username", HeldSecret(copying: username.bytes.span)),
            ("Secret", secret),
        ]
        try run.output.write("{", members: members, "}", of: url.shown, for: "docker")
    }

    private func erase() throws {
        let url = try urlFromInput()
        let count = try run.withKeychainIfAny(for: .changing) { keychain in
            let all = try ownItems(url, in: keychain)
            // Passwords stored under this exact URL, if there are any; else those with an equivalent URL.
            let exact = all.filter { $0.text(.securityDomain) == url }
            var passwords = exact.isEmpty ? all : exact
            if passwords.isEmpty { passwords = try Array(otherItems(url, in: keychain).prefix(1)) }
            let references = passwords.compactMap { KeychainReference<InternetPassword>($0.reference) }
            guard !references.isEmpty else {
                try run.explainAbsence(in: keychain)
                return 0
            }
            try keychain.transaction { transaction in
                for reference in references { try transaction.delete(reference) }
            }
            return references.count
        }
        guard let count, count > 0 else { throw Self.notFound }
    }

    private func list() throws {
        let found = try run.withKeychainIfAny { keychain in
            try keychain.items(InternetPassword.self, where: .all([.synchronizable(.any), .label(Self.label)] + group))
        }
        var members: [(key: String, value: JSON)] = []
        for password in found ?? [] {
            let url = String(validating: password.item.securityDomainBytes, as: UTF8.self)
            guard let url, !url.isEmpty, !members.contains(where: { $0.key == url }) else { continue }
            members.append((url, .string(AttributeText(bytes: password.item.accountBytes).shown)))
        }
        try run.output.write(json: .object(members))
    }

    // MARK: - Items

    private var group: [ItemCondition<InternetPassword>] {
        run.arguments.value(of: .group).map { [.group($0)] } ?? []
    }

    /// Credentials that docker stored for a registry: those with this exact URL, then those with an equivalent one.
    private func ownItems(_ url: AttributeText, in keychain: Keychain) throws -> [FoundItem] {
        let address = try ServerAddress(registry: url)
        let conditions: [ItemCondition<InternetPassword>] = [
            .synchronizable(.any), .label(Self.label), .server(address.server),
        ]
        let found = try keychain.items(InternetPassword.self, where: .all(conditions + group)).map { FoundItem($0) }
        let exact = found.filter { $0.text(.securityDomain) == url }
        let alike = found.filter { item in
            item.text(.securityDomain) != url && address.isServer(of: item) && item.path == address.path ?? ""
        }
        return exact + alike
    }

    /// Other web passwords for a registry, the most recently changed first, but for those that git has stored; else the
    /// generic passwords that stand in for them.
    private func otherItems(
        _ url: AttributeText,
        _ username: AttributeText? = nil,
        in keychain: Keychain
    ) throws -> [FoundItem] {
        let address = try ServerAddress(registry: url)
        let conditions: [ItemCondition<InternetPassword>] = [.synchronizable(.any), .server(address.server)]
        let found = try keychain.items(InternetPassword.self, where: .all(conditions + group)).map { FoundItem($0) }
        let web = found.filter { item in
            address.isServer(of: item) && item.text(.securityDomain)?.isEmpty ?? true
                && item.text(.label)?.bytes != item.service.bytes + " (git)".utf8
                && (item.path.isEmpty || address.isPath(of: item))
        }
        guard web.isEmpty else { return web.sorted { $0.modified > $1.modified } }
        let group = run.arguments.value(of: .group)
        return try address.standIns(account: username, group: group, in: keychain)
    }

    private func item(_ url: AttributeText, _ username: AttributeText) throws -> InternetPassword {
        let address = try ServerAddress(registry: url)
        var item = InternetPassword(server: address.server, account: username, protocol: address.itemProtocol)
        item.port = address.port
        item.pathBytes = address.path?.bytes ?? []
        item.securityDomainBytes = url.bytes
        item.label = Self.label
        item.accessGroup = run.arguments.value(of: .group)
        return item
    }

    /// The URL on standard input, without surrounding whitespace.
    private func urlFromInput() throws -> AttributeText {
        let input = try run.helperInput(byteCountLimit: Self.byteCountLimit)
        let bytes = input.withSpan { bytes in [UInt8](copying: bytes) }
        guard let first = bytes.firstIndex(where: { !$0.isWhiteSpace }),
            let last = bytes.lastIndex(where: { !$0.isWhiteSpace })
        else { throw Self.noServer }
        return AttributeText(bytes: Array(bytes[first...last]))
    }
}

extension ServerAddress {
    /// The address of a registry; a URL without a scheme means `https`.
    ///
    /// - Parameter url: The URL as docker writes it.
    /// - Throws: `CommandError` for a scheme that registries do not have, as in the helpers of Docker.
    init(registry url: AttributeText) throws {
        let bytes = url.bytes.span
        let parts = AddressParts(bytes)
        let name = parts.scheme.map { String(decoding: url.bytes[$0], as: UTF8.self) } ?? "https"
        guard ["http", "https"].contains(name.lowercased()) else {
            throw CommandError(.failure, "unsupported scheme: \(name.printable)")
        }
        scheme = AttributeText(name.lowercased())
        (server, port) = Self.hostAndPort(bytes.extracting(parts.host).attributeText)
        path = parts.rest.isEmpty ? nil : bytes.extracting(parts.rest).attributeText
    }
}
