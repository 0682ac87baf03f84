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
    /// The sealed bytes, to be written behind frames with the given chain value.
    package func sealed<Suite: CipherSuite>(
        after chain: ChainValue,
        keys: GenerationKeys<Suite>,
        suite: Suite
    ) throws(Fault) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(Padding.padded(FrameHead.byteCount + 64 + records.reduce(0) { $0 + $1.byteCount }))
        text.append(littleEndian: time.microseconds)
        text.append(littleEndian: UInt32(0))
        text.append(littleEndian: UInt32(records.count))
        for record in records { record.append(to: &text) }
        let recordByteCount = text.count - FrameHead.textHeadByteCount
        try Limit.transaction.check(recordByteCount, atMost: Limits.transactionByteCount)
        try Limit.transaction.check(records.count, atMost: Limits.transactionRecordCount)
        for byte in 0..<4 { text[8 + byte] = UInt8(truncatingIfNeeded: recordByteCount >> (8 * byte)) }
        let frameByteCount = Padding.padded(FrameHead.byteCount + text.count + Box.tagByteCount)
        let bodyByteCount = frameByteCount - FrameHead.byteCount
        text.append(contentsOf: repeatElement(0, count: bodyByteCount - text.count))

        // The associated data holds the head and so the nonce; the nonce is made from what is known before.
        let nonce = suite.nonce(
            for: text.span.extracting(..<(bodyByteCount - Box.tagByteCount)),
            associatedData: chain.bytes,
            key: keys.frame
        )
        let head = FrameHead(
            bodyByteCount: bodyByteCount,
            sequence: sequence,
            syncedSequence: syncedSequence,
            nonce: nonce
        ).encoded(key: keys.head, suite: suite)
        var body = text.mutableSpan
        suite.seal(&body, nonce: nonce, associatedData: chain.bytes + head, key: keys.frame)
        return head + text
    }
}

// MARK: - Reading

extension Frame {
    /// Opens a whole frame whose head is `head`, written behind frames with the given chain value.
    package init<Suite: CipherSuite>(
        opening bytes: [UInt8],
        head: FrameHead,
        after chain: ChainValue,
        keys: GenerationKeys<Suite>,
        suite: Suite
    ) throws(LocatedFault) {
        guard head.isPlausible, bytes.count == head.frameByteCount else { throw LocatedFault(.badLength, at: 4) }
        let associatedData = chain.bytes + bytes.prefix(FrameHead.byteCount)
        var text = [UInt8](copying: bytes.span.extracting(FrameHead.byteCount...))
        var span = text.mutableSpan
        guard suite.open(&span, nonce: head.nonce.span, associatedData: associatedData, key: keys.frame) else {
            throw LocatedFault(.notAuthentic, at: FrameHead.byteCount)
        }
        text.removeLast(Box.tagByteCount)
        try self.init(text: text, head: head)
    }

    private init(text: [UInt8], head: FrameHead) throws(LocatedFault) {
        sequence = head.sequence
        syncedSequence = head.syncedSequence
        var reader = ByteReader(text)
        time = Time(microseconds: try reader.read())
        let recordByteCount = try reader.readCount()
        let count = try reader.readCount()
        guard recordByteCount <= Limits.transactionByteCount, count <= Limits.transactionRecordCount,
            Padding.padded(FrameHead.byteCount + FrameHead.textHeadByteCount + recordByteCount + Box.tagByteCount)
                == head.frameByteCount
        else { throw LocatedFault(.badLength, at: 8) }
        var part = try reader.readPart(recordByteCount)
        try reader.readPadding()
        records = []
        for _ in 0..<count { records.append(try Record(from: &part)) }
        guard part.remainingByteCount == 0 else { throw LocatedFault(.disagrees, at: 12) }
    }
}
