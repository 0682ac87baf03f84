internal import CCofferLibcrypto

/// A parameter of an operation or a part of a key, whose memory outlives the call.
@unsafe typealias Parameter = coffer_OSSL_PARAM

extension Parameter {
    /// The end of a list.
    static var end: Parameter { unsafe Parameter() }

    init(_ key: StaticString, text: StaticString) {
        unsafe self.init(
            key,
            COFFER_OSSL_UTF8_STRING,
            UnsafeMutableRawPointer(mutating: text.utf8Start),
            text.utf8CodeUnitCount
        )
    }

    /// A sequence of bytes, which is only read unless `bytes` are mutable.
    init(_ key: StaticString, octets: UnsafeRawBufferPointer) {
        unsafe self.init(
            key,
            COFFER_OSSL_OCTET_STRING,
            UnsafeMutableRawPointer(mutating: octets.baseAddress),
            octets.count
        )
    }

    /// A number that is not negative, as bytes in the order of the processor.
    init(_ key: StaticString, number: UnsafeMutableRawBufferPointer) {
        unsafe self.init(key, COFFER_OSSL_UNSIGNED_INTEGER, number.baseAddress, number.count)
    }

    private init(_ key: StaticString, _ kind: Int, _ data: UnsafeMutableRawPointer?, _ byteCount: Int) {
        unsafe self.init(
            key: UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self),
            data_type: UInt32(kind),
            data: data,
            data_size: byteCount,
            return_size: 0
        )
    }
}
