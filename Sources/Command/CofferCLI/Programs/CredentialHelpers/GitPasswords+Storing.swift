internal import Coffer
internal import CofferBasics

extension GitPasswords {
    /// Stores the credential, in place of what was stored before.
    func store() throws {
        guard !credential.isEphemeral else { return }
        let (username, secret) = try whole()
        try run.vaults.withKeychain(for: .storing) { keychain in
            let former = try itemsToGive(in: keychain).first { item in
                item.account == username && (item.itemClass == .genericPassword || address.isPath(of: item))
            }
            let item = item(username, former)
            let path = former?.path ?? address.path ?? ""
            let tokenItem = tokenItem(username, path, item.accessGroup)
            let formerToken = try former.flatMap { former in
                try token(of: former, in: keychain)
            }
            // Git sends every password back that it got from here, so an unchanged one is not written again.
            guard try !isStored(former, item, secret, formerToken, in: keychain) else { return }
            try keychain.transaction { transaction in
                try secret.withSpan { bytes in
                    _ = try item.save(in: &transaction, secret: bytes)
                }
                if let token = credential.refreshToken {
                    try token.withSpan { bytes in
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

    private func item(_ username: AttributeText, _ former: FoundItem?) -> any KeychainPassword {
        var item: any KeychainPassword
        if let former {
            item = former.password(former.attributes)
        } else {
            item = address.password(account: username)
            item.accessGroup = run.arguments.value(of: .group)
            let name = address.server.isEmpty ? address.path ?? "" : address.server
            item.attributes[.label] = ItemValue(textBytes: name.bytes + " (git)".utf8)
        }
        var notes = GitNotes(item.comment)
        notes.expiry = credential.expiry
        notes.authenticationType = credential.authenticationType?.string
        item.comment = notes.comment ?? (item.comment == nil ? nil : "")
        return item
    }

    private func isStored(
        _ former: FoundItem?,
        _ item: any KeychainPassword,
        _ secret: HeldSecret,
        _ token: Stored<GenericPassword>?,
        in keychain: Keychain
    ) throws -> Bool {
        guard let former, former.attributes == item.attributes,
            try former.secret(in: keychain) == secret
        else { return false }
        guard let wanted = credential.refreshToken else { return token == nil }
        guard let token else { return false }
        return try keychain.hasSecret(token.reference, wanted)
    }

    /// Deletes the credential that git rejects, if that is what is stored; never a generic password.
    func erase() throws {
        guard identifiesServer else { return }
        _ = try run.withKeychainIfAny(for: .changing) { keychain in
            for password in try items(in: keychain) {
                let notes = GitNotes(password.text(.comment)?.description)
                let isType = credential.authenticationType == nil || notes.authenticationType != nil
                guard isType else { continue }
                let secret = credential.password ?? credential.credential
                if let secret, try password.secret(in: keychain) != secret { continue }
                let token = try token(of: password, in: keychain)
                guard let reference = KeychainReference<InternetPassword>(password.reference) else { continue }
                try keychain.transaction { transaction in
                    try transaction.delete(reference, ifRevision: password.revision)
                    if let token { try transaction.delete(token.reference) }
                }
            }
        }
    }
}
