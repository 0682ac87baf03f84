internal import CofferBasics
import VaultCrypto
import VaultFiles
import VaultFormat

/// Random bytes that a test hands out one draw after the other.
package final class ScriptedRandom: RandomSource {
    private let draws: Guarded<ArraySlice<[UInt8]>>

    /// A source that gives each of `draws` once, in their order.
    package init(_ draws: [[UInt8]]) {
        self.draws = Guarded(draws[...])
    }

    /// How many draws nobody has asked for.
    package var remainingCount: Int { draws.withLock { $0.count } }

    package func fill(_ bytes: inout MutableSpan<UInt8>) {
        let draw = draws.withLock { $0.popFirst() } ?? []
        precondition(draw.count == bytes.count, "\(bytes.count) bytes are drawn, the script says \(draw.count)")
        for index in bytes.indices { bytes[index] = draw[index] }
    }
}
