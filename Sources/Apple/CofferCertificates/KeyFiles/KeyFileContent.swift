internal import CofferBasics

/// The keys and certificates in a file: PKCS #12, or text or bytes with a certificate or a key.
package struct KeyFileContent: Sendable {
    /// The certificates, with the names that the file has for them.
    package var certificates: [(certificate: X509Certificate, name: String?)] = []
    /// The keys, with the names that the file has for them.
    package var keys: [(key: AsymmetricKey, name: String?)] = []

    /// The format that was read; a sequence if there are several certificates and keys.
    package private(set) var format = KeyFileFormat.pemSequence

    package init() {}

    /// Reads a file; nil as passphrase means that none is known.
    package init(_ bytes: [UInt8], passphrase: FilePassphrase?) throws(CertificateFileError) {
        self = try CertificateFileError.converting { try KeyFileContent(of: bytes, passphrase) }
    }

    private init(of bytes: [UInt8], _ passphrase: FilePassphrase?) throws {
        var parts = PEM.parts(of: bytes)
        defer { for index in parts.indices { parts[index].content.wipe() } }
        var rounds = DerivationRounds()
        for part in parts {
            // Parts of other kinds are ignored.
            guard let kind = Kind(label: part.label) else { continue }
            // An older way to encrypt, with MD5.
            guard part.headers.isEmpty else { throw CertificateFileError.unsupported }
            try read(part.content, kind, passphrase, &rounds)
        }
        if parts.isEmpty {
            guard let kind = Kind(of: bytes) else { throw CertificateFileError.malformed }
            try read(bytes, kind, passphrase, &rounds)
        }
        guard !certificates.isEmpty || !keys.isEmpty else { throw CertificateFileError.malformed }
    }

    /// Reads a structure of a kind.
    private mutating func read(
        _ content: [UInt8],
        _ kind: Kind,
        _ passphrase: FilePassphrase?,
        _ rounds: inout DerivationRounds
    ) throws {
        switch kind {
        case .certificate: certificates.append((try X509Certificate(parsing: content), nil))
        case .publicKey: keys.append((try Self.publicKey(content), nil))
        case .encryptedKey: keys.append((try Self.encryptedKey(content, passphrase, &rounds), nil))
        case .pkcs8: keys.append((try AsymmetricKey(pkcs8: content), nil))
        case .sec1: keys.append((try AsymmetricKey(sec1: content), nil))
        case .rsa(let isPrivate): keys.append((try Self.key(.rsa, isPrivate: isPrivate, content), nil))
        case .pkcs12:
            guard let passphrase else { throw CertificateFileError.passphraseNeeded }
            let file = try PKCS12(content, passphrase, &rounds)
            certificates += file.certificates.map { ($0.certificate, $0.friendlyName) }
            keys += file.keys.map { ($0.key, $0.friendlyName) }
            for loose in file.looseKeys { keys.append((try loose.key.get(), loose.friendlyName)) }
        }
        format = certificates.count + keys.count > 1 && kind.format != .pkcs12 ? .pemSequence : kind.format
    }

    // MARK: - Keys

    private static func key(_ type: KeyType, isPrivate: Bool, _ bytes: [UInt8]) throws -> AsymmetricKey {
        let key = try AsymmetricKey(type, isPrivate: isPrivate, bytes.span)
        try key.validate()
        return key
    }

    private static func publicKey(_ bytes: [UInt8]) throws -> AsymmetricKey {
        var reader = DERReader(bytes, in: bytes.indices)
        let info = try PublicKeyInfo(from: &reader)
        try reader.expectEnd()
        guard let key = AsymmetricKey(info, in: bytes.span) else { throw CertificateFileError.unsupported }
        try key.validate()
        return key
    }

    /// The key in an EncryptedPrivateKeyInfo.
    private static func encryptedKey(
        _ bytes: [UInt8],
        _ passphrase: FilePassphrase?,
        _ rounds: inout DerivationRounds
    ) throws -> AsymmetricKey {
        guard let passphrase else { throw CertificateFileError.passphraseNeeded }
        var reader = DERReader(bytes, in: bytes.indices)
        var fields = try reader.enter()
        let encryption = try PassphraseEncryption(from: &fields)
        let ciphertext = try fields.read(.octetString).content
        var plaintext = try encryption.decrypted(Array(bytes[ciphertext]), passphrase, &rounds)
        defer { plaintext.wipe() }
        do {
            return try AsymmetricKey(pkcs8: plaintext)
        } catch CertificateFileError.malformed {
            // Nothing but the content tells a wrong passphrase.
            throw CertificateFileError.wrongPassphrase
        }
    }
}

/// What a structure contains.
private enum Kind {
    case certificate, publicKey, encryptedKey, pkcs8, sec1, pkcs12
    case rsa(isPrivate: Bool)

    /// What a part of a text contains, by its label.
    init?(label: String) {
        switch label {
        case "CERTIFICATE", "X509 CERTIFICATE": self = .certificate
        case "PRIVATE KEY": self = .pkcs8
        case "ENCRYPTED PRIVATE KEY": self = .encryptedKey
        case "RSA PRIVATE KEY": self = .rsa(isPrivate: true)
        case "EC PRIVATE KEY": self = .sec1
        case "PUBLIC KEY": self = .publicKey
        case "RSA PUBLIC KEY": self = .rsa(isPrivate: false)
        case "PKCS12": self = .pkcs12
        default: return nil
        }
    }

    /// What bytes contain, by the elements that they begin with.
    init?(of bytes: [UInt8]) {
        var reader = DERReader(bytes, in: bytes.indices)
        guard var fields = try? reader.enter(), let first = try? fields.read(), let second = try? fields.read() else {
            return nil
        }
        switch (first.tag, second.tag) {
        case (.sequence, .bitString): self = .publicKey
        case (.sequence, .octetString): self = .encryptedKey
        case (.sequence, .sequence): self = .certificate
        case (.integer, .sequence): self = bytes[first.content].elementsEqual([3]) ? .pkcs12 : .pkcs8
        case (.integer, .octetString): self = .sec1
        case (.integer, .integer): self = .rsa(isPrivate: !fields.isAtEnd)
        default: return nil
        }
    }

    var format: KeyFileFormat {
        switch self {
        case .certificate: .x509
        case .encryptedKey, .pkcs8: .pkcs8
        case .publicKey, .sec1, .rsa: .openSSL
        case .pkcs12: .pkcs12
        }
    }
}
