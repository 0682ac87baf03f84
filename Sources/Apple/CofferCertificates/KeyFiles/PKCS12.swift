internal import CofferBasics

/// The content of a PKCS #12 file: private keys and certificates.
package struct PKCS12: Sendable {
    /// A certificate, and what the file calls it.
    package struct CertificateBag: Sendable {
        package let certificate: X509Certificate
        package let friendlyName: String?
        let keyIdentifier: [UInt8]?
    }

    /// A private key, what the file calls it, and its certificate.
    package struct KeyBag: Sendable {
        package let key: AsymmetricKey
        package let friendlyName: String?
        package let keyIdentifier: [UInt8]?
        package let certificate: X509Certificate
    }

    /// The keys with a certificate.
    package private(set) var keys: [KeyBag] = []
    /// The keys without a certificate, or why they cannot be read.
    package private(set) var looseKeys: [(key: Result<AsymmetricKey, CertificateFileError>, friendlyName: String?)] = []
    /// All certificates.
    package private(set) var certificates: [CertificateBag] = []

    /// How many keys and certificates a file may have: each key needs a chain of the certificates.
    private static let bagLimit = 1000

    /// A key before its certificate is known.
    private struct EncodedKey {
        var bytes: [UInt8]
        let friendlyName: String?
        let keyIdentifier: [UInt8]?
    }

    /// Reads a file, whose authentication code it checks first.
    package init(_ bytes: [UInt8], passphrase: FilePassphrase) throws(CertificateFileError) {
        self = try CertificateFileError.converting {
            var rounds = DerivationRounds()
            return try PKCS12(bytes, passphrase, &rounds)
        }
    }

    /// The same, as a part of a file whose parts share `rounds`.
    init(_ bytes: [UInt8], _ passphrase: FilePassphrase, _ rounds: inout DerivationRounds) throws {
        let content = try AuthenticatedContent(bytes)
        if try content.isAuthentic(passphrase, &rounds) {
            try self.init(content, passphrase, &rounds)
        } else {
            // An empty passphrase has two forms.
            let nothing = FilePassphrase()
            guard passphrase.isEmpty, try content.isAuthentic(nothing, &rounds) else {
                throw CertificateFileError.wrongPassphrase
            }
            try self.init(content, nothing, &rounds)
        }
    }

    private init(
        _ content: AuthenticatedContent,
        _ passphrase: FilePassphrase,
        _ rounds: inout DerivationRounds
    ) throws {
        var encodedKeys: [EncodedKey] = []
        defer { for index in encodedKeys.indices { encodedKeys[index].bytes.wipe() } }
        var reader = DERReader(content.bytes, in: content.content)
        var list = try reader.enter()
        while !list.isAtEnd {
            var bags = try Self.safeContents(from: &list, passphrase, &rounds)
            defer { bags.wipe() }
            try read(bags, passphrase, &rounds, &encodedKeys)
        }
        for encodedKey in encodedKeys {
            if let bag = try keyBag(encodedKey) {
                keys.append(bag)
            } else {
                let key = Result { () throws(CertificateFileError) in try AsymmetricKey(pkcs8: encodedKey.bytes) }
                looseKeys.append((key, encodedKey.friendlyName))
            }
        }
    }

    // MARK: - Bags

    /// The content of the next part, decrypted if it is encrypted.
    private static func safeContents(
        from list: inout DERReader,
        _ passphrase: FilePassphrase,
        _ rounds: inout DerivationRounds
    ) throws -> [UInt8] {
        var entry = try list.enter()
        let type = try entry.readOID()
        var part = try entry.enter(.contextConstructed(0))
        if type == .data {
            let content = try part.read(.octetString).content
            return Array(part.bytes[content])
        }
        guard type == .encryptedData else { throw CertificateFileError.unsupported }
        var encrypted = try part.enter()
        guard try encrypted.readInteger() == 0 else { throw CertificateFileError.malformed }
        var fields = try encrypted.enter()
        guard try fields.readOID() == .data else { throw CertificateFileError.malformed }
        let encryption = try PassphraseEncryption(from: &fields)
        let ciphertext = try fields.read(.context(0)).content
        return try encryption.decrypted(Array(fields.bytes[ciphertext]), passphrase, &rounds)
    }

    private mutating func read(
        _ bags: [UInt8],
        _ passphrase: FilePassphrase,
        _ rounds: inout DerivationRounds,
        _ encodedKeys: inout [EncodedKey]
    ) throws {
        var reader = DERReader(bags, in: bags.indices)
        var list = try reader.enter()
        while !list.isAtEnd {
            guard encodedKeys.count + certificates.count < Self.bagLimit else {
                throw CertificateFileError.unsupported
            }
            var bag = try list.enter()
            let type = try bag.readOID()
            var value = try bag.enter(.contextConstructed(0))
            let (name, identifier) = try Self.names(bag.isAtEnd ? nil : bag.enter(.set))
            switch type {
            case .keyBag:
                let key = try value.read(.sequence).range
                encodedKeys.append(
                    EncodedKey(bytes: Array(bags[key]), friendlyName: name, keyIdentifier: identifier)
                )
            case .shroudedKeyBag:
                var shrouded = try value.enter()
                let encryption = try PassphraseEncryption(from: &shrouded)
                let ciphertext = try shrouded.read(.octetString).content
                let key = try encryption.decrypted(Array(bags[ciphertext]), passphrase, &rounds)
                encodedKeys.append(EncodedKey(bytes: key, friendlyName: name, keyIdentifier: identifier))
            case .certificateBag:
                guard let certificate = try Self.certificate(from: &value) else { continue }
                certificates.append(
                    CertificateBag(certificate: certificate, friendlyName: name, keyIdentifier: identifier)
                )
            // Lists of revoked certificates, secrets and nested bags are not used.
            default: continue
            }
        }
    }

    /// The certificate of a bag; nil if it is not X.509.
    private static func certificate(from value: inout DERReader) throws -> X509Certificate? {
        var fields = try value.enter()
        guard try fields.readOID() == .x509Certificate else { return nil }
        var content = try fields.enter(.contextConstructed(0))
        return try X509Certificate(parsing: Array(content.bytes[content.read(.octetString).content]))
    }

    /// The friendly name and the local key identifier among the attributes of a bag.
    private static func names(_ attributes: DERReader?) throws -> (String?, [UInt8]?) {
        guard var attributes else { return (nil, nil) }
        var (name, identifier): (String?, [UInt8]?) = (nil, nil)
        while !attributes.isAtEnd {
            var attribute = try attributes.enter()
            let type = try attribute.readOID()
            var values = try attribute.enter(.set)
            let value = try values.read()
            switch type {
            case .friendlyName: name = value.text(in: attributes.bytes)
            case .localKeyIdentifier: identifier = Array(attributes.bytes[value.content])
            default: break
            }
        }
        return (name, identifier)
    }

    // MARK: - Keys and their certificates

    /// The key with its certificate, found by the identifier, or else by the name; nil if the key has no certificate.
    private func keyBag(_ encoded: EncodedKey) throws -> KeyBag? {
        let bag =
            certificates.first { $0.keyIdentifier != nil && $0.keyIdentifier == encoded.keyIdentifier }
            ?? certificates.first { $0.friendlyName != nil && $0.friendlyName == encoded.friendlyName }
        guard let bag else { return nil }
        let certificate = bag.certificate
        guard let publicKey = AsymmetricKey(of: certificate) else { throw CertificateFileError.malformed }
        let key = try AsymmetricKey(pkcs8: encoded.bytes, point: publicKey.publicBytes)
        guard key.publicBytes == publicKey.publicBytes else { throw CertificateFileError.malformed }
        return KeyBag(
            key: key,
            friendlyName: encoded.friendlyName ?? bag.friendlyName,
            keyIdentifier: encoded.keyIdentifier,
            certificate: certificate
        )
    }
}

extension OID {
    static let encryptedData: OID = [1, 2, 840, 113549, 1, 7, 6]
    static let friendlyName: OID = [1, 2, 840, 113549, 1, 9, 20]
    static let localKeyIdentifier: OID = [1, 2, 840, 113549, 1, 9, 21]
    static let x509Certificate: OID = [1, 2, 840, 113549, 1, 9, 22, 1]
    static let keyBag: OID = [1, 2, 840, 113549, 1, 12, 10, 1, 1]
    static let shroudedKeyBag: OID = [1, 2, 840, 113549, 1, 12, 10, 1, 2]
    static let certificateBag: OID = [1, 2, 840, 113549, 1, 12, 10, 1, 3]
}
