internal import CCofferLibcrypto
internal import CofferBasics

/// An operation of libcrypto with a key.
@safe struct LibcryptoOperation: ~Copyable {
    private let library: Libcrypto
    let context: OpaquePointer

    /// The operation that makes a key of this type.
    init(making type: StaticString, in library: Libcrypto) throws(LibcryptoError) {
        self.library = library
        let context = unsafe type.withCString { type in
            unsafe library.functions.EVP_PKEY_CTX_new_from_name(library.context, type, nil)
        }
        guard let context = unsafe context else { throw .failed("EVP_PKEY_CTX_new_from_name") }
        unsafe self.context = context
    }

    /// An operation that uses a key.
    init(using key: borrowing LibcryptoKey) throws(LibcryptoError) {
        library = key.library
        let context = unsafe library.functions.EVP_PKEY_CTX_new_from_pkey(library.context, key.pointer, nil)
        guard let context = unsafe context else { throw .failed("EVP_PKEY_CTX_new_from_pkey") }
        unsafe self.context = context
    }

    deinit { unsafe library.functions.EVP_PKEY_CTX_free(context) }

    /// A function that reads bytes and writes at most as many as it is told.
    typealias Transformation = (
        OpaquePointer, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>, UnsafePointer<UInt8>?, Int
    ) -> Int32

    /// Returns what `transformation` makes of the bytes.
    func output(
        _ transformation: Transformation,
        _ name: StaticString,
        of input: Span<UInt8>
    ) throws(LibcryptoError) -> [UInt8] {
        try unsafe input.withUnsafeBufferPointer { input throws(LibcryptoError) in
            var byteCount = 0
            // Without memory, it says how many bytes it may need.
            try unsafe check(transformation(context, nil, &byteCount, input.baseAddress, input.count), name)
            var output = [UInt8](repeating: 0, count: byteCount)
            let status = unsafe transformation(context, &output, &byteCount, input.baseAddress, input.count)
            guard status == 1, byteCount <= output.count else {
                output.wipe()
                throw .failed("\(name)")
            }
            // The rest holds nothing: the function writes from the start.
            output.removeLast(output.count - byteCount)
            return output
        }
    }
}

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
