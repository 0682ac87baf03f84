/// A build for fuzzing in which nothing is sealed: every tag is genuine, and hashes are zero, except the digests of items.
///
/// It lets a search get behind the seals, where otherwise only a holder of the keys can write. `./dev fuzz vault-inside`
/// makes it.
enum Unsealed {
    #if UNSEALED
        static let isOn = true
    #else
        static let isOn = false
    #endif
}
