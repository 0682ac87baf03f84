internal import CCofferSodium

/// The libsodium functions that are used in more than one place.
enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// Starts the library, once per process.
    static func requireReady() throws(CipherError) {
        guard isReady else { throw .libraryUnavailable }
    }

    /// Writes `H(output.count, key, label, input)` to `output`; an empty key means no key, nil means 16 zero bytes.
    static func hash(
        into output: inout MutableSpan<UInt8>,
        key: Span<UInt8>,
        label: Label?,
        _ input: Span<UInt8>
    ) {
        let status = unsafe output.withMutablePointer { output, outputByteCount in
            unsafe input.withPointer { input, inputByteCount in
                unsafe key.withPointer { key, keyByteCount in
                    unsafe withPersonalization(label) { personalization in
                        unsafe crypto_generichash_blake2b_salt_personal(
                            output,
                            outputByteCount,
                            input,
                            UInt64(inputByteCount),
                            key,
                            keyByteCount,
                            nil,
                            personalization
                        )
                    }
                }
            }
        }
        // This fails only for sizes that BLAKE2b does not support, and all of ours are constants.
        precondition(status == 0, "BLAKE2b does not support this size")
    }

    static let shortHashByteCount = 16

    typealias ShortHash = InlineArray<16, UInt8>

    /// Writes `SipHash(key, input)` to `output`.
    static func shortHash(into output: inout MutableSpan<UInt8>, key: Span<UInt8>, _ input: Span<UInt8>) {
        precondition(key.count == shortHashByteCount, "a key of SipHash has 16 bytes")
        precondition(output.count == shortHashByteCount, "SipHash makes 16 bytes")
        unsafe output.withMutablePointer { output, _ in
            unsafe input.withPointer { input, byteCount in
                unsafe key.withPointer { key, _ in
                    // It cannot fail.
                    _ = unsafe crypto_shorthash_siphashx24(output, input, UInt64(byteCount), key)
                }
            }
        }
    }

    private static func withPersonalization(
        _ label: Label?,
        _ body: (UnsafePointer<UInt8>?) -> Int32
    ) -> Int32 {
        label.map { unsafe $0.withPointer(body) } ?? body(nil)
    }
}
