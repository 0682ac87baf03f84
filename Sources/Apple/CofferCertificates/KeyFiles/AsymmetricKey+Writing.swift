internal import CofferBasics

// Keys as files hold them; the caller wipes those of private keys.
extension AsymmetricKey {
    /// The PrivateKeyInfo of PKCS #8 of a private key.
    var pkcs8: [UInt8] {
        var structure: PrivateStructure
        switch kind {
        case .rsa: structure = PrivateStructure(secretByteCount: withBytes { $0.count })
        case .ellipticCurve(let curve): structure = sec1(on: curve, namesCurve: false)
        case .ed25519, .x25519:
            structure = PrivateStructure(secretByteCount: withBytes { $0.count })
            structure.wrap(.octetString)
        }
        structure.wrap(.octetString)
        structure.wrap(.sequence, behind: [UInt8](integer: 0) + algorithmIdentifier)
        return written(structure)
    }

    /// The key in the form of OpenSSL before PKCS #8: an RSAPrivateKey, or an ECPrivateKey of SEC 1.
    ///
    /// Other kinds of keys have no such form; theirs is PKCS #8.
    var traditional: PEM {
        switch kind {
        case .rsa: PEM("RSA PRIVATE KEY", content: withBytes { Array(copying: $0) })
        case .ellipticCurve(let curve): PEM("EC PRIVATE KEY", content: written(sec1(on: curve, namesCurve: true)))
        case .ed25519, .x25519: PEM("PRIVATE KEY", content: pkcs8)
        }
    }

    /// The SubjectPublicKeyInfo of the public half.
    var subjectPublicKeyInfo: [UInt8] {
        [UInt8](.sequence, algorithmIdentifier, [UInt8](.bitString, [0], publicBytes))
    }

    private var algorithmIdentifier: [UInt8] {
        switch kind {
        case .rsa: [UInt8](.sequence, [UInt8](identifier: .rsaEncryption), [UInt8](.null))
        case .ellipticCurve(let curve):
            [UInt8](.sequence, [UInt8](identifier: .ecPublicKey), [UInt8](identifier: curve.identifier))
        case .ed25519: [UInt8](.sequence, [UInt8](identifier: .ed25519))
        case .x25519: [UInt8](.sequence, [UInt8](identifier: .x25519))
        }
    }

    private func sec1(on curve: PublicKeyKind.NamedCurve, namesCurve: Bool) -> PrivateStructure {
        var structure = PrivateStructure(secretByteCount: curve.byteCount)
        structure.wrap(.octetString)
        let parameters = namesCurve ? [UInt8](.contextConstructed(0), [UInt8](identifier: curve.identifier)) : []
        let point = [UInt8](.contextConstructed(1), [UInt8](.bitString, [0], publicBytes))
        structure.wrap(.sequence, behind: [UInt8](integer: 1), before: parameters + point)
        return structure
    }

    private func written(_ structure: PrivateStructure) -> [UInt8] {
        withBytes { bytes in
            // A private key on a curve begins with its point, which a structure has elsewhere.
            structure.bytes(around: bytes.extracting((bytes.count - structure.secretByteCount)...))
        }
    }
}

/// What surrounds the secret bytes of a private key in a structure, so that these are copied only once.
private struct PrivateStructure {
    let secretByteCount: Int
    private var before: [UInt8] = []
    private var after: [UInt8] = []

    init(secretByteCount: Int) {
        self.secretByteCount = secretByteCount
    }

    /// Puts everything into an element, between other content.
    mutating func wrap(_ tag: DERTag, behind first: [UInt8] = [], before last: [UInt8] = []) {
        before.insert(contentsOf: first, at: 0)
        after += last
        var header: [UInt8] = []
        header.append(tag, byteCount: before.count + secretByteCount + after.count)
        before.insert(contentsOf: header, at: 0)
    }

    func bytes(around secret: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(before.count + secret.count + after.count)
        bytes += before
        for index in secret.indices { bytes.append(secret[index]) }
        bytes += after
        return bytes
    }
}
