internal import AsymmetricKeys
internal import Coffer
internal import CofferBasics
internal import KeyItems
internal import X509

/// A certificate of a keychain, with its content.
struct StoredCertificate {
    let item: FoundItem
    let certificate: X509.Certificate
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
    /// The certificates that match, and that can be read as such.
    func certificates(in keychain: Keychain) throws -> [StoredCertificate] {
        var selection = self
        selection.classes = [.certificate]
        return try selection.items(in: keychain).compactMap { item in
            try item.certificate(in: keychain).map { StoredCertificate(item: item, certificate: $0) }
        }
    }

    /// The public and private keys that match.
    func keys(in keychain: Keychain) throws -> [StoredKey] {
        var selection = self
        selection.classes = [.key]
        return try selection.items(in: keychain).compactMap { item in
            guard let secret = try item.secret(in: keychain) else { return nil }
            let key = secret.bytes.withSpan { AsymmetricKey($0, itemAttributes: item.attributes.values) }
            return key.map { StoredKey(item: item, key: $0) }
        }
    }

    /// The identities whose certificates match.
    func identities(in keychain: Keychain) throws -> [StoredIdentity] {
        guard let conditions = conditions(for: Certificate.self) else { return [] }
        return try keychain.identities(whereAll: conditions).compactMap { identity in
            let item = FoundItem(identity.certificate)
            return try item.certificate(in: keychain).map {
                StoredIdentity(
                    certificate: StoredCertificate(item: item, certificate: $0),
                    key: FoundItem(identity.key)
                )
            }
        }
    }
}

extension FoundItem {
    /// The certificate that the item contains; nil if its data is none.
    func certificate(in keychain: Keychain) throws -> X509.Certificate? {
        guard itemClass == .certificate else { return nil }
        return try secret(in: keychain).flatMap { secret in
            secret.bytes.withSpan { try? X509.Certificate(parsing: Array(copying: $0)) }
        }
    }

    /// What kind of key the item is: `RSA 2048 private`.
    var keyKind: String {
        let bitCount = attributes[.keySizeInBits]?.number ?? 0
        let type = attributes[.type]?.number.flatMap(KeyType.init(appleNumber:))?.text(bitCount) ?? "\(bitCount) bits"
        return switch attributes[.keyClass]?.number.flatMap(AsymmetricKey.isPrivate) {
        case true: "\(type) private"
        case false: "\(type) public"
        case nil: "\(type) symmetric"
        }
    }
}
