internal import Coffer
internal import CofferBasics

/// The passwords of registries: `Spec/command.md`, section 13.
struct DockerCredentials {
    typealias Password = Stored<InternetPassword>

    private static let byteCountLimit = 1 << 20
    private static let label: AttributeText = "Docker Credentials"
    // Docker compares errors with these texts.
    private static let notFound = CommandError(.notFound, "credentials not found in native keychain")
    private static let noServer = CommandError(.failure, "no credentials server URL")
    private static let noUsername = CommandError(.failure, "no credentials username")

    private let run: Run

    init(_ run: Run) {
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
            let former = try items(url, in: keychain).filter { $0.item.securityDomain == url }
            try keychain.transaction { transaction in
                // A registry has only one user.
                for password in former where password.item.account != username {
                    try transaction.delete(password.reference)
                }
                try secret.bytes.withSpan { bytes in
                    _ = try transaction.save(item, secret: bytes)
                }
            }
        }
    }

    private func get() throws {
        let url = try urlFromInput()
        let found = try run.withKeychainIfAny { keychain throws -> (AttributeText, HeldSecret)? in
            guard let password = try items(url, in: keychain).first,
                let secret = try keychain.heldSecret(of: password.reference)
            else {
                try run.explainAbsence(in: keychain)
                return nil
            }
            return (password.item.account, secret)
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
            let all = try items(url, in: keychain)
            // Passwords stored under this exact URL, if there are any; else those with an equivalent URL.
            let exact = all.filter { $0.item.securityDomain == url }
            let passwords = exact.isEmpty ? all : exact
            guard !passwords.isEmpty else {
                try run.explainAbsence(in: keychain)
                return 0
            }
            try keychain.transaction { transaction in
                for password in passwords { try transaction.delete(password.reference) }
            }
            return passwords.count
        }
        guard let count, count > 0 else { throw Self.notFound }
    }

    private func list() throws {
        let found = try run.withKeychainIfAny { keychain in
            try keychain.items(InternetPassword.self, whereAll: [.synchronizable(.any), .label(Self.label)] + group)
        }
        var members: [(key: String, value: JSON)] = []
        for password in found ?? [] {
            let url = password.item.securityDomain
            guard let url = url.string, !url.isEmpty, !members.contains(where: { $0.key == url }) else { continue }
            members.append((url, .string(password.item.account.shown)))
        }
        try run.output.write(json: .object(members))
    }

    // MARK: - Items

    private var group: [ItemCondition<InternetPassword>] {
        run.arguments.value(of: .group).map { [.group($0)] } ?? []
    }

    /// The passwords of a registry: those stored under this exact URL first, then those with an equivalent URL.
    private func items(_ url: AttributeText, in keychain: Keychain) throws -> [Password] {
        let address = try ServerAddress(registry: url)
        let conditions: [ItemCondition<InternetPassword>] = [
            .synchronizable(.any), .label(Self.label), .server(address.server),
        ]
        let found = try keychain.items(InternetPassword.self, whereAll: conditions + group)
        let exact = found.filter { $0.item.securityDomain == url }
        let alike = found.filter { stored in
            let item = stored.item
            return item.securityDomain != url && item.protocol == address.itemProtocol && item.port == address.port
                && item.path == address.path ?? ""
        }
        return exact + alike
    }

    private func item(_ url: AttributeText, _ username: AttributeText) throws -> InternetPassword {
        let address = try ServerAddress(registry: url)
        var item = InternetPassword(server: address.server, account: username, protocol: address.itemProtocol)
        item.port = address.port
        item.path = address.path ?? ""
        item.securityDomain = url
        item.label = Self.label
        item.accessGroup = run.arguments.value(of: .group)
        return item
    }

    /// The URL on standard input, without surrounding whitespace.
    private func urlFromInput() throws -> AttributeText {
        let input = try run.helperInput(byteCountLimit: Self.byteCountLimit)
        let bytes = input.bytes.withSpan { bytes in bytes.indices.map { bytes[$0] } }
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains($0) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
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
        let bytes = url.bytes
        var rest = bytes[...]
        scheme = "https"
        let separator = Array("://".utf8)
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: separator) {
            let name = String(decoding: bytes[..<colon], as: UTF8.self)
            guard ["http", "https"].contains(name.lowercased()) else {
                throw CommandError(.failure, "unsupported scheme: \(name.printable)")
            }
            scheme = AttributeText(name.lowercased())
            rest = bytes[(colon + separator.count)...]
        }
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        (server, port) = Self.hostAndPort(AttributeText(bytes: Array(rest[..<slash])))
        path = slash == rest.endIndex ? nil : AttributeText(bytes: Array(rest[slash...]))
    }
}
