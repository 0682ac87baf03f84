import Foundation

/// What the code of each tutorial answers, one line for each.
public func tutorialAnswers() throws -> [String] {
    [
        helper(), try codable(), property(), try passwordItem(), try server(), biometry(), try signature(), group(),
        token(), device(), launch(),
    ]
}

private func helper() -> String {
    let helper = KeychainHelper.shared
    for text in ["first", "second"] { helper.save(Data(text.utf8), service: "helper", account: "kim") }
    let data = helper.read(service: "helper", account: "kim")
    helper.delete(service: "helper", account: "kim")
    let isGone = helper.read(service: "helper", account: "kim") == nil
    return "helper: \(data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"), \(isGone ? "deleted" : "left")"
}

private func codable() throws -> String {
    let keychain = CodableKeychain(service: "codable")
    for count in [3, 4] { try keychain.store(["count": count], for: "state") }
    let value = try keychain.value([String: Int].self, for: "state")
    do {
        return "codable: \(value), \(try keychain.value(Int.self, for: "nothing"))"
    } catch {
        return "codable: \(value), \(error)"
    }
}

private func property() -> String {
    @KeychainStored("launches") var launches = 0
    let before = launches
    for _ in 0..<2 { launches += 1 }
    return "property: \(before), \(launches)"
}

private func passwordItem() throws -> String {
    var item = KeychainPasswordItem(service: "item", account: "kim")
    for password in ["hunter2", "swordfish"] { try item.savePassword(password) }
    try item.renameAccount("lee")
    let accounts = try KeychainPasswordItem.passwordItems(forService: "item").map(\.account)
    let password = try item.readPassword()
    try item.deleteItem()
    let left = try KeychainPasswordItem.passwordItems(forService: "item").count
    return "password item: \(password), \(accounts), \(left) left"
}

private func server() throws -> String {
    let server = "www.example.com"
    try ServerCredentials(username: "kim", password: "hunter2").add(to: server)
    try ServerCredentials(username: "lee", password: "swordfish").update(server)
    let found = try ServerCredentials.search(server)
    try ServerCredentials.delete(server)
    let isGone = (try? ServerCredentials.search(server)) == nil
    return "server: \(found.username), \(found.password), \(isGone ? "deleted" : "left")"
}

private func biometry() -> String {
    let secret = BiometricSecret(account: "biometry")
    let statuses = [
        secret.save(Data("x".utf8)), secret.save(Data("x".utf8), accessible: kSecAttrAccessibleWhenUnlocked),
    ]
    guard case .failure(let error) = secret.read("Show the secret") else { return "biometry: \(statuses), read" }
    return "biometry: \(statuses), \(error.code)"
}

private func signature() throws -> String {
    let (key, message) = (SigningKey("com.example.keys.sign"), Data("message".utf8))
    defer { key.delete() }
    let made = try key.make()
    guard let stored = key.stored() else { return "signature: no key" }
    let signature = try SigningKey.sign(message, with: stored)
    let answers = [message, Data("other".utf8)].map { SigningKey.verify(signature, of: $0, with: made) }
    return "signature: \(answers)"
}

private func group() -> String {
    let keychain = SharedKeychain()
    return "group: \(keychain.set("hunter2", forKey: "kim")), \(keychain.password(forKey: "kim") ?? "nothing")"
}

private func token() -> String {
    let (old, new) = (kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock)
    let answers = [old, old, new].map { TokenStorage(accessible: $0).replace(with: "t") }
    return "token: \(answers.map { [$0.deleted, $0.added] })"
}

private func device() -> String {
    let identifier = DeviceID.current
    return "device: \(identifier.count) letters, \(identifier == DeviceID.current ? "the same" : "another") again"
}

private func launch() -> String {
    UserDefaults.standard.removeObject(forKey: "hasLaunchedBefore")
    return "first launch: \(FirstLaunch.forgetOldPasswords()), \(FirstLaunch.forgetOldPasswords())"
}
