package import AsymmetricKeys
internal import CofferBasics
package import X509

/// The keys and certificates in a file: PKCS #12, or text or bytes with a certificate or a key.
package struct KeyFile: Sendable {
    /// The certificates, with the names that the file has for them.
    package private(set) var certificates: [(certificate: Certificate, name: String?)] = []
    /// The keys, with the names that the file has for them.
    package private(set) var keys: [(key: AsymmetricKey, name: String?)] = []

    /// Reads a file; nil as passphrase means that none is known.
    package init(_ bytes: [UInt8], passphrase: FilePassphrase?) throws(KeyFileError) {
        var parts = PEM.parts(of: bytes)
        defer { for index in parts.indices { parts[index].content.wipe() } }
        for index in parts.indices { try read(parts[index], passphrase) }
        if parts.isEmpty { try read(bytes, passphrase) }
        guard !certificates.isEmpty || !keys.isEmpty else { throw .malformed }
    }

    /// Reads a part of a text; parts of other kinds are ignored.
    private mutating func read(_ part: PEM, _ passphrase: FilePassphrase?) throws(KeyFileError) {
        let content = part.content
        // An older way to encrypt, with MD5.
        guard part.headers.isEmpty else { throw .unsupported }
        switch part.label {
        case "CERTIFICATE", "X509 CERTIFICATE": try readCertificate(content)
        case "PRIVATE KEY": keys.append((try AsymmetricKey(pkcs8: content), nil))
        case "ENCRYPTED PRIVATE KEY": keys.append((try Self.encryptedKey(content, passphrase), nil))
        case "RSA PRIVATE KEY": keys.append((try Self.key(.rsa, isPrivate: true, content), nil))
        case "EC PRIVATE KEY": keys.append((try AsymmetricKey(sec1: content), nil))
        case "PUBLIC KEY": keys.append((try Self.publicKey(content), nil))
        case "RSA PUBLIC KEY": keys.append((try Self.key(.rsa, isPrivate: false, content), nil))
        default: break
        }
    }

    /// Reads bytes, whose structure tells what they are.
    private mutating func read(_ bytes: [UInt8], _ passphrase: FilePassphrase?) throws(KeyFileError) {
        switch Self.kind(of: bytes) {
        case .certificate: try readCertificate(bytes)
        case .publicKey: keys.append((try Self.publicKey(bytes), nil))
        case .encryptedKey: keys.append((try Self.encryptedKey(bytes, passphrase), nil))
        case .pkcs8: keys.append((try AsymmetricKey(pkcs8: bytes), nil))
        case .sec1: keys.append((try AsymmetricKey(sec1: bytes), nil))
        case .rsa(let isPrivate): keys.append((try Self.key(.rsa, isPrivate: isPrivate, bytes), nil))
        case .pkcs12:
            guard let passphrase else { throw .passphraseNeeded }
            let file = try PKCS12(bytes, passphrase: passphrase)
            certificates += file.certificates.map { ($0.certificate, $0.friendlyName) }
            keys += file.keys.map { ($0.key, $0.friendlyName) }
        case nil: throw .malformed
        }
    }

    private mutating func readCertificate(_ bytes: [UInt8]) throws(KeyFileError) {
        certificates.append((try reading { () throws(CertificateError) in try Certificate(parsing: bytes) }, nil))
    }

    // MARK: - Kinds

    private enum Kind {
        case certificate, publicKey, encryptedKey, pkcs8, sec1, pkcs12
        case rsa(isPrivate: Bool)
    }

    /// What a structure is, by the elements that it begins with.
    private static func kind(of bytes: [UInt8]) -> Kind? {
        var reader = DERReader(bytes, in: bytes.indices)
        guard var fields = try? reader.enter(), let first = try? fields.read(), let second = try? fields.read() else {
            return nil
        }
        let version = bytes[first.content].elementsEqual([3])
        switch (first.tag, second.tag) {
        case (.sequence, .bitString): return .publicKey
        case (.sequence, .octetString): return .encryptedKey
        case (.sequence, .sequence): return .certificate
        case (.integer, .sequence): return version ? .pkcs12 : .pkcs8
        case (.integer, .octetString): return .sec1
        case (.integer, .integer): return .rsa(isPrivate: !fields.isAtEnd)
        default: return nil
        }
    }

    // MARK: - Keys

    private static func key(
        _ type: KeyType,
        isPrivate: Bool,
        _ bytes: [UInt8]
    ) throws(KeyFileError) -> AsymmetricKey {
        do throws(KeyError) {
            let key = try AsymmetricKey(type, isPrivate: isPrivate, bytes.span)
            try key.validate()
            return key
        } catch {
            throw KeyFileError(error)
        }
    }

    private static func publicKey(_ bytes: [UInt8]) throws(KeyFileError) -> AsymmetricKey {
        let info = try reading { () throws(CertificateError) in
            var reader = DERReader(bytes, in: bytes.indices)
            let info = try PublicKeyInfo(from: &reader)
            try reader.expectEnd()
            return info
        }
        guard let key = AsymmetricKey(info, in: bytes.span) else { throw .unsupported }
        do throws(KeyError) { try key.validate() } catch { throw KeyFileError(error) }
        return key
    }

    /// The key in an EncryptedPrivateKeyInfo.
    private static func encryptedKey(
        _ bytes: [UInt8],
        _ passphrase: FilePassphrase?
    ) throws(KeyFileError) -> AsymmetricKey {
        guard let passphrase else { throw .passphraseNeeded }
        var reader = DERReader(bytes, in: bytes.indices)
        var fields = try reading { () throws(CertificateError) in try reader.enter() }
        let encryption = try PassphraseEncryption(from: &fields)
        let ciphertext = try reading { () throws(CertificateError) in try fields.read(.octetString).content }
        var plaintext = try encryption.decrypted(Array(bytes[ciphertext]), passphrase)
        defer { plaintext.wipe() }
        do throws(KeyFileError) {
            return try AsymmetricKey(pkcs8: plaintext)
        } catch {
            // Nothing but the content tells a wrong passphrase.
            throw error == .malformed ? .wrongPassphrase : error
        }
    }
}
