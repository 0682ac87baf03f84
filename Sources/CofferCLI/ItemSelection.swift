internal import Coffer
internal import KeyedArchive
internal import VaultCrypto

/// Which items are meant: a service, or a server, and perhaps an account, a group and a class.
struct ItemSelection {
    var service: AttributeText?
    var account: AttributeText?
    var group: String?
    /// The classes to look in.
    var classes: [KeychainClass] = [.genericPassword, .internetPassword]

    /// What is meant, for messages.
    var description: String {
        var text = service.map(\.shown) ?? "all"
        if let account { text += " \(account.shown)" }
        if let group { text += " in \(group.printable)" }
        return text
    }
}

extension ItemSelection {
    /// The items, by class and then the oldest first.
    func items(in keychain: Keychain) throws(KeychainError) -> [FoundItem] {
        var found: [FoundItem] = []
        for itemClass in classes {
            switch itemClass {
            case .genericPassword:
                let name = service.map { [ItemCondition<GenericPassword>.service($0)] } ?? []
                let owner = account.map { [ItemCondition<GenericPassword>.account($0)] } ?? []
                found += try items(name + owner, in: keychain)
            case .internetPassword:
                let name = service.map { [ItemCondition<InternetPassword>.server($0)] } ?? []
                let owner = account.map { [ItemCondition<InternetPassword>.account($0)] } ?? []
                found += try items(name + owner, in: keychain)
            // Whoever names an account means a password.
            case .certificate where account == nil:
                found += try items(service.map { [ItemCondition<Certificate>.label($0)] } ?? [], in: keychain)
            case .key where account == nil:
                found += try items(service.map { [ItemCondition<CryptographicKey>.label($0)] } ?? [], in: keychain)
            case .certificate, .key, .identity: break
            }
        }
        return found
    }

    private func items<Item: KeychainItem>(
        _ conditions: [ItemCondition<Item>],
        in keychain: Keychain
    ) throws(KeychainError) -> [FoundItem] {
        var conditions = conditions + [.synchronizable(.any)]
        if let group { conditions.append(.group(group)) }
        return try keychain.items(Item.self, whereAll: conditions).map { FoundItem($0) }
    }

    /// The one item that is meant.
    func item(in keychain: Keychain) throws(KeychainError) -> Result<FoundItem, CommandError> {
        let found = try items(in: keychain)
        if found.count == 1 { return .success(found[0]) }
        guard !found.isEmpty else {
            return .failure(
                CommandError(.notFound, "there is no item \(description)", hints: ["coffer list shows what there is"])
            )
        }
        var error = CommandError(
            .ambiguous,
            "\(found.count) items are called \(description)",
            hints: ["name the account, or the group with --group"]
        )
        error.candidates = found
        return .failure(error)
    }
}

extension Run {
    /// What the operands say: a service, perhaps an account, and the group of `--group`.
    func selection() -> ItemSelection {
        ItemSelection(
            service: arguments.operand(0).map { AttributeText($0) },
            account: arguments.operand(1).map { AttributeText($0) },
            group: arguments.value(of: .group)
        )
    }

    /// The one item that is meant, and what `body` makes of it.
    func withItem<Result>(
        _ selection: ItemSelection,
        _ body: (FoundItem, Keychain) throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        let result = try vaults.withKeychain { keychain throws(KeychainError) -> Swift.Result<Result, CommandError> in
            switch try selection.item(in: keychain) {
            case .success(let item): .success(try body(item, keychain))
            case .failure(let error): .failure(error)
            }
        }
        return try result.get()
    }
}

extension FoundItem {
    /// The secret; nil if the item has none.
    func secret(in keychain: Keychain) throws(KeychainError) -> SecretBuffer? {
        switch itemClass {
        case .genericPassword: try secret(GenericPassword.self, keychain)
        case .internetPassword: try secret(InternetPassword.self, keychain)
        case .certificate: try secret(Certificate.self, keychain)
        case .key: try secret(CryptographicKey.self, keychain)
        case .identity: nil
        }
    }

    private func secret<Item: KeychainItem>(
        _ type: Item.Type,
        _ keychain: Keychain
    ) throws(KeychainError) -> SecretBuffer? {
        guard let reference = KeychainReference<Item>(reference) else { throw .itemNotFound }
        return try keychain.withSecret(of: reference) { (bytes) throws(KeychainError) in SecretBuffer(bytes) }
    }
}

extension SecretBuffer {
    /// A copy of the bytes, wiped when it goes.
    init(_ bytes: Span<UInt8>) {
        self.init(byteCount: bytes.count)
        withMutableSpan { copy in for index in bytes.indices { copy[index] = bytes[index] } }
    }
}
