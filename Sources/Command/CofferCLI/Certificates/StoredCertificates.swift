internal import Coffer
internal import CofferBasics
internal import CofferKeyItems
internal import CofferCertificates

/// A certificate of a keychain, with its content.
struct StoredCertificate {
    let item: FoundItem
    let certificate: X509Certificate
}

/// A key of a keychain, with its content.
struct StoredKey {
    let item: FoundItem
    let key: AsymmetricKey

    /// Whether the key may leave the keychain.
    var isExtractable: Bool { item.attributes[.isExtractable]?.number != 0 }
}

/// A certificate with its private key.
struct StoredIdentity {
    let certificate: StoredCertificate
    let key: FoundItem
}

extension ItemSelection {
    /// The certificates that match; a warning names each item whose data is not a certificate.
    func certificates(in keychain: Keychain, _ run: CommandRun) throws -> [StoredCertificate] {
        var selection = self
        selection.classes = [.certificate]
        return try selection.items(in: keychain).compactMap { try $0.storedCertificate(in: keychain, run) }
    }

    /// The public and private keys that match; a warning names each item whose data is neither.
    func keys(in keychain: Keychain, _ run: CommandRun) throws -> [StoredKey] {
        var selection = self
        selection.classes = [.key]
        return try selection.items(in: keychain).compactMap { try $0.storedKey(in: keychain, run) }
    }

    /// The identities whose certificates match; a warning names each item whose data is not a certificate.
    func identities(in keychain: Keychain, _ run: CommandRun) throws -> [StoredIdentity] {
        guard let conditions = conditions(for: Certificate.self) else { return [] }
        return try keychain.identities(where: .all(conditions)).compactMap { identity in
            try FoundItem(identity.certificate).storedCertificate(in: keychain, run).map {
                StoredIdentity(certificate: $0, key: FoundItem(identity.key))
            }
        }
    }
}

extension FoundItem {
    /// The certificate that the item contains; nil if its data is not a certificate.
    func certificate(in keychain: Keychain) throws -> X509Certificate? {
        guard itemClass == .certificate else { return nil }
        return try secret(in: keychain).flatMap { secret in
            secret.withSpan { try? X509Certificate(parsing: Array(copying: $0)) }
        }
    }

    fileprivate func storedCertificate(in keychain: Keychain, _ run: CommandRun) throws -> StoredCertificate? {
        if let certificate = try certificate(in: keychain) {
            return StoredCertificate(item: self, certificate: certificate)
        }
        run.messages.warning("\(line) is left out: its data is not a certificate")
        return nil
    }

    /// The key with its content; nil, with a warning, if it is neither a public nor a private key.
    func storedKey(in keychain: Keychain, _ run: CommandRun) throws -> StoredKey? {
        let key = try secret(in: keychain).flatMap { secret in
            let described = attributes.values.merging(["kcls": .integer(storedKeyClass)]) { $1 }
            return secret.withSpan { AsymmetricKey($0, itemAttributes: described) }
        }
        if let key { return StoredKey(item: self, key: key) }
        run.messages.warning("\(line) is left out: its data is not a public or private key")
        return nil
    }

    /// The class of a key; the keychain does not keep the number of public keys, which is 0.
    private var storedKeyClass: Int64 { attributes[.keyClass]?.number ?? 0 }

    /// What kind of key the item is: `RSA 2048 private`.
    var keyKind: String {
        let bitCount = attributes[.keySizeInBits]?.number ?? 0
        let type = attributes[.type]?.number.flatMap(KeyType.init(appleNumber:))?.text(bitCount) ?? "\(bitCount) bits"
        return switch AsymmetricKey.isPrivate(storedKeyClass) {
        case true: "\(type) private"
        case false: "\(type) public"
        case nil: "\(type) symmetric"
        }
    }
}
