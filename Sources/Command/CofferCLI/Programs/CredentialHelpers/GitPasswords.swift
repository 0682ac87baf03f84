internal import Coffer

/// Finds, prints, stores and deletes the items for a credential of git.
struct GitPasswords {
    let run: CommandRun
    let credential: GitCredential

    init(_ run: CommandRun, _ credential: GitCredential) {
        self.run = run
        self.credential = credential
    }

    var address: ServerAddress { credential.address }

    /// Whether git sent enough to identify items.
    var identifiesServer: Bool {
        !address.scheme.isEmpty && !(address.server.isEmpty && (address.path?.isEmpty ?? true))
    }

    /// The items that match, the best first: those with the exact path, then the most recently changed.
    func items(in keychain: Keychain) throws -> [FoundItem] {
        var conditions: [ItemCondition<InternetPassword>] = [.synchronizable(.any)]
        if !address.server.isEmpty { conditions.append(.server(address.server)) }
        if let username = credential.username { conditions.append(.account(username)) }
        if let group = run.arguments.value(of: .group) { conditions.append(.group(group)) }
        let found = try keychain.items(InternetPassword.self, where: .all(conditions)).map { FoundItem($0) }
            .filter { matches($0) }
        return found.sorted { one, other in
            let (isFirst, isSecond) = (address.isPath(of: one), address.isPath(of: other))
            return isFirst == isSecond ? one.modified > other.modified : isFirst
        }
    }

    /// The items that git gets: those that match, else the generic passwords that stand in for them.
    func itemsToGive(in keychain: Keychain) throws -> [FoundItem] {
        let items = try items(in: keychain)
        guard items.isEmpty else { return items }
        let group = run.arguments.value(of: .group)
        return try address.standIns(account: credential.username, group: group, in: keychain)
    }

    /// Whether an item matches the address; an item without a path matches all paths.
    private func matches(_ item: FoundItem) -> Bool {
        address.isServer(of: item)
            // Exclude docker's items, and others that are for a security domain.
            && item.text(.securityDomain)?.isEmpty ?? true
            && (address.path == nil || item.path.isEmpty || address.isPath(of: item))
    }

    /// The item for the refresh token.
    func tokenItem(_ account: AttributeText, _ path: AttributeText, _ group: String?) -> GenericPassword {
        var service = "oauth_refresh_token ".utf8 + address.scheme.bytes + "://".utf8 + address.server.bytes
        if address.port != 0 { service += ":\(address.port)".utf8 }
        if !path.isEmpty { service += "/".utf8 + path.bytes }
        var item = GenericPassword(service: AttributeText(bytes: Array(service)), account: account)
        item.accessGroup = group
        return item
    }

    /// The stored refresh token that belongs to a password, if there is one.
    func token(of password: FoundItem, in keychain: Keychain) throws -> Stored<GenericPassword>? {
        let item = tokenItem(password.account, password.path, nil)
        let conditions: [ItemCondition<GenericPassword>] = [
            .service(item.service), .account(item.account), .group(password.group),
        ]
        return try keychain.items(GenericPassword.self, where: .all(conditions)).first
    }
}
