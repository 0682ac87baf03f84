import VaultCrypto
import VaultFormat

/// Gives the input to the store, and holds it against ``StoreLaw``.
///
/// A stranger has no key: the input is a file, or one whose hashes without a key are mended. Where the build seals nothing
/// (`./dev fuzz vault-inside`), the input is what a holder of all keys can write, a whole vault or one part of one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        let suite = try shared.get()
        #if UNSEALED
            if input.starts(with: Header.magic) {
                try WholeVault(input, suite: suite).check()
            } else if let number = input.first, let part = Part(rawValue: number) {
                try part.check(Array(input.dropFirst()), suite: suite)
            }
        #else
            Stranger.offer(input, suite: suite)
            if let mended = Stranger.mended(input, suite: suite) { Stranger.offer(mended, suite: suite) }
        #endif
    } catch {
        preconditionFailure("libsodium does not start: \(error)")
    }
    return 0
}

private let shared = Result { try SodiumSuite() }
