internal import CofferBasics

extension Form where Content == JSONNode {
    static var docker: Form {
        Form {
            $0["auths"]?.kind == .object || $0["credHelpers"]?.kind == .object || $0["credsStore"]?.kind == .string
        } read: { root, _ in
            try DockerConfig.read(root)
        }
    }
}

/// Docker's `config.json`: registries with user names and passwords.
enum DockerConfig {
    static func read(_ root: JSONNode) throws -> PasswordFile {
        var file = PasswordFile(form: "Docker configuration", byteCount: root.tree.bytes.byteCount)
        var members = JSONMembers(root)
        if let registries = members.object("auths") {
            for (index, registry) in registries.members.enumerated() {
                let place = "registry \(index + 1) (\(registry.name.printable))"
                guard !registry.value.isEmpty else {
                    try file.refuse("\(place): its password is in a credential helper")
                    continue
                }
                for record in records(registry.value, of: registry.name, at: place) { try file.append(record) }
            }
        }
        if let helper = members.text("credsStore") { file.losses.append("passwords in the helper \(helper.printable)") }
        members.members("credHelpers").forEachRest { registry, helper in
            let name = helper.text ?? ""
            file.losses.append("the password of \(registry.printable), in the helper \(name.printable)")
        }
        members.forEachRest { name, _ in file.losses.append("setting \(name.printable)") }
        return file
    }

    /// The record of a registry, and one for each of its tokens.
    private static func records(_ registry: JSONNode, of name: String, at place: String) -> [PasswordRecord] {
        var members = JSONMembers(registry)
        var record = PasswordRecord(at: place)
        record.title = name
        record.addSite(name.contains(text: "://") ? name : "https://" + name)
        if let auth = members.base64("auth") {
            record.readBasicAuthentication(auth)
        }
        record.setAccount(members.secret("username"), orField: "username")
        record.setSecret(members.secret("password"), orField: "password")
        record.add("email", members.secret("email"))
        var tokens: [PasswordRecord] = []
        for kind in ["identitytoken", "registrytoken"] {
            guard let secret = members.secret(kind) else { continue }
            var token = PasswordRecord(at: place)
            (token.title, token.sites, token.account, token.secret) = (name, record.sites, "<token>", secret)
            token.add("kind", text: kind)
            tokens.append(token)
        }
        record.addRest(of: members)
        let isEmpty = record.secret == nil && record.account.isEmpty && record.fields.isEmpty
        return isEmpty ? tokens : [record] + tokens
    }
}

extension PasswordRecord {
    /// Reads `user:password`, without NUL characters at the end, which Docker writes.
    mutating func readBasicAuthentication(_ text: HeldSecret) {
        text.withSpan { text in
            let text = text.extracting(0..<(text.lastNonZeroIndex.map { $0 + 1 } ?? 0))
            guard let colon = text.indices.first(where: { text[$0] == UInt8(ascii: ":") }) else {
                return secret = HeldSecret(copying: text)
            }
            account = text.extracting(0..<colon).text
            secret = HeldSecret(copying: text.extracting(colon + 1..<text.count))
        }
    }
}
