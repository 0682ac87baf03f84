public import Foundation

/// An algorithm for signing, encryption or key agreement.
///
/// The names are Apple's; `SecKeyIsAlgorithmSupported` tells which of them a key supports.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }

    /// Creates an algorithm from Apple's name for it.
    public init(rawValue: CFString) { name = rawValue as String }

    /// Apple's name for the algorithm.
    public var rawValue: CFString { name as NSString }
}

extension SecKeyAlgorithm {
    /// ECDSA over a digest of any kind, in the RFC 4754 format.
    public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754")

    /// ECDSA over a SHA-1 digest, in the RFC 4754 format.
    public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA1")

    /// ECDSA over a SHA-224 digest, in the RFC 4754 format.
    public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA224")

    /// ECDSA over a SHA-256 digest, in the RFC 4754 format.
    public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA256")

    /// ECDSA over a SHA-384 digest, in the RFC 4754 format.
    public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA384")

    /// ECDSA over a SHA-512 digest, in the RFC 4754 format.
    public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA512")

    /// ECDSA over a digest of any kind, in the ANSI X9.62 format.
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962")

    /// ECDSA over a SHA-1 digest, in the ANSI X9.62 format.
    public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA1")

    /// ECDSA over a SHA-224 digest, in the ANSI X9.62 format.
    public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA224")

    /// ECDSA over a SHA-256 digest, in the ANSI X9.62 format.
    public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA256")

    /// ECDSA over a SHA-384 digest, in the ANSI X9.62 format.
    public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA384")

    /// ECDSA over a SHA-512 digest, in the ANSI X9.62 format.
    public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA512")

    /// ECDSA over a message hashed with SHA-1, in the RFC 4754 format.
    public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA1")

    /// ECDSA over a message hashed with SHA-224, in the RFC 4754 format.
    public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA224")

    /// ECDSA over a message hashed with SHA-256, in the RFC 4754 format.
    public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA256")

    /// ECDSA over a message hashed with SHA-384, in the RFC 4754 format.
    public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA384")

    /// ECDSA over a message hashed with SHA-512, in the RFC 4754 format.
    public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA512")

    /// ECDSA over a message hashed with SHA-1, in the ANSI X9.62 format.
    public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA1")

    /// ECDSA over a message hashed with SHA-224, in the ANSI X9.62 format.
    public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA224")

    /// ECDSA over a message hashed with SHA-256, in the ANSI X9.62 format.
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA256")

    /// ECDSA over a message hashed with SHA-384, in the ANSI X9.62 format.
    public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA384")

    /// ECDSA over a message hashed with SHA-512, in the ANSI X9.62 format.
    public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA512")

    /// ECDSA over a digest of any kind, in the RFC 4754 format: the older name.
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:RFC4754")
}

extension SecKeyAlgorithm {
    /// Cofactor ECDH without key derivation.
    public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("algid:keyexchange:ECDHC")

    /// Cofactor ECDH, then ANSI X9.63 key derivation with SHA-1.
    public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA1")

    /// Cofactor ECDH, then ANSI X9.63 key derivation with SHA-224.
    public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA224")

    /// Cofactor ECDH, then ANSI X9.63 key derivation with SHA-256.
    public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA256")

    /// Cofactor ECDH, then ANSI X9.63 key derivation with SHA-384.
    public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA384")

    /// Cofactor ECDH, then ANSI X9.63 key derivation with SHA-512.
    public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDHC:KDFX963:SHA512")

    /// ECDH without key derivation.
    public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("algid:keyexchange:ECDH")

    /// ECDH, then ANSI X9.63 key derivation with SHA-1.
    public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA1")

    /// ECDH, then ANSI X9.63 key derivation with SHA-224.
    public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA224")

    /// ECDH, then ANSI X9.63 key derivation with SHA-256.
    public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA256")

    /// ECDH, then ANSI X9.63 key derivation with SHA-384.
    public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA384")

    /// ECDH, then ANSI X9.63 key derivation with SHA-512.
    public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm("algid:keyexchange:ECDH:KDFX963:SHA512")
}

extension SecKeyAlgorithm {
    /// RSA with OAEP and SHA-1.
    public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1")

