internal import CCofferSodium
internal import CofferBasics

/// `H(32, -, label, input)` of an input that comes in pieces.
@safe package final class RunningHash {
    private static let byteCount = 32

    private let state: OpaquePointer

    package init(_ label: Label) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: crypto_generichash_blake2b_statebytes(),
            alignment: 64
        )
        unsafe state = OpaquePointer(memory)
        let status = unsafe label.withPointer { personalization in
            unsafe crypto_generichash_blake2b_init_salt_personal(
                state,
                nil,
                0,
                Self.byteCount,
                nil,
                personalization
            )
        }
        precondition(status == 0, "BLAKE2b does not support this size")
    }

    deinit { unsafe UnsafeMutableRawPointer(state).deallocate() }

    /// Adds a piece of the input.
    package func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withPointer { bytes, byteCount in
            // It cannot fail.
            _ = unsafe crypto_generichash_blake2b_update(state, bytes, UInt64(byteCount))
        }
    }

    /// The hash of the whole input, after which nothing can be added.
    package func finish() -> [UInt8] {
        [UInt8](byteCount: Self.byteCount) { output in
            var hash = InlineArray<32, UInt8>(repeating: 0)
            var span = hash.mutableSpan
            unsafe span.withMutablePointer { hash, byteCount in
                _ = unsafe crypto_generichash_blake2b_final(state, hash, byteCount)
            }
            output.append(copying: hash.span)
        }
    }
}
