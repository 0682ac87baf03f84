internal import CSodium

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

    /// `SipHash(key, input)`.
    static func shortHash(key: Span<UInt8>, _ input: Span<UInt8>) -> InlineArray<16, UInt8> {
        precondition(key.count == Int(crypto_shorthash_siphashx24_KEYBYTES), "a key of SipHash has 16 bytes")
        var digest = InlineArray<16, UInt8>(repeating: 0)
        var output = digest.mutableSpan
        unsafe output.withMutablePointer { output, _ in
            unsafe input.withPointer { input, byteCount in
                unsafe key.withPointer { key, _ in
                    // It cannot fail.
                    _ = unsafe crypto_shorthash_siphashx24(output, input, UInt64(byteCount), key)
                }
            }
        }
        return digest
    }

    private static func withPersonalization(
        _ label: Label?,
        _ body: (UnsafePointer<UInt8>?) -> Int32
    ) -> Int32 {
        label.map { unsafe $0.withPointer(body) } ?? body(nil)
    }

    /// Writes `H(output.count, key, label, one || two || three)` to `output`.
    static func hash(
        into output: inout MutableSpan<UInt8>,
        key: Span<UInt8>,
        label: Label,
        _ one: Span<UInt8>,
        _ two: Span<UInt8>,
        _ three: Span<UInt8>
    ) {
        let status = unsafe output.withMutablePointer { output, outputByteCount in
            unsafe key.withPointer { key, keyByteCount in
                unsafe label.withPointer { label in
                    unsafe one.withPointer { one, oneByteCount in
                        unsafe two.withPointer { two, twoByteCount in
                            unsafe three.withPointer { three, threeByteCount in
                                unsafe coffer_hash_three(
                                    output,
                                    outputByteCount,
                                    key,
                                    keyByteCount,
                                    label,
                                    one,
                                    oneByteCount,
                                    two,
                                    twoByteCount,
                                    three,
                                    threeByteCount
                                )
                            }
                        }
                    }
                }
            }
        }
        precondition(status == 0, "BLAKE2b does not support this size")
    }
}
