internal import Coffer
internal import CofferBasics

extension GitPasswords {
    /// Stores the credential, in place of what was stored before.
    func store() throws {
        guard !credential.isEphemeral else { return }
        let (username, secret) = try whole()
        try run.vaults.withKeychain(for: .storing) { keychain in
            let former = try items(in: keychain).first { stored in
                stored.item.account == username && stored.item.path == address.path ?? ""
            }
            let item = item(username, former)
            let tokenItem = tokenItem(username, item.path, item.accessGroup)
            let formerToken = try former.flatMap { former in
                try token(of: former, in: keychain)
            }
            // Git sends every password back that it got from here, so an unchanged one is not written again.
            guard try !isStored(former, item, secret, formerToken, in: keychain) else { return }
            try keychain.transaction { transaction in
                try secret.bytes.withSpan { bytes in
                    _ = try transaction.save(item, secret: bytes)
                }
                if let token = credential.refreshToken {
                    try token.bytes.withSpan { bytes in
                        _ = try transaction.save(tokenItem, secret: bytes)
                    }
                } else if let formerToken {
                    try transaction.delete(formerToken.reference)
                }
            }
        }
    }

    /// The user and the secret; throws if git did not send all that is needed.
    private func whole() throws -> (username: AttributeText, secret: HeldSecret) {
        guard identifiesServer else { throw incomplete("protocol or host") }
        if credential.authenticationType != nil {
            guard let secret = credential.credential else { throw incomplete("credential") }
            return (credential.username ?? "", secret)
        }
        guard let username = credential.username else { throw incomplete("username") }
        guard let secret = credential.password else { throw incomplete("password") }
        return (username, secret)
    }

    private func incomplete(_ key: String) -> CommandError {
        CommandError(.failure, "git sent no \(key); nothing was stored")
    }

    private func item(_ username: AttributeText, _ former: Password?) -> InternetPassword {
        var item: InternetPassword
        if let former {
            item = former.item
        } else {
            item = InternetPassword(server: address.server, account: username, protocol: address.itemProtocol)
            item.port = address.port
            item.path = address.path ?? ""
            item.authenticationType = .standard
            item.accessGroup = run.arguments.value(of: .group)
            item.label = AttributeText(
                bytes: (address.server.isEmpty ? item.path : address.server).bytes + " (git)".utf8
            )
        }
        var notes = GitNotes(item.comment)
        notes.expiry = credential.expiry
        notes.authenticationType = credential.authenticationType?.string
        item.comment = notes.comment ?? (item.comment == nil ? nil : "")
        return item
    }

    private func isStored(
        _ former: Password?,
        _ item: InternetPassword,
        _ secret: HeldSecret,
        _ token: Stored<GenericPassword>?,
        in keychain: Keychain
    ) throws -> Bool {
        guard let former, former.item == item, try keychain.hasSecret(former.reference, secret) else { return false }
        guard let wanted = credential.refreshToken else { return token == nil }
        guard let token else { return false }
        return try keychain.hasSecret(token.reference, wanted)
    }

    /// Deletes the credential that git rejects, if that is what is stored.
    func erase() throws {
        guard identifiesServer else { return }
        _ = try run.withKeychainIfAny(for: .changing) { keychain in
            for password in try items(in: keychain) {
                let isType =
                    credential.authenticationType == nil || GitNotes(password.item.comment).authenticationType != nil
                guard isType else { continue }
                let secret = credential.password ?? credential.credential
                if let secret, try !keychain.hasSecret(password.reference, secret) { continue }
                let token = try token(of: password, in: keychain)
                try keychain.transaction { transaction in
                    try transaction.delete(password.reference, ifRevision: password.revision)
                    if let token { try transaction.delete(token.reference) }
                }
            }
        }
    }
}
