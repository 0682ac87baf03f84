internal import CofferBasics
package import VaultCrypto

/// Section 6.1: the first 96 bytes of a frame.
package struct FrameHead: Equatable, Sendable {
    package static let byteCount = 96
    package static let magic: [UInt8] = Array("COFX".utf8)
    private static let authenticatedByteCount = 80
    /// The time, and the size and number of the records.
    static let textHeadByteCount = 16
    /// Small frames have one size, so that it does not tell what they change.
    package static let leastFrameByteCount = 1024
    private static let greatestFrameByteCount = frameByteCount(recordByteCount: Limits.transactionByteCount)

    package var bodyByteCount: Int
    package var sequence: UInt64
    package var syncedSequence: UInt64
    package var nonce: [UInt8]
    /// The chain value before the frame.
    package var chain: ChainValue

    /// The size of the whole frame.
    package var frameByteCount: Int { Self.byteCount + bodyByteCount }

    /// The size of a frame with records of `recordByteCount` bytes.
    package static func frameByteCount(recordByteCount: Int) -> Int {
        max(leastFrameByteCount, Padding.padded(byteCount + textHeadByteCount + recordByteCount + Box.tagByteCount))
    }

    /// Whether a complete frame can have this head.
    package var isPlausible: Bool {
        (Self.leastFrameByteCount...Self.greatestFrameByteCount).contains(frameByteCount)
            && Padding.padded(frameByteCount) == frameByteCount
            && sequence < Limits.sequence && syncedSequence < sequence
    }

    /// The head in `bytes`, or nil if its magic or MAC is wrong.
    package init?(genuine bytes: Span<UInt8>, key: Key) {
        guard bytes.count >= Self.byteCount, Self.hasMagic(bytes) else { return nil }
        let code = key.hash(16, .head, bytes.extracting(..<Self.authenticatedByteCount))
        guard areEqual(code.span, bytes.extracting(Self.authenticatedByteCount..<Self.byteCount)) else {
            return nil
        }
        self.init(unauthenticated: bytes)
    }

    /// The head in `bytes`, not authenticated; there must be at least 96 bytes.
    init(unauthenticated bytes: Span<UInt8>) {
        bodyByteCount = Int(bytes.littleEndian(at: 4, as: UInt32.self))
        sequence = bytes.littleEndian(at: 8)
        syncedSequence = bytes.littleEndian(at: 16)
        nonce = [UInt8](copying: bytes.extracting(24..<48))
        chain = ChainValue(bytes: [UInt8](copying: bytes.extracting(48..<80)))
    }

    init(bodyByteCount: Int, sequence: UInt64, syncedSequence: UInt64, nonce: [UInt8], chain: ChainValue) {
        self.bodyByteCount = bodyByteCount
        self.sequence = sequence
        self.syncedSequence = syncedSequence
        self.nonce = nonce
        self.chain = chain
    }

    /// Whether `bytes` begin with the magic of a frame.
    package static func hasMagic(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= magic.count && magic.indices.allSatisfy { bytes[$0] == magic[$0] }
    }

    /// The 96 bytes of the head.
    func encoded(key: Key) -> [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: UInt32(bodyByteCount))
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: syncedSequence)
        bytes += nonce + chain.bytes
        return bytes + key.hash(16, .head, bytes)
    }
}
