extension SecKeyAlgorithm {
    /// ECDSA over a digest of any kind, as RFC 4754 writes it.
    public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754")

    /// ECDSA over a digest by SHA-1, as RFC 4754 writes it.
    public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA1")

    /// ECDSA over a digest by SHA-224, as RFC 4754 writes it.
    public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA224")

    /// ECDSA over a digest by SHA-256, as RFC 4754 writes it.
    public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA256")

    /// ECDSA over a digest by SHA-384, as RFC 4754 writes it.
    public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA384")

    /// ECDSA over a digest by SHA-512, as RFC 4754 writes it.
    public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:digest-RFC4754:SHA512")

    /// ECDSA over a digest of any kind, as ANSI X9.62 writes it.
    public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962")

    /// ECDSA over a digest by SHA-1, as ANSI X9.62 writes it.
    public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA1")

    /// ECDSA over a digest by SHA-224, as ANSI X9.62 writes it.
    public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA224")

    /// ECDSA over a digest by SHA-256, as ANSI X9.62 writes it.
    public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA256")

    /// ECDSA over a digest by SHA-384, as ANSI X9.62 writes it.
    public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA384")

    /// ECDSA over a digest by SHA-512, as ANSI X9.62 writes it.
    public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA512")

    /// ECDSA over a message that is digested by SHA-1, as RFC 4754 writes it.
    public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA1")

    /// ECDSA over a message that is digested by SHA-224, as RFC 4754 writes it.
    public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA224")

    /// ECDSA over a message that is digested by SHA-256, as RFC 4754 writes it.
    public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA256")

    /// ECDSA over a message that is digested by SHA-384, as RFC 4754 writes it.
    public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA384")

    /// ECDSA over a message that is digested by SHA-512, as RFC 4754 writes it.
    public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:message-RFC4754:SHA512")

    /// ECDSA over a message that is digested by SHA-1, as ANSI X9.62 writes it.
    public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA1")

    /// ECDSA over a message that is digested by SHA-224, as ANSI X9.62 writes it.
    public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA224")

    /// ECDSA over a message that is digested by SHA-256, as ANSI X9.62 writes it.
    public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA256")

    /// ECDSA over a message that is digested by SHA-384, as ANSI X9.62 writes it.
    public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA384")

    /// ECDSA over a message that is digested by SHA-512, as ANSI X9.62 writes it.
    public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm("algid:sign:ECDSA:message-X962:SHA512")

    /// ECDSA over a digest of any kind, as RFC 4754 writes it: the older name.
    public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm("algid:sign:ECDSA:RFC4754")
}
