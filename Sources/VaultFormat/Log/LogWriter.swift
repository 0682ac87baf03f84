/// Seals frames behind one another, section 6.
///
/// Where they are written to is the caller's business.
package struct LogWriter {
    /// Where the next frame goes.
    package private(set) var position: LogPosition
    private let keys: GenerationKeys

    /// A writer that continues behind the frames that a reader has verified.
    package init(continuing position: LogPosition, keys: GenerationKeys) {
        self.position = position
        self.keys = keys
    }

    /// The bytes of the next frame.
    ///
    /// `syncedSequence` is the greatest number that is known to be durable; nil means the frame before.
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
