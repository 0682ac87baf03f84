/// A build for fuzzing in which nothing is sealed: every tag is genuine, and all hashes are zero except item digests.
///
/// It lets the fuzzer reach structures that otherwise only a holder of the keys can write. `./dev fuzz vault-inside`
/// builds it.
enum Unsealed {
    #if UNSEALED
        static let isOn = true
    #else
        static let isOn = false
    #endif
}
