extension SecKeyAlgorithm {
    /// ECIES by ECDH with the cofactor, X9.63 with SHA-224, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-256, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-384, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-512, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-1, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-224, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-256, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-384, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
    )

    /// ECIES by ECDH with the cofactor, X9.63 with SHA-512, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
    )

    /// ECIES by ECDH, X9.63 with SHA-224, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
    )

    /// ECIES by ECDH, X9.63 with SHA-256, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
    )

    /// ECIES by ECDH, X9.63 with SHA-384, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
    )

    /// ECIES by ECDH, X9.63 with SHA-512, and AES-GCM with an IV that is derived.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
    )

    /// ECIES by ECDH, X9.63 with SHA-1, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"
    )

    /// ECIES by ECDH, X9.63 with SHA-224, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"
    )

    /// ECIES by ECDH, X9.63 with SHA-256, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"
    )

    /// ECIES by ECDH, X9.63 with SHA-384, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"
    )

    /// ECIES by ECDH, X9.63 with SHA-512, and AES-GCM with an IV of zeros.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"
    )
}
