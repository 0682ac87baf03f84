internal import CofferBasics

/// The formats of files that can be written.
package enum KeyFileFormat: Sendable {
    /// The format of OpenSSL before PKCS #8 for private keys, a SubjectPublicKeyInfo for public ones.
    case openSSL
    /// PKCS #1, for RSA only.
    case pkcs1
    /// PKCS #8, for private keys.
    case pkcs8
    /// X.509, for certificates.
    case x509
    /// Text with all certificates and keys, private ones in PKCS #8.
    case pemSequence
    /// Certificates and private keys, encrypted with a passphrase.
    case pkcs12
}

extension KeyFileContent {
    /// Writes a file, which the caller wipes if there are private keys in it.
    ///
    /// - Parameters:
    ///   - format: The format of the file.
    ///   - isText: Whether the file is text (PEM); a sequence always is.
    ///   - passphrase: What private keys are encrypted with; nil to write them in the clear.
    /// - Returns: The file.
    /// - Throws: `CertificateFileError`, for example if the format cannot hold this content.
    package func written(
        as format: KeyFileFormat,
        isText: Bool,
        passphrase: FilePassphrase?
    ) throws(CertificateFileError) -> [UInt8] {
        try CertificateFileError.converting { try file(as: format, isText: isText, passphrase) }
    }

    private func file(as format: KeyFileFormat, isText: Bool, _ passphrase: FilePassphrase?) throws -> [UInt8] {
        guard format != .pkcs12 else {
            guard keys.allSatisfy(\.key.isPrivate) else { throw CertificateFileError.formatCannotHold }
            guard let passphrase else { throw CertificateFileError.passphraseNeeded }
            let file = try pkcs12(passphrase)
            return isText ? PEM("PKCS12", content: file).text : file
        }
        var parts: [PEM] = []
        defer { for index in parts.indices { parts[index].content.wipe() } }
        for certificate in certificates {
            guard format == .x509 || format == .openSSL || format == .pemSequence else {
                throw CertificateFileError.formatCannotHold
            }
            parts.append(PEM("CERTIFICATE", content: certificate.certificate.bytes))
        }
        for key in keys {
            parts.append(
                try key.key.isPrivate
                    ? key.key.privatePart(as: format, passphrase) : key.key.publicPart(as: format)
            )
        }
        guard format == .pemSequence || parts.count == 1 else { throw CertificateFileError.formatCannotHold }
        guard isText || format == .pemSequence else { return parts[0].content }
        var file: [UInt8] = []
        // So that no copies of keys are left behind.
        file.reserveCapacity(parts.reduce(0) { $0 + $1.textByteCountLimit })
        for part in parts { part.text.wipedAfter { file += $0 } }
        return file
    }

    /// A PKCS #12 file with the private keys and the certificates.
    private func pkcs12(_ passphrase: FilePassphrase) throws -> [UInt8] {
        var parts: [UInt8] = []
        if !certificates.isEmpty {
            var bags: [UInt8] = []
            for certificate in certificates { bags += try certificateBag(certificate.certificate, certificate.name) }
            let encryption = PassphraseEncryption()
            let ciphertext = try encryption.encrypted([UInt8](.sequence, bags).span, passphrase)
            let encrypted = [UInt8](
                .sequence,
                [UInt8](identifier: .data),
                encryption.bytes,
                [UInt8](.context(0), ciphertext)
            )
            parts += AuthenticatedContent.part(.encryptedData, [UInt8](.sequence, [UInt8](integer: 0), encrypted))
        }
        if !keys.isEmpty {
            var bags: [UInt8] = []
            for key in keys {
                let content = try key.key.encryptedPKCS8(passphrase)
                bags += bag(.shroudedKeyBag, content, key.name, try key.key.publicKeyHash())
            }
            parts += AuthenticatedContent.part(.data, [UInt8](.octetString, [UInt8](.sequence, bags)))
        }
        return try AuthenticatedContent.file(with: [UInt8](.sequence, parts), passphrase)
    }

    private func certificateBag(_ certificate: X509Certificate, _ name: String?) throws -> [UInt8] {
        let data = [UInt8](.contextConstructed(0), [UInt8](.octetString, certificate.bytes))
        let key = AsymmetricKey(of: certificate)
        let isOfKey = keys.contains { $0.key.publicBytes == key?.publicBytes }
        return bag(
            .certificateBag,
            [UInt8](.sequence, [UInt8](identifier: .x509Certificate), data),
            name,
            isOfKey ? try key?.publicKeyHash() : nil
        )
    }

    private func bag(_ type: OID, _ content: [UInt8], _ name: String?, _ identifier: [UInt8]?) -> [UInt8] {
        var attributes: [UInt8] = []
        if let name {
            let text = name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            attributes += attribute(.friendlyName, [UInt8](.bmpString, text))
        }
        if let identifier { attributes += attribute(.localKeyIdentifier, [UInt8](.octetString, identifier)) }
        let value = [UInt8](.contextConstructed(0), content)
        return [UInt8](.sequence, [UInt8](identifier: type), value, attributes.isEmpty ? [] : [UInt8](.set, attributes))
    }

    private func attribute(_ type: OID, _ value: [UInt8]) -> [UInt8] {
        [UInt8](.sequence, [UInt8](identifier: type), [UInt8](.set, value))
    }
}

extension AsymmetricKey {
    fileprivate func publicPart(as format: KeyFileFormat) throws -> PEM {
        switch format {
        case .openSSL, .pemSequence: return PEM("PUBLIC KEY", content: subjectPublicKeyInfo)
        case .pkcs1 where kind.type == .rsa: return PEM("RSA PUBLIC KEY", content: publicBytes)
        case .pkcs1, .pkcs8, .x509, .pkcs12: throw CertificateFileError.formatCannotHold
        }
    }

    fileprivate func privatePart(
        as format: KeyFileFormat,
        _ passphrase: FilePassphrase?
    ) throws -> PEM {
        switch (format, passphrase) {
        case (.pkcs8, let passphrase?), (.pemSequence, let passphrase?):
            return PEM("ENCRYPTED PRIVATE KEY", content: try encryptedPKCS8(passphrase))
        case (.pkcs8, nil), (.pemSequence, nil): return PEM("PRIVATE KEY", content: pkcs8)
        case (.openSSL, nil): return traditional
        case (.pkcs1, nil) where kind.type == .rsa: return traditional
        default: throw CertificateFileError.formatCannotHold
        }
    }

    /// The EncryptedPrivateKeyInfo of PKCS #8.
    fileprivate func encryptedPKCS8(_ passphrase: FilePassphrase) throws -> [UInt8] {
        let encryption = PassphraseEncryption()
        let ciphertext = try pkcs8.wipedAfter { try encryption.encrypted($0.span, passphrase) }
        return [UInt8](.sequence, encryption.bytes, [UInt8](.octetString, ciphertext))
    }
}
