internal import Coffer
internal import CofferBasics

extension Verb {
    static let cargoHelper = Verb(
        "helper cargo",
        .programs,
        "Provide cargo with registry tokens and store them",
        details: """
            Cargo calls it by the name cargo-credential-coffer, a link to coffer, and sends requests on standard \
            input: get, login and logout. Errors are answers too, so the exit code is 0.

            A token is stored as a generic password, as cargo does on a Mac: `coffer get cargo-registry:URL` prints it, \
            and `coffer set sparse+https://…` stores one.
            """,
        examples: [
            Example(
                call: "cargo login --registry example",
                purpose: #"store a token, if Cargo's config.toml has credential-provider = "cargo-credential-coffer""#
            )
        ]
    ) { run in
        try run.output.write(line: #"{"v":[1]}"#)
        try run.output.flush()
        let lines = LineInput(run.context.input)
        while !lines.isBroken, run.interruption == nil {
            do {
                guard let line = try lines.nextBytes() else { return }
                try CargoRequest(run, line).answer()
            } catch {
                let error = CommandError(error)
                // A signal ends the program as in any other verb.
                guard error.signal == nil else { throw error }
                let message = JSON.string(error.answer).text
                try run.output.write(line: #"{"Err":{"kind":"other","message":\#(message),"caused-by":[]}}"#)
            }
            try run.output.flush()
        }
    }
}

/// A request of cargo: `Spec/command.md`, section 13.
private struct CargoRequest {
    private let run: CommandRun
    private let texts: [String: HeldSecret]
    private let item: GenericPassword
    private var name: AttributeText { AttributeText(bytes: item.serviceBytes) }

    init(_ run: CommandRun, _ line: HeldSecret) throws {
        self.run = run
        texts = try line.texts(
            of: ["v", "kind", "registry.index-url", "token", "login-url", "args"],
            literals: ["v", "args"]
        )
        guard texts["v"]?.text == "1" else { throw CommandError(.failure, "unsupported protocol version") }
        guard texts["args"].map({ $0.text == "[]" }) ?? true else {
            throw CommandError(
                .failure,
                "arguments of a credential provider are not supported",
                hints: ["use variables such as COFFER_VAULT"]
            )
        }
        guard let url = texts["registry.index-url"]?.text, !url.isEmpty else {
            throw CommandError(.failure, "the request has no index-url")
        }
        // As cargo itself stores it in the keychain of a Mac.
        var item = GenericPassword()
        item.serviceBytes = "cargo-registry:".utf8 + url.bytes
        self.item = item
    }

    func answer() throws {
        switch texts["kind"]?.text.string {
        case "get": try get()
        case "login": try login()
        case "logout": try logout()
        default: try run.output.write(line: #"{"Err":{"kind":"operation-not-supported"}}"#)
        }
    }

    private func get() throws {
        let token = try run.withKeychainIfAny { keychain throws -> HeldSecret? in
            let item = try items(in: keychain).first.map { FoundItem($0) }
            if item == nil { try run.explainAbsence(in: keychain) }
            return try item.flatMap { try $0.secret(in: keychain) }
        }
        guard let token = token ?? nil else { return try notFound() }
        try run.output.write(
            #"{"Ok":{"kind":"get","#,
            members: [("token", token)],
            #","cache":"session","operation_independent":true}}"#,
            of: name.shown,
            for: "cargo"
        )
    }

    private func login() throws {
        let token = try texts["token"] ?? askedToken()
        guard token.byteCount > 0 else { throw CommandError(.failure, "the token is empty") }
        var item = item
        item.attributes[.label] = item.attributes[.service]
        item.accessGroup = run.arguments.value(of: .group)
        try run.vaults.withKeychain(for: .storing) { keychain in
            _ = try token.withSpan { bytes in try keychain.save(item, secret: bytes) }
        }
        try run.output.write(line: #"{"Ok":{"kind":"login"}}"#)
    }

    private func askedToken() throws -> HeldSecret {
        let source = texts["login-url"]?.text ?? name
        let typed = try run.prompter.secret("Token from \(source.shown): ", byteCountLimit: 4096, for: "a token")
        guard let typed else { throw CommandError(.failure, "no token was entered") }
        return typed.secret
    }

    private func logout() throws {
        let count = try run.withKeychainIfAny(for: .changing) { keychain in
            let items = try items(in: keychain)
            if items.isEmpty { try run.explainAbsence(in: keychain) }
            try keychain.transaction { transaction in
                for item in items { try transaction.delete(item.reference) }
            }
            return items.count
        }
        guard let count, count > 0 else { return try notFound() }
        try run.output.write(line: #"{"Ok":{"kind":"logout"}}"#)
    }

    private func notFound() throws { try run.output.write(line: #"{"Err":{"kind":"not-found"}}"#) }

    private func items(in keychain: Keychain) throws -> [Stored<GenericPassword>] {
        var conditions: [ItemCondition<GenericPassword>] = [
            .synchronizable(.any), .serviceBytes(item.serviceBytes), .account(""),
        ]
        if let group = run.arguments.value(of: .group) { conditions.append(.group(group)) }
        return try keychain.items(GenericPassword.self, where: .all(conditions))
    }
}
