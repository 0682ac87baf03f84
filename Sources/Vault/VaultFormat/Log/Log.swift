internal import VaultCrypto

/// The position up to which a log has been read or written.
package struct LogPosition: Equatable, Sendable {
    /// The offset of the next frame.
    package var offset: Int
    /// The sequence number of the last frame.
    package var sequence: UInt64
    package var chain: ChainValue

    package init(offset: Int, sequence: UInt64, chain: ChainValue) {
        self.offset = offset
        self.sequence = sequence
        self.chain = chain
    }
}

/// Reads the frames of a generation in order, section 6.
package struct LogReader<Source: ByteSource> {
    package private(set) var position: LogPosition
    private let source: Source
    private let keys: GenerationKeys

    /// A reader that continues at `position`.
    package init(at position: LogPosition, in source: Source, keys: GenerationKeys) {
        self.position = position
        self.source = source
        self.keys = keys
    }

    /// The next frame, or nil when the tail begins.
    package mutating func next() throws(VaultFormatError) -> Frame? {
        let headEnd = position.offset + FrameHead.byteCount
        guard headEnd <= source.byteCount else { return nil }
        let headBytes = try source.read(position.offset..<headEnd)
        guard let head = FrameHead(genuine: headBytes.span, key: keys.head), head.isPlausible,
            head.sequence == position.sequence + 1, head.chain == position.chain,
            position.offset + head.frameByteCount <= source.byteCount
        else { return nil }
        let bytes = try source.read(position.offset..<position.offset + head.frameByteCount)
        let next = position.chain.following(bytes.span, key: keys.chain)
        let frame: Frame
        do throws(Fault) {
            frame = try Frame(opening: consume bytes, head: head, keys: keys)
        } catch {
            if case .unsupported(let feature) = error.reason { throw .unsupported(feature) }
            return nil
        }
        position = LogPosition(offset: position.offset + head.frameByteCount, sequence: head.sequence, chain: next)
        return frame
    }

    /// The verdict on what follows the last frame that ``next()`` returned.
    package func tailVerdict() throws(VaultFormatError) -> TailVerdict {
        try TailExamination(
            source: source,
            start: position.offset,
            expected: position.sequence + 1,
            headKey: keys.head
        ).verdict()
    }
}

/// Seals one frame after another, section 6; the caller writes them to the file.
package struct LogWriter {
    /// The position of the next frame.
    package private(set) var position: LogPosition
    private let keys: GenerationKeys

    /// A writer that continues after the frames that a reader has verified.
    package init(continuing position: LogPosition, keys: GenerationKeys) {
        self.position = position
        self.keys = keys
    }

    /// The bytes of the next frame.
    ///
    /// `syncedSequence` is the greatest sequence number known to be durable; nil stands for the previous frame's.
    package mutating func frame(
        _ records: [Record],
        time: Time,
        syncedSequence: UInt64? = nil
    ) throws(Fault) -> [UInt8] {
        let frame = Frame(
            sequence: position.sequence + 1,
            syncedSequence: syncedSequence ?? position.sequence,
            time: time,
            records: records
        )
        let bytes = try frame.sealed(after: position.chain, keys: keys)
        position.chain = position.chain.following(bytes.span, key: keys.chain)
        position.offset += bytes.count
        position.sequence += 1
        return bytes
    }
}
