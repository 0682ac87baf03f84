internal import VaultCrypto

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
