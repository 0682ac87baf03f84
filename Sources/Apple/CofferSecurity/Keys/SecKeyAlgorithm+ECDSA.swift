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
