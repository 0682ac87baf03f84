internal import Coffer
internal import CofferBasics
internal import VaultFiles

/// The answer to git.
private struct GitAnswer {
    var username: AttributeText
    var secret: HeldSecret?
    var notes: GitNotes
    var refreshToken: HeldSecret?
}

extension GitPasswords {
    /// Prints the password for git, if there is one.
    func give() throws {
        guard identifiesServer else { return }
        let found = try run.withKeychainIfAny { keychain in
            let answer = try answer(in: keychain)
            if answer == nil { try run.explainAbsence(in: keychain) }
            return answer
        }
        guard let answer = found ?? nil else { return }
        try check(answer)
        let type = answer.notes.authenticationType
        if let type {
            try write("capability[]", "authtype")
            try write("authtype", AttributeText(type))
        }
        if type == nil || !answer.username.isEmpty { try write("username", answer.username) }
        if let secret = answer.secret {
            try write(type == nil ? "password" : "credential", secret)
            if let expiry = answer.notes.expiry { try write("password_expiry_utc", "\(expiry)") }
        }
        if let token = answer.refreshToken { try write("oauth_refresh_token", token) }
    }

    /// The first item that git can use; else an expired one with a refresh token, which gets a new password.
    private func answer(in keychain: Keychain) throws -> GitAnswer? {
        let now = run.context.time.wallMicroseconds() / 1_000_000
        var expired: GitAnswer?
        for password in try itemsToGive(in: keychain) {
            let notes = GitNotes(password.text(.comment)?.description)
            let isUnderstood = notes.authenticationType == nil || credential.capabilities.contains("authtype")
            guard isUnderstood else { continue }
            let token = try token(of: password, in: keychain)
            var answer = GitAnswer(username: password.account, notes: notes)
            if let token { answer.refreshToken = try keychain.heldSecret(of: token.reference) }
            if let expiry = notes.expiry, expiry <= now {
                if answer.refreshToken != nil { expired = expired ?? answer }
                continue
            }
            guard let secret = try password.secret(in: keychain) else { continue }
            answer.secret = secret
            return answer
        }
        return expired
    }

    /// Throws if a value would break the lines of the answer.
    private func check(_ answer: GitAnswer) throws {
        try check(answer.notes.authenticationType.map { HeldSecret(copying: $0.utf8Span.span) }, "authentication type")
        try check(HeldSecret(copying: answer.username.bytes.span), "username")
        try check(answer.secret, "password")
        try check(answer.refreshToken, "refresh token")
    }

    private func check(_ value: HeldSecret?, _ name: String) throws {
        let isBroken = value?.withSpan { $0.contains(UInt8(ascii: "\n")) || $0.contains(0) } ?? false
        guard !isBroken else {
            throw CommandError(
                .failure,
                "the \(name) for \(address.server.shown) contains a newline or a zero byte, so git cannot use it",
                hints: ["`coffer get` prints the bytes of a password"]
            )
        }
    }

    private func write(_ key: String, _ value: AttributeText) throws {
        try write(key, HeldSecret(copying: value.bytes.span))
    }

    private func write(_ key: String, _ value: HeldSecret) throws {
        try run.output.write("\(key)=")
        try value.withSpan { bytes in try run.output.write(bytes) }
        try run.output.write("\n")
    }
}
