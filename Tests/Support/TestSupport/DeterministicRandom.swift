internal import CofferBasics
import VaultCrypto
import VaultFiles
import VaultFormat

/// Random bytes that are the same in every run, for tests that compare bytes.
///
/// It exists only in the test kit, so that no program can be linked with a source of predictable bytes.
package final class DeterministicRandom: RandomSource {
    private let generator: Guarded<SeededGenerator>

    /// Makes a source whose bytes are derived from `seed`.
    package init(seed: String) {
        // FNV-1a, which needs no tables and is good enough at mixing names that differ in one letter.
        let hash = seed.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        generator = Guarded(SeededGenerator(seed: hash))
    }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        generator.withLock { generator in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
        }
    }
}
