internal import VaultFiles
internal import VaultFormat

/// Which frames of the file have been read, and where the next one goes.
///
/// The tag is always that of the bytes before the position.
struct ReadFrames: Sendable {
    /// Where the next frame goes.
    private(set) var position: LogPosition
    /// The last bytes before the position; if they change, another process has taken frames back.
    private(set) var tag = FrameTag()
    /// Where the frames begin whose records are in memory.
    private(set) var offsets: [Int] = []
    /// The runs of frames behind damaged ones, if they were read to be salvaged.
    private(set) var runsBehindGaps: [FrameRun] = []
    /// Frames that were read again for their boxes.
    private var reread = PieceCache<Int, Frame>(byteCountLimit: 16 << 20)
    /// The anchor of the vault, if it has one.
    private(set) var anchor: Anchor?
    /// The chain value at the sequence number of the anchor.
    private(set) var chainAtAnchor: ChainValue?

    init(from position: LogPosition, anchor: Anchor?) {
        self.position = position
        self.anchor = anchor
        noteChain(position)
    }

    /// The position behind the last frame that was read.
    var end: LogPosition { runsBehindGaps.last?.end ?? position }

    /// Skips the frames of which an index says what they hold.
    mutating func skip(to position: LogPosition) {
        self.position = position
        noteChain(position)
    }

    /// Adds a frame that begins at `offset`, and ends at `end`.
    mutating func add(at offset: Int, end: LogPosition) {
        offsets.append(offset)
        noteChain(end)
    }

    /// Moves behind frames that were added.
    mutating func advance(to position: LogPosition, tag: FrameTag) { (self.position, self.tag) = (position, tag) }

    /// Counts changes in memory as the transaction `sequence`, which no chain leads to.
    mutating func countAsChange(_ sequence: UInt64) {
        position.sequence = sequence
        position.chain = ChainValue(bytes: [UInt8](repeating: 0, count: 32))
    }

    /// Adds frames behind a damaged one.
    mutating func add(_ run: FrameRun) { runsBehindGaps.append(run) }

    /// Replaces an anchor by one of an earlier generation, which asks nothing of these frames.
    mutating func replaceAnchor(_ anchor: Anchor?) { self.anchor = anchor }

    /// Returns the place of record number `record` of a frame whose offset has the number `index`.
    func place(ofFrame index: Int, record: Int) -> FramePlace {
        let end = index + 1 < offsets.count ? offsets[index + 1] : position.offset
        return FramePlace(offset: offsets[index], byteCount: end - offsets[index], record: record)
    }

    /// Returns a frame that was read again before.
    subscript(place: FramePlace) -> Frame? {
        mutating get { reread[place.offset] }
    }

    /// Keeps a frame that was read again.
    mutating func keep(_ frame: Frame, at place: FramePlace) {
        reread.insert(frame, for: place.offset, byteCount: place.byteCount)
    }

    private mutating func noteChain(_ position: LogPosition) {
        if position.sequence == anchor?.sequence { chainAtAnchor = position.chain }
    }
}
