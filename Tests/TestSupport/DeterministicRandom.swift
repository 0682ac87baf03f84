internal import CofferBasics
import VaultCrypto
import VaultFiles
import VaultFormat

/// Random bytes that are the same in every run, for tests that compare bytes.
///
/// It lives in the test kit alone, so no program can be linked with a source whose bytes can be told in advance.
package final class DeterministicRandom: RandomSource {
    private let generator: Guarded<SeededGenerator>

    /// A source whose bytes follow from `seed`.
    package init(seed: String) {
        // FNV-1a, which needs no tables and mixes names that differ in one letter well enough.
        let hash = seed.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        generator = Guarded(SeededGenerator(seed: hash))
    }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        generator.withLock { generator in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
        }
    }
}