    /// RSA with OAEP and SHA-1, encrypting an AES-GCM key.
    public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA1:AESGCM")

    /// RSA with OAEP and SHA-224.
    public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224")

    /// RSA with OAEP and SHA-224, encrypting an AES-GCM key.
    public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA224:AESGCM")

    /// RSA with OAEP and SHA-256.
    public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256")

    /// RSA with OAEP and SHA-256, encrypting an AES-GCM key.
    public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA256:AESGCM")

    /// RSA with OAEP and SHA-384.
    public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384")

    /// RSA with OAEP and SHA-384, encrypting an AES-GCM key.
    public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA384:AESGCM")

    /// RSA with OAEP and SHA-512.
    public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512")

    /// RSA with OAEP and SHA-512, encrypting an AES-GCM key.
    public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm("algid:encrypt:RSA:OAEP:SHA512:AESGCM")

    /// RSA with PKCS #1 v1.5 padding.
    public static let rsaEncryptionPKCS1 = SecKeyAlgorithm("algid:encrypt:RSA:PKCS1")

    /// RSA without padding.
    public static let rsaEncryptionRaw = SecKeyAlgorithm("algid:encrypt:RSA:raw")
}

extension SecKeyAlgorithm {
    /// RSA with PKCS #1 v1.5 over bytes that are signed without hashing.
    public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15")

    /// RSA with PKCS #1 v1.5 over a SHA-1 digest.
    public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA1")

    /// RSA with PKCS #1 v1.5 over a SHA-224 digest.
    public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA224")

    /// RSA with PKCS #1 v1.5 over a SHA-256 digest.
    public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA256")

    /// RSA with PKCS #1 v1.5 over a SHA-384 digest.
    public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA384")

    /// RSA with PKCS #1 v1.5 over a SHA-512 digest.
    public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:SHA512")

    /// RSA with PSS over a SHA-1 digest.
    public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA1:SHA1:20")

    /// RSA with PSS over a SHA-224 digest.
    public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA224:SHA224:24")

    /// RSA with PSS over a SHA-256 digest.
    public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA256:SHA256:32")

    /// RSA with PSS over a SHA-384 digest.
    public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA384:SHA384:48")

    /// RSA with PSS over a SHA-512 digest.
    public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm("algid:sign:RSA:digest-PSS:SHA512:SHA512:64")

    /// RSA with PKCS #1 v1.5 over a message hashed with SHA-1.
    public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA1")

    /// RSA with PKCS #1 v1.5 over a message hashed with SHA-224.
    public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA224")

    /// RSA with PKCS #1 v1.5 over a message hashed with SHA-256.
    public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA256")

    /// RSA with PKCS #1 v1.5 over a message hashed with SHA-384.
    public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA384")

    /// RSA with PKCS #1 v1.5 over a message hashed with SHA-512.
    public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA512")

    /// RSA with PSS over a message hashed with SHA-1.
    public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA1:SHA1:20")

    /// RSA with PSS over a message hashed with SHA-224.
    public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA224:SHA224:24")

    /// RSA with PSS over a message hashed with SHA-256.
    public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA256:SHA256:32")

    /// RSA with PSS over a message hashed with SHA-384.
    public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA384:SHA384:48")

    /// RSA with PSS over a message hashed with SHA-512.
    public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm("algid:sign:RSA:message-PSS:SHA512:SHA512:64")

    /// RSA without padding.
    public static let rsaSignatureRaw = SecKeyAlgorithm("algid:sign:RSA:raw")
}

extension SecKeyAlgorithm {
    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-224, and AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-256, and AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-384, and AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-512, and AES-GCM with a derived IV.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-1, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-224, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-256, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-384, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
    )

    /// ECIES with cofactor ECDH, ANSI X9.63 key derivation with SHA-512, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-224, and AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-256, and AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-384, and AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-512, and AES-GCM with a derived IV.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-1, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-224, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-256, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-384, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"
    )

    /// ECIES with ECDH, ANSI X9.63 key derivation with SHA-512, and AES-GCM with an all-zero IV.
    public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"
    )
}
