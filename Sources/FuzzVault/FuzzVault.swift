import Glibc
import VaultCrypto
import VaultFormat

/// Passes the input to the store and checks it against ``StoreInvariant``.
///
/// A stranger has no key: the input is a file, or a file whose unkeyed hashes are repaired. In the build that seals
/// nothing (`./dev fuzz vault-inside`), the input is what a holder of all keys can write: a whole vault or a part of
/// one.
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
            KeylessAttacker.offer(input, random: random)
            if let mended = KeylessAttacker.mended(input) { KeylessAttacker.offer(mended, random: random) }
        #endif
    } catch {
        preconditionFailure("libsodium cannot be initialized: \(error)")
    }
    return 0
}

private let shared = Result { try SystemRandom() }

/// Aborts unless `holds`, and prints which law was broken; a precondition of a release build would not print it.
func requireInvariant(_ holds: Bool, _ law: StaticString) {
    guard !holds else { return }
    _ = write(STDERR_FILENO, law.utf8Start, law.utf8CodeUnitCount)
    abort()
}
