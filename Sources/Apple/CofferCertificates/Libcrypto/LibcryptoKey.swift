internal import CCofferLibcrypto
internal import CofferBasics

/// A key of libcrypto: a copy that lives for one operation.
@safe package struct LibcryptoKey: ~Copyable {
    package let library: Libcrypto
    let pointer: OpaquePointer

    deinit { unsafe library.functions.EVP_PKEY_free(pointer) }

    /// The RSA key with these big-endian numbers: the modulus and the public exponent; for a private key also the private
    /// exponent, both primes, their exponents and the coefficient.
    package init(
        rsa bytes: Span<UInt8>,
        numbers: [Range<Int>],
        in library: Libcrypto
    ) throws(LibcryptoError) {
        let parts = zip(Self.rsaNumbers, numbers).map { Number(name: $0, range: $1) }
        try unsafe self.init("RSA", [], parts, of: bytes, isPrivate: numbers.count > 2, in: library)
    }

    /// The names of the numbers of an RSA key, in the order of PKCS #1.
    private static let rsaNumbers: [StaticString] = [
        "n", "e", "d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
    ]

    /// The key on a curve with this point, uncompressed, behind which a private key has a big-endian number.
    package init(
        on curve: StaticString,
        _ bytes: Span<UInt8>,
        pointByteCount: Int,
        in library: Libcrypto
    ) throws(LibcryptoError) {
        let isPrivate = bytes.count > pointByteCount
        let number = isPrivate ? [Number(name: "priv", range: pointByteCount..<bytes.count)] : []
        self = try unsafe bytes.withUnsafeBytes { pointer throws(LibcryptoError) in
            let point = unsafe UnsafeRawBufferPointer(rebasing: pointer[..<pointByteCount])
            let others = unsafe [Parameter("group", text: curve), Parameter("pub", octets: point)]
            return try unsafe LibcryptoKey("EC", others, number, of: bytes, isPrivate: isPrivate, in: library)
        }
    }

    /// A number of a key, and where its digits are.
    private struct Number {
        let name: StaticString
        let range: Range<Int>
    }

    private init(
        _ type: StaticString,
        _ others: [Parameter],
        _ numbers: [Number],
        of bytes: Span<UInt8>,
        isPrivate: Bool,
        in library: Libcrypto
    ) throws(LibcryptoError) {
        let operation = try LibcryptoOperation(making: type, in: library)
        try check(unsafe library.functions.EVP_PKEY_fromdata_init(operation.context), "EVP_PKEY_fromdata_init")
        let selection = Int32(isPrivate ? COFFER_EVP_PKEY_KEYPAIR : COFFER_EVP_PKEY_PUBLIC_KEY)
        var key: OpaquePointer?
        // The library takes numbers in the order of the processor.
        var reversed = SecretBuffer(byteCount: bytes.count)
        let status = reversed.withMutableSpan { reversed in
            unsafe reversed.withUnsafeMutableBytes { reversed in
                var parameters = unsafe others
                for number in numbers {
                    let digits = unsafe UnsafeMutableRawBufferPointer(rebasing: reversed[number.range])
                    for offset in digits.indices { unsafe digits[offset] = bytes[number.range.upperBound - 1 - offset] }
                    unsafe parameters.append(Parameter(number.name, number: digits))
                }
                unsafe parameters.append(.end)
                return unsafe library.functions.EVP_PKEY_fromdata(operation.context, &key, selection, &parameters)
            }
        }
        guard status == 1, let key = unsafe key else { throw .failed("EVP_PKEY_fromdata") }
        self.library = library
        unsafe pointer = key
    }

    // MARK: - Making

    /// A new RSA key with the public exponent 65537.
    package init(rsaBitCount: Int, in library: Libcrypto) throws(LibcryptoError) {
        var bitCount = UInt(rsaBitCount)
        self = try unsafe withUnsafeMutableBytes(of: &bitCount) { bitCount throws(LibcryptoError) in
            try unsafe LibcryptoKey(making: "RSA", [Parameter("bits", number: bitCount), .end], in: library)
        }
    }

    /// A new key on a curve.
    package init(on curve: StaticString, in library: Libcrypto) throws(LibcryptoError) {
        try unsafe self.init(making: "EC", [Parameter("group", text: curve), .end], in: library)
    }

    private init(
        making type: StaticString,
        _ parameters: [Parameter],
        in library: Libcrypto
    ) throws(LibcryptoError) {
        let operation = try LibcryptoOperation(making: type, in: library)
        let functions = library.functions
        try check(unsafe functions.EVP_PKEY_keygen_init(operation.context), "EVP_PKEY_keygen_init")
        try check(unsafe functions.EVP_PKEY_CTX_set_params(operation.context, parameters), "EVP_PKEY_CTX_set_params")
        var key: OpaquePointer?
        let status = unsafe functions.EVP_PKEY_generate(operation.context, &key)
        guard status == 1, let key = unsafe key else { throw .failed("EVP_PKEY_generate") }
        self.library = library
        unsafe pointer = key
    }

    // MARK: - Reading

    /// Writes the numbers of an RSA key, each big-endian with zeros in front, in the order of PKCS #1.
    package func writeRSANumbers(
        to bytes: inout MutableSpan<UInt8>,
        in ranges: [Range<Int>]
    ) throws(LibcryptoError) {
        for (name, range) in zip(Self.rsaNumbers, ranges) {
            var number = bytes._mutatingExtracting(range)
            try write(name, to: &number)
        }
    }

    /// Writes the private number of a key on a curve, big-endian with zeros in front.
    package func writePrivateNumber(to bytes: inout MutableSpan<UInt8>) throws(LibcryptoError) {
        try write("priv", to: &bytes)
    }

    private func write(_ name: StaticString, to number: inout MutableSpan<UInt8>) throws(LibcryptoError) {
        let status = unsafe number.withUnsafeMutableBytes { digits in
            var digits = unsafe digits
            var parameters = unsafe [Parameter(name, number: digits), .end]
            let status = unsafe library.functions.EVP_PKEY_get_params(pointer, &parameters)
            unsafe digits.reverse()
            return status
        }
        try check(status, "EVP_PKEY_get_params")
    }

    /// The point of a key on a curve, which has this size.
    package func point(byteCount: Int) throws(LibcryptoError) -> [UInt8] {
        var point = [UInt8](repeating: 0, count: byteCount)
        let writtenByteCount = unsafe point.withUnsafeMutableBytes { point in
            var parameters = unsafe [Parameter("pub", octets: UnsafeRawBufferPointer(point)), .end]
            let status = unsafe library.functions.EVP_PKEY_get_params(pointer, &parameters)
            return status == 1 ? unsafe parameters[0].return_size : 0
        }
        guard writtenByteCount == byteCount else { throw .failed("EVP_PKEY_get_params") }
        return point
    }
}
