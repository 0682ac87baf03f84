import Glibc
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
        let random = try shared.get()
        #if UNSEALED
            if input.starts(with: Header.magic) {
                try WholeVault(input, random: random).check()
            } else if let number = input.first, let part = Part(rawValue: number) {
                try part.check(Array(input.dropFirst()), random: random)
            }
        #else
            Stranger.offer(input, random: random)
            if let mended = Stranger.mended(input) { Stranger.offer(mended, random: random) }
        #endif
    } catch {
        preconditionFailure("libsodium does not start: \(error)")
    }
    return 0
}

private let shared = Result { try SystemRandom() }

/// Ends the search unless `holds`, and says which law was broken, which a precondition of a release build would not.
func demand(_ holds: Bool, _ law: StaticString) {
    guard !holds else { return }
    _ = write(STDERR_FILENO, law.utf8Start, law.utf8CodeUnitCount)
    abort()
}
