/// What a key can be used for.
package enum KeyOperation: Sendable {
    case sign, verify, encrypt, decrypt, agree
}

/// An algorithm, by Apple's names.
package enum KeyAlgorithm: Hashable, Sendable {
    case signature(SignatureAlgorithm)
    case encryption(EncryptionAlgorithm)
    case agreement(AgreementAlgorithm)
}

/// How a signature is made.
package struct SignatureAlgorithm: Hashable, Sendable {
    package enum Scheme: Hashable, Sendable {
        /// RSA: the input is the number.
        case rsaRaw
        /// RSA with PKCS #1 version 1.5; without a hash function, round any bytes.
        case rsaPKCS1
        /// RSA with PSS.
        case rsaPSS
        /// ECDSA with a signature in DER.
        case ecdsaX962
        /// ECDSA with a signature of two numbers as long as a coordinate.
        case ecdsaRFC4754
        case ed25519
    }

    package let scheme: Scheme
    /// The hash function that digests were made with; nil if they may be of any length.
    package let hash: HashFunction?
    /// Whether the input is a message, rather than its digest.
    package let hashesInput: Bool

    package init(scheme: Scheme, hash: HashFunction? = nil, hashesInput: Bool = false) {
        self.scheme = scheme
        self.hash = hash
        self.hashesInput = hashesInput
    }
}

/// How data is encrypted.
package enum EncryptionAlgorithm: Hashable, Sendable {
    /// RSA: the plaintext is the number.
    case rsaRaw
    /// RSA with PKCS #1 version 1.5.
    case rsaPKCS1
    /// RSA with OAEP.
    case rsaOAEP(HashFunction)
    /// AES-GCM with a random key, which is encrypted with OAEP.
    case rsaOAEPWithGCM(HashFunction)
    /// AES-GCM with a key that is agreed on with a new public key, and derived by X9.63.
    case ecies(HashFunction, derivesVector: Bool)
}

/// How two sides agree on a secret.
package struct AgreementAlgorithm: Hashable, Sendable {
    /// Whether the secret is multiplied by the cofactor of the curve, which is 1 for those of NIST.
    package let usesCofactor: Bool
    /// The hash function with which X9.63 derives the result from the secret; nil if the result is the secret.
    package var hash: HashFunction?
}

extension KeyAlgorithm {
    /// The algorithms by Apple's names; all others are unknown.
    package static let byName: [String: KeyAlgorithm] = {
        var names: [String: KeyAlgorithm] = [
            "sign:RSA:raw": .signature(SignatureAlgorithm(scheme: .rsaRaw)),
            "sign:RSA:digest-PKCS1v15": .signature(SignatureAlgorithm(scheme: .rsaPKCS1)),
            "sign:ECDSA:RFC4754": .signature(SignatureAlgorithm(scheme: .ecdsaRFC4754)),
            "sign:ECDSA:digest-RFC4754": .signature(SignatureAlgorithm(scheme: .ecdsaRFC4754)),
            "sign:ECDSA:digest-X962": .signature(SignatureAlgorithm(scheme: .ecdsaX962)),
            "sign:EdDSA:message-Curve25519:SHA512": .signature(SignatureAlgorithm(scheme: .ed25519)),
            "encrypt:RSA:raw": .encryption(.rsaRaw),
            "encrypt:RSA:PKCS1": .encryption(.rsaPKCS1),
            "keyexchange:ECDH": .agreement(AgreementAlgorithm(usesCofactor: false)),
            "keyexchange:ECDHC": .agreement(AgreementAlgorithm(usesCofactor: true)),
        ]
        for hash in HashFunction.allCases {
            let name = "SHA\(hash == .sha1 ? 1 : 8 * hash.byteCount)"
            // The salt is as long as the digest, although this name says otherwise.
            let saltName = "\(name):\(name):\(hash == .sha224 ? 24 : hash.byteCount)"
            for (input, hashesInput) in [("digest", false), ("message", true)] {
                func sign(_ scheme: SignatureAlgorithm.Scheme) -> KeyAlgorithm {
                    .signature(SignatureAlgorithm(scheme: scheme, hash: hash, hashesInput: hashesInput))
                }
                names["sign:RSA:\(input)-PKCS1v15:\(name)"] = sign(.rsaPKCS1)
                names["sign:RSA:\(input)-PSS:\(saltName)"] = sign(.rsaPSS)
                names["sign:ECDSA:\(input)-X962:\(name)"] = sign(.ecdsaX962)
                names["sign:ECDSA:\(input)-RFC4754:\(name)"] = sign(.ecdsaRFC4754)
            }
            names["encrypt:RSA:OAEP:\(name)"] = .encryption(.rsaOAEP(hash))
            names["encrypt:RSA:OAEP:\(name):AESGCM"] = .encryption(.rsaOAEPWithGCM(hash))
            for (agreement, usesCofactor) in [("ECDH", false), ("ECDHC", true)] {
                names["keyexchange:\(agreement):KDFX963:\(name)"] = .agreement(
                    AgreementAlgorithm(usesCofactor: usesCofactor, hash: hash)
                )
                let ecies = "encrypt:ECIES:\(agreement):KDFX963:\(name):AESGCM"
                names[ecies] = .encryption(.ecies(hash, derivesVector: false))
                if hash != .sha1 { names[ecies + "-KDFIV"] = .encryption(.ecies(hash, derivesVector: true)) }
            }
        }
        return Dictionary(uniqueKeysWithValues: names.map { ("algid:\($0)", $1) })
    }()
}

extension AsymmetricKey {
    /// Whether the key can be used for an algorithm.
    package func supports(_ algorithm: KeyAlgorithm, for operation: KeyOperation) -> Bool {
        switch (algorithm, operation) {
        case (.signature(let algorithm), .sign): isPrivate && supports(algorithm)
        case (.signature(let algorithm), .verify): !isPrivate && supports(algorithm)
        case (.encryption(let algorithm), .encrypt): !isPrivate && supports(algorithm)
        case (.encryption(let algorithm), .decrypt): isPrivate && supports(algorithm)
        case (.agreement(let algorithm), .agree): isPrivate && supports(algorithm)
        default: false
        }
    }

    private func supports(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (kind, algorithm.scheme) {
        case (.rsa, .rsaRaw), (.rsa, .rsaPKCS1): true
        // The padding holds a salt and a digest, and nine bits more.
        case (.rsa(let bitCount), .rsaPSS): bitCount >= 16 * (algorithm.hash?.byteCount ?? 0) + 9
        case (.ellipticCurve, .ecdsaX962), (.ellipticCurve, .ecdsaRFC4754), (.ed25519, .ed25519): true
        default: false
        }
    }

    private func supports(_ algorithm: EncryptionAlgorithm) -> Bool {
        switch (kind, algorithm) {
        case (.rsa, .rsaRaw), (.rsa, .rsaPKCS1): true
        case (.rsa, .rsaOAEP(let hash)), (.rsa, .rsaOAEPWithGCM(let hash)):
            kind.blockByteCount >= 2 * hash.byteCount + 2
        case (.ellipticCurve, .ecies), (.x25519, .ecies): true
        default: false
        }
    }

    private func supports(_ algorithm: AgreementAlgorithm) -> Bool {
        switch kind {
        case .ellipticCurve: true
        case .x25519: !algorithm.usesCofactor
        case .rsa, .ed25519: false
        }
    }
}
