internal import CofferBasics
import VaultCrypto
import VaultFiles
import VaultFormat

/// Random bytes that a test specifies draw by draw.
package final class ScriptedRandom: RandomSource {
    private let draws: Guarded<ArraySlice<[UInt8]>>

    /// Makes a source that returns each of `draws` once, in order.
    package init(_ draws: [[UInt8]]) {
        self.draws = Guarded(draws[...])
    }

    /// The number of draws that have not been used.
    package var remainingCount: Int { draws.withLock { $0.count } }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        let draw = draws.withLock { $0.popFirst() } ?? []
        precondition(draw.count == bytes.count, "\(bytes.count) bytes are drawn, but the script has \(draw.count)")
        for index in bytes.indices { bytes[index] = draw[index] }
    }
}
