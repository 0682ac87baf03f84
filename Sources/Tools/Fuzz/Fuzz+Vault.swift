import Glibc
import VaultCrypto
import VaultFormat

extension Fuzz {
    /// Passes the input to the store and checks it against ``StoreInvariant``.
    ///
    /// A stranger has no key: the input is a file, or a file whose unkeyed hashes are repaired. In the build that seals
    /// nothing (`./dev fuzz vault-inside`), the input is what a holder of all keys can write: a whole vault or a part of
    /// one.
    static func vault(_ input: [UInt8]) {
        do {
            let random = try shared.get()
            guard isUnsealed else {
                KeylessAttacker.offer(input, random: random)
                if let mended = KeylessAttacker.mended(input) { KeylessAttacker.offer(mended, random: random) }
                return
            }
            if input.starts(with: Header.magic) {
                try WholeVault(input, random: random).check()
            } else if let number = input.first, let part = Part(rawValue: number) {
                try part.check(Array(input.dropFirst()), random: random)
            }
        } catch {
            preconditionFailure("libsodium cannot be initialized: \(error)")
        }
    }
}

private let shared = Result { try SystemRandom() }

#if UNSEALED
    private let isUnsealed = true
#else
    private let isUnsealed = false
#endif

/// Aborts unless `holds`, and prints which law was broken; a precondition of a release build would not print it.
func requireInvariant(_ holds: Bool, _ law: StaticString) {
    guard !holds else { return }
    _ = write(STDERR_FILENO, law.utf8Start, law.utf8CodeUnitCount)
    abort()
}
