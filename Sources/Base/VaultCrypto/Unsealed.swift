/// A build for fuzzing in which nothing is sealed: every tag is genuine, and all hashes are zero except item digests.
///
/// It lets the fuzzer reach structures that otherwise only a holder of the keys can write. `./dev fuzz vault-inside`
/// builds it, and `./dev fuzz keyfile`.
package enum Unsealed {
    #if UNSEALED
        package static let isOn = true
    #else
        package static let isOn = false
    #endif
}
