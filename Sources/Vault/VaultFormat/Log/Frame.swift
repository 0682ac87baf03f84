internal import CofferBasics
package import VaultCrypto

/// Section 6: one transaction of the log.
package struct Frame: Equatable, Sendable {
    package var sequence: UInt64
    package var syncedSequence: UInt64
    package var time: Time
    package var records: [Record]

    package init(sequence: UInt64, syncedSequence: UInt64, time: Time, records: [Record]) {
        self.sequence = sequence
        self.syncedSequence = syncedSequence
        self.time = time
        self.records = records
    }
}

// MARK: - Writing

extension Frame {
    /// Throws if records are too many, or together too large, for one frame.
    package static func check(recordCount: Int, byteCount: Int) throws(Fault) {
        try Limit.transaction.check(byteCount, atMost: Limits.transactionByteCount)
        try Limit.transaction.check(recordCount, atMost: Limits.transactionRecordCount)
    }

    /// The sealed bytes of the frame, to be written after frames with the given chain value.
    package func sealed(after chain: ChainValue, keys: GenerationKeys) throws(Fault) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(Padding.padded(FrameHead.byteCount + 64 + records.reduce(0) { $0 + $1.byteCount }))
        // The head comes last: it holds the nonce, which is made from everything after it.
        frame.append(zeroByteCount: FrameHead.byteCount)
        frame.append(littleEndian: time.microseconds)
        frame.append(littleEndian: UInt32(0))
        frame.append(littleEndian: UInt32(records.count))
        for record in records { record.append(to: &frame) }
        let recordByteCount = frame.count - FrameHead.byteCount - FrameHead.textHeadByteCount
        try Self.check(recordCount: records.count, byteCount: recordByteCount)
        let countOffset = FrameHead.byteCount + 8
        for byte in 0..<4 { frame[countOffset + byte] = UInt8(truncatingIfNeeded: recordByteCount >> (8 * byte)) }
        let frameByteCount = FrameHead.frameByteCount(recordByteCount: recordByteCount)
        frame.append(zeroByteCount: frameByteCount - frame.count)

        // The associated data of the frame contains the nonce, so the nonce is made with the chain value alone.
        let nonce = keys.frame.nonce(
            for: frame.span.extracting(FrameHead.byteCount..<frameByteCount - Box.tagByteCount),
            associatedData: chain.bytes.span,
            random: keys.cipher.random
        )
        let head = FrameHead(
            bodyByteCount: frameByteCount - FrameHead.byteCount,
            sequence: sequence,
            syncedSequence: syncedSequence,
            nonce: [UInt8](copying: nonce.span),
            chain: chain
        ).encoded(key: keys.head)
        var span = frame.mutableSpan
        span.copy(from: head.span)
        var body = span._mutatingExtracting(FrameHead.byteCount...)
        keys.frame.seal(&body, nonce: nonce.span, associatedData: head.span)
        return frame
    }
}

// MARK: - Reading

extension Frame {
    /// Opens a complete frame with the head `head`; the caller compares the chain value in the head.
    package init(
        opening sealed: consuming [UInt8],
        head: FrameHead,
        keys: GenerationKeys
    ) throws(Fault) {
        var bytes = consume sealed
        guard head.isPlausible, bytes.count == head.frameByteCount else { throw Fault(.badLength, at: 4) }
        let associatedData = InlineArray<96, UInt8> { bytes[$0] }
        var span = bytes.mutableSpan
        var body = span._mutatingExtracting(FrameHead.byteCount...)
        guard keys.frame.open(&body, nonce: head.nonce.span, associatedData: associatedData.span) else {
            throw Fault(.notAuthentic, at: FrameHead.byteCount)
        }
        try self.init(opened: bytes, head: head)
    }

    private init(opened bytes: [UInt8], head: FrameHead) throws(Fault) {
        sequence = head.sequence
        syncedSequence = head.syncedSequence
        var reader = ByteReader(bytes, in: FrameHead.byteCount..<bytes.count - Box.tagByteCount)
        time = Time(microseconds: try reader.read())
        let recordByteCount = try reader.readCount()
        let count = try reader.readCount()
        guard recordByteCount <= Limits.transactionByteCount, count <= Limits.transactionRecordCount,
            FrameHead.frameByteCount(recordByteCount: recordByteCount) == head.frameByteCount
        else { throw Fault(.badLength, at: FrameHead.byteCount + 8) }
        var part = try reader.readPart(recordByteCount)
        try reader.readPadding()
        records = []
        records.reserveCapacity(count)
        var unsupported: Fault?
        for _ in 0..<count {
            do throws(Fault) {
                records.append(try Record(from: &part))
            } catch {
                guard case .unsupported = error.reason else { throw error }
                unsupported = unsupported ?? error
            }
        }
        guard part.remainingByteCount == 0 else { throw Fault(.disagrees, at: FrameHead.byteCount + 12) }
        // A frame that does not verify is damaged, whatever its records are.
        if let unsupported { throw unsupported }
    }
}

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
