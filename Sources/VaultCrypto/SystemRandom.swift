internal import CSodium
internal import VaultFormat

/// The operating system's random numbers.
package struct SystemRandom: RandomSource {
    /// The one source of the process.
    package init() {}

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        unsafe bytes.withMutablePointer { unsafe randombytes_buf($0, $1) }
    }
}
